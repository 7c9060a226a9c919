"""Words and four-word shingles: what two texts have in common, and where they differ.

Shingles are those of the article extraction benchmark (Scrapinghub, 2019): runs of four words, counted as often as they occur; a
text of fewer words is one shingle.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

_WORD = re.compile(r"\w+")
SIZE = 4

Shingle = tuple[str, ...]


def words(text: str | None) -> list[str]:
    """Return the words of a text, in any script, with their case."""
    return _WORD.findall(text or "")


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return start and end of each word."""
    return [match.span() for match in _WORD.finditer(text)]


def shingles(of: Sequence[str]) -> Iterator[Shingle]:
    """Yield the runs of four words; a shorter text is one shingle, an empty one none."""
    if of:
        for start in range(max(1, len(of) - SIZE + 1)):
            yield tuple(of[start : start + SIZE])


def shared(gold: Sequence[str], found: Sequence[str]) -> tuple[int, int, int]:
    """Count the shingles that both have, those of `gold` and those of `found`."""
    wanted, got = Counter(shingles(gold)), Counter(shingles(found))
    return (wanted & got).total(), wanted.total(), got.total()


def covered(of: Sequence[str], by: Sequence[str]) -> list[bool]:
    """Return for each word whether it lies in a shingle that the other text has, too.

    A shingle that occurs once in the other text covers one occurrence only, so that repetitions show.
    """
    left = Counter(shingles(by))
    marks = [False] * len(of)
    for start, shingle in enumerate(shingles(of)):
        if left[shingle] > 0:
            left[shingle] -= 1
            marks[start : start + SIZE] = [True] * len(marks[start : start + SIZE])
    return marks


def gaps(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield start and end of the runs of uncovered words."""
    start: int | None = None
    for place, mark in enumerate([*marks, True]):
        if not mark and start is None:
            start = place
        elif mark and start is not None:
            yield start, place
            start = None
