"""Verdict on an answer: entirely right, or the worst of its errors.

Source: K. Ulman, K. Rzecki (see `newscrawler.research.methods.portal_crawler`), section 4: an answer is right only if headline,
lead and the
rest are there, nothing is that is not the article's (date, author, captions, "see also", menu, advertisements, comments), and it
reads as a whole. Errors from the worst to the least: no lead, part missing, advertisements or captions, other.

The authors judged by eye. Here words are compared, so a verdict is only as good as the gold:

- Words are missing, or foreign, if a run of at least `least_run` of them lies in no four-word shingle that both texts have.
  Shorter runs are differences of spelling. A repeated passage is foreign the second time.
- No lead: a run is missing within the lead; if the gold gives no lead, within its first paragraph.
- The text may begin with the headline or not: gold differs there. A foreign run within the headline does not count.
- Other: another headline was found, or no run is long enough but the texts differ in many small pieces.
- The order of the parts is not checked.
- "Nothing found" is a verdict of its own and worse than the rest; so is an article found on a page without one.

Shingles are those of the article extraction benchmark (Scrapinghub, 2019): runs of four words, counted as often as they occur; a
text of fewer words is one shingle.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from newscrawler.corpus.reviews import split_words


class AnswerVerdict(StrEnum):
    """Right, or the worst error, ordered by severity."""

    RIGHT = "right"
    FAULT = "failed"
    NOTHING = "nothing found"
    NOT_AN_ARTICLE = "no article there"
    NO_LEAD = "no lead"
    PART_MISSING = "part missing"
    FOREIGN = "ads or captions"
    OTHER = "other"


#: The errors, the worst first.
ERRORS = tuple(verdict for verdict in AnswerVerdict if verdict is not AnswerVerdict.RIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Compares the words of an answer with the gold."""

    #: Shorter runs of words do not count as missing or foreign.
    least_run: int = 4
    #: Share of the words of each text that the other must cover, even if no run is long enough.
    least_agreement: float = 0.9

    def __call__(self, *, gold: str, found: str, lead: str | None, title: str | None, found_title: str | None) -> AnswerVerdict:
        """Return the verdict on one answer; both texts must hold words."""
        wanted, got = split_words(gold), split_words(found)
        first = len(split_words(lead or gold.lstrip().split("\n", 1)[0]))
        there, known = covered(wanted, got), covered(got, wanted)
        missing = self._long(there)
        if any(start < first for start, _ in missing) or (lead and self._long(covered(split_words(lead), got))):
            return AnswerVerdict.NO_LEAD
        if missing:
            return AnswerVerdict.PART_MISSING
        headline = split_words(title)
        foreign = [got[start:end] for start, end in self._long(known)]
        if any(not _within(run, headline) for run in foreign):
            return AnswerVerdict.FOREIGN
        if title and found_title is not None and not same_words(title, found_title):
            return AnswerVerdict.OTHER
        agreement = min(sum(there) / len(wanted), (sum(known) + sum(map(len, foreign))) / len(got))
        return AnswerVerdict.RIGHT if agreement >= self.least_agreement else AnswerVerdict.OTHER

    def _long(self, marks: Sequence[bool]) -> list[tuple[int, int]]:
        return [(start, end) for start, end in gaps(marks) if end - start >= self.least_run]


def same_words(one: str, other: str) -> bool:
    """Return whether two texts have the same words, without regard to case and punctuation."""
    return split_words(one.casefold()) == split_words(other.casefold())


def _within(run: list[str], headline: list[str]) -> bool:
    return any(headline[start : start + len(run)] == run for start in range(len(headline) - len(run) + 1))


_WORD = re.compile(r"\w+")
SIZE = 4

Shingle = tuple[str, ...]


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
