"""Lines that recur on several pages of a portal: boilerplate, whatever they read like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import key_of
from newscrawler.wrappers.portal.model import LONGEST_LINE, MOST_LINES, Line

_DIGITS = re.compile(r"\d")
#: Letters and digits of a line that is compared; a shorter one ("Background") may head two articles.
LEAST_KEY = 12
#: What a sentence ends with, and the characters that one has at least.
_SENTENCE_ENDS, _SHORTEST_SENTENCE = ".!?…。؟।", 40
#: Share of the shorter of two bodies that both pages hold, from which on they show the same article.
SAME_ARTICLE = 0.4


def key_of_line(text: str) -> str:
    """Return what two wordings of a recurring line have in common; empty for a line that is too short to compare.

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
    #: Lines that its label shows to be no part of the body.
    wrong: frozenset[str]

    @classmethod
    def of(cls, layout: Layout, taken: Sequence[Block], wrong: Iterable[Block] = ()) -> PageLines:
        """Read the lines of a page whose body is known."""
        texts: dict[str, str] = {}
        for block in layout.blocks:
            if (key := key_of_line(block.text)) and key not in texts:
                texts[key] = block.text[:LONGEST_LINE]
        body = {key: block.size for block in taken if (key := key_of_line(block.text))}
        return cls(texts=texts, body=body, wrong=frozenset(key_of_line(block.text) for block in wrong) - body.keys())


def recurring(pages: Sequence[PageLines]) -> tuple[Line, ...]:
    """Return the lines that two pages or more share, or that labels show to be no part of the body; those of most pages first.

    Near-duplicates count as one page: what they share is the text of one article.
    """
    holders: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        for key in page.texts:
            holders.setdefault(key, []).append(number)
    article = _articles(pages)
    found = []
    for key, numbers in holders.items():
        count, wrong = len({article[number] for number in numbers}), sum(key in pages[number].wrong for number in numbers)
        if wrong or count > 1:
            found.append(Line(pages[numbers[0]].texts[key], count, wrong))
    return tuple(sorted(found, key=lambda line: (-line.pages, line.text))[:MOST_LINES])


def _articles(pages: Sequence[PageLines]) -> list[int]:
    """Return for each page the number of the first one that holds the same article."""
    found: list[int] = []
    for number, page in enumerate(pages):
        same = (other for other in range(number) if _are_duplicates(page.body, pages[other].body))
        found.append(next((found[other] for other in same), number))
    return found


def _are_duplicates(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    size = sum(min(one[key], other[key]) for key in one.keys() & other.keys())
    return size > 0 and size >= SAME_ARTICLE * min(sum(one.values()), sum(other.values()))
