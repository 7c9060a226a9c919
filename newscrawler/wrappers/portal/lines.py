"""Lines that recur on several pages of a portal: boilerplate, whatever they read like."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.blocks import Layout as PageLayout
from newscrawler.page.likeness import key_of
from newscrawler.wrappers.portal.model import LONGEST_LINE, MOST_LINES, Line

_DIGITS = re.compile(r"\d")
#: Letters and digits of a line that is compared; a shorter one ("Background") may head two articles.
LEAST_KEY = 12
#: What a sentence ends with, and the characters that one has at least.
_SENTENCE_ENDS, _SHORTEST_SENTENCE = ".!?…。؟।", 40
#: Share of the shorter of two bodies that only these two pages hold, from which on they show the same article.
SAME_ARTICLE = 0.4
_ROWS = ("li", "tr")
_LISTS = frozenset({"table", "ul", "ol", "dl"})


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
    def of(cls, page: Document, taken: Sequence[Block]) -> PageLines:
        """Read the lines of a page whose body is known."""
        texts: dict[str, str] = {}
        for block in page.layout.blocks:
            if (key := key_of_line(block.text)) and key not in texts:
                texts[key] = block.text[:LONGEST_LINE]
        return cls(texts=texts, body={key: block.size for block in taken if (key := key_of_line(block.text))})


def recurring(pages: Sequence[PageLines]) -> tuple[Line, ...]:
    """Return the lines that two pages or more share, those of most pages first.

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
    found = [
        Line(pages[numbers[0]].texts[key], len(numbers))
        for key, numbers in holders.items()
        if len(numbers) > 1 and key not in duplicated
    ]
    return tuple(sorted(found, key=lambda line: (-line.pages, line.text))[:MOST_LINES])


def _are_duplicates(one: PageLines, other: PageLines, shared: Sequence[str]) -> bool:
    size = sum(min(one.body.get(key, 0), other.body.get(key, 0)) for key in shared)
    return size >= SAME_ARTICLE * min(sum(one.body.values()), sum(other.body.values()))


@dataclass(frozen=True, slots=True)
class RecurringLines:
    """Finds the boilerplate among the blocks of an article."""

    #: Keys of the lines that several learned pages share.
    known: frozenset[str]

    @classmethod
    def of(cls, lines: Iterable[Line]) -> RecurringLines:
        """Make lines ready to be looked up."""
        return cls(frozenset(key for line in lines if (key := key_of_line(line.text))))

    def boilerplate(self, page: PageLayout, taken: Sequence[Block], headline: Block | None) -> frozenset[int]:
        """Return the indices of the blocks that recur on other pages and are no part of the article.

        Args:
            page: all blocks of the page.
            taken: those that the page-level extractor takes for the body, in page order.
            headline: the block of the headline, if the page shows it.
        """
        found = self.among(taken)
        if not found:
            return found
        if headline is not None and taken[0].index in found and self.among([headline]):
            found -= {taken[0].index}  # other pages announce the article by headline and lead
        return found - _in_context(page, taken, found)

    def among(self, blocks: Sequence[Block]) -> frozenset[int]:
        """Return the indices of the blocks that recur on other pages."""
        return frozenset(block.index for block in blocks if key_of_line(block.text) in self.known)


def _in_context(page: PageLayout, taken: Sequence[Block], found: frozenset[int]) -> frozenset[int]:
    """Return the recurring blocks that belong to the article, as they stand amid text that is on this page only.

    The header of a table recurs ("Place | Number"), a sub-heading does ("How it began"), the label of a question, and so does a
    line in which only the numbers differ. Such a line is boilerplate where its neighbours recur as well, or at the edges.
    """
    own = {block.index for block in taken if block.index not in found}
    if not own:
        return frozenset()
    first, last = min(own), max(own)
    kept = {block.index for block in taken if block.index in found and first < block.index < last and _has_digit(block.text)}
    lists = {_list_of(page, page.blocks[index]) for index in own | kept} - {None}
    for block in reversed(taken):
        if block.index not in found:
            continue
        if _list_of(page, block) in lists or (block.kind[0] == "h" and block.index > first and block.index + 1 in own | kept):
            kept.add(block.index)
    return frozenset(kept)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _list_of(page: PageLayout, block: Block) -> int | None:
    """Return the list or table of which a block is a row."""
    if page.boxes[block.box].tag not in _ROWS:
        return None
    return next((box.index for box in page.outer(block.box) if box.tag in _LISTS), None)
