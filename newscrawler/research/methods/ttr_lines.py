"""Text-to-Tag Ratio by lines: lines of the source with much text and few tags, found by a threshold or by clustering.

Source: T. Weninger, W. H. Hsu: Text Extraction from the Web via Text-to-Tag Ratio, TIR 2008, as section 2.1.4.1 of Š. Blanár's
master's thesis Extrakcia správ z webových stránok describes it.

The ratio of a line is the number of its characters outside of tags, divided by the number of its tags where there are any.
Scripts, comments and empty lines are removed before. The lines with a high ratio are text. So are the lines around them, two to
either side (a heading, a date, an author), where they hold more than a short group of characters. Lines with a high ratio are those
above a threshold, or those that a clustering does not put with the lowest: k-means, EM, or Farthest First.

Where the paper is silent:
- The page is parsed, for tags are identified "najčastejšie prostredníctvom reg. výrazov" (mostly, not only, by regular
  expressions): lines are those of the text in the tree, and line breaks inside of tags are gone. A text node that spans several
  lines belongs to each of them. By regular expressions on the source, where a tag that goes on in the next line is text, .656 and
  .555.
- The threshold is the standard deviation of all ratios. "Few characters" are less than 4.
- Characters are counted in any script, not ASCII only, white space at the ends of a line apart.
- k is 3, as for the same authors' later method; the first centres are spread evenly from the least ratio to the greatest
  (Farthest First starts with the least), so that chance has no part. EM fits normal distributions.
- The thesis names Longest Common Subsequence without saying of what. Here lines belong to one cluster if the longest common
  subsequence of their paths of tags makes up `least_common` of the longer path; the cluster with the greatest sum of ratios is
  text.

Reaches a body F1 of, by threshold, .709 on aeb and .703 on fe (the second implementation, tests/independent_methods.py: .709 and
.712 on these pages); by k-means .726 and .673, EM .637 and .631, Farthest First .743 and .677, subsequences .562 and .646; smoothed
.813 and .745; measured by tools/measure_methods.py on the development halves of the two datasets, by four-word shingles.

`ttr_lines_smoothed` is our variant: pages of today are often written without line breaks, so where the source breaks less than half
of the lines that a reader sees (block elements and br), those take the place of the source's; and each ratio is averaged with those
of two lines to either side in place of taking neighbours.

Known failures: every long text is taken, comments and footers included; short paragraphs rich in links are lost; a page written in
few lines is one line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Literal

from newscrawler.article import Body
from newscrawler.page import Document
from newscrawler.plugins import Bounds
from newscrawler.research.methods.outline import Outline, outline
from newscrawler.research.methods.paragraphs import body_of

_LEAST_VARIANCE = 1e-6


def k_means(values: Sequence[float], clusters: int, most_rounds: int) -> set[int]:
    """Cluster by k-means, from centres spread evenly over the values' range."""
    centres = _spread(values, clusters)
    bounds: list[float] = []
    for _ in range(most_rounds):
        bounds = [(one + other) / 2 for one, other in pairwise(centres)]
        groups: list[list[float]] = [[] for _ in centres]
        for value in values:
            groups[sum(value > bound for bound in bounds)].append(value)
        moved = [sum(group) / len(group) if group else centre for group, centre in zip(groups, centres, strict=True)]
        if moved == centres:
            break
        centres = moved
    return {place for place, value in enumerate(values) if not bounds or value <= bounds[0]}


def farthest_first(values: Sequence[float], clusters: int) -> set[int]:
    """Cluster by Farthest First (Hochbaum, Shmoys): each new centre is the value farthest from those before."""
    centres = [min(values)]
    while len(centres) < clusters:
        centres.append(max(values, key=lambda value: min(abs(value - centre) for centre in centres)))
    return {place for place, value in enumerate(values) if min(centres, key=lambda centre: abs(value - centre)) == centres[0]}


