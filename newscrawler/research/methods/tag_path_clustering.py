"""Tag Path Clustering: paths of tags that occur in the same rhythm belong together; the article is the cluster with the most text.

Source: G. Miao, J. Tatemura, W.-P. Hsiung, A. Sawires, L. Moser: Extracting Data Records from the Web Using Tag Path Clustering,
WWW 2009, as section 2.1.3.2 of Š. Blanár's master's thesis Extrakcia správ z webových stránok describes it; clustering after J.
Shi, J. Malik: Normalized Cuts and Image Segmentation, 2000.

A page is walked in preorder. Every path of tags gives a visual signal: the positions at which it occurs. Two signals are similar
if their centres of gravity are close and if one occurs equally often between the occurrences of the other: similarity = e /
(distance * interleaving + e). The graph of similarities is divided by normalised cuts.

Where the paper is silent:
- Which cluster is the article: the one whose elements hold the most text outside of links, directly in them or in inline
  elements; all text of these is the answer. The method was made for records of any kind, so it says nothing of articles. With
  `counts_links` text in links counts, too, and menus and teasers win on every fourth page of aeb.
- How far to divide: no cut that costs more than 0.6.
- The interleaving is the greater of the two ratios of variance to mean of the counts; without an occurrence between (mean 0) the
  signals count as unrelated.
- Its bound on the work ("requires high computing power"): the 48 paths with the most text among those that occur at least three
  times are clustered, and the eigenvector of a cut is found by 60 steps of power iteration from a fixed start.

Reaches a body F1 of .817 on aeb and .832 on fe, with `counts_links` .712 and .813; measured by tools/measure_methods.py on the
development halves of the two datasets, by four-word shingles. An independent reading has .866 and .844 on all pages. A second
implementation (tests/independent_methods.py), without the bounds, takes the same cluster on most pages. Paths that occur once or
twice give .826 on aeb, with no division at all .830, and the best cluster of each page, chosen by the gold, .927: the choice among
clusters, of which the thesis says nothing, is what makes the difference.

Known failures: an article of one or two paragraphs; comments that are nested like the paragraphs have the same paths; text in few
or single elements.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.plugins import Bounds
from newscrawler.research.methods.outline import INLINE, Outline, outline
from newscrawler.research.methods.paragraphs import body_of

Matrix = list[list[float]]
_LINK = frozenset({"a"})


@dataclass(frozen=True, slots=True)
class TagPathClustering:
    """Takes the text in the elements of one cluster of paths; None: no path repeats."""

    #: The paper's constant in the similarity.
    scale: Annotated[float, Bounds(least=0.1)] = 10.0
    least_occurrences: int = 3
    #: A cut that costs more is not made.
    most_cut: float = 0.6
    most_paths: int = 48
    #: Count text in links, too, when the cluster with the most text is chosen.
    counts_links: bool = False
    rounds: int = 60

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        path_of = tag_paths(tree)
        signals = self.signals(tree, path_of)
        if not signals:
            return None
        matrix = self.similarities(list(signals.values()))
        names = list(signals)
        links = tree.nearest(_LINK)
        sizes = [len(node.text.strip()) if self.counts_links or links[node.owner] < 0 else 0 for node in tree.texts]
        best: list[int] = []
        most = 0
        for cluster in self.clusters(matrix):
            numbers = text_in(tree, path_of, {names[place] for place in cluster})
            size = sum(map(sizes.__getitem__, numbers))
            if size > most:
                best, most = numbers, size
        return body_of(tree, best)

    def signals(self, tree: Outline, path_of: Sequence[int]) -> dict[int, list[int]]:
        """Return the positions of the repeated paths that hold the most text."""
        occurrences = Counter(path_of)
        weight: Counter[int] = Counter()
        for number, characters in enumerate(tree.own_characters()):
            if occurrences[path_of[number]] >= self.least_occurrences:
                weight[path_of[number]] += characters
        chosen = {path: list[int]() for path, characters in weight.most_common(self.most_paths) if characters}
        for number, path in enumerate(path_of):
            if path in chosen:
                chosen[path].append(number)
        return chosen

    def similarities(self, signals: Sequence[Sequence[int]]) -> Matrix:
        """Compare every two signals."""
        matrix = [[1.0] * len(signals) for _ in signals]
        centres = [sum(signal) / len(signal) for signal in signals]
        for one in range(len(signals)):
            for other in range(one):
                apart = abs(centres[one] - centres[other])
                uneven = max(unevenness(signals[one], signals[other]), unevenness(signals[other], signals[one]))
                value = self.scale / (apart * uneven + self.scale) if math.isfinite(uneven) else 0.0
                matrix[one][other] = matrix[other][one] = value
        return matrix

    def clusters(self, matrix: Matrix) -> list[list[int]]:
        """Divide by normalised cuts until each costs too much."""
        done: list[list[int]] = []
        waiting = [list(range(len(matrix)))]
        while waiting:
            members = waiting.pop()
            left, right = self.cut(matrix, members)
            if right:
                waiting.extend((left, right))
            else:
                done.append(left)
        return done

    def cut(self, matrix: Matrix, members: list[int]) -> tuple[list[int], list[int]]:
        """Divide once, at the place along the second eigenvector where the cut is cheapest."""
        if len(members) < 2:
            return members, []
        part = [[matrix[one][other] for other in members] for one in members]
        degrees = [sum(row) for row in part]
        vector = second_eigenvector(part, degrees, self.rounds)
        order = sorted(range(len(members)), key=lambda place: vector[place])
        total = sum(degrees)
        inside = linked = 0.0
        best, best_end = self.most_cut, 0
        for end, place in enumerate(order[:-1], 1):
            # what crosses the cut: all links of the left side but those among its own
            linked += part[place][place] + 2 * sum(part[place][other] for other in order[: end - 1])
            inside += degrees[place]
            crossing = inside - linked
            cost = crossing / inside + crossing / (total - inside)
            if cost < best:
                best, best_end = cost, end
        if not best_end:
            return members, []
        return [members[place] for place in order[:best_end]], [members[place] for place in order[best_end:]]


def tag_paths(tree: Outline) -> list[int]:
    """Return for every element the number of its tag path from the root."""
    numbers: dict[tuple[int, str], int] = {}
    found: list[int] = []
    for parent, tag in zip(tree.parents, tree.tags, strict=True):
        key = (found[parent] if parent >= 0 else -1, tag)
        found.append(numbers.setdefault(key, len(numbers)))
    return found


def text_in(tree: Outline, path_of: Sequence[int], paths: set[int]) -> list[int]:
    """Return the text nodes of the elements of these paths: directly in them, or in inline elements of them."""
    inside: list[bool] = []
    for number, path in enumerate(path_of):
        inside.append(path in paths or (tree.tags[number] in INLINE and number > 0 and inside[tree.parents[number]]))
    return [number for number, node in enumerate(tree.texts) if inside[node.owner]]


def unevenness(signal: Sequence[int], other: Sequence[int]) -> float:
    """Return variance over mean of the counts of the other signal between two occurrences of this one; infinite if all are 0."""
    segments = len(signal) - 1
    if len(signal) <= len(other):
        places = [bisect_left(other, position) for position in signal]
        counts = [after - before for before, after in pairwise(places)]
    else:
        within = Counter(bisect_left(signal, position) for position in other if signal[0] < position < signal[-1])
        counts = list(within.values())
    total = sum(counts)
    if not total:
        return math.inf
    mean = total / segments
    # segments that are not listed hold none, and count with the square of the mean
    variance = (sum((count - mean) ** 2 for count in counts) + (segments - len(counts)) * mean**2) / segments
    return variance / mean


def second_eigenvector(part: Matrix, degrees: Sequence[float], rounds: int) -> list[float]:
    """Solve the relaxed normalised cut (Shi and Malik) by power iteration with the first eigenvector projected out."""
    size = len(part)
    root = [math.sqrt(degree) for degree in degrees]
    shifted = [[part[i][j] / (root[i] * root[j]) + (i == j) for j in range(size)] for i in range(size)]
    norm = math.sqrt(sum(degrees))
    first = [value / norm for value in root]
    vector = [math.sin(place + 1.0) for place in range(size)]
    for _ in range(rounds):
        along = sum(a * b for a, b in zip(vector, first, strict=True))
        vector = [a - along * b for a, b in zip(vector, first, strict=True)]
        vector = [sum(a * b for a, b in zip(row, vector, strict=True)) for row in shifted]
        length = math.sqrt(sum(value * value for value in vector))
        if length < 1e-12:
            break
        vector = [value / length for value in vector]
    return [value / weight for value, weight in zip(vector, root, strict=True)]
