"""Lines that recur over the pages of a portal: its furniture, whatever they read like."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b

from newscrawler.page import Document
from newscrawler.page.blocks import Block
from newscrawler.page.likeness import key_of
from newscrawler.wrappers.portal.model import Line, SamplePage

_DIGITS = re.compile(r"\d")
#: Letters and digits of a line that tells anything; a shorter one ("Background") may head two articles.
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


def key_of_line(text: str) -> str:
    """What two wordings of a recurring line have in common; empty for a line that tells nothing.

    Numbers count as equal ("12 comments"), but not in a whole sentence: "The index closed at 5,012 points." is news every day.
    """
    key = key_of(text[:LONGEST_LINE])
    if len(text) < _SHORTEST_SENTENCE or text[-1] not in _SENTENCE_ENDS:
        key = _DIGITS.sub("0", key)
    return key if len(key) >= LEAST_KEY else ""


def digest(key: str) -> str:
    """A short digest of a key."""
    return blake2b(key.encode("utf-8", "replace"), digest_size=6).hexdigest()


def keys_of(page: Document) -> dict[str, str]:
    """The lines of a page by key, each as it is written first."""
    found: dict[str, str] = {}
    for block in page.layout.blocks:
        key = key_of_line(block.text)
        if key and key not in found:
            found[key] = block.text[:LONGEST_LINE]
    return found


def recurring(pages: Sequence[Mapping[str, str]]) -> tuple[Line, ...]:
    """The lines that two pages or more share, those of most pages first."""
    seen = Counter(key for page in pages for key in page)
    texts = {key: text for page in reversed(pages) for key, text in page.items()}
    found = [Line(texts[key], count) for key, count in seen.items() if count > 1]
    return tuple(sorted(found, key=lambda line: (-line.pages, line.text))[:MOST_LINES])


def samples(urls: Sequence[str | None], pages: Sequence[Mapping[str, str]]) -> tuple[SamplePage, ...]:
    """What is remembered of the single pages, where there are few."""
    if len(pages) > MOST_SAMPLES:
        return ()
    return tuple(
        SamplePage(url=url, lines=frozenset(sorted(digest(key) for key in page)[:_MOST_LINES_OF_A_PAGE]))
        for url, page in zip(urls, pages, strict=True)
    )


class Furniture:
    """Tells which blocks of a page are furniture."""

    def __init__(self, lines: Iterable[Line], pages: Sequence[SamplePage]) -> None:
        self.known = frozenset(key for line in lines if (key := key_of_line(line.text)))
        self.pages = pages

    def may_hold(self, blocks: Sequence[Block], share: float) -> bool:
        """Tell whether this share of some blocks may be furniture; the longest are looked at until it is clear that it is not."""
        left = (1 - share) * sum(block.size for block in blocks)
        for block in sorted(blocks, key=lambda block: -block.size):
            if not self.of([block], ()):
                left -= block.size
                if left < 0:
                    return False
        return True

    def of(self, blocks: Sequence[Block], text: Sequence[Block]) -> frozenset[int]:
        """Numbers of the blocks that are furniture.

        Args:
            blocks: all blocks of the page.
            text: those that would be its article; a single learned page that holds many of them shows the same article, and what
                the two share tells nothing.
        """
        keys = {block.index: key for block in blocks if (key := key_of_line(block.text))}
        own = {block.index: block.size for block in text if block.index in keys}
        total = sum(own.values())
        found = {index for index, key in keys.items() if key in self.known}
        if self.pages:
            digests = {index: digest(key) for index, key in keys.items()}
            for page in self.pages:
                held = {index for index, known in digests.items() if known in page.lines}
                if sum(size for index, size in own.items() if index in held) < SAME_ARTICLE * max(total, 1):
                    found |= held
        return frozenset(found)