def expectation_maximisation(values: Sequence[float], clusters: int, most_rounds: int) -> set[int]:
    """Cluster by a mixture of normal distributions (Dempster, Laird and Rubin); a value belongs to the most probable one."""
    counts: dict[float, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    centres = _spread(values, clusters)
    width = max((max(values) - min(values)) / max(clusters, 1), math.sqrt(_LEAST_VARIANCE))
    mixture = [(1 / clusters, centre, width**2) for centre in centres]
    for _ in range(most_rounds):
        mixture, before = _maximised(counts, mixture), mixture
        if all(abs(one[1] - other[1]) < _LEAST_VARIANCE for one, other in zip(mixture, before, strict=True)):
            break
    lowest = min(range(clusters), key=lambda number: mixture[number][1])
    low = {value for value in counts if max(range(clusters), key=_densities(value, mixture).__getitem__) == lowest}
    return {place for place, value in enumerate(values) if value in low}


Mixture = list[tuple[float, float, float]]


def _maximised(counts: dict[float, int], mixture: Mixture) -> Mixture:
    """Return weight, mean and variance of each component after one round."""
    sums = [[0.0, 0.0, 0.0] for _ in mixture]
    for value, count in counts.items():
        for total, share in zip(sums, _shares(_densities(value, mixture)), strict=True):
            total[0] += share * count
            total[1] += share * count * value
            total[2] += share * count * value * value
    everything = sum(total[0] for total in sums)
    found: Mixture = []
    for (weight, first, second), old in zip(sums, mixture, strict=True):
        mean = first / weight if weight > _LEAST_VARIANCE else old[1]
        variance = second / weight - mean * mean if weight > _LEAST_VARIANCE else old[2]
        found.append((weight / everything, mean, max(variance, _LEAST_VARIANCE)))
    return found


def _densities(value: float, mixture: Mixture) -> list[float]:
    """Return the logarithm of each component's density at a value."""
    return [
        math.log(max(weight, 1e-300)) - 0.5 * math.log(variance) - (value - mean) ** 2 / (2 * variance)
        for weight, mean, variance in mixture
    ]


def _shares(logarithms: Sequence[float]) -> list[float]:
    most = max(logarithms)
    densities = [math.exp(one - most) for one in logarithms]
    total = sum(densities)
    return [density / total for density in densities]


def _spread(values: Sequence[float], clusters: int) -> list[float]:
    low, high = min(values), max(values)
    return [low + (high - low) * place / max(clusters - 1, 1) for place in range(clusters)]


def longest_common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence (Hirschberg), in linear space."""
    row = [0] * (len(other) + 1)
    for item in one:
        diagonal = 0
        for place, against in enumerate(other, 1):
            above = row[place]
            row[place] = diagonal + 1 if item == against else max(above, row[place - 1])
            diagonal = above
    return row[-1]


Clustering = Literal["threshold", "k-means", "em", "farthest-first", "lcs"]


@dataclass(slots=True)
class SourceLine:
    """Counts of one line."""

    characters: int = 0
    tags: int = 0
    #: Numbers of its text nodes.
    nodes: list[int] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """Return characters per tag."""
        return self.characters / max(self.tags, 1)


@dataclass(frozen=True, slots=True)
class TextToTagRatio:
    """Takes the text of all lines with a high ratio and of their neighbours; None: the page has no text."""

    clustering: Clustering = "threshold"
    #: The source's lines, those that a reader sees, or the source's where it has enough of them.
    lines: Literal["source", "visual", "adaptive"] = "source"
    #: Lines to either side of a line with a high ratio that are taken too.
    neighbours: int = 2
    #: A neighbour with fewer characters is ignored.
    least_neighbour: int = 4
    #: Lines to either side that a ratio is averaged with.
    radius: int = 0
    #: The threshold in standard deviations.
    deviations: float = 1.0
    clusters: Annotated[int, Bounds(least=1)] = 3
    most_rounds: int = 50
    #: Of the longer of two paths of tags, what lines of one cluster have in common; for clustering by subsequences.
    least_common: float = 0.9

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        lines = self.lines_of(tree)
        if not lines:
            return None
        high = self.high_lines(tree, lines)
        chosen = {number for place in self.with_neighbours(lines, high) for number in lines[place].nodes}
        return body_of(tree, sorted(chosen))

    def lines_of(self, tree: Outline) -> list[SourceLine]:
        """Divide the page into lines."""
        lines = [] if self.lines == "visual" else source_lines(tree)
        if self.lines == "source":
            return lines
        seen = block_lines(tree)
        return seen if 2 * sum(bool(line.characters) for line in lines) < len(seen) else lines

    def high_lines(self, tree: Outline, lines: Sequence[SourceLine]) -> set[int]:
        """Return the places of the lines with a high ratio."""
        ratios = smooth([line.ratio for line in lines], self.radius)
        if min(ratios) == max(ratios):
            return set(range(len(ratios)))
        match self.clustering:
            case "threshold":
                mean = sum(ratios) / len(ratios)
                bound = self.deviations * math.sqrt(sum((ratio - mean) ** 2 for ratio in ratios) / len(ratios))
                return {place for place, ratio in enumerate(ratios) if ratio > bound}
            case "lcs":
                return similar_paths(tree, lines, ratios, self.least_common)
            case "k-means":
                low = k_means(ratios, self.clusters, self.most_rounds)
            case "em":
                low = expectation_maximisation(ratios, self.clusters, self.most_rounds)
            case "farthest-first":
                low = farthest_first(ratios, self.clusters)
        return {place for place in range(len(ratios)) if place not in low}

    def with_neighbours(self, lines: Sequence[SourceLine], high: set[int]) -> set[int]:
        """Add the lines around those with a high ratio that hold more than a few characters."""
        found = set(high)
        for place in high:
            around = range(max(0, place - self.neighbours), min(len(lines), place + self.neighbours + 1))
            found.update(other for other in around if lines[other].characters >= self.least_neighbour)
        return found


def source_lines(tree: Outline) -> list[SourceLine]:
    """Divide the page into the lines of its source, without empty ones."""
    lines = [SourceLine()]
    for number, node in enumerate(tree.texts):
        lines[-1].tags += node.gap[0]
        lines.extend(SourceLine(tags=tags) for tags in node.gap[1:])
        for place, part in enumerate(node.text.split("\n")):
            if place:
                lines.append(SourceLine())
            if size := len(part.strip()):
                lines[-1].characters += size
                lines[-1].nodes.append(number)
    return [line for line in lines if line.tags or line.characters]


def block_lines(tree: Outline) -> list[SourceLine]:
    """Divide the page into the lines that a reader sees."""
    lines: list[SourceLine] = []
    last = -1
    for number, node in enumerate(tree.texts):
        if node.line != last:
            lines.append(SourceLine())
            last = node.line
        lines[-1].tags += node.tags
        lines[-1].characters += len(node.text.strip())
        lines[-1].nodes.append(number)
    return lines


def smooth(values: Sequence[float], radius: int) -> list[float]:
    """Average each value with its neighbours; at the ends over fewer."""
    sums = [0.0]
    for value in values:
        sums.append(sums[-1] + value)
    found: list[float] = []
    for place in range(len(values)):
        start, end = max(0, place - radius), min(len(values), place + radius + 1)
        found.append((sums[end] - sums[start]) / (end - start))
    return found


def similar_paths(tree: Outline, lines: Sequence[SourceLine], ratios: Sequence[float], least_common: float) -> set[int]:
    """Return the lines of the cluster with the greatest sum of ratios; each line joins the first cluster that its path is like."""
    leaders: list[tuple[tuple[str, ...], set[int]]] = []
    joined: dict[tuple[str, ...], set[int]] = {}
    for place, line in enumerate(lines):
        if not line.nodes:
            continue
        path = tree.path(tree.texts[line.nodes[0]].owner)
        if path not in joined:
            for leader, members in leaders:
                shared = longest_common_subsequence(path, leader)
                if shared >= least_common * max(len(path), len(leader)):
                    joined[path] = members
                    break
            else:
                joined[path] = set()
                leaders.append((path, joined[path]))
        joined[path].add(place)
    return max((members for _, members in leaders), key=lambda members: sum(ratios[place] for place in members), default=set())


#: Our variant: averaged ratios, and the lines that a reader sees where the source has too few.
SMOOTHED = TextToTagRatio(lines="adaptive", neighbours=0, radius=2)
