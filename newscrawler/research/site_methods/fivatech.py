"""FiVaTech: merge the trees of several pages into one, of fixed and varying parts.

Source: M. Kayed, C.-H. Chang: FiVaTech: Page-Level Web Data Extraction from Template Pages, IEEE TKDE 22(2), 2010, as S.
Pogorilyy and A. Kramov describe it (Automated extraction of structured information from a set of web pages).

From the root down, the children of the elements that belong together are merged in four steps. Peer nodes: children of the same
tag and a similar tree below get the same symbol. Matrix alignment: with a column of symbols for each element, rows are made equal
by shifting symbols down. Repetition mining: what follows itself in the rows becomes a set. Optional nodes: rows that some columns
lack. Texts that all pages share at a node are fixed, the others are data. Read from the root down, the merged tree is a regular
expression that the pages match (`FiVaTechTemplate.expression`).

Where the paper is silent, or would need more time than a page has:
- The similarity of two trees is that of their uppermost three levels: twice the tags and classes they share, over the sum of
  both. The paper's tree matching is quadratic in the size of the trees.
- The symbol that makes a row is that which, of those at the heads of the columns, occurs in the fewest other columns further
  down.
- A page is read by giving each child to the most similar node of the template, whatever the order; what is like none is data as a
  whole.
- The work is bounded: 40 columns and 400 rows at a node, 12,000 nodes, 60,000 comparisons of trees for all pages to learn from,
  and for every page to read.

Reaches a body F1 of .762 on fe, learned from the other four pages of each publisher (an independent reading .773 on all pages);
`fivatech_article`, with our last step (`newscrawler.research.site_methods.container`), .892; measured by tools/measure_methods.py
on the development halves of the two datasets, by four-word shingles.

Known failures: optional parts that look like neighbours; related links and comments, which vary like the article.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from newscrawler.article import Body
from newscrawler.extraction.templates import check_number
from newscrawler.page import Document, squeeze
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.site_methods.container import body_of_extracted
from newscrawler.research.site_methods.tokens import tag_name

#: Tags with classes in the uppermost levels of a tree, and how often.
Shape = dict[str, int]
#: Number of a page, and of an element on it.
Member = tuple[int, int]
_MOST_COLUMNS = 40
_MOST_ROWS = 400
_MOST_NODES = 12_000
_MOST_COMPARISONS = 60_000


@dataclass(slots=True)
class TemplateNode:
    """Elements of several pages that belong together."""

    tag: str
    shape: Shape
    optional: bool = False
    repeated: bool = False
    #: What all pages have in it.
    fixed: frozenset[str] = frozenset()
    children: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FiVaTech:
    """Learns the merged tree of two pages or more."""

    least_pages: ClassVar[int] = 2
    version: ClassVar[int] = 1

    #: Similarity from which two children are peers.
    least_similarity: float = 0.5
    #: Rows that a repeated unit may have.
    longest_unit: int = 5
    #: Of the extracted text, what a child must hold to be entered in search of the main container; None: all text is the answer.
    least_share: float | None = None

    def learn(self, pages: Sequence[Document], /) -> FiVaTechTemplate:
        """Merge pages of one site."""
        check_number("fivatech", pages, self.least_pages)
        merger = Merger(self, [MergedPage(outline(page.body)) for page in pages])
        return FiVaTechTemplate(method=self, nodes=tuple(merger.run()))

    def restore(self, learned: Mapping[str, Any], /) -> FiVaTechTemplate:
        """Make a template of what was stored."""
        nodes = tuple(
            TemplateNode(str(tag), dict(shape), bool(optional), bool(repeated), frozenset(map(str, fixed)), list(children))
            for tag, shape, optional, repeated, fixed, children in learned["nodes"]
        )
        return FiVaTechTemplate(method=self, nodes=nodes)


@dataclass(frozen=True, slots=True)
class FiVaTechTemplate:
    """Takes the texts that are not fixed in the merged tree."""

    method: FiVaTech
    nodes: tuple[TemplateNode, ...]

    def __call__(self, page: Document, /) -> Body | None:
        """Read one page."""
        view = MergedPage(outline(page.body))
        tree = view.tree
        place: list[int] = [0]
        similarity = TreeSimilarity()
        for number in range(1, len(tree.elements)):
            above = place[tree.parents[number]]
            place.append(self.choose(above, view.shapes[number], tree.tags[number], similarity) if above >= 0 else -1)
        data = [
            number
            for number, node in enumerate(tree.texts)
            if place[node.owner] < 0 or squeeze(node.text) not in self.nodes[place[node.owner]].fixed
        ]
        return body_of_extracted(tree, data, self.method.least_share)

    def expression(self) -> str:
        """Write the merged tree as a regular expression over the pages' tags and texts, with a group for every node's data."""
        written: list[str] = []
        waiting: list[str | int] = [0]
        while waiting:
            step = waiting.pop()
            if isinstance(step, str):
                written.append(step)
                continue
            node = self.nodes[step]
            times = "*" if node.repeated else "?" if node.optional else ""
            steps: list[str | int] = [*["(?:"] * bool(times), f"<{re.escape(node.tag)}[^<>]*>", self.data_of(step)]
            for child in node.children:
                steps += [child, "[^<>]*"]
            steps += [f"(?:</{re.escape(node.tag)}>)?", *[f"){times}"] * bool(times)]
            waiting.extend(reversed(steps))
        return "".join(written)

    def data_of(self, number: int) -> str:
        """Write the text directly in a node: fixed where every page has it and nothing else, otherwise a group."""
        fixed = self.nodes[number].fixed
        return "(?:" + "|".join(map(re.escape, sorted(fixed))) + f"|(?P<g{number}>[^<>]*))" if fixed else f"(?P<g{number}>[^<>]*)"

    def choose(self, above: int, shape: Shape, tag: str, similarity: TreeSimilarity) -> int:
        """The most similar child of a template node, the first of several; -1 if none is similar."""
        best, most = -1, 0.0
        for number in self.nodes[above].children:
            node = self.nodes[number]
            if node.tag == tag and (score := similarity(node.shape, shape)) > most:
                best, most = number, score
        return best if most >= self.method.least_similarity else -1

    def learned(self) -> dict[str, Any]:
        """What was learned, as JSON has it."""
        return {
            "nodes": [
                [node.tag, dict(sorted(node.shape.items())), node.optional, node.repeated, sorted(node.fixed), node.children]
                for node in self.nodes
            ]
        }


class MergedPage:
    """A page with what merging needs to know of it."""

    def __init__(self, tree: Outline) -> None:
        self.tree = tree
        self.children = tree.children()
        names = [tag_name(tree, number) for number in range(len(tree.elements))]
        self.shapes: list[Shape] = [{name: 1} for name in names]
        for number, name in enumerate(names):
            above = tree.parents[number]
            for levels in (1, 2):
                if above >= 0:
                    shape = self.shapes[above]
                    shape[f"{levels}{name}"] = shape.get(f"{levels}{name}", 0) + 1
                    above = tree.parents[above]
        self.texts: dict[int, set[str]] = {}
        for node in tree.texts:
            self.texts.setdefault(node.owner, set()).add(squeeze(node.text))


class TreeSimilarity:
    """Compares shapes, up to a number of times; then nothing is similar."""

    def __init__(self) -> None:
        self.left = _MOST_COMPARISONS

    def __call__(self, one: Shape, other: Shape) -> float:
        """Twice what both share, over the sum of both; how often a tag repeats counts little, as sets repeat freely."""
        if one == other:
            return 1.0
        self.left -= 1
        if self.left < 0:
            return 0.0
        return 2 * len(one.keys() & other.keys()) / (len(one) + len(other))


class Merger:
    """Merges trees from the root down."""

    def __init__(self, method: FiVaTech, views: Sequence[MergedPage]) -> None:
        self.method = method
        self.views = views
        self.similarity = TreeSimilarity()

    def run(self) -> list[TemplateNode]:
        """Give the nodes of the merged tree, the root first."""
        nodes = [TemplateNode("body", {})]
        members: list[list[Member]] = [[(page, 0) for page in range(len(self.views))]]
        # both lists grow while they are walked: children are added behind their parents
        for node, columns in zip(nodes, members, strict=True):
            node.fixed = self.fixed_texts(columns)
            for row in self.rows(columns):
                if len(nodes) >= _MOST_NODES:
                    break
                page, element = row.members[0]
                child = TemplateNode(self.views[page].tree.tags[element], self.views[page].shapes[element])
                child.optional, child.repeated = row.optional, row.repeated
                node.children.append(len(nodes))
                nodes.append(child)
                members.append(row.members)
        return nodes

    def fixed_texts(self, columns: Sequence[Member]) -> frozenset[str]:
        """The texts that every page has directly in one of these elements."""
        by_page: dict[int, set[str]] = {}
        for page, element in columns:
            by_page.setdefault(page, set()).update(self.views[page].texts.get(element, ()))
        return frozenset(set.intersection(*by_page.values())) if len(by_page) > 1 else frozenset()

    def rows(self, columns: Sequence[Member]) -> list[MatrixRow]:
        """Peer nodes, matrix alignment, repetition mining, optional nodes."""
        chosen = columns[:_MOST_COLUMNS]
        elements = [[(page, child) for child in self.views[page].children[element][:_MOST_ROWS]] for page, element in chosen]
        symbols = self.peers(elements)
        rows = align(symbols, elements)
        for unit in range(1, self.method.longest_unit + 1):
            rows = mine(rows, unit)
        for row in rows:
            row.optional = len(row.columns) < len(chosen)
        return rows

    def peers(self, elements: Sequence[Sequence[Member]]) -> list[list[int]]:
        """Give similar children the same symbol."""
        classes: dict[str, list[tuple[int, Shape]]] = {}
        count = 0
        found: list[list[int]] = []
        for column in elements:
            found.append([])
            for page, element in column:
                shape = self.views[page].shapes[element]
                known = classes.setdefault(self.views[page].tree.tags[element], [])
                best, most = count, 0.0
                for symbol, other in known:
                    if (score := self.similarity(other, shape)) > most:
                        best, most = symbol, score
                if most < self.method.least_similarity:
                    best = count
                    known.append((count, shape))
                    count += 1
                found[-1].append(best)
        return found


@dataclass(slots=True)
class MatrixRow:
    """Children that stand at the same place."""

    symbol: int
    members: list[Member]
    columns: set[int]
    optional: bool = False
    repeated: bool = False


def align(symbols: Sequence[Sequence[int]], elements: Sequence[Sequence[Member]]) -> list[MatrixRow]:
    """Shift symbols down until every row holds one symbol."""
    rows: list[MatrixRow] = []
    heads = [0] * len(symbols)
    left = [Counter(column) for column in symbols]
    while True:
        open_columns = [column for column, head in enumerate(heads) if head < len(symbols[column])]
        if not open_columns:
            return rows
        at_head = Counter(symbols[column][heads[column]] for column in open_columns)
        symbol = min(at_head, key=lambda one: (sum(left[c][one] > 0 for c in open_columns) - at_head[one], -at_head[one], one))
        taking = [column for column in open_columns if symbols[column][heads[column]] == symbol]
        rows.append(MatrixRow(symbol, [elements[column][heads[column]] for column in taking], set(taking)))
        for column in taking:
            left[column][symbol] -= 1
            heads[column] += 1


def mine(rows: Sequence[MatrixRow], unit: int) -> list[MatrixRow]:
    """Merge units of rows that follow themselves."""
    found: list[MatrixRow] = []
    place = 0
    while place < len(rows):
        head = rows[place : place + unit]
        found.extend(head)
        place += unit
        while [row.symbol for row in rows[place : place + unit]] == [row.symbol for row in head]:
            for row, again in zip(head, rows[place : place + unit], strict=True):
                row.members.extend(again.members)
                row.columns |= again.columns
                row.repeated = True
            place += unit
    return found
