"""The features of blocks: one row of numbers a block, the same for training and for reading.

What a block says by itself (length, links, punctuation) is counted block by block; what its place says (the mass of text around
it, repetition, distance from the heart of the text) is computed for all blocks at once, on arrays. The mass of a block is the
number of its characters that read like text. From the body element down, the heavy path follows the box that holds most of the
mass as long as one does; what hangs beside the path hangs on a branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from newscrawler.page import Document
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import key_of
from newscrawler.page.marks import Mark

Array = NDArray[np.float32]

#: Share of the mass that a child must hold for the heavy path to go on to it.
PATH_SHARE = 0.55
_KINDS = {"p": 0, "div": 1, "li": 2, "blockquote": 3, "tr": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 9, "h6": 9}
_FEATURE_MARKS = tuple(int(mark) for mark in Mark)
_MARK_NAMES = tuple(str(mark.name).lower() for mark in Mark)
_DOUBTFUL = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.WIDGET | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE
)  # fmt: skip
_COMMAS = "，、،"
#: Every byte as the first of its kind: comma, digit, blank, sign of a program, letter, other.
_SORTS = bytes(
    ord(",") if chr(code) in ",;:"
    else ord("0") if 48 <= code <= 57
    else ord("{") if chr(code) in "{}=<>"
    else ord("A") if 65 <= code <= 90
    else 32 if code == 32
    else ord(".") if chr(code) in ".!?"
    else 1
    for code in range(256)
)  # fmt: skip
_OPENERS = "\"'“”„«»‘’‹›「『([¿¡—–- "
_CLOSERS = " \"'”’»“)]›」』"
_SENTENCE_ENDS = ".!?…。！？؟।։።"

OWN = (
    "size", "density", "links", "kind", "sentence", "ellipsis", "colon", "capital", "commas", "digits", "stops", "words",
    "word length", "capitals", "code", "bold", "heading", "pictures in box",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class BlockFeatures:
    """The rows of a page's blocks, and what they were made from."""

    layout: Layout
    #: One row a block, one column a feature, in the order of `NAMES`.
    rows: Array
    #: Characters of each block that read like text.
    mass: Array
    #: Boxes of the heavy path, outermost first.
    path: Sequence[int]


def _own_numbers(block: Block, images: int) -> tuple[float, ...]:
    text = block.text
    length = len(text)
    plain = text.encode("ascii", "replace")
    count = plain.translate(_SORTS).count
    blanks = count(b" ")
    commas, stops = count(b","), count(b".")
    if not text.isascii():
        commas += sum(map(text.count, _COMMAS))
        stops += sum(map(text.count, "。！？।؟"))
    first = text.lstrip(_OPENERS)[:1]
    stripped = text.rstrip(_CLOSERS)
    end = stripped[-1:]
    return (
        block.size,
        block.linked / length,
        block.links,
        _KINDS.get(block.kind, 1),
        end in _SENTENCE_ENDS and end != "",
        end == "…" or stripped.endswith("..."),
        text[-1] in ":：",
        0 if not first else 1 if first.islower() else 2 if first.isalpha() else -1,
        commas / length,
        count(b"0") / length,
        stops / length,
        blanks + 1,
        length / (blanks + 1),
        count(b"A") / length,
        count(b"{") / length,
        block.bold / length,
        block.kind[0] == "h",
        images,
    )


def heavy_path(layout: Layout, heavy: Sequence[float]) -> list[int]:
    """Go from the body down to the box that holds most of the mass, as long as one does."""
    path = [0]
    outer, least = 0, PATH_SHARE * heavy[0]
    for box in layout.boxes[1:]:  # in page order: the children of a box follow it
        if box.parent == outer and heavy[box.index] >= least:
            if box.tag == "p" or box.last - box.first < 2:
                break
            outer = box.index
            least = PATH_SHARE * heavy[outer]
            path.append(outer)
    return path


def block_features(page: Document) -> BlockFeatures:
    """Compute the features of all blocks of a page that has at least one block."""
    layout = page.layout
    return _Rows(page, layout).features()


