"""Lines that recur on several pages of a portal: boilerplate, whatever they read like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.blocks import Layout as PageLayout
from newscrawler.page.likeness import key_of
from newscrawler.wrappers.portal.model import Line, SamplePage

_DIGITS = re.compile(r"\d")
#: Letters and digits of a line that is compared; a shorter one ("Background") may head two articles.
LEAST_KEY = 12
#: What a sentence ends with, and the characters that one has at least.
_SENTENCE_ENDS, _SHORTEST_SENTENCE = ".!?…。؟।", 40
#: Characters that are stored of a line, and lines that are stored.
LONGEST_LINE, MOST_LINES = 300, 1500
#: Single pages are remembered up to this number of them; with more, what recurs is known from the pages themselves.
MOST_SAMPLES = 5
_MOST_LINES_OF_A_PAGE = 600
#: Share of a text that stands on another page from which on the two show the same article.
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


def digest(key: str) -> str:
    """Return a short digest of a key."""
    return blake2b(key.encode("utf-8", "replace"), digest_size=6).hexdigest()


def keys_of(page: Document) -> dict[str, str]:
    """Return the lines of a page by key, each as it is written first."""
    found: dict[str, str] = {}
    for block in page.layout.blocks:
        key = key_of_line(block.text)
        if key and key not in found:
            found[key] = block.text[:LONGEST_LINE]
    return found


def recurring(pages: Sequence[Mapping[str, str]]) -> tuple[Line, ...]:
    """Return the lines that two pages or more share, those of most pages first."""
    seen = Counter(key for page in pages for key in page)
    texts = {key: text for page in reversed(pages) for key, text in page.items()}
    found = [Line(texts[key], count) for key, count in seen.items() if count > 1]
    return tuple(sorted(found, key=lambda line: (-line.pages, line.text))[:MOST_LINES])


def samples(urls: Sequence[str | None], pages: Sequence[Mapping[str, str]]) -> tuple[SamplePage, ...]:
    """Return what is remembered of the single pages, where there are few."""
    if len(pages) > MOST_SAMPLES:
        return ()
    return tuple(
        SamplePage(url=url, lines=frozenset(sorted(digest(key) for key in page)[:_MOST_LINES_OF_A_PAGE]))
        for url, page in zip(urls, pages, strict=True)
    )


@dataclass(frozen=True, slots=True)
class RecurringLines:
    """Finds the boilerplate among the blocks of an article."""

    #: Keys of the lines that several learned pages share.
    known: frozenset[str]
    pages: Sequence[SamplePage]

    @classmethod
    def of(cls, lines: Iterable[Line], pages: Sequence[SamplePage]) -> RecurringLines:
        """Make lines ready to be looked up."""
        return cls(frozenset(key for line in lines if (key := key_of_line(line.text))), pages)

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
        """Return the indices of the blocks that recur on other pages.

        A learned page that holds many of the blocks shows the same article; what the two share is no evidence.
        """
        keys = {block.index: key for block in blocks if (key := key_of_line(block.text))}
        found = {index for index, key in keys.items() if key in self.known}
        if not self.pages:
            return frozenset(found)
        sizes = {block.index: block.size for block in blocks if block.index in keys}
        digests = {index: digest(key) for index, key in keys.items()}
        most = SAME_ARTICLE * max(sum(sizes.values()), 1) if len(blocks) > 1 else float("inf")
        for page in self.pages:
            held = {index for index, known in digests.items() if known in page.lines}
            if sum(sizes[index] for index in held) < most:
                found |= held
        return frozenset(found)


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
    lists = {_list_of(page, page.blocks[index]) for index in own | kept if page.blocks[index].kind in _ROWS}
    for block in reversed(taken):
        if block.index not in found:
            continue
        row = block.kind in _ROWS and (of := _list_of(page, block)) is not None and of in lists
        if row or (block.kind[0] == "h" and block.index > first and block.index + 1 in own | kept):
            kept.add(block.index)
    return frozenset(kept)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def _list_of(page: PageLayout, block: Block) -> int | None:
    """Return the list or table that a row stands in."""
    return next((box.index for box in page.outer(block.box) if box.tag in _LISTS), None)
