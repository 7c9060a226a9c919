"""The figures of a datasheet, as of the time of the release, so that it can be made again."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from newscrawler.store import Store
from newscrawler.store.articles import StoredArticle
from newscrawler.store.service import RunRecord

#: Two-sided 95 % of the normal distribution.
_Z = 1.959964
#: Days whose keywords are counted, keywords of a day, and those that a report has.
_MOST_DAYS, _MOST_KEYWORDS, _TOP_KEYWORDS = 400, 2_000, 20


@dataclass(slots=True, kw_only=True)
class Composition:
    """Counts of a release's contents, made while it is written."""

    articles: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    methods: Counter[str] = field(default_factory=Counter)
    first: str | None = None
    last: str | None = None
    undated: int = 0
    left_out: Counter[str] = field(default_factory=Counter)
    #: Released articles whose publishers reserve a use, by use.
    reserved: Counter[str] = field(default_factory=Counter)
    #: Articles whose texts are not in it.
    without_text: int = 0
    #: Articles by (portal, month of publication) and by (portal, section); keywords that pages declare by day, of recent days.
    months: Counter[tuple[str, str]] = field(default_factory=Counter)
    sections: Counter[tuple[str, str]] = field(default_factory=Counter)
    keywords: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, stored: StoredArticle, words: int, reserved_for: Iterable[str] = (), *, has_text: bool = True) -> None:
        """Count one article of so many words."""
        self.reserved.update(reserved_for)
        self.without_text += not has_text
        article = stored.article
        portal = article.portal or ""
        self.articles[portal] += 1
        self.words[portal] += words
        self.languages[article.language or "unknown"] += 1
        self.methods[article.method] += 1
        day = article.date.isoformat() if article.date else None
        if day is None:
            self.undated += 1
        else:
            self.first, self.last = min(self.first or day, day), max(self.last or day, day)
            self._count_keywords(day, article.keywords)
        self.months[portal, day[:7] if day else "undated"] += 1
        self.sections[portal, article.section or "none"] += 1

    def _count_keywords(self, day: str, keywords: Iterable[str]) -> None:
        """Count the keywords of an article, within limits."""
        of_day = self.keywords.setdefault(day, Counter())
        of_day.update(keyword for keyword in keywords if keyword in of_day or len(of_day) < _MOST_KEYWORDS)
        if len(self.keywords) > _MOST_DAYS:
            del self.keywords[min(self.keywords)]

    def make_balance(self) -> dict[str, Any]:
        """Return the articles by portal and month, and by portal and section, and the keywords of each recent day, for JSON."""
        tables: dict[str, dict[str, dict[str, int]]] = {"months": {}, "sections": {}}
        for name, counts in (("months", self.months), ("sections", self.sections)):
            for (portal, key), number in sorted(counts.items()):
                tables[name].setdefault(portal, {})[key] = number
        top = {
            day: dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOP_KEYWORDS])
            for day, counts in sorted(self.keywords.items())
        }
        return {
            "articles": dict(sorted(self.articles.items())),
            "words": dict(sorted(self.words.items())),
            **tables,
            "keywords": top,
        }


def estimate_months(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Return the months of all backfills, with the estimate of how many articles each has, by portal."""
    return {portal: [month.as_dict() for month in store.backfills.months(portal)] for portal in store.backfills.portals()}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlRecord:
    """How a portal was crawled."""

    runs: int
    first: datetime
    last: datetime
    requests: int
    seconds_a_request: float | None
    #: Estimated share of the articles that was found: mean of the runs that have an estimate, and their number.
    completeness: float | None
    estimates: int


def collections_of(store: Store, at: datetime) -> dict[str, CrawlRecord]:
    """Return how each portal was crawled up to a time."""
    runs: dict[str, list[RunRecord]] = {}
    for run in store.releases.runs(at):
        runs.setdefault(run.portal, []).append(run)
    return {portal: _collection(of_portal) for portal, of_portal in runs.items()}


def _collection(runs: list[RunRecord]) -> CrawlRecord:
    requests = sum(int(run.counts.get("requests") or 0) for run in runs)
    seconds = sum(((run.ended_at or run.started_at) - run.started_at).total_seconds() for run in runs)
    shares = [share for run in runs if (share := _share(run.counts)) is not None]
    return CrawlRecord(
        runs=len(runs), first=runs[0].started_at, last=runs[-1].ended_at or runs[-1].started_at, requests=requests,
        seconds_a_request=seconds / requests if requests else None, completeness=sum(shares) / len(shares) if shares else None,
        estimates=len(shares),
    )  # fmt: skip


def _share(counts: Mapping[str, Any]) -> float | None:
    estimate = counts.get("estimate")
    return min(1.0, estimate["found"] / estimate["total"]) if estimate and estimate.get("total") else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRate:
    """The result of people's reviews of a portal's articles."""

    reviewed: int
    faulty: int
    faults: Mapping[str, int]

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % Wilson interval (1927) of the faulty share."""
        number, share = self.reviewed, self.faulty / self.reviewed
        middle = (share + _Z**2 / (2 * number)) / (1 + _Z**2 / number)
        half = _Z / (1 + _Z**2 / number) * math.sqrt(share * (1 - share) / number + _Z**2 / (4 * number**2))
        return max(0.0, middle - half), min(1.0, middle + half)


def error_rates(store: Store, at: datetime) -> dict[str, ErrorRate]:
    """Return the error rate of each portal reviewed up to a time."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for review in store.reviews.of():
        if review.reviewed_at <= at:
            found.setdefault(review.portal, []).append(review.faults)
    return {
        portal: ErrorRate(
            reviewed=len(faults),
            faulty=sum(bool(each) for each in faults),
            faults=Counter(word for each in faults for word in each),
        )
        for portal, faults in found.items()
    }
