"""What speaks for and against each block: one row of numbers a block, the same for training and for reading.

The mass of a block is the text in it that reads like text. From the body element down, the heavy path follows the child that
holds most of the mass as long as it holds most of it. A block hangs on the path by a branch: what the names on its branch say
counts for it, what the names on the path say does not, since they hold for the article as well.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2

from newscrawler.blocks.default.beside import is_byline, is_caption, is_reference, letters_asked_for, letters_of_readers
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.headline import key_of
from newscrawler.page.marks import Mark

#: Characters of unlinked text from which an `article` element around the headline is the article.
_LEAST_ARTICLE = 300
#: See `_Rows.caution`.
FIRM_NAME = 1.3
_FIRM = int(Mark.COMMENT | Mark.CONSENT | Mark.HIDDEN | Mark.CAPTION | Mark.BYLINE | Mark.POPUP | Mark.PULL_QUOTE | Mark.PROMOTION)
#: Share of the mass that a child must hold for the heavy path to go on to it.
PATH_SHARE = 0.55
_FEATURE_MARKS = (
    Mark.NAVIGATION, Mark.FOOTER, Mark.ASIDE, Mark.RELATED, Mark.PROMOTION, Mark.SOCIAL, Mark.COMMENT, Mark.CAPTION, Mark.BYLINE,
    Mark.TAGS, Mark.POPUP, Mark.WIDGET, Mark.HIDDEN, Mark.PULL_QUOTE, Mark.LEAD, Mark.BODY, Mark.ARTICLE, Mark.HEADER, Mark.EMBED,
    Mark.FORM, Mark.FIGURE, Mark.CONSENT,
)  # fmt: skip
#: Names that hold for everything below them, however far, unless it is nearly all of the page.
_FOREIGN = int(Mark.COMMENT | Mark.CONSENT | Mark.NAVIGATION | Mark.FOOTER)
_DOUBTFUL = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.WIDGET | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE
)  # fmt: skip
_KINDS = {"p": 0, "div": 1, "li": 2, "blockquote": 3, "tr": 4, "h1": 5, "h2": 5, "h3": 6, "h4": 6, "h5": 7, "h6": 7}
_NAVIGATION, _LEAD, _CAPTION = int(Mark.NAVIGATION), int(Mark.LEAD), int(Mark.CAPTION)
_COMMENT, _CONSENT, _RELATED, _ASIDE = int(Mark.COMMENT), int(Mark.CONSENT), int(Mark.RELATED), int(Mark.ASIDE)
_COMMAS = ((",", ";"), ("،", "、", "，", "；"))
_ODD = (("@", "|", "*", "#", "http", "www."), ("©", "»", "›", "→", "▶", "►", "•"))
_OPENING = re.compile(r"""^["'“”„«»‘’‹›「『(\[¿¡—–-]*\s*[^\W\d_]""")

