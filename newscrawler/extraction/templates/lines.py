"""Lines that recur on several pages of a portal: boilerplate, whatever they read like."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from newscrawler.extraction.templates.model import LONGEST_LINE, MOST_LINES, Line
from newscrawler.page.blocks import Block, Layout
from newscrawler.page.likeness import key_of

_DIGITS = re.compile(r"\d")
#: Letters and digits of a line that is compared; a shorter one ("Background") may head two articles.
LEAST_KEY = 12
#: What a sentence ends with, and the characters that one has at least.
_SENTENCE_ENDS, _SHORTEST_SENTENCE = ".!?…。؟।", 40
#: Share of the shorter of two bodies that only these two pages hold, from which on they show the same article.
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

    @classmethod
    def of(cls, layout: Layout, taken: Sequence[Block]) -> PageLines:
        """Read the lines of a page whose body is known."""
        texts: dict[str, str] = {}
        for block in layout.blocks:
            if (key := key_of_line(block.text)) and key not in texts:
                texts[key] = block.text[:LONGEST_LINE]
        body = {key: block.size for block in taken if (key := key_of_line(block.text))}
        return cls(texts=texts, body=body)


def recurring(pages: Sequence[PageLines]) -> tuple[Line, ...]:
    """Return the lines that two pages or more share; those of most pages first.

    What only two near-duplicates share is the text of one article.
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
    found = (Line(pages[numbers[0]].texts[key], len(numbers)) for key, numbers in shared.items())
    return tuple(sorted(found, key=lambda line: (-line.pages, line.text))[:MOST_LINES])


def _are_duplicates(one: PageLines, other: PageLines, shared: Sequence[str]) -> bool:
    size = sum(min(one.body.get(key, 0), other.body.get(key, 0)) for key in shared)
    return size >= SAME_ARTICLE * min(sum(one.body.values()), sum(other.body.values()))
