"""Text-to-Tag Ratio by lines: lines of the source with much text and few tags, found by a threshold or by clustering.

Source: T. Weninger, W. H. Hsu: Text Extraction from the Web via Text-to-Tag Ratio, TIR 2008, as section 2.1.4.1 of T. Blanár's
master's thesis Extrakcia správ z webových stránok describes it.

The ratio of a line is the number of its characters outside of tags, divided by the number of its tags where there are any.
Scripts, comments and empty lines are removed before, and each ratio is then smoothed over the lines around it, two to either
side, so that a short line among long ones (a heading, a date, an author) is not lost. The lines with a high ratio are the text:
those above the standard deviation of all, or those that k-means does not put into the cluster of the lowest.

Where the paper is silent:
- The page is parsed, so lines are those of the text in the tree; line breaks inside of tags are gone. A text node that spans
  several lines has the greatest ratio among them.
- Pages of today are often written without line breaks. Where the source breaks less than half of the lines that a reader sees,
  those (block elements and br) take the place of the source's lines.
- Characters are counted in any script, not ASCII only, white space at the ends of a line apart.
- The neighbourhood of two lines is the radius of the smoothing.
- k is 3, as for the same authors' later method; the first centres are spread evenly from the least ratio to the greatest, so that
  chance has no part.

Reaches a body F1 of by threshold .813 on aeb and .745 on fe, by k-means .824 and .760; measured by tools/measure_methods.py on
the development halves of the two datasets, by four-word shingles.

Known failures: every long text is taken, comments and footers included; short paragraphs rich in links are lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from newscrawler.article import Body
from newscrawler.methods.outline import Outline, outline
from newscrawler.methods.paragraphs import body_of
from newscrawler.page import Document


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
    """Takes the text of all lines with a high ratio; None: the page has no text."""

    clustering: Literal["threshold", "k-means"] = "threshold"
    #: Lines to either side that a ratio is averaged with.
    radius: int = 2
    #: The threshold in standard deviations.
    deviations: float = 1.0
    clusters: int = 3
    most_rounds: int = 50

    def __call__(self, page: Document, /) -> Body | None:
        """Extract the body of a page."""
        tree = outline(page.body)
        lines = source_lines(tree)
        seen = block_lines(tree)
        if 2 * len([line for line in lines if line.characters]) < len(seen):
            lines = seen
        ratios = smooth([line.ratio for line in lines], self.radius)
        bound = self.bound(ratios)
        chosen = {number for line, ratio in zip(lines, ratios, strict=True) if ratio > bound for number in line.nodes}
        return body_of(tree, sorted(chosen))

    def bound(self, ratios: Sequence[float]) -> float:
        """Return the ratio that a line of text must exceed."""
        if not ratios:
            return 0.0
        if self.clustering == "k-means":
            return lowest_cluster(ratios, self.clusters, self.most_rounds)
        mean = sum(ratios) / len(ratios)
        return self.deviations * math.sqrt(sum((ratio - mean) ** 2 for ratio in ratios) / len(ratios))


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


def lowest_cluster(values: Sequence[float], clusters: int, most_rounds: int) -> float:
    """Return the upper bound of the lowest cluster that k-means finds in one dimension."""
    low, high = min(values), max(values)
    centres = [low + (high - low) * place / max(clusters - 1, 1) for place in range(clusters)]
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
    return bounds[0] if bounds else low - 1