class _Rows:
    """The arrays that the features of one page are made of."""

    def __init__(self, page: Document, layout: Layout) -> None:
        self.page, self.layout = page, layout
        boxes, blocks = layout.boxes, layout.blocks
        self.n = len(blocks)
        self.own = np.array([_own_numbers(block, boxes[block.box].images) for block in blocks], dtype=np.float32)
        self.box = np.array([block.box for block in blocks])
        self.first = np.array([box.first for box in boxes])
        self.last = np.array([box.last for box in boxes])
        self.parent = np.array([box.parent for box in boxes])
        self.parent[0] = 0
        self.index = np.arange(self.n)

    def inside(self, values: Array) -> Array:
        """Sum per-block values over every box."""
        sums = np.zeros(self.n + 1, dtype=np.float64)
        np.cumsum(values, out=sums[1:])
        return sums[self.last] - sums[self.first]

    def features(self) -> BlockFeatures:
        """Compute all rows."""
        layout, blocks, boxes, n = self.layout, self.layout.blocks, self.layout.boxes, self.n
        own, box, parent = self.own, self.box, self.parent
        size, density, kind, sentence = own[:, 0], own[:, 1], own[:, 3], own[:, 4]
        box_marks = np.array([b.marks for b in boxes], dtype=np.int64)
        within = np.array([b.within for b in boxes], dtype=np.int64)
        block_marks = np.array([b.marks for b in blocks], dtype=np.int64)
        near = block_marks | box_marks[box] | box_marks[parent[box]]
        # mass
        text_like = (density <= 0.5) & (kind < 5)
        prose = (kind == 0) | (kind == 3)
        counts = np.where(prose, (size > 50) | (sentence > 0), (size >= 80) | ((size > 30) & (sentence > 0)))
        plain = np.where(text_like & counts, size * (1 - density) * np.where(prose, 1.0, 0.8), 0.0)
        mass = plain * np.where(near & _DOUBTFUL, 0.25, 1.0)
        headline = self.page.headline.block if self.page.headline else None
        start = headline.index if headline is not None else -1
        mass = mass * np.where(self.index < start, 0.3, 1.0)
        total = max(float(mass.sum()), 1.0)
        heavy = self.inside(mass)
        path = heavy_path(layout, heavy.tolist())
        inner = boxes[path[-1]]
        solid = np.flatnonzero(mass[inner.first : inner.last] > 0)
        first = inner.first + (int(solid[0]) if len(solid) else 0)
        last = inner.first + (int(solid[-1]) if len(solid) else max(inner.last - inner.first - 1, 0))
        # branches
        gap, depth, share, branch_marks, places, layouts = self._branches(path, heavy, box_marks)
        signs: dict[tuple[str, str | None], int] = {}
        sign = np.array([signs.setdefault((b.tag, b.element.get("class")), len(signs)) for b in boxes])
        chain: dict[tuple[int, int], int] = {}
        outer_sign = np.array([chain.setdefault((s, p), len(chain)) for s, p in zip(sign.tolist(), sign[parent].tolist(), strict=True)])
        # groups
        beside = _grouped(layouts[box], mass)
        alike = _grouped(sign[box], mass)
        alike_outer = _grouped(outer_sign[box], mass)
        box_count = np.bincount(sign, minlength=len(signs))
        block_count = _grouped(sign[box], np.ones(n))
        linked_alike = _grouped(sign[box], own[:, 1] > 0.5) / block_count
        dateish = (own[:, 9] * np.array([len(b.text) for b in blocks]) >= 3) & (size < 60)
        dates_alike = _grouped(sign[box], dateish) / block_count
        dates_outer = _grouped(outer_sign[parent[box]], dateish) / _grouped(outer_sign[parent[box]], np.ones(n))
        linked_size = density * np.array([len(b.text) for b in blocks])
        lens = np.array([len(b.text) for b in blocks], dtype=np.float32)
        box_text, box_linked = self.inside(lens), self.inside(linked_size)
        box_density = box_linked / np.maximum(box_text, 1)
        grand = parent[parent]
        same_siblings = _sibling_counts(parent, sign)
        cumulative = np.concatenate([[0.0], np.cumsum(mass)])
        before, after = cumulative[:-1] / total, (cumulative[-1] - cumulative[1:]) / total
        window = 4
        run_before = cumulative[:-1] - cumulative[np.maximum(self.index - window, 0)]
        run_after = cumulative[np.minimum(self.index + 1 + window, n)] - cumulative[1:]
        texts: dict[str, int] = {}
        text_ids = np.array([texts.setdefault(b.text, len(texts)) for b in blocks])
        twice = np.minimum(_grouped(text_ids, np.ones(n)) - 1, 3)
        rest = np.zeros(n)
        prev = np.concatenate([[0], self.index[:-1]])
        nxt = np.concatenate([self.index[1:], [n - 1]])
        since = self._headlines_since(headline)
        own_article = self._own_article(headline)
        under_linked, under_distance, under_like = self._headings(headline)
        described, declared = self._declared()
        lens_ = np.array([len(b.text) for b in blocks], dtype=np.float32)
        items = self._items(parent, sign, path, mass, total, (own[:, 9] * lens_ >= 3) & (size < 60), density > 0.8, sentence)
        cues = self._cues(start)
        pictures = np.array([b.pictures for b in blocks])
        page_words = own[:, 11].sum()
        columns = [
            np.log2(size + 1), density, own[:, 2], kind, sentence, own[:, 5], own[:, 6], own[:, 7], own[:, 8], own[:, 9], own[:, 10],
            np.minimum(own[:, 11], 60), own[:, 12], own[:, 13], own[:, 14], own[:, 15], own[:, 17],
            gap[box], depth[box], share[box], beside / total, alike / total, alike_outer / total,
            np.log2(box_count[sign[box]]), np.log2(block_count), linked_alike, dates_alike, dates_outer,
            box_density[box], box_density[parent[box]], box_density[grand[box]],
            np.log2(box_text[box] + 1), np.log2(box_text[parent[box]] + 1), np.log2(box_text[grand[box]] + 1),
            heavy[box] / total, heavy[parent[box]] / total, heavy[grand[box]] / total,
            np.log2(same_siblings[box]), np.log2(same_siblings[parent[box]]),
            (self.last - self.first)[box], (self.last - self.first)[parent[box]],
            (self.index < first), (self.index > last), (self.index - first) / (last - first + 1),
            np.clip(self.index - start, -20, 60) if start >= 0 else np.full(n, -30),
            before, after, mass / total, mass[prev], mass[nxt], density[prev], density[nxt], kind[prev], kind[nxt], size[prev], size[nxt],
            places[box[prev]] == places[box], places[box[nxt]] == places[box],
            run_before, run_after, twice, since, own_article[box], under_linked, under_distance, under_like, described, declared,
            pictures, np.concatenate([pictures[1:], [0]]), *items, *cues,
            np.full(n, np.log2(total)), np.full(n, np.log2(n)), np.full(n, heavy[path[-1]] / total),
            self.index / n,
            *(((branch_marks[box] | block_marks) & mark != 0) for mark in _FEATURE_MARKS),
            *((within[box] & mark != 0) for mark in _FEATURE_MARKS),
        ]  # fmt: skip
        rows = np.empty((n, len(columns)), dtype=np.float32)
        for number, column in enumerate(columns):
            rows[:, number] = column
        return BlockFeatures(layout, rows, mass.astype(np.float32), path)

    def _branches(self, path: Sequence[int], heavy: Array, box_marks: Array):
        boxes = self.layout.boxes
        on_path = {number: len(path) - 1 - level for level, number in enumerate(path)}
        inner_mass = max(float(heavy[path[-1]]), 1.0)
        n = len(boxes)
        gap, depth, share, marks, place, layouts = [0] * n, [0] * n, [1.0] * n, [0] * n, [0] * n, [0] * n
        known: dict[tuple[int, str, int], int] = {}
        own_marks = box_marks.tolist()
        for box in boxes:
            i = box.index
            if i in on_path:
                gap[i] = on_path[i]
                place[i] = layouts[i] = i
                continue
            p = box.parent
            gap[i], depth[i] = gap[p], depth[p] + 1
            share[i] = heavy[i] / inner_mass if depth[p] == 0 else share[p]
            marks[i] = marks[p] | own_marks[i]
            place[i] = known.setdefault((place[p], box.tag, own_marks[i]), -1 - len(known))
            layouts[i] = place[i] if box.last - box.first > 1 else layouts[p]
        lay = np.array(layouts)
        return (
            np.array(gap), np.array(depth), np.array(share), np.array(marks, dtype=np.int64),
            np.array(place), np.unique(lay, return_inverse=True)[1],
        )

    def _headlines_since(self, headline: Block | None) -> Array:
        counts = np.zeros(self.n)
        if headline is None or headline.kind[0] != "h":
            return counts
        boxes = self.layout.boxes
        box = boxes[headline.box]
        sign = (box.tag, box.element.get("class"))
        for block in self.layout.blocks[headline.index + 1 :]:
            if block.kind == headline.kind and block.text != headline.text:
                other = boxes[block.box]
                if (headline.kind == "h1" or sign[1]) and (other.tag, other.element.get("class")) == sign:
                    counts[block.index :] += 1
        return np.minimum(counts, 3)

    def _items(self, parent, sign, path, mass, total, dated, linked, sentence):
        """Describe the repeated item that each block lies in: the outermost of three or more like it beside each other."""
        boxes = self.layout.boxes
        keys = parent.astype(np.int64) * (int(sign.max()) + 1) + sign
        _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
        count = counts[group]
        blocks_in = self.last - self.first
        weight = 1.0 / np.maximum(count, 1)
        mean_blocks = np.bincount(group, blocks_in)[group] * weight
        date_in = np.bincount(group, self.inside(dated) > 0)[group] * weight
        link_in = np.bincount(group, self.inside(linked) > 0)[group] * weight
        mass_in = np.bincount(group, self.inside(mass))[group]
        sent_in = np.bincount(group, self.inside(sentence))[group] * weight
        good = (count >= 3) & (mean_blocks >= 1.5)
        on_path = set(path)
        item = [-1] * len(boxes)
        for box in boxes[1:]:
            i = box.index
            p = item[box.parent]
            item[i] = p if p >= 0 else (i if good[i] and i not in on_path else -1)
        item = np.array(item)
        own = item[self.box]
        has = own >= 0
        order = np.zeros(len(boxes))
        seen: dict[int, int] = {}
        for i, g in enumerate(group.tolist()):
            order[i] = seen[g] = seen.get(g, -1) + 1
        return [
            np.where(has, np.log2(count[own]), 0), np.where(has, mean_blocks[own], 0), np.where(has, date_in[own], 0),
            np.where(has, link_in[own], 0), np.where(has, self.inside(mass)[own] / total, 0), np.where(has, mass_in[own] / total, 0),
            np.where(has, order[own], -1), np.where(has, sent_in[own], 0),
        ]

    def _cues(self, start):
        from newscrawler.blocks.default.beside import is_heading_of_comments, CREDIT, is_reference, tells_reading_time, _DAY, _CLOCK
        from newscrawler.page.signature import is_name_behind_label, is_name_alone
        n = self.n
        heading, after, credit, byline, reference, row = ([0.0] * n for _ in range(6))
        seen, text = 0.0, 0
        for block in self.layout.blocks:
            i, t = block.index, block.text
            if i > start and block.is_sentence:
                text += block.size
            if len(t) <= 40 and not block.linked and text > 100 and is_heading_of_comments(t):
                heading[i] = 1.0
                seen = 1.0
            elif seen:
                seen = min(seen + 1, 40.0)
            after[i] = seen
            if len(t) <= 120 and CREDIT.match(t):
                credit[i] = 1.0
            if len(t) <= 60:
                byline[i] = 3.0 if _CLOCK.fullmatch(t) else 2.0 if is_name_behind_label(t) else 1.0 if is_name_alone(t) else 4.0 if _DAY.search(t) else 0.0
            if len(t) < 300 and is_reference(block):
                reference[i] = 1.0
        return [np.array(x) for x in (heading, after, credit, byline, reference, row)]

    def _own_article(self, headline: Block | None) -> Array:
        """Tell of each box whether it lies in the article element of the headline (1), in another one (-1), or in none (0)."""
        boxes = self.layout.boxes
        found = [0] * len(boxes)
        own = -1
        if headline is not None:
            own = next((box.index for box in self.layout.outer(headline.box) if box.tag == "article"), -1)
        for box in boxes:
            if box.tag == "article":
                found[box.index] = 1 if box.index == own else 2 if found[box.parent] == 1 else -1
            elif box.parent >= 0:
                found[box.index] = found[box.parent]
        return np.array(found)

    def _headings(self, headline: Block | None) -> tuple[Array, Array, Array]:
        """Describe the last heading before each block: how much of it is linked, how far it is, whether it is one like the headline."""
        linked, distance, like = [0.0] * self.n, [0.0] * self.n, [0.0] * self.n
        boxes = self.layout.boxes
        sign = None
        if headline is not None:
            sign = (headline.kind, boxes[headline.box].element.get("class"))
        density, since, alike = 0.0, 40.0, 0.0
        for block in self.layout.blocks:
            if block.kind[0] == "h":
                density, since = block.linked / len(block.text), -1.0
                alike = 2.0 if block is headline else float(sign == (block.kind, boxes[block.box].element.get("class")))
            since = min(since + 1, 40.0)
            linked[block.index], distance[block.index], like[block.index] = density, since, alike
        return np.array(linked), np.array(distance), np.array(like)

    def _declared(self) -> tuple[Array, Array]:
        page, blocks = self.page, self.layout.blocks
        description = key_of(page.first_meta("og:description", "description", "twitter:description") or "")
        body = ""
        for item in page.json_ld:
            said = item.get("articleBody")
            if isinstance(said, str) and len(said) > 200:
                body = key_of(said)
                break
        described, declared = np.zeros(self.n), np.zeros(self.n)
        if len(description) > 20 or body:
            for block in blocks:
                if 20 < len(block.text) < 2000:
                    key = key_of(block.text)
                    if len(description) > 20 and (key in description or (len(description) > 40 and description[:60] in key)):
                        described[block.index] = 1
                    if body:
                        declared[block.index] = 1 if key in body else -1
        return described, declared


