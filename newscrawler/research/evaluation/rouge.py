"""ROUGE-LSum: how much of each expected sentence occurs, in order, in the sentences of the answer.

Source: C.-Y. Lin: ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 3.2 (summary-level LCS): of every expected
sentence the union of its longest common subsequences with all sentences of the answer counts, and no word more often than it
occurs in either text. F1 weighs precision and recall alike.

Where the paper is silent: a sentence ends at a line break, or at . ! ? … (and their kin in other scripts) before white space and
anything but a small letter. Words are compared without regard to case, in any script; the implementation in wide use keeps Latin
letters without accents only, so figures for other languages differ from its.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from newscrawler.research.evaluation.words import words

_END = re.compile(r"(?<=[.!?…。！？।؟])[\"'”“’‘»«)\]]*\s+(?=[^\s])|\n+")

Sentence = tuple[str, ...]


def sentences(text: str) -> list[Sentence]:
    """Split a text into sentences of lower-case words; skip those without a word."""
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(text):
        after = text[match.end() : match.end() + 1]
        if "\n" not in match.group() and after.islower():
            continue
        pieces.append(text[start : match.end()])
        start = match.end()
    pieces.append(text[start:])
    return [found for piece in pieces if (found := tuple(words(piece.casefold())))]


@lru_cache(maxsize=100_000)
def common_places(wanted: Sentence, found: Sentence) -> frozenset[int]:
    """Return the positions in `wanted` of one longest common subsequence.

    The rows of the table of lengths are kept as bits (Crochemore et al., 2001): bit j of a row is 0 where the length grows
    from column j to column j + 1, so a sentence costs one addition a word instead of a row of cells.
    """
    if wanted == found:
        return frozenset(range(len(wanted)))
    masks: dict[str, int] = {}
    for place, word in enumerate(found):
        masks[word] = masks.get(word, 0) | 1 << place
    kept = [place for place, word in enumerate(wanted) if word in masks]
    full = (1 << len(found)) - 1
    rows = [full]
    for place in kept:
        above, mask = rows[-1], masks[wanted[place]]
        both = above & mask
        rows.append(((above + both) | (above - both)) & full)
    return frozenset(_walk_back(rows, kept, wanted, found))


def _walk_back(rows: Sequence[int], kept: Sequence[int], wanted: Sentence, found: Sentence) -> set[int]:
    taken: set[int] = set()
    row, column = len(kept), len(found)
    while row and column:
        below = (1 << column) - 1
        here = (~rows[row] & below).bit_count()
        if (~rows[row - 1] & below).bit_count() == here:
            row -= 1
        elif wanted[kept[row - 1]] == found[column - 1]:
            taken.add(kept[row - 1])
            row -= 1
            column -= 1
        else:
            column -= 1
    return taken


def rouge_lsum(wanted: Sequence[Sentence], found: Sequence[Sentence]) -> tuple[float, float]:
    """Return precision and recall; 0 and 0 if either text is empty."""
    left_wanted = Counter(word for sentence in wanted for word in sentence)
    left_found = Counter(word for sentence in found for word in sentence)
    size_wanted, size_found = left_wanted.total(), left_found.total()
    if not size_wanted or not size_found:
        return 0.0, 0.0
    hits = 0
    different = list(dict.fromkeys(found))
    known = set(different)
    for sentence in wanted:
        for place in sorted(_union(sentence, different, known)):
            word = sentence[place]
            if left_wanted[word] > 0 and left_found[word] > 0:
                left_wanted[word] -= 1
                left_found[word] -= 1
                hits += 1
    return hits / size_found, hits / size_wanted


def _union(sentence: Sentence, different: Sequence[Sentence], known: set[Sentence]) -> set[int]:
    if sentence in known:
        return set(range(len(sentence)))
    union: set[int] = set()
    for other in different:
        union |= common_places(sentence, other)
        if len(union) == len(sentence):
            break
    return union
