"""Evidence from the learned pages about the blocks of another page: labels at their places, and lines that recur."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from newscrawler.extraction.body.extractor import Examination
from newscrawler.extraction.body.headline import find_headline_index
from newscrawler.extraction.templates.model import LONGEST_LINE, MOST_LINES, LearnedLabels, PlaceAmounts, RecurringLine
from newscrawler.extraction.templates.places import NOTHING, KnownPlaces, Places, learn_places
from newscrawler.page import Block, Layout, key_of

_DIGITS = re.compile(r"\d")
#: Letters and digits of a line that is compared; a shorter one ("Background") may head two articles.
LEAST_KEY = 12
#: Ends of sentences, and the least characters of one.
_SENTENCE_ENDS, _SHORTEST_SENTENCE = ".!?…。؟।", 40
#: Lines of a teaser up to the last that is compared: its headline, a date or lead, its text.
_LINES_OF_TEASER = 3
#: Share of the shorter of two bodies, found only on these two pages, from which on they show the same article.
SAME_ARTICLE = 0.4


def make_line_key(text: str) -> str:
    """Return the common form of all wordings of a recurring line; empty for a line that is too short to compare.

    Numbers count as equal ("12 comments"), but not in a whole sentence: "The index closed at 5,012 points." is news every day.
    """
    key = key_of(text[:LONGEST_LINE])
    if len(text) < _SHORTEST_SENTENCE or text[-1] not in _SENTENCE_ENDS:
        key = _DIGITS.sub("0", key)
    return key if len(key) >= LEAST_KEY else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLines:
    """The lines of a learned page."""

    #: The lines of the whole page by key, each as it is written first.
    texts: Mapping[str, str]
    #: Characters of the lines of its body, by key.
    body: Mapping[str, int]
    #: Of the other lines below a headline or a link: the text of that.
    below: Mapping[str, str]

    @classmethod
    def read(cls, layout: Layout, taken: Sequence[Block]) -> PageLines:
        """Read the lines of a page whose body is known."""
        texts: dict[str, str] = {}
        for block in layout.blocks:
            if (key := make_line_key(block.text)) and key not in texts:
                texts[key] = block.text[:LONGEST_LINE]
        body = {key: block.size for block in taken if (key := make_line_key(block.text))}
        below: dict[str, str] = {}
        for block in layout.blocks:
            above = reversed(layout.blocks[max(block.index - _LINES_OF_TEASER, 0) : block.index])
            title = next((each.text for each in above if each.kind[0] == "h" or each.link_density > 0.9), "")
            if title and (key := make_line_key(block.text)) not in body:
                below.setdefault(key, title[:LONGEST_LINE])
        return cls(texts=texts, body=body, below=below)


def find_recurring_lines(pages: Sequence[PageLines]) -> tuple[RecurringLine, ...]:
    """Return the lines that two pages or more share; those of most pages first.

    Lines that only two near-duplicates share are the text of one article.
    """
    holders: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        for key in page.texts:
            holders.setdefault(key, []).append(number)
    pairs: dict[tuple[int, int], list[str]] = {}
    for key, numbers in holders.items():
        if len(numbers) == 2:
            pairs.setdefault((numbers[0], numbers[1]), []).append(key)
    duplicated = {key for (one, other), keys in pairs.items() if _are_duplicates(pages[one], pages[other], keys) for key in keys}
    shared = {key: numbers for key, numbers in holders.items() if len(numbers) > 1 and key not in duplicated}
    found = (
        RecurringLine(pages[numbers[0]].texts[key], len(numbers), _find_headline(key, [pages[number] for number in numbers]))
        for key, numbers in shared.items()
    )
    return tuple(sorted(found, key=lambda line: (-line.pages, line.text))[:MOST_LINES])


def _find_headline(key: str, pages: Sequence[PageLines]) -> str:
    """Return the headline below which a line stands on each page of whose body it is no part."""
    above = {page.below.get(key, "") for page in pages if key not in page.body}
    return above.pop() if len(above) == 1 else ""


def _are_duplicates(one: PageLines, other: PageLines, shared: Sequence[str]) -> bool:
    size = sum(min(one.body.get(key, 0), other.body.get(key, 0)) for key in shared)
    return size >= SAME_ARTICLE * min(sum(one.body.values()), sum(other.body.values()))


#: Probability from which on the line of a block is compared, and that of a block which no forest weighs.
_LEAST_LIKELY, _NOT_WEIGHED = 0.02, 0.005
#: Amount of text that the balance of text and other things must outweigh.
_DOUBT = 3.0
#: Pages of a line that recurs; more than these say no more.
_MOST_PAGES = 4
_NO_PLACE = [0.0] * 11


class LabelledPage(NamedTuple):
    """A page whose text is known."""

    found: Examination
    places: Places
    #: Of each block: the share of it that is text of the article.
    shares: Sequence[float]


def learn_labels(pages: Sequence[LabelledPage]) -> LearnedLabels:
    """Return the amounts of text at the places of labelled pages, by label and by the block model."""
    places = learn_places((each.found.page, each.places, each.shares) for each in pages)
    expected = learn_places((each.found.page, each.places, each.found.probabilities.tolist()) for each in pages)
    return LearnedLabels(pages=len(pages), places=places, expected=expected)


@dataclass(frozen=True, slots=True, eq=False)
class KnownEvidence:
    """Labels and recurring lines, ready to be looked up."""

    labels: LearnedLabels
    places: KnownPlaces
    expected: KnownPlaces
    lines: Mapping[str, RecurringLine]

    @classmethod
    def prepare(cls, labels: LearnedLabels, lines: Sequence[RecurringLine]) -> KnownEvidence:
        """Make labels and lines ready."""
        known = {key: line for line in lines if (key := make_line_key(line.text))}
        return cls(labels, KnownPlaces(labels.places), KnownPlaces(labels.expected), known)

    def count_pages(self, text: str, title: str | None) -> int:
        """Return the number of learned pages on which a line of an article recurs, other than as a teaser of that article."""
        line = self.lines.get(make_line_key(text))
        if line is None or (title and line.below and make_line_key(line.below) == make_line_key(title)):
            return 0
        return line.pages

    def find_evidence(self, found: Examination, places: Places) -> dict[int, list[float]]:
        """Return the evidence of the blocks of a page that have any, by index.

        It is in the order of `newscrawler.extraction.body.block_classifier.EVIDENCE` behind the first.
        """
        likely, headline = found.probabilities.tolist(), find_headline_index(found.page)
        weighed = [block for block in found.page.layout.blocks if likely[block.index] > _NOT_WEIGHED and block.index != headline]
        title = found.page.layout.blocks[headline].text if headline is not None else ""
        rows: dict[int, list[float]] = {}
        for block in weighed:
            of_place, of_line = self._look_up_place(places.find(block)), 0
            if self.lines and likely[block.index] >= _LEAST_LIKELY:
                of_line = min(self.count_pages(block.text, title), _MOST_PAGES)
            if of_place is not None or of_line:
                of_kind = math.log2(block.size + 1), block.kind[0] == "h", block.kind == "tr"
                rows[block.index] = [*(of_place or _NO_PLACE), of_line, *of_kind]
        return rows

    def _look_up_place(self, place: str) -> list[float] | None:
        if not self.labels.pages or (found := self.places.at(place))[-1] is None:
            return None
        own, near, *further = (each or NOTHING for each in found)
        row = [self.labels.pages, *own, _compute_balance(own, own.other), *near, _compute_balance(near, near.other)]
        row += [_compute_balance(each, each.other) for each in further]
        expected = [(each or NOTHING).text for each in self.expected.at(place)]
        return [*row, _compute_balance(own, expected[0]), _compute_balance(near, expected[1])]


def _compute_balance(place: PlaceAmounts, against: float) -> float:
    return (place.text - against) / (place.text + place.other + _DOUBT)
