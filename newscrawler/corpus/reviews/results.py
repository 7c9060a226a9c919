"""Results of the reviews of portals: accuracy with its interval, kinds of errors, agreement of two reviewers. Pure.

The accuracy and the table are those of K. Ulman, K. Rzecki (see `newscrawler.research.methods.portal_crawler`), section 4: of an
article with several faults the worst counts. An article that was judged faulty counts as faulty, corrected or not.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from statistics import fmean, stdev

from newscrawler.store.articles import Fault, Review, ReviewerVerdict

#: Of the standard normal distribution, for intervals of 95 %.
_QUANTILE = 1.959964


class ErrorClass(StrEnum):
    """The columns of table 1, the worst first."""

    NO_LEAD = "no lead"
    PART_MISSING = "part missing"
    FOREIGN = "ads or captions"
    OTHER = "other"


_CLASSES: Mapping[str, ErrorClass] = {
    Fault.LEAD_MISSING: ErrorClass.NO_LEAD, Fault.LEAD_WRONG: ErrorClass.NO_LEAD, Fault.PART_MISSING: ErrorClass.PART_MISSING,
    Fault.FOREIGN: ErrorClass.FOREIGN,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalResult:
    """One row of table 1."""

    portal: str
    #: Articles that are stored.
    collected: int
    judged: int
    right: int
    #: Faulty articles by their worst error.
    errors: Mapping[ErrorClass, int]

    @property
    def accuracy(self) -> float:
        """Return the share of the judged articles that are right."""
        return self.right / self.judged

    @property
    def interval(self) -> tuple[float, float]:
        """Return Wilson's interval of the accuracy, 95 %."""
        return compute_wilson_interval(self.right, self.judged)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The agreement of two reviewers on the articles that both have judged."""

    reviewers: tuple[str, str]
    articles: int
    #: Share of articles on which they agree whether all is right.
    share: float
    #: Cohen's kappa of right and of the worst error; None: it is not defined, as both always said the same.
    kappa: float | None


def summarise_reviews(reviews: Iterable[Review], collected: Mapping[str, int]) -> list[PortalResult]:
    """Return a row for each portal with reviews, by name."""
    by_portal: dict[str, list[Review]] = {}
    for review in reviews:
        by_portal.setdefault(review.portal, []).append(review)
    return [
        PortalResult(
            portal=portal,
            collected=collected.get(portal, len(found)),
            judged=len(found),
            right=sum(review.right for review in found),
            errors=Counter(worst for review in found if (worst := find_worst_error(review.faults)) is not None),
        )
        for portal, found in sorted(by_portal.items())
    ]


def find_worst_error(faults: Sequence[str]) -> ErrorClass | None:
    """Return the worst error of an article, or None if it is right."""
    found = {_CLASSES.get(fault, ErrorClass.OTHER) for fault in faults}
    return next((error for error in ErrorClass if error in found), None)


def compute_mean_accuracy(results: Sequence[PortalResult]) -> tuple[float, float | None] | None:
    """Return mean and standard deviation of the accuracy over portals; None: there are no results."""
    divide_in_proportion = [result.accuracy for result in results]
    if not divide_in_proportion:
        return None
    return fmean(divide_in_proportion), stdev(divide_in_proportion) if len(divide_in_proportion) > 1 else None


def compute_wilson_interval(right: int, total: int) -> tuple[float, float]:
    """Return Wilson's score interval of a share, 95 %."""
    if not total:
        return 0.0, 1.0
    share, square = right / total, _QUANTILE**2
    middle = (share + square / (2 * total)) / (1 + square / total)
    half = _QUANTILE / (1 + square / total) * math.sqrt(share * (1 - share) / total + square / (4 * total**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def compute_agreements(verdicts: Iterable[ReviewerVerdict]) -> list[Agreement]:
    """Return the agreement of every two reviewers who have judged the same articles."""
    said: dict[str, dict[int, ErrorClass | None]] = {}
    for verdict in verdicts:
        said.setdefault(verdict.reviewer, {})[verdict.article_id] = find_worst_error(verdict.faults)
    found = []
    for one, other in combinations(sorted(said), 2):
        pairs = [(worst, said[other][number]) for number, worst in said[one].items() if number in said[other]]
        if pairs:
            share = sum((first is None) == (second is None) for first, second in pairs) / len(pairs)
            found.append(Agreement(reviewers=(one, other), articles=len(pairs), share=share, kappa=compute_kappa(pairs)))
    return found


def compute_kappa(pairs: Sequence[tuple[object, object]]) -> float | None:
    """Return Cohen's kappa of pairs of labels (1960); None: chance alone explains full agreement."""
    observed = sum(one == other for one, other in pairs) / len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[label] * second[label] for label in first) / len(pairs) ** 2
    return None if expected >= 1 else (observed - expected) / (1 - expected)
