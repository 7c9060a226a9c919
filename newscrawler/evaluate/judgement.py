"""Whether an answer is entirely right, and if not, what is the worst of its errors.

Source: K. Ulman, K. Rzecki (see `newscrawler.blocks.portal_crawler`), section 4: an answer is right only if headline, lead and the
rest are there, nothing is that is not the article's (date, author, captions, "see also", menu, advertisements, comments), and it
reads as a whole. Errors from the worst to the least: no lead, part missing, advertisements or captions, other.

The authors judged by eye. Here the words are compared, so the judgement is only as good as the expectation:

- Words are missing, or foreign, where a run of at least `least_run` of them lies in no four-word shingle that both texts have.
  Shorter runs are differences of spelling. What is repeated is foreign the second time.
- No lead: a run is missing within the lead; where the expectation names no lead, within its first paragraph.
- The headline may stand at the head of the text, or not: expectations differ there. A foreign run within its words is none.
- Other: the headline that was found is another one, or no run is long enough but the texts agree poorly (order, small pieces).
- Nothing found is counted apart and is worse than the rest; so is an article found on a page that has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from newscrawler.evaluate.words import covered, gaps, shared, words


class Verdict(StrEnum):
    """Right, or the worst error, in the order of its weight."""

    RIGHT = "right"
    FAULT = "failed"
    NOTHING = "nothing found"
    NOT_AN_ARTICLE = "no article there"
    NO_LEAD = "no lead"
    PART_MISSING = "part missing"
    FOREIGN = "ads or captions"
    OTHER = "other"


#: The errors, the worst first.
ERRORS = tuple(verdict for verdict in Verdict if verdict is not Verdict.RIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """How strictly words are compared."""

    #: Words; shorter runs are not counted as missing or foreign.
    least_run: int = 4
    #: Of the four-word shingles; below it an answer without long runs is still wrong.
    least_agreement: float = 0.9

    def __call__(self, *, gold: str, found: str, lead: str | None, title: str | None, found_title: str | None) -> Verdict:
        """Judge one answer; both texts hold words."""
        wanted, got = words(gold), words(found)
        first = len(words(lead or gold.lstrip().split("\n", 1)[0]))
        missing = [gap for gap in gaps(covered(wanted, got)) if gap[1] - gap[0] >= self.least_run]
        if any(start < first for start, _ in missing) or (lead and self._lacks(words(lead), got)):
            return Verdict.NO_LEAD
        if missing:
            return Verdict.PART_MISSING
        headline = words(title)
        foreign = [got[start:end] for start, end in gaps(covered(got, wanted)) if end - start >= self.least_run]
        if any(not _within(run, headline) for run in foreign):
            return Verdict.FOREIGN
        if title and found_title is not None and not same_words(title, found_title):
            return Verdict.OTHER
        both, size_wanted, size_got = shared(wanted, got)
        agreement = 2 * both / (size_wanted + size_got)
        return Verdict.RIGHT if agreement >= self.least_agreement or foreign else Verdict.OTHER

    def _lacks(self, lead: list[str], got: list[str]) -> bool:
        return any(end - start >= self.least_run for start, end in gaps(covered(lead, got)))


def same_words(one: str, other: str) -> bool:
    """Whether two texts have the same words, whatever their case and punctuation."""
    return words(one.casefold()) == words(other.casefold())


def _within(run: list[str], headline: list[str]) -> bool:
    return any(headline[start : start + len(run)] == run for start in range(len(headline) - len(run) + 1))
