"""What speaks for and against each block: one row of numbers a block, the same for training and for reading.

The mass of a block is the text in it that reads like text. From the body element down, the heavy path follows the child that
holds most of the mass as long as it holds most of it. A block hangs on the path by a branch: what the names on its branch say
counts for it, what the names on the path say does not, since they hold for the article as well; nor does at the heart of the page
what most of its text bears.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import log2

from newscrawler.blocks.default.beside import (
    is_byline,
    is_caption,
    is_credit,
    is_reference,
    is_under_picture,
    letters_asked_for,
)
from newscrawler.blocks.default.mass import DOUBTFUL, Masses, heavy_path, masses_of
from newscrawler.blocks.default.slots import labels_of_slots
from newscrawler.blocks.default.unnamed import boxes_within, is_unnamed_foreign, next_stories
from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import key_of
from newscrawler.page.marks import Mark

#: See `_Rows.caution`.
FIRM_NAME = 1.8
_FIRM = int(Mark.COMMENT | Mark.CONSENT | Mark.HIDDEN | Mark.CAPTION | Mark.BYLINE | Mark.POPUP | Mark.PULL_QUOTE | Mark.PROMOTION)
_FEATURE_MARKS = (
    Mark.NAVIGATION, Mark.FOOTER, Mark.ASIDE, Mark.RELATED, Mark.PROMOTION, Mark.SOCIAL, Mark.COMMENT, Mark.CAPTION, Mark.BYLINE,
    Mark.TAGS, Mark.POPUP, Mark.WIDGET, Mark.HIDDEN, Mark.PULL_QUOTE, Mark.LEAD, Mark.BODY, Mark.ARTICLE, Mark.HEADER, Mark.EMBED,
    Mark.FORM, Mark.FIGURE, Mark.CONSENT,
)  # fmt: skip
_KINDS = {"p": 0, "div": 1, "li": 2, "blockquote": 3, "tr": 4, "h1": 5, "h2": 5, "h3": 6, "h4": 6, "h5": 7, "h6": 7}
_NAVIGATION, _LEAD = int(Mark.NAVIGATION), int(Mark.LEAD)
_COMMENT, _CONSENT, _RELATED, _ASIDE = int(Mark.COMMENT), int(Mark.CONSENT), int(Mark.RELATED), int(Mark.ASIDE)
_BULLETS = "»›→▶►•·*-–— "
#: Names of form and place, which tell nothing apart at the heart of the page if this share of its text or more bears them. What
#: says what a text is, as captions and promotion, says it of all of them.
_FORMAL = int(
    Mark.WIDGET | Mark.HIDDEN | Mark.POPUP | Mark.BYLINE | Mark.TAGS | Mark.SOCIAL | Mark.ASIDE | Mark.PULL_QUOTE
)  # fmt: skip
_MOST_OF_TEXT = 0.7
#: Characters of all texts of a page up to which each is looked for within the others.
_MOST_SEARCHED = 300_000
#: Signs beyond ASCII that are counted as commas, and as odd ones.
_COMMAS, _ODD = ("،", "、", "，", "；"), ("©", "»", "›", "→", "▶", "►", "•")
#: Signs of ASCII by what they are counted as: to count in what this makes of a text takes half the time.
_SORTS = bytes(
    ord("0") if sign in b"0123456789" else ord(",") if sign in b",;" else ord("#") if sign in b"@|*#" else 32 if sign == 32 else 46
    for sign in range(256)
)
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


def gather(page: Document, *, spared: Container[int] = frozenset(), beyond: float = 0.0) -> Evidence | None:
    """Collect the evidence of a page; None where nothing on it reads like text.

    Args:
        page: the page.
        spared: indices of blocks about which enough is known: they have their mass, but no row.
        beyond: mass of what the page was laid out without.
    """
    layout = page.layout
    headline = page.headline.block if page.headline else None
    masses = masses_of(layout, headline, boxes_within(layout, next_stories(page, headline)))
    heavy = masses.boxes
    if heavy[0] <= 0:
        return None
    path = heavy_path(layout, heavy)
    rows = _Rows(page, layout, masses, path, headline, beyond)
    left = masses.letters | letters_asked_for(layout, heavy) | labels_of_slots(layout)
    chosen = [block for block in layout.blocks if block.index not in left and block.index not in spared and rows.worth(block)]
    indices = [block.index for block in chosen]
    return Evidence(layout, masses.blocks, path, indices, list(map(rows.row, chosen)), headline, list(map(rows.caution, chosen)))


class _Rows:
    """What all rows of a page share."""

    def __init__(
        self, page: Document, layout: Layout, masses: Masses, path: list[int], headline: Block | None, beyond: float
    ) -> None:
        self.boxes, self.blocks = layout.boxes, layout.blocks
        mass = self.mass = masses.blocks
        heavy = self.heavy = masses.boxes
        self.since, self.elsewhere = masses.since, masses.elsewhere
        self.layout = layout
        self.total = heavy[0] + beyond
        self.headline = headline
        self.headline_text = headline.text if headline is not None else None
        inner = self.boxes[path[-1]]
        solid = [i for i in range(inner.first, inner.last) if mass[i] > 0]
        self.first = solid[0] if solid else inner.first
        self.last = solid[-1] if solid else inner.last
        self.inner_mass = max(heavy[path[-1]], 1.0)
        #: Where blocks lie (see `_layout`), the makes of boxes (see `_make`), and the mass of what lies where.
        self.layouts: dict[int, int] = {}
        self.makes = {number: number for number in (*path, -1)}
        self.known: dict[tuple[int, str, int], int] = {}
        self.beside: dict[int, float] = {}
        self.alike: dict[tuple[str, str | None], float] = {}
        #: Tag and class of boxes, by their number.
        self.signs: dict[int, tuple[str, str | None]] = {}
        heavy_blocks = [block for block in self.blocks if mass[block.index]]
        for block in heavy_blocks:
            value, where, sign = mass[block.index], self._layout(block.box), self._sign(block.box)
            self.beside[where] = self.beside.get(where, 0.0) + value
            self.alike[sign] = self.alike.get(sign, 0.0) + value
        #: Marks, depth, share of the path's mass of the branch of a box, and how far up the path it leaves.
        on_path = {box: (0, 0, 1.0, len(path) - 1 - level) for level, box in enumerate(path)}
        self.branches: dict[int, tuple[int, int, float, int]] = dict(on_path)
        #: Names that most of the text at the heart of the page bears.
        self.common = 0
        if common := self._borne_by_most([block for block in heavy_blocks if inner.first <= block.index < inner.last]):
            self.common, self.branches = common, on_path
        description = page.first_meta("og:description", "description", "twitter:description") or ""
        self.description = key_of(description)
        self.opening = description.split(maxsplit=1)[0].casefold() if description else ""
        self.spelled = description.casefold()
        self.declared = key_of(declared_body(page) or "")
        texts = sorted([block.text for block in heavy_blocks], key=len, reverse=True)
        #: The texts with mass, the longest first, and where each of them ends: a text stands only in those as long as it.
        self.text = "\n".join(texts)
        #: Of very much text, how often each stands by itself: to search it all for each would take minutes.
        self.equal = Counter(texts) if len(self.text) > _MOST_SEARCHED else None
        self.lengths = [-len(text) for text in texts]
        self.ends = [0, *accumulate(len(text) + 1 for text in texts)]
        self.constant = log2(self.total + 1)

    def _sign(self, number: int) -> tuple[str, str | None]:
        """Tag and class of a box."""
        sign = self.signs.get(number)
        if sign is None:
            box = self.boxes[number]
            sign = self.signs[number] = (box.tag, box.element.get("class"))
        return sign

    def _layout(self, number: int) -> int:
        """The make of the box of several blocks that a box is or lies in: a box around each paragraph alone counts for nothing."""
        found = self.layouts.get(number)
        if found is None:
            box = self.boxes[number]
            while box.last - box.first < 2 and box.parent >= 0:
                box = self.boxes[box.parent]
            found = self.layouts[number] = self._make(box.index)
        return found

    def _make(self, number: int) -> int:
        """A number that boxes share which hang alike on the path: by the same tags with the same marks."""
        found = self.makes.get(number)
        if found is None:
            box = self.boxes[number]
            key = self._make(box.parent), box.tag, box.marks
            found = self.makes[number] = self.known.setdefault(key, -1 - len(self.known))
        return found

    def _borne_by_most(self, texts: Sequence[Block]) -> int:
        """The formal names that most of these texts bear, themselves or by a box between them and the path, and no worse name."""
        sizes: dict[int, int] = {}
        for block in texts:
            marks = (self.branch(block.box)[0] | block.marks) & DOUBTFUL
            sizes[marks] = sizes.get(marks, 0) + block.size
        least = _MOST_OF_TEXT * sum(sizes.values())
        formal = [(marks, size) for marks, size in sizes.items() if marks and not marks & ~_FORMAL]
        if sum(size for _, size in formal) < least:
            return 0
        return sum(bit for bit in _MARK_BITS if sum(size for marks, size in formal if marks & bit) >= least)

    def worth(self, block: Block) -> bool:
        """Tell whether the block is worth a row.

        Links, scraps away from the article and navigation are not: of the gold text of 271 pages they held one word in a thousand.
        """
        size, heading = block.size, block.kind[0] == "h"
        between = max(block.links - 1, 0)  # what parts the links of a row
        mostly_linked = 2 * block.linked > len(block.text) and block.linked + between >= 0.9 * len(block.text.lstrip(_BULLETS))
        if mostly_linked and size <= 120 and not (heading and size > 10):
            return False
        if self.elsewhere[block.box] or block is self.headline:
            return False
        marks, _, _, gap = self.branch(block.box)
        if gap:
            if marks & _NAVIGATION or (size < 16 and not heading and block.bold < len(block.text)):
                return False
            if gap > 1 and size < 40 and not marks & _LEAD:
                return False
        return not (
            is_byline(self.layout, block, self.headline)
            or is_reference(block)
            or is_credit(block)
            or (self.boxes[block.box].images and is_caption(block))
            or is_under_picture(self.layout, block)
            or is_unnamed_foreign(self.layout, block)
        )

    def caution(self, block: Block) -> float:
        """Log-odds to take away for a name that is plain, on a branch that is small; what is below 0 speaks for the block.

        The pages to train on are kind: a caption or a letter box in the middle of an article is rare there, and trees that see
        few of them trust the text more than the name. Rows of a table are rarer still: amid the text and nameless, they
        are the article's.
        """
        marks, _, share, gap = self.branch(block.box)
        marks |= block.marks if gap else block.marks & ~self.common
        if block.kind == "tr" and self.first < block.index < self.last and not marks & DOUBTFUL:
            return -FIRM_NAME
        return FIRM_NAME if marks & _FIRM and share < 0.25 else 0.0

    def branch(self, index: int) -> tuple[int, int, float, int]:
        """Marks, depth, share of the path's mass of the branch of a box, and how far up the path it leaves."""
        found = self.branches.get(index)
        if found is None:
            box = self.boxes[index]
            marks, depth, share, gap = self.branch(box.parent)
            if depth == 0:
                share = self.heavy[index] / self.inner_mass
            found = self.branches[index] = (marks | (box.marks if gap else box.marks & ~self.common), depth + 1, share, gap)
        return found

    def _may_describe(self, text: str) -> bool:
        """Tell quickly whether one of text and description can hold the other: its first word is in there."""
        folded = text[:400].casefold()
        return folded.split(maxsplit=1)[0] in self.spelled or self.opening in folded

    def _twice(self, text: str, own: float) -> float:
        """How often a text stands in the text of the page beside itself, up to twice."""
        if self.equal is not None:
            return float(min(self.equal[text] - (1 if own else 0), 2))
        end = self.ends[bisect_right(self.lengths, -len(text))]
        return float(min(self.text.count(text, 0, end) - (1 if own else 0), 2))

    def row(self, block: Block) -> list[float]:
        """The numbers of one block, in the order of `NAMES`."""
        i, text, size = block.index, block.text, block.size
        blocks, boxes, mass, total, headline = self.blocks, self.boxes, self.mass, self.total, self.headline
        box = boxes[block.box]
        length = len(text)
        marks, depth, share, gap = self.branch(block.box)
        before = blocks[i - 1] if i else None
        after = blocks[i + 1] if i + 1 < len(blocks) else None
        own, where, within = mass[i], self._make(box.parent), box.within
        told = -1 if gap else ~self.common
        key = key_of(text) if size < 2000 and (self.declared or (self.description and self._may_describe(text))) else ""
        commas, digits, odd, blanks = _counts(text)
        return [
            log2(size + 1),
            block.linked / length,
            float(block.links),
            1.0 if block.is_sentence else 0.0,
            float(_KINDS.get(block.kind, 1)),
            1.0 if text[0].isalpha() or _OPENING.match(text) else 0.0,
            commas / length,
            digits / length,
            float(odd),
            1.0 if text[-1] in ":：" else 0.0,
            block.bold / length,
            blanks + 1.0,
            float(gap),
            share,
            float(depth),
            self.beside.get(self._layout(block.box), 0.0) / total,
            self.alike.get(self._sign(block.box), 0.0) / total,
            float(box.images),
            1.0 if i < self.first else 0.0,
            1.0 if i > self.last else 0.0,
            float(max(-20, min(60, i - headline.index))) if headline is not None else -30.0,
            (i - self.first) / (self.last - self.first + 1),
            mass[i - 1] if before else 0.0,
            mass[i + 1] if after else 0.0,
            before.linked / len(before.text) if before else 1.0,
            after.linked / len(after.text) if after else 1.0,
            1.0 if before and self._make(boxes[before.box].parent) == where else 0.0,
            1.0 if after and self._make(boxes[after.box].parent) == where else 0.0,
            self._twice(text, own) if 20 < length < 600 else 0.0,
            float(min(self.since[i], 3)),
            1.0 if within & _COMMENT else 0.0,
            1.0 if within & _CONSENT else 0.0,
            1.0 if within & _RELATED else 0.0,
            1.0 if within & _ASIDE else 0.0,
            1.0 if text == self.headline_text else 0.0,
            1.0
            if len(key) > 20 and (key in self.description or (len(self.description) > 40 and self.description[:60] in key))
            else 0.0,
            (1.0 if key in self.declared else -1.0) if len(self.declared) > 200 and len(key) > 20 else 0.0,
            self.constant,
            own / total,
            sum(mass[max(0, i - 4) : i]),
            sum(mass[i + 1 : i + 5]),
            1.0 if (box.marks | block.marks) & told & DOUBTFUL else 0.0,
            *_bits_of(marks | (block.marks & told)),
        ]


def _counts(text: str) -> tuple[int, int, int, int]:
    """Count commas, digits, odd signs and blanks; signs beyond ASCII only where there can be any."""
    plain = text.encode("ascii", "ignore")
    count = plain.translate(_SORTS).count
    commas, odd = count(b","), count(b"#") + text.count("http") + text.count("www.")
    if len(plain) < len(text):
        commas += sum(map(text.count, _COMMAS))
        odd += sum(map(text.count, _ODD))
    return commas, count(b"0"), odd, count(b" ")


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
