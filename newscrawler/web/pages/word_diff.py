"""Two texts side by side, word by word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest


class Mark(StrEnum):
    """What became of a piece of the earlier text."""

    SAME = "same"
    REMOVED = "del"
    ADDED = "ins"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffPiece:
    """Words that share a mark."""

    mark: Mark
    text: str


Difference = list[DiffPiece]


def paragraph_diff(before: Sequence[str], after: Sequence[str]) -> Iterator[Difference]:
    """Yield the paragraphs of either text, each with the words that were removed and added; paragraphs are compared first."""
    for step, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if step == "equal":
            yield from ([DiffPiece(mark=Mark.SAME, text=text)] for text in before[start:end])
        else:
            yield from (word_diff(old or "", new or "") for old, new in zip_longest(before[start:end], after[new_start:new_end]))


def word_diff(before: str, after: str) -> Difference:
    """Return the words of either text, in order."""
    old, new = before.split(), after.split()
    pieces: Difference = []
    for step, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
        if step == "equal":
            pieces.append(DiffPiece(mark=Mark.SAME, text=" ".join(old[start:end])))
            continue
        for mark, words in ((Mark.REMOVED, old[start:end]), (Mark.ADDED, new[new_start:new_end])):
            if words:
                pieces.append(DiffPiece(mark=mark, text=" ".join(words)))
    return pieces