def _grouped(groups: Array, values: Array) -> Array:
    """Sum values over groups, and give each member the sum of its group."""
    return np.bincount(groups, weights=values)[groups]


def _sibling_counts(parent: Array, sign: Array) -> Array:
    keys = parent.astype(np.int64) * (int(sign.max()) + 1) + sign
    _, inverse, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return counts[inverse]


NAMES = (
    "size", "density", "links", "kind", "sentence", "ellipsis", "colon", "capital", "commas", "digits", "stops",
    "words", "word length", "capitals", "code", "bold", "pictures",
    "gap", "branch depth", "branch share", "beside", "alike", "alike outer",
    "boxes alike", "blocks alike", "linked alike", "dates alike", "dates outer",
    "box density", "parent density", "grandparent density", "box text", "parent text", "grandparent text",
    "box mass", "parent mass", "grandparent mass", "siblings alike", "parent siblings", "box blocks", "parent blocks",
    "before text", "after text", "place", "from headline", "mass before", "mass after", "mass share", "previous mass", "next mass",
    "previous density", "next density", "previous kind", "next kind", "previous size", "next size", "previous same", "next same",
    "run before", "run after", "twice", "headlines since", "own article", "under linked", "under distance", "under like headline",
    "described", "declared", "pictures before", "pictures after",
    "items", "item blocks", "item dated", "item linked", "item mass", "items mass", "item place", "item sentences",
    "comments heading", "after comments", "credit", "byline", "reference", "row of links",
    "page mass", "page blocks", "heart", "page place",
    *(f"named {name}" for name in _MARK_NAMES), *(f"within {name}" for name in _MARK_NAMES),
)  # fmt: skip