NAMES: tuple[str, ...] = (
    "size", "density", "links", "sentence", "kind", "capital", "commas", "digits", "odd", "colon", "bold", "words",
    "gap", "branch share", "branch depth", "siblings share", "like share", "images",
    "before", "after", "from headline", "place", "previous mass", "next mass", "previous density", "next density", "previous same",
    "next same", "twice", "headlines since", "within comment", "within consent", "within related", "within aside",
    "is headline", "description", "declared body", "page mass", "block share", "run before", "run after", "own marks",
    *(f"mark {mark.name}" for mark in _FEATURE_MARKS if mark.name),
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Evidence:
    """Rows of numbers for the blocks of one page, and what they were made from."""

    layout: Layout
    mass: list[float]
    #: Boxes of the heavy path, outermost first.
    path: list[int]
    #: Indices of the blocks that have a row, in page order.
    indices: list[int]
    rows: list[list[float]]
    headline: Block | None
    #: Log-odds that a firm name on the branch of each row takes away.
    caution: list[float]


def mass_of(block: Block, marks: int) -> float:
    """Characters that read like text; a doubtful name in the innermost boxes makes them count for a quarter."""
    density = block.linked / len(block.text)
    if density > 0.5 or block.kind[0] == "h":
        return 0.0
    size = block.size * (1 - density)
    if block.kind in ("p", "blockquote"):
        value = size if size > 50 or block.is_sentence else 0.0
    elif size >= 80 or (size > 30 and block.is_sentence):
        value = size * 0.8
    else:
        return 0.0
    if marks & _CAPTION:
        return value * 0.12  # a gallery has more text in its captions than in its article
    return value * 0.25 if marks & _DOUBTFUL else value


def gather(page: Document, *, spared: Container[int] = frozenset(), beyond: float = 0.0) -> Evidence | None:
    """Collect the evidence of a page; None where nothing on it reads like text.

    Args:
        page: the page.
        spared: indices of blocks about which enough is known: they have their mass, but no row.
        beyond: mass of what the page was laid out without.
    """
    layout = page.layout
    boxes, blocks = layout.boxes, layout.blocks
    headline = page.headline.block if page.headline else None
    start = headline.index if headline is not None else -1
    since = _headlines_since(layout, headline)
    mass: list[float] = []
    heavy = [0.0] * len(boxes)
    foreign = _foreign(layout)
    elsewhere = _other_articles(layout, headline)
    letters = letters_of_readers(layout, headline)
    for block in blocks:
        if block.index in letters:
            mass.append(0.0)
            continue
        box = boxes[block.box]
        marks = block.marks | box.marks | (boxes[box.parent].marks if box.parent >= 0 else 0)
        value = mass_of(block, marks)
        if block.index < start or since[block.index]:
            value *= 0.3
        if foreign[block.box] or elsewhere[block.box]:
            value *= 0.1
        mass.append(value)
        heavy[block.box] += value
    own = heavy.copy()
    for box in reversed(boxes):
        if box.parent >= 0:
            heavy[box.parent] += heavy[box.index]
    total = heavy[0]
    if total <= 0:
        return None
    path = _heavy_path(layout, heavy)
    rows = _Rows(page, layout, mass, heavy, own, path, headline, beyond)
    rows.since, rows.elsewhere = since, elsewhere
    left = letters | letters_asked_for(layout, heavy)
    indices = [b.index for b in blocks if b.index not in left and b.index not in spared and rows.worth(b)]
    caution = [rows.caution(blocks[i]) for i in indices]
    return Evidence(layout, mass, path, indices, [rows.row(blocks[i]) for i in indices], headline, caution)


def _headlines_since(layout: Layout, headline: Block | None) -> list[int]:
    """Count the headings of the headline's own make between the headline and each block: 0 up to the next article's headline."""
    counts = [0] * len(layout.blocks)
    if headline is None or headline.kind[0] != "h":
        return counts
    box = layout.boxes[headline.box]
    sign = (box.tag, box.element.get("class"))
    count = 0
    for block in layout.blocks[headline.index + 1 :]:
        if block.kind == headline.kind and block.text != headline.text:
            other = layout.boxes[block.box]
            if (headline.kind == "h1" or sign[1]) and (other.tag, other.element.get("class")) == sign:
                count += 1
        counts[block.index] = count
    return counts


def _foreign(layout: Layout) -> list[bool]:
    """Which boxes lie in comments, consent dialogs, navigation or footers that are not nearly all of the page."""
    boxes = layout.boxes
    most = 0.85 * (boxes[0].characters - boxes[0].linked)
    found = [False] * len(boxes)
    for box in boxes[1:]:
        found[box.index] = found[box.parent] or bool(box.marks & _FOREIGN and box.characters - box.linked < most)
    return found


def _other_articles(layout: Layout, headline: Block | None) -> list[bool]:
    """Which boxes lie in an `article` element beside the one that holds headline and text: teasers, the next article."""
    boxes = layout.boxes
    found = [False] * len(boxes)
    own = None if headline is None else next((box for box in layout.outer(headline.box) if box.tag == "article"), None)
    if own is None or own.characters - own.linked < _LEAST_ARTICLE:
        return found
    outermost = [
        box for box in boxes if box.tag == "article" and not any(outer.tag == "article" for outer in layout.outer(box.parent))
    ]
    if own.characters - own.linked < 0.3 * sum(box.characters - box.linked for box in outermost):
        return found
    within = {box.index for box in layout.outer(own.index)}
    for box in boxes[1:]:
        if (box.tag == "article" and box.index not in within and not own.first <= box.first < own.last) or found[box.parent]:
            found[box.index] = True
    return found


def _heavy_path(layout: Layout, heavy: Sequence[float]) -> list[int]:
    children: dict[int, int] = {}
    for box in layout.boxes[1:]:
        best = children.get(box.parent)
        if best is None or heavy[box.index] > heavy[best]:
            children[box.parent] = box.index
    path = [0]
    while (child := children.get(path[-1])) is not None and heavy[child] >= PATH_SHARE * heavy[path[-1]]:
        if layout.boxes[child].tag == "p" or layout.boxes[child].last - layout.boxes[child].first < 2:
            break
        path.append(child)
    return path


class _Rows:
    """What all rows of a page share."""

    def __init__(self, page: Document, layout: Layout, mass: list[float], heavy: list[float], own: list[float], path: list[int],
                 headline: Block | None, beyond: float) -> None:  # fmt: skip
        boxes, blocks = layout.boxes, layout.blocks
        self.layout, self.mass, self.heavy, self.path = layout, mass, heavy, path
        self.total = heavy[0] + beyond
        self.level = {box: i for i, box in enumerate(path)}
        self.headline = headline
        inner = boxes[path[-1]]
        solid = [i for i in range(inner.first, inner.last) if mass[i] > 0]
        self.first = solid[0] if solid else inner.first
        self.last = solid[-1] if solid else inner.last
        self.inner_mass = max(heavy[path[-1]], 1.0)
        self.beside: dict[int, float] = {}
        self.alike: dict[tuple[str, str | None], float] = {}
        for block in blocks:
            if mass[block.index]:
                box = boxes[block.box]
                self.beside[box.parent] = self.beside.get(box.parent, 0.0) + mass[block.index]
                sign = (box.tag, box.element.get("class"))
                self.alike[sign] = self.alike.get(sign, 0.0) + mass[block.index]
        self.branches: dict[int, tuple[int, int, float, int]] = {}
        description = page.first_meta("og:description", "description", "twitter:description") or ""
        self.description = key_of(description)
        self.opening = description.split(maxsplit=1)[0].casefold() if description else ""
        self.spelled = description.casefold()
        self.declared = key_of(declared_body(page) or "")
        self.text = "\n".join(block.text for block in blocks if mass[block.index] > 0)
        self.own = own
        self.since: list[int] = []
        self.elsewhere: list[bool] = []
        self.constant = log2(self.total + 1)

    def worth(self, block: Block) -> bool:
        """Tell whether the block is worth a row.

        Links, scraps away from the article and navigation are not: of the gold text of 271 pages they held one word in a thousand.
        """
        size, heading = block.size, block.kind[0] == "h"
        if self.elsewhere[block.box] or block is self.headline:
            return False
        if block.linked >= 0.9 * len(block.text) and size <= 120 and not (heading and size > 10):
            return False
        marks, _, _, gap = self.branch(block.box)
        box = self.layout.boxes[block.box]
        if is_byline(self.layout, block, self.headline) or is_reference(block) or (box.images and is_caption(block)):
            return False
        if gap == 0:
            return True
        if marks & _NAVIGATION or (size < 16 and not heading):
            return False
        return gap < 2 or size >= 40 or bool(marks & _LEAD)

    def caution(self, block: Block) -> float:
        """Log-odds to take away for a name that is plain, on a branch that is small; what is below 0 speaks for the block.

        The pages to train on are kind: a caption or a letter box in the middle of an article is rare there, and trees that see
        few of them trust the text more than the name. Rows of a table are rarer still: amid the text and nameless, they
        are the article's.
        """
        marks, _, share, _ = self.branch(block.box)
        if block.kind == "tr" and self.first < block.index < self.last and not (marks | block.marks) & _DOUBTFUL:
            return -FIRM_NAME
        return FIRM_NAME if (marks | block.marks) & _FIRM and share < 0.25 else 0.0

    def branch(self, index: int) -> tuple[int, int, float, int]:
        """Marks, depth, share of the path's mass of the branch of a box, and how far up the path it leaves."""
        found = self.branches.get(index)
        if found is None:
            level = self.level.get(index)
            if level is not None:
                found = (0, 0, 1.0, len(self.path) - 1 - level)
            else:
                box = self.layout.boxes[index]
                marks, depth, share, gap = self.branch(box.parent)
                if depth == 0:
                    share = self.heavy[index] / self.inner_mass
                found = (marks | box.marks, depth + 1, share, gap)
            self.branches[index] = found
        return found

    def _may_describe(self, text: str) -> bool:
        """Tell quickly whether one of text and description can hold the other: its first word is in there."""
        folded = text[:400].casefold()
        return folded.split(maxsplit=1)[0] in self.spelled or self.opening in folded

    def row(self, block: Block) -> list[float]:
        """The numbers of one block, in the order of `NAMES`."""
        i, text, size = block.index, block.text, block.size
        blocks, boxes, mass = self.layout.blocks, self.layout.boxes, self.mass
        box = boxes[block.box]
        length = len(text)
        marks, depth, share, gap = self.branch(block.box)
        marks |= block.marks
        before = blocks[i - 1] if i else None
        after = blocks[i + 1] if i + 1 < len(blocks) else None
        own = mass[i]
        key = key_of(text) if size < 2000 and (self.declared or (self.description and self._may_describe(text))) else ""
        ascii_only = text.isascii()
        row = [
            log2(size + 1),
            block.linked / length,
            float(block.links),
            1.0 if block.is_sentence else 0.0,
            float(_KINDS.get(block.kind, 1)),
            1.0 if text[0].isalpha() or _OPENING.match(text) else 0.0,
            _count(text, _COMMAS, ascii_only) / length,
            sum(map(text.count, "0123456789")) / length,
            float(_count(text, _ODD, ascii_only)),
            1.0 if text[-1] in ":：" else 0.0,
            block.bold / length,
            text.count(" ") + 1.0,
            float(gap),
            share,
            float(depth),
            self.beside.get(box.parent, 0.0) / self.total,
            self.alike.get((box.tag, box.element.get("class")), 0.0) / self.total,
            float(box.images),
            1.0 if i < self.first else 0.0,
            1.0 if i > self.last else 0.0,
            float(max(-20, min(60, i - self.headline.index))) if self.headline is not None else -30.0,
            (i - self.first) / (self.last - self.first + 1),
            mass[i - 1] if before else 0.0,
            mass[i + 1] if after else 0.0,
            before.linked / len(before.text) if before else 1.0,
            after.linked / len(after.text) if after else 1.0,
            1.0 if before and boxes[before.box].parent == box.parent else 0.0,
            1.0 if after and boxes[after.box].parent == box.parent else 0.0,
            float(min(self.text.count(text) - (1 if own else 0), 2)) if 20 < length < 600 else 0.0,
            float(min(self.since[i], 3)),
            1.0 if box.within & _COMMENT else 0.0,
            1.0 if box.within & _CONSENT else 0.0,
            1.0 if box.within & _RELATED else 0.0,
            1.0 if box.within & _ASIDE else 0.0,
            1.0 if self.headline is not None and (block is self.headline or text == self.headline.text) else 0.0,
            1.0
            if len(key) > 20 and (key in self.description or (len(self.description) > 40 and self.description[:60] in key))
            else 0.0,
            (1.0 if key in self.declared else -1.0) if len(self.declared) > 200 and len(key) > 20 else 0.0,
            self.constant,
            own / self.total,
            sum(mass[max(0, i - 4) : i]),
            sum(mass[i + 1 : i + 5]),
            float(((box.marks | block.marks) & _DOUBTFUL) != 0),
        ]
        row.extend(_bits_of(marks))
        return row


def _count(text: str, signs: tuple[tuple[str, ...], tuple[str, ...]], ascii_only: bool) -> int:  # noqa: FBT001
    """Count signs, those beyond ASCII only where there can be any."""
    count = sum(map(text.count, signs[0]))
    return count if ascii_only else count + sum(map(text.count, signs[1]))


@lru_cache(maxsize=4096)
def _bits_of(marks: int) -> tuple[float, ...]:
    return tuple(1.0 if marks & mark else 0.0 for mark in _MARK_BITS)


_MARK_BITS = tuple(int(mark) for mark in _FEATURE_MARKS)
_BODY_TYPES = re.compile(r"(?:article|posting|report|review|recipe|interview)$", re.IGNORECASE)


def declared_body(page: Document) -> str | None:
    """The body that JSON-LD gives, if it gives one."""
    for item in page.json_ld:
        body = item.get("articleBody")
        if isinstance(body, str) and len(body) > 100:
            return body
    return None
