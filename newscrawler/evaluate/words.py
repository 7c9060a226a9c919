"""Words and four-word shingles: what two texts have in common, and where each goes its own way.

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
    """The words of a text, in any script, as they are written."""
    return _WORD.findall(text or "")


def places(text: str) -> list[tuple[int, int]]:
    """Where each word begins and ends."""
    return [match.span() for match in _WORD.finditer(text)]


def shingles(of: Sequence[str]) -> Iterator[Shingle]:
    """Yield the runs of four words; of a shorter text the text itself; of none nothing."""
    if of:
        for start in range(max(1, len(of) - SIZE + 1)):
            yield tuple(of[start : start + SIZE])


def shared(gold: Sequence[str], found: Sequence[str]) -> tuple[int, int, int]:
    """Count shingles that both have, those of `gold` and those of `found`."""
    wanted, got = Counter(shingles(gold)), Counter(shingles(found))
    return (wanted & got).total(), wanted.total(), got.total()


def covered(of: Sequence[str], by: Sequence[str]) -> list[bool]:
    """For each word, whether it lies in a shingle that the other text has too.

    A shingle that occurs once in the other text covers one occurrence only, so that what is repeated shows.
    """
    left = Counter(shingles(by))
    marks = [False] * len(of)
    for start, shingle in enumerate(shingles(of)):
        if left[shingle] > 0:
            left[shingle] -= 1
            marks[start : start + SIZE] = [True] * len(marks[start : start + SIZE])
    return marks


def gaps(marks: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield where runs of uncovered words begin and end."""
    start: int | None = None
    for place, mark in enumerate([*marks, True]):
        if not mark and start is None:
            start = place
        elif mark and start is not None:
            yield start, place
            start = None
