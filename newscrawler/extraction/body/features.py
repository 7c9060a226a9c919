"""The features of blocks: one row of numbers a block, the same for training and for reading.

What a block says by itself (length, links, punctuation) is counted block by block; what its place says (the mass of text around
it, repetition, distance from the heart of the text) is computed for all blocks of a page at once. The mass of a block is the
number of its characters that read like text. From the body element down, the heavy path follows the box that holds most of the
mass as long as one does; what hangs beside the path hangs on a branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.body.cues import count_since_comments, has_date_at_an_end
from newscrawler.extraction.body.headline import find_headline
from newscrawler.page import Block, Box, Document, Layout, Mark, key_of

Numbers = NDArray[Any]

#: Share of the mass that a child must hold for the heavy path to go on to it.
_PATH_SHARE = 0.55
KINDS = {"p": 0, "div": 1, "li": 2, "blockquote": 3, "tr": 4, "h1": 5, "h2": 6, "h3": 7, "h4": 8, "h5": 9, "h6": 9}
#: Kinds of blocks from this number on are headings.
HEADINGS = 5
#: What the names of the branch of a block, and of all boxes around it, may say; the others told no text from the rest.
_OF_BRANCH = [
    mark for mark in Mark if not mark & (Mark.NAVIGATION | Mark.TAGS | Mark.WIDGET | Mark.HEADER | Mark.EMBED | Mark.FIGURE)
]
_WITHIN = (
    Mark.FOOTER, Mark.ASIDE, Mark.RELATED, Mark.PROMOTION, Mark.COMMENT, Mark.CAPTION, Mark.WIDGET, Mark.HIDDEN, Mark.PULL_QUOTE,
    Mark.BODY, Mark.ARTICLE, Mark.HEADER, Mark.MAIN, Mark.FORM,
)  # fmt: skip
_DOUBTFUL = int(
    Mark.NAVIGATION | Mark.FOOTER | Mark.ASIDE | Mark.RELATED | Mark.PROMOTION | Mark.SOCIAL | Mark.COMMENT | Mark.CAPTION
    | Mark.BYLINE | Mark.TAGS | Mark.POPUP | Mark.WIDGET | Mark.HIDDEN | Mark.PULL_QUOTE | Mark.FORM | Mark.FIGURE
)  # fmt: skip
_FOREIGN = int(Mark.COMMENT | Mark.CONSENT | Mark.NAVIGATION | Mark.FOOTER)
#: Signs that are counted: commas, ends of sentences, digits, blanks, signs of programs, capitals; each has a sort from 1 on.
_SIGNS = (",;:，、،", ".!?。！？।؟", "0123456789", " ", "{}=<>", ascii_uppercase)
_SORTS = np.zeros(1 << 16, dtype=np.uint8)
for _number, _sort in enumerate(_SIGNS, 1):
    _SORTS[[ord(_sign) for _sign in _sort]] = _number
_NUMBERS_OF_SORTS = np.arange(1, len(_SIGNS) + 1, dtype=np.uint8)[:, None]
_OPENERS, _CLOSERS = "\"'“”„«»‘’‹›「『([¿¡—–- ", " \"'”’»“)]›」』"
_SENTENCE_ENDS = frozenset(".!?…。！？؟।።")
#: Quotes and the like before the first and behind the last letter of a text: at most so many.
_MOST_BESIDE = 16

_OWN = (
    "size", "link density", "links", "kind", "sentence", "capital", "commas", "digits", "stops", "words",
    "word length", "capitals", "code", "bold", "pictures", "pictures before", "slanted", "spanned", "opening",
)  # fmt: skip
#: Names of the features by group, in the order of the columns.
GROUPS: dict[str, tuple[str, ...]] = {
    "text": _OWN,
    "neighbours": (
        "pictures after", "previous mass", "next mass", "previous density", "next density", "previous kind", "next kind",
        "previous size", "next size", "previous same", "next same", "run before", "run after",
    ),
    "place": (
        "before text", "after text", "place", "mass before", "mass after", "page place", "from headline",
        "own article", "heading linked", "heading distance", "heading like headline",
    ),
    "branch": ("gap", "branch depth", "branch share"),
    "boxes": (
        "box density", "parent density", "grandparent density", "box text", "parent text", "grandparent text", "box mass",
        "parent mass", "grandparent mass", "box blocks", "parent blocks",
    ),
    "repetition": (
        "beside", "alike", "alike outer", "boxes alike", "blocks alike", "linked alike", "dates alike", "dates outer",
        "siblings alike", "parent siblings", "twice", "items", "item blocks", "item dated", "item linked", "item mass",
        "items mass", "item sentences",
    ),
    "lines": (
        "dated lines", "dated line mass", "dated line distance", "next dated line", "short lines", "previous short",
        "steps alike", "openings near", "sentences alike", "small letters alike",
    ),
    "page": ("mass share", "page mass", "page blocks", "heart", "kinds named"),
    "declared": ("described", "declared"),
    "words": ("after comments", "date at an end"),
    "names": (
        *(f"branch named {str(mark.name).lower()}" for mark in _OF_BRANCH),
        *(f"within {str(mark.name).lower()}" for mark in _WITHIN),
    ),
}  # fmt: skip
_BITS_OF_BRANCH, _BITS_WITHIN = (np.array([[int(mark)] for mark in marks]) for marks in (_OF_BRANCH, _WITHIN))
NAMES = tuple(name for group in GROUPS.values() for name in group)
#: Blocks that are nothing but a short link get no row: of the gold text of public data sets they hold one word in a thousand.
_LINKED, _LONGEST_LINK = 0.8, 100
#: Blocks before and after a block whose mass is summed up.
_RUN = 4
_SHORT_LINE, _LEAST_DIGITS = 60, 3
_FARTHEST, _LONGEST_COMPARED, _SHORTEST_COMPARED = 40, 2000, 20


class Tree(NamedTuple):
    """The boxes of a page as arrays, and the innermost boxes and the make of each block."""

    #: Shape (blocks): characters.
    size: Numbers
    #: Shape (boxes): the blocks of each box lie from `first` up to, not including, `last`; and the box around it.
    first: Numbers
    last: Numbers
    parent: Numbers
    #: Shape (4, blocks): the four innermost boxes of each block.
    outer: Numbers
    #: Number of the make of each block: tag, class and kind.
    make: Numbers
    #: Number of the name of each box.
    name: Numbers


@dataclass(frozen=True, slots=True)
class BlockFeatures:
    """The rows of a page's blocks, and what they were made from."""

    layout: Layout
    #: Shape (blocks, features), columns in the order of `NAMES`.
    rows: NDArray[np.float32]
    #: Which blocks are worth weighing: all but short links.
    weighed: NDArray[np.bool_]
    #: Characters of each block that read like text.
    mass: Numbers
    tree: Tree
    #: Tag, class and id that boxes have.
    names: Sequence[tuple[str, str, str]]


