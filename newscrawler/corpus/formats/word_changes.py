"""Compares two versions of an article, paragraph by paragraph and word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest

#: Words with the white space after them, so that joined pieces give the text.
_WORD = re.compile(r"\S+\s*")


class Edit(StrEnum):
    """How a piece of text was changed."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    """Words in a row that were kept, removed or added."""

    edit: Edit
    text: str


def changed_paragraphs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[Piece, ...]]:
    """Yield the pieces of each paragraph that was changed, removed or added, in reading order."""
    return (pieces for pieces in compared_paragraphs(before, after) if any(piece.edit is not Edit.SAME for piece in pieces))


def compared_paragraphs(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[Piece, ...]]:
    """Yield the pieces of every paragraph of either text, in reading order; paragraphs are compared first, then their words."""
    for edit, first, last, other_first, other_last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if edit == "equal":
            yield from ((Piece(Edit.SAME, text),) for text in before[first:last])
            continue
        for old, new in zip_longest(before[first:last], after[other_first:other_last]):
            yield tuple(changed_words(old or "", new or ""))


def changed_words(before: str, after: str) -> Iterator[Piece]:
    """Yield the pieces of two versions of a paragraph: kept ones once, others as removed and added."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    matcher = SequenceMatcher(None, [word.strip() for word in old], [word.strip() for word in new], autojunk=False)
    for edit, first, last, other_first, other_last in matcher.get_opcodes():
        if edit == "equal":
            yield Piece(Edit.SAME, "".join(new[other_first:other_last]).strip())
            continue
        if last > first:
            yield Piece(Edit.REMOVED, "".join(old[first:last]).strip())
        if other_last > other_first:
            yield Piece(Edit.ADDED, "".join(new[other_first:other_last]).strip())
