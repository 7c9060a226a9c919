"""The figures of a portal's crawl, added up from all runs of its round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from newscrawler.discovery import Coverage
from newscrawler.errors import PageReason
from newscrawler.politeness import STATUS_RULES
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import FINISHED, EndReason, RunEnd

_NETWORK = (
    PageReason.TIMEOUT,
    PageReason.DNS,
    PageReason.REFUSED,
    PageReason.CONNECTION,
    PageReason.TLS,
    PageReason.ROBOTS_UNREACHABLE,
)
#: An article was expected, but its text was not found.
_UNREAD = (
    PageReason.NO_BODY,
    PageReason.NO_HEADLINE,
    PageReason.NO_BODY_ATTRIBUTE,
    PageReason.NO_TITLE_ATTRIBUTE,
    PageReason.EMPTY,
    PageReason.FAULT,
)
#: Pages that cannot be read.
_UNREADABLE = (PageReason.NOT_HTML, PageReason.EMPTY, PageReason.CAPTCHA, PageReason.CONSENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlFigures:
    """One crawl of one portal."""

    round: int
    #: The figures are of a collection, which has neither a layout nor a usual number of articles.
    is_collection: bool = False
    began_at: datetime
    #: None: it has not ended.
    ended_at: datetime | None = None
    #: Time spent crawling, pauses between runs left out.
    seconds: float = 0.0
    #: Why the last run ended.
    because: RunEnd | None = None
    requests: int = 0
    pages: int = 0
    #: New articles.
    articles: int = 0
    #: New articles without a date.
    undated: int = 0
    #: Shares of the new articles whose record looks wrong, by `Suspicion`.
    suspect: Mapping[str, float] = field(default_factory=dict)
    #: Pages expected to be articles but without one.
    unread: int = 0
    #: URLs that could not be fetched.
    failed: int = 0
    #: At least one page was readable or unchanged.
    readable: bool = False
    #: Requests that the server refused, by status.
    denied: Mapping[str, int]
    captchas: int = 0
    consents: int = 0
    #: Failed connections by reason.
    unreachable: Mapping[str, int]
    #: Redirects out of scope.
    moved: int = 0
    #: Addresses that robots.txt forbids.
    forbidden: int = 0
    #: The share of the portal's new articles that was found; None: unknown.
    coverage: Coverage | None = None
    #: Drift violations of the portal's template, as sentences.
    drift: Sequence[str] = ()

    @property
    def completeness(self) -> float | None:
        """Return the estimated share of the portal's new articles that was found; None: unknown."""
        return self.coverage.share if self.coverage else None

    @property
    def found(self) -> str:
        """Return that share as text for a table cell."""
        if self.completeness is not None:
            return f"{self.completeness:.0%}"
        if self.is_collection:
            return ""
        return "partial" if self.cut or (self.coverage is not None and self.coverage.is_partial) else ""

    @property
    def whole(self) -> bool:
        """Return whether nothing was left to fetch; otherwise a limit or the window ended the crawl, unless it was `cut`."""
        return self.because == FINISHED

    @property
    def cut(self) -> bool:
        """Return whether it died or was stopped."""
        return self.because is not None and self.because.word in {EndReason.KILLED, EndReason.INTERRUPTED, EndReason.ERROR}


def sum_runs(runs: Sequence[RunRecord], drift: Sequence[str] = (), *, is_collection: bool = False) -> CrawlFigures:
    """Return the sum of a round's runs, oldest first."""
    counts = [run.counts for run in runs]
    refused, failed, skipped, statuses = (_sum_counts(counts, name) for name in ("refused", "failed", "skipped", "statuses"))
    requests, pages, articles = (_sum_number(counts, name) for name in ("requests", "pages", "new_articles"))
    unreadable = sum(refused[reason] for reason in _UNREADABLE)
    network = {str(reason): failed[reason] for reason in _NETWORK if failed[reason]}
    servers = sum(number for status, number in statuses.items() if status.startswith("5"))
    if servers:
        network[str(PageReason.HTTP_STATUS)] = servers
    return CrawlFigures(
        round=runs[0].round,
        is_collection=is_collection,
        began_at=runs[0].started_at,
        ended_at=runs[-1].ended_at,
        seconds=sum(((run.ended_at or run.started_at) - run.started_at).total_seconds() for run in runs),
        because=runs[-1].ended_because,
        requests=requests,
        pages=pages,
        articles=articles,
        undated=_sum_number(counts, "undated"),
        suspect={word: number / articles for word, number in _sum_counts(counts, "suspect").items() if articles},
        unread=sum(refused[reason] for reason in _UNREAD),
        failed=failed.total(),
        readable=pages > unreadable or _sum_number(counts, "unchanged") > 0,
        denied={
            str(status): statuses[str(status)]
            for status, rule in STATUS_RULES.items()
            if rule.denies_access and statuses[str(status)]
        },
        captchas=refused[PageReason.CAPTCHA] + failed[PageReason.CAPTCHA],
        consents=refused[PageReason.CONSENT],
        unreachable=network,
        moved=refused[PageReason.REDIRECT_OFF_SCOPE],
        forbidden=skipped[PageReason.ROBOTS],
        coverage=None if is_collection else _get_coverage(counts),
        drift=tuple(drift),
    )


def group_crawls(
    runs: Iterable[RunRecord], drift: Mapping[int, Sequence[str]] | None = None, *, is_collection: bool = False
) -> list[CrawlFigures]:
    """Return all ended crawls of a portal, oldest first."""
    found = []
    for number, group in groupby(sorted(runs, key=lambda run: (run.round, run.id)), key=lambda run: run.round):
        of_round = list(group)
        if of_round[-1].ended_at is not None:
            found.append(sum_runs(of_round, (drift or {}).get(number, ()), is_collection=is_collection))
    return found


def _sum_number(counts: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(int(each.get(name) or 0) for each in counts)


def _sum_counts(counts: Iterable[Mapping[str, Any]], name: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in counts:
        for word, number in (each.get(name) or {}).items():
            total[word.partition(" (")[0]] += number  # without who bars the way
    return total


def _get_coverage(counts: Sequence[Mapping[str, Any]]) -> Coverage | None:
    """Return the coverage of the last run, which is of the whole round; a killed run has none."""
    return Coverage.from_dict(counts[-1]["coverage"]) if counts[-1].get("coverage") else None
