"""Scores of one answer against the gold of the page.

A ratio without a denominator (the precision of an empty answer) is None and not part of means, as in the article extraction
benchmark.

ROUGE-LSum is how much of each expected sentence occurs, in order, in the sentences of the answer.

Source: C.-Y. Lin: ROUGE: A Package for Automatic Evaluation of Summaries, 2004, section 3.2 (summary-level LCS): of every expected
sentence the union of its longest common subsequences with all sentences of the answer counts, and no word more often than it
occurs in either text. F1 weighs precision and recall alike.

Where the paper is silent: a sentence ends at a line break, or at . ! ? … (and their kin in other scripts) before white space and
anything but a small letter. Words are compared without regard to case, in any script; the implementation in wide use keeps Latin
letters without accents only, so figures for other languages differ from its.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from newscrawler.corpus.reviews import Gold, JudgedFaulty, split_words
from newscrawler.research.evaluation.answer import MethodAnswer
from newscrawler.research.evaluation.judgement import AnswerVerdict, Judge, same_words, shared


@dataclass(frozen=True, slots=True, kw_only=True)
class PageScore:
    """The scores of one answer; None: not in the gold, or no denominator."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    rouge_precision: float | None = None
    rouge_recall: float | None = None
    rouge_f1: float | None = None
    #: The same headline, up to white space.
    title: bool | None = None
    #: The same day.
    date: bool | None = None
    #: The same set of names.
    authors: bool | None = None
    #: Share of the required pieces that were found, and of the forbidden pieces that were not.
    pieces_found: float | None = None
    pieces_kept_out: float | None = None
    verdict: AnswerVerdict | None = None
    #: Index of the gold text that is closest.
    variant: int = 0


def harmonic(precision: float, recall: float) -> float:
    """Return the harmonic mean (F1)."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score(gold: Gold, answer: MethodAnswer, judge: Judge | None = None) -> PageScore:
    """Score an answer against the gold."""
    judge = judge or Judge()
    text = answer.text or ""
    if not gold.article:
        return PageScore(verdict=_without_article(answer))
    if gold.faulty is not None:
        return PageScore(verdict=_known_fault(gold.faulty, answer))
    closest = max(range(len(gold.texts)), key=lambda number: _shingles(gold.texts[number], text)[2], default=0)
    precision, recall, f1, rouge, verdict = None, None, None, None, None
    if gold.texts:
        precision, recall, f1 = _shingles(gold.texts[closest], text)
        found = sentences(text)
        rouge = max((rouge_lsum(sentences(variant), found) for variant in gold.texts), key=lambda pair: harmonic(*pair))
        verdict = _verdict(gold, gold.texts[closest], answer, judge)
    return PageScore(
        precision=precision, recall=recall, f1=f1, rouge_precision=rouge[0] if rouge else None,
        rouge_recall=rouge[1] if rouge else None, rouge_f1=harmonic(*rouge) if rouge else None,
        title=_plain(gold.title) == _plain(answer.title) if gold.title else None,
        date=same_day(gold.date, answer.date) if gold.date else None,
        authors=_names(gold.authors) == _names(answer.authors or ()) if gold.authors else None,
        pieces_found=_share(gold.wanted_pieces, text, present=True),
        pieces_kept_out=_share(gold.unwanted_pieces, text, present=False), verdict=verdict, variant=closest,
    )  # fmt: skip


def _known_fault(faulty: JudgedFaulty, answer: MethodAnswer) -> AnswerVerdict | None:
    """Return the error of an answer that was judged faulty, or None for another answer, which was not judged."""
    same_title = answer.title is None or same_words(faulty.title or "", answer.title)
    return AnswerVerdict(faulty.verdict) if same_title and same_words(faulty.text, answer.text or "") else None


def _without_article(answer: MethodAnswer) -> AnswerVerdict:
    if answer.fault:
        return AnswerVerdict.FAULT
    return AnswerVerdict.RIGHT if answer.text is None else AnswerVerdict.NOT_AN_ARTICLE


def _verdict(gold: Gold, wanted: str, answer: MethodAnswer, judge: Judge) -> AnswerVerdict:
    if answer.fault and answer.text is None:
        return AnswerVerdict.FAULT
    if not split_words(answer.text):
        return AnswerVerdict.NOTHING
    return judge(gold=wanted, found=answer.text or "", lead=gold.lead, title=gold.title, found_title=answer.title)


def _shingles(wanted: str, found: str) -> tuple[float | None, float, float]:
    both, size_wanted, size_found = shared(split_words(wanted), split_words(found))
    precision = both / size_found if size_found else None
    recall = both / size_wanted
    return precision, recall, harmonic(precision or 0.0, recall)


def same_day(wanted: str, found: str | None) -> bool:
    """Return whether both are the same calendar day, in the offset of the expected date if both have one."""
    if not found:
        return False
    if found[:10] == wanted[:10]:
        return True
    try:
        one, other = datetime.fromisoformat(wanted), datetime.fromisoformat(found)
    except ValueError:
        return False
    if one.tzinfo is None or other.tzinfo is None:
        return False
    return other.astimezone(one.tzinfo).date() == one.date()


def _plain(text: str | None) -> str:
    return " ".join(unicodedata.normalize("NFC", text or "").split())


def _names(names: tuple[str, ...] | None) -> set[str]:
    return {"".join(split_words(_plain(name).casefold())) for name in names or ()} - {""}


def _share(pieces: tuple[str, ...], text: str, *, present: bool) -> float | None:
    if not pieces:
        return None
    flat = _plain(text)
    return sum((_plain(piece) in flat) is present for piece in pieces) / len(pieces)


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
    return [found for piece in pieces if (found := tuple(split_words(piece.casefold())))]


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
