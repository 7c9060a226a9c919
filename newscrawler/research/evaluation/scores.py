"""Scores of one answer against the gold of the page.

A ratio without a denominator (the precision of an empty answer) is None and not part of means, as in the article extraction
benchmark.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import datetime

from newscrawler.research.evaluation.answer import Answer
from newscrawler.research.evaluation.data import Gold, JudgedFaulty
from newscrawler.research.evaluation.judgement import Judge, Verdict, same_words
from newscrawler.research.evaluation.rouge import rouge_lsum, sentences
from newscrawler.research.evaluation.words import shared, words


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
    verdict: Verdict | None = None
    #: Index of the gold text that is closest.
    variant: int = 0


def harmonic(precision: float, recall: float) -> float:
    """Return the harmonic mean (F1)."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def score(gold: Gold, answer: Answer, judge: Judge | None = None) -> PageScore:
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
        precision=precision,
        recall=recall,
        f1=f1,
        rouge_precision=rouge[0] if rouge else None,
        rouge_recall=rouge[1] if rouge else None,
        rouge_f1=harmonic(*rouge) if rouge else None,
        title=_plain(gold.title) == _plain(answer.title) if gold.title else None,
        date=same_day(gold.date, answer.date) if gold.date else None,
        authors=_names(gold.authors) == _names(answer.authors or ()) if gold.authors else None,
        pieces_found=_share(gold.wanted_pieces, text, present=True),
        pieces_kept_out=_share(gold.unwanted_pieces, text, present=False),
        verdict=verdict,
        variant=closest,
    )


def _known_fault(faulty: JudgedFaulty, answer: Answer) -> Verdict | None:
    """Return the error of an answer that was judged faulty, or None for another answer, which was not judged."""
    same_title = answer.title is None or same_words(faulty.title or "", answer.title)
    return Verdict(faulty.verdict) if same_title and same_words(faulty.text, answer.text or "") else None


def _without_article(answer: Answer) -> Verdict:
    if answer.fault:
        return Verdict.FAULT
    return Verdict.RIGHT if answer.text is None else Verdict.NOT_AN_ARTICLE


def _verdict(gold: Gold, wanted: str, answer: Answer, judge: Judge) -> Verdict:
    if answer.fault and answer.text is None:
        return Verdict.FAULT
    if not words(answer.text):
        return Verdict.NOTHING
    return judge(gold=wanted, found=answer.text or "", lead=gold.lead, title=gold.title, found_title=answer.title)


def _shingles(wanted: str, found: str) -> tuple[float | None, float, float]:
    both, size_wanted, size_found = shared(words(wanted), words(found))
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
    return {"".join(words(_plain(name).casefold())) for name in names or ()} - {""}


def _share(pieces: tuple[str, ...], text: str, *, present: bool) -> float | None:
    if not pieces:
        return None
    flat = _plain(text)
    return sum((_plain(piece) in flat) is present for piece in pieces) / len(pieces)