def block_features(page: Document) -> BlockFeatures:
    """Return the features of all blocks of a page that has at least one block."""
    return _Page(page).features()


def _find_own_columns(of: Any, pictures: Numbers) -> tuple[Numbers, Numbers]:
    """Count what blocks say by themselves: shape (features, blocks), in the order of the group "text"; and their lengths.

    `of`: the columns of `Block`; `pictures`: of the innermost box of each.
    """
    length = np.array([*map(len, of.text)])
    signs = np.frombuffer("".join(of.text).encode("utf-32-le", "replace"), dtype=np.uint32)
    sorts = _SORTS[np.minimum(signs, len(_SORTS) - 1)]
    starts = np.concatenate([[0], np.cumsum(length)[:-1]])
    counted = np.add.reduceat((sorts == _NUMBERS_OF_SORTS).view(np.uint8), starts, axis=1, dtype=np.uint32)
    commas, stops, digits, blanks, code, capitals = counted / length
    words = blanks * length + 1
    return np.array([
        of.size, of.linked / length, of.links, [*map(KINDS.__getitem__, of.kind)], *zip(*map(_ends, of.text), strict=True),
        commas, digits, stops, np.minimum(words, _SHORT_LINE), length / words, capitals, code,
        of.bold / length, pictures, of.pictures, of.slanted / length, of.spanned / length, of.opening / length,
    ]), length  # fmt: skip


def _ends(text: str) -> tuple[bool, int]:
    """Return whether a text ends as sentences do, and with what letter it begins."""
    first = text[:_MOST_BESIDE].lstrip(_OPENERS)[:1]
    end = text[-_MOST_BESIDE:].rstrip(_CLOSERS)
    case = 0 if not first else 1 if first.islower() else 2 if first.isalpha() else -1
    return end[-1:] in _SENTENCE_ENDS, case


class _Page:
    """The arrays that the features of one page are made of; per-block arrays have the length `n`, the others one value a box."""

    def __init__(self, page: Document) -> None:
        self.page, self.layout = page, page.layout
        self.blocks, self.boxes = self.layout.blocks, self.layout.boxes
        n = self.n = len(self.blocks)
        block: Any = Block._make(zip(*self.blocks, strict=True))
        box: Any = Box._make(zip(*self.boxes, strict=True))
        self.texts, self.tags = block.text, box.tag
        self.box, self.block_marks = np.array(block.box), np.array(block.marks)
        self.first, self.last, self.parent = np.array(box.first), np.array(box.last), np.array(box.parent)
        self.box_marks, self.within = np.array(box.marks), np.array(box.within)
        self.parent[0] = 0
        self.columns, self.length = _find_own_columns(block, np.array(box.images)[self.box])
        own = self.own = dict(zip(_OWN, self.columns, strict=True))
        self.size, self.density, self.kind, self.sentence = own["size"], own["link density"], own["kind"], own["sentence"]
        self.outer = self.parent[self.box]
        self.index = np.arange(n)
        found = page.view(find_headline)
        self.headline = found.block if found is not None else None
        self.start = self.headline.index if self.headline is not None else -1
        self.since, self.article = self._count_headlines_since(), self._find_own_article()
        self.mass = self._sum_masses()
        self.total = max(float(self.mass.sum()), 1.0)
        # on a page that is all italics, or all spans, neither sets anything apart
        for name in ("slanted", "spanned"):
            own[name] *= 1 - own[name] @ self.mass / self.total
        self.heavy = self.inside(self.mass)
        self.path = self._find_heavy_path()
        names: dict[tuple[str, str, str], int] = {}
        self.name = np.array([
            names.setdefault((tag, (get := element.get)("class", ""), get("id", "")), len(names))
            for tag, element in zip(box.tag, box.element, strict=True)
        ])  # fmt: skip
        self.names = list(names)
        signs: dict[tuple[str, str], int] = {}
        self.sign = np.array([signs.setdefault(name[:2], len(signs)) for name in names])[self.name]
        self.dated = (self.own["digits"] * self.length >= _LEAST_DIGITS) & (self.size < _SHORT_LINE)

    def inside(self, values: Numbers) -> Numbers:
        """Sum per-block values over every box."""
        sums = np.concatenate([[0.0], np.cumsum(values)])
        found: Numbers = sums[self.last] - sums[self.first]
        return found

    def _sum_masses(self) -> Numbers:
        """Weigh the text of each block; a doubtful name on its innermost boxes makes it count for a quarter."""
        prose = (self.kind == KINDS["p"]) | (self.kind == KINDS["blockquote"])
        long = np.where(prose, self.size > 50, self.size >= 80)
        counts = (self.density <= 0.5) & (self.kind < HEADINGS) & (long | ((self.sentence > 0) & (prose | (self.size > 30))))
        near = self.block_marks | self.box_marks[self.box] | self.box_marks[self.outer]
        mass = np.where(counts, self.size * (1 - self.density) * np.where(prose, 1.0, 0.8), 0.0)
        mass *= np.where(near & _DOUBTFUL, 0.25, 1.0) * np.where((self.index < self.start) | (self.since > 0), 0.3, 1.0)
        elsewhere = self.within[self.box] & _FOREIGN != 0
        foreign = (self.article[self.box] < 0) | (elsewhere if mass[~elsewhere].sum() > 0.15 * mass.sum() else False)
        return mass * np.where(foreign, 0.1, 1.0)

    def _find_heavy_path(self) -> list[int]:
        path, outer, heavy = [0], 0, self.heavy.tolist()
        least = _PATH_SHARE * heavy[0]
        for box in self.boxes[1:]:  # in page order: the children of a box follow it
            if box.parent == outer and heavy[box.index] >= least:
                if box.tag == "p" or box.last - box.first <= 1:
                    break
                outer = box.index
                least = _PATH_SHARE * heavy[outer]
                path.append(outer)
        return path

    def features(self) -> BlockFeatures:
        """Compute all rows."""
        branches, marks, place, layout = self._measure_branches()
        weighed = (self.density <= _LINKED) | (self.size > _LONGEST_LINK) | (self.kind >= HEADINGS)
        signed = weighed & np.fromiter(map(has_date_at_an_end, self.texts), bool)
        groups = (
            self.columns,
            self._describe_neighbours(place),
            self._describe_places(),
            branches[:, self.box],
            self._describe_surroundings(),
            self._measure_repetition(layout),
            self._describe_lines(signed),
            self._describe_page(),
            self._compare_declared(),
            [count_since_comments(self.blocks, weighed.tolist(), self.start), signed],
            self._read_marks(marks),
        )
        rows = np.vstack(groups, dtype=np.float32)
        outer = [self.box]
        for _ in range(3):
            outer.append(self.parent[outer[-1]])
        make = np.unique(self.sign[self.box] * len(KINDS) + self.kind.astype(np.int64), return_inverse=True)[1]
        tree = Tree(self.size, self.first, self.last, self.parent, np.array(outer), make, self.name)
        return BlockFeatures(self.layout, rows.T, weighed, self.mass, tree, self.names)

    def _measure_branches(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Describe the branch of each box: how far up the path it leaves, its depth and share; marks; place; layout."""
        on_path = dict(zip(reversed(self.path), range(len(self.path)), strict=True))
        shares = (self.heavy / max(float(self.heavy[self.path[-1]]), 1.0)).tolist()
        known: dict[tuple[int, str, int], int] = {}
        rows: list[tuple[int, int, float, int, int, int]] = []
        columns = (self.parent.tolist(), self.box_marks.tolist(), (self.last - self.first > 1).tolist())
        for i, (tag, p, own, has_several) in enumerate(zip(self.tags, *columns, strict=True)):
            if i in on_path:
                rows.append((on_path[i], 0, 1.0, 0, i, i))
                continue
            gap, depth, share, marks, place, layout = rows[p]
            place = known.setdefault((place, tag, own), -1 - len(known))
            rows.append((gap, depth + 1, share if depth else shares[i], marks | own, place, place if has_several else layout))
        gaps, depths, of_branch, marks_of_branch, places, layouts = zip(*rows, strict=True)
        return np.array([gaps, depths, of_branch]), np.array(marks_of_branch), np.array(places), np.array(layouts) + len(known)

    def _describe_neighbours(self, place: Numbers) -> list[Numbers]:
        before = np.maximum(self.index - 1, 0)
        after = np.minimum(self.index + 1, self.n - 1)
        sums = np.concatenate([[0.0], np.cumsum(self.mass)])
        here = place[self.box]
        return [
            np.append(self.own["pictures before"][1:], 0), self.mass[before], self.mass[after],
            self.density[before], self.density[after],
            self.kind[before], self.kind[after], self.size[before], self.size[after], here[before] == here, here[after] == here,
            sums[:-1] - sums[np.maximum(self.index - _RUN, 0)], sums[np.minimum(self.index + 1 + _RUN, self.n)] - sums[1:],
        ]  # fmt: skip

    def _describe_places(self) -> list[Numbers]:
        inner = self.boxes[self.path[-1]]
        solid = np.flatnonzero(self.mass[inner.first : inner.last] > 0)
        first, last = (inner.first + int(solid[0]), inner.first + int(solid[-1])) if len(solid) else (inner.first, inner.last)
        sums = np.cumsum(self.mass)
        away = np.clip(self.index - self.start, -20, 60) if self.start >= 0 else np.full(self.n, -30)
        return [
            self.index < first, self.index > last, (self.index - first) / (last - first + 1), (sums - self.mass) / self.total,
            (sums[-1] - sums) / self.total, self.index / self.n, away, self.article[self.box],
            *self._describe_headings(),
        ]  # fmt: skip

    def _count_headlines_since(self) -> Numbers:
        """Count the headings of the headline's own make between the headline and each block."""
        counts, headline = np.zeros(self.n), self.headline
        if headline is not None and headline.kind[0] == "h":
            sign = self.boxes[headline.box].tag, self.boxes[headline.box].element.get("class")
            for block in self.blocks[headline.index + 1 :]:
                if block.kind == headline.kind and block.text != headline.text and (headline.kind == "h1" or sign[1]):
                    box = self.boxes[block.box]
                    counts[block.index :] += (box.tag, box.element.get("class")) == sign
        return np.minimum(counts, 3)

    def _find_own_article(self) -> Numbers:
        """Tell of each box whether it lies in the article element of the headline (1), in one within it (2), or another (-1)."""
        found = [0] * len(self.boxes)
        own = -1
        if self.headline is not None:
            own = next((box.index for box in self.layout.outer(self.headline.box) if box.tag == "article"), -1)
        for box in self.boxes[1:]:
            found[box.index] = found[box.parent]
            if box.tag == "article":
                found[box.index] = 1 if box.index == own else 2 if found[box.parent] == 1 else -1
        return np.array(found)

    def _describe_headings(self) -> list[list[float]]:
        """Describe the last heading before each block: how much of it is linked, how far it is, whether it is like the headline."""
        linked, distance, like = [0.0] * self.n, [0.0] * self.n, [0.0] * self.n
        headline = self.headline
        sign = (headline.kind, self.boxes[headline.box].element.get("class")) if headline is not None else None
        density, since, alike = 0.0, float(_FARTHEST), 0.0
        for block in self.blocks:
            since = min(since + 1, _FARTHEST)
            if block.kind[0] == "h":
                density, since = block.linked / len(block.text), 0.0
                alike = 2.0 if block is headline else float(sign == (block.kind, self.boxes[block.box].element.get("class")))
            linked[block.index], distance[block.index], like[block.index] = density, since, alike
        return [linked, distance, like]

    def _describe_surroundings(self) -> list[Numbers]:
        text, linked = self.inside(self.length), self.inside(self.density * self.length)
        density, log_text, mass = linked / np.maximum(text, 1), np.log2(text + 1), self.heavy / self.total
        outwards = np.array([self.box, self.outer, self.parent[self.outer]])
        blocks = self.last - self.first
        return [*density[outwards], *log_text[outwards], *mass[outwards], blocks[self.box], blocks[self.outer]]

    def _measure_repetition(self, layout: Numbers) -> list[Numbers]:
        box, sign, ones = self.box, self.sign, np.ones(self.n)
        chain = np.unique(sign * len(sign) + sign[self.parent], return_inverse=True)[1]
        alike = _group_columns(sign[box], ones)
        outer = chain[self.outer]
        texts: dict[str, int] = {}
        same_text = np.array([texts.setdefault(text, len(texts)) for text in self.texts])
        group = np.unique(self.parent * len(sign) + sign, return_inverse=True)[1]
        siblings = np.log2(np.bincount(group)[group])
        return [
            _group_columns(layout[box], self.mass) / self.total, _group_columns(sign[box], self.mass) / self.total,
            _group_columns(chain[box], self.mass) / self.total, np.log2(np.bincount(sign)[sign[box]]), np.log2(alike),
            _group_columns(sign[box], self.density > 0.5) / alike, _group_columns(sign[box], self.dated) / alike,
            _group_columns(outer, self.dated) / _group_columns(outer, ones), siblings[box], siblings[self.outer],
            np.minimum(_group_columns(same_text, ones) - 1, 3), *self._describe_items(group),
        ]  # fmt: skip

    def _describe_items(self, group: Numbers) -> Numbers:
        """Describe the item that each block lies in: the outermost box with two like it beside it, and several blocks in each."""
        count = np.bincount(group)[group]
        blocks = np.bincount(group, self.last - self.first)[group] / count
        mass_in = self.inside(self.mass)
        on_path = np.zeros(len(self.boxes), dtype=bool)
        on_path[self.path] = True
        repeats = ((count >= 3) & (blocks >= 1.5) & ~on_path).tolist()
        item = [-1]
        for i, parent in enumerate(self.parent.tolist()[1:], 1):
            item.append(item[parent] if item[parent] >= 0 or not repeats[i] else i)
        own = np.array(item)[self.box]
        columns = (
            np.log2(count), blocks, np.bincount(group, self.inside(self.dated) > 0)[group] / count,
            np.bincount(group, self.inside(self.density > _LINKED) > 0)[group] / count, mass_in / self.total,
            np.bincount(group, mass_in)[group] / self.total,
            np.bincount(group, self.inside(self.sentence))[group] / count,
        )  # fmt: skip
        return np.where(own >= 0, np.array(columns)[:, own], 0)

    def _describe_lines(self, signed: Numbers) -> list[Numbers]:
        """Describe the short lines before and after each block: a name and a date come before each comment, or behind it."""
        index, n, sign = self.index, self.n, self.sign[self.box]
        below = index > self.start
        dated = self.dated & below
        short = (self.size < _SHORT_LINE) & (self.sentence == 0) & (self.kind < HEADINGS) & below
        last = np.maximum.accumulate(np.where(dated, index, -1))
        following = np.minimum.accumulate(np.where(dated, index, n + _FARTHEST)[::-1])[::-1]
        mass = np.cumsum(np.where(below, self.mass, 0.0))
        before_short = np.concatenate([[False], short[:-1]])
        step = (sign * len(self.boxes) + np.concatenate([[0], sign[:-1]])) * 2 + before_short
        opening = ((self.own["opening"] > 0) & (self.own["opening"] < 0.5)) | signed
        opened = np.concatenate([[0.0], np.cumsum(opening)])
        alike, ones = np.unique(sign * 2 + (self.size >= _SHORT_LINE), return_inverse=True)[1], np.ones(n)
        count = _group_columns(alike, ones)
        return [
            np.minimum(np.cumsum(dated), 12), np.where(last >= 0, mass[last], 0.0) / self.total,
            np.where(last >= 0, np.minimum(index - last, _FARTHEST), _FARTHEST), np.minimum(following - index, _FARTHEST),
            np.cumsum(short) / np.maximum(index - self.start, 1), before_short,
            np.log2(_group_columns(np.unique(step, return_inverse=True)[1], ones)),
            opened[np.minimum(index + 1 + _RUN, n)] - opened[np.maximum(index - _RUN, 0)],
            _group_columns(alike, self.sentence) / count, _group_columns(alike, self.own["capital"] == 1) / count,
        ]  # fmt: skip

    def _describe_page(self) -> list[Numbers]:
        named = int(np.bitwise_or.reduce(self.box_marks)).bit_count()
        whole = (np.log2(self.total), np.log2(self.n), float(self.heavy[self.path[-1]]) / self.total, named)
        return [self.mass / self.total, *np.full((self.n, len(whole)), whole).T]

    def _compare_declared(self) -> list[list[float]]:
        """Tell which blocks the description, or the body in the JSON-LD, holds (1), and which it lacks (-1, of the body only)."""
        described, declared = [0.0] * self.n, [0.0] * self.n
        description = key_of(self.page.get_first_meta("og:description", "description", "twitter:description") or "")
        body = ""
        for item, _, _ in self.page.placed_json_ld:
            if not body and isinstance(said := item.get("articleBody"), str) and len(said) > 2 * _FARTHEST:
                body = key_of(said)
        if len(description) <= _SHORTEST_COMPARED and not body:
            return [described, declared]
        for block in self.blocks:
            if not _SHORTEST_COMPARED < len(block.text) < _LONGEST_COMPARED or 2 * block.linked > len(block.text):
                continue
            key = key_of(block.text)
            if len(description) > _SHORTEST_COMPARED:
                begins = len(description) > _FARTHEST and description[:_FARTHEST] in key
                described[block.index] = float(begins or key in description)
            if body:
                declared[block.index] = 1.0 if key in body else -1.0
        return [described, declared]

    def _read_marks(self, branch: Numbers) -> Numbers:
        near, around = branch[self.box] | self.block_marks, self.within[self.box]
        found: Numbers = np.vstack([near & _BITS_OF_BRANCH, around & _BITS_WITHIN]) != 0
        return found


def _group_columns(groups: Numbers, values: Numbers) -> Numbers:
    """Sum values over groups, and give each member the sum of its group."""
    found: Numbers = np.bincount(groups, weights=values)[groups]
    return found
