"""Assesses a crawl by the portal's own history, in words.

The usual value is the median of the crawls without problems, separately for working days and weekends once there are enough of
each; until then a weekend crawl never has too few articles. Crawls ended by a limit or the window are compared with each other:
while a portal's archive is being fetched, every crawl brings as much as it may. A crawl has too few articles if it lies
both below half of the usual and three spreads below it; the spread is that of rare events (the square root of the expected number)
or that of the history (from the median absolute deviation), whichever is wider. A portal is silent once so many were to be
expected in a row of empty crawls that chance explains them once in a thousand. A problem ends later than it begins (seven
tenths of the usual), so that it does not flicker. A portal without a single article so far is silent from its first crawl on.

A crawl can decide only some problems: nothing more is known of a portal that cannot be reached. Undecided problems stay
unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from itertools import takewhile
from statistics import median
from types import MappingProxyType
from typing import Final

from newscrawler.article import Suspicion
from newscrawler.errors import counted
from newscrawler.service.figures import CrawlFigures
from newscrawler.store.vocabularies import EndReason


class AlertKind(StrEnum):
    """The problems of a portal, worst first."""

    NOT_CRAWLED = "not crawled"
    BROKEN = "crawl breaks off"
    UNREACHABLE = "no longer reachable"
    BLOCKED = "blocked"
    MOVED = "moved to another address"
    FORBIDDEN = "forbidden by robots.txt"
    LAYOUT = "layout changed"
    SILENT = "silent"
    FEWER = "fewer articles than usual"
    UNDATED = "dates missing"
    SUSPECT = "texts look wrong"
    ERRORS = "many errors"
    #: Of an export, not of a portal.
    EXPORT = "export failed"


FINE: Final = "fine"
LEARNING: Final = "too early to say"
#: Crawls, without the very first, needed for a usual value.
LEAST_NIGHTS = 5
#: Of the same part of the week.
LEAST_ALIKE = 3
#: Articles needed before wrong records count as many.
_LEAST_ARTICLES = 5
#: Requests needed before failures count as many.
_LEAST_REQUESTS = 5
#: Number of latest crawls that determine the usual value.
MOST_NIGHTS = 28
#: Earlier crawls are ignored.
MOST_LOOKED_BACK = 60
#: After so many crawls with fewer articles (a fortnight), these become usual: False for working days, True for weekends.
NEW_USUAL_NIGHTS = {False: 10, True: 4}
#: ln 1000: with so many events expected, none occurs with a probability of one in a thousand.
_CERTAIN = math.log(1000)
#: Unwanted ends of a crawl.
_BREAKS = frozenset({EndReason.KILLED, EndReason.ERROR})
_ACCESS = (AlertKind.UNREACHABLE, AlertKind.BLOCKED, AlertKind.MOVED, AlertKind.FORBIDDEN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The usual figures of a portal; None: unknown so far."""

    articles: float | None = None
    #: From crawls of the same part of the week; a first weekend cannot have too few articles.
    alike: bool = False
    spread: float = 0.0
    #: Shares: articles without a date, articles whose record looks wrong (by `Suspicion`), pages without an article, failed URLs,
    #: refused requests.
    undated: float = 0.0
    suspect: Mapping[str, float] = field(default_factory=dict)
    unread: float = 0.0
    failed: float = 0.0
    denied: float = 0.0
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """A crawl in words."""

    figures: CrawlFigures
    expected: Expected
    #: Problems, a sentence each, worst first.
    findings: MappingProxyType[AlertKind, str] = field(default_factory=lambda: MappingProxyType({}))
    #: Problems that the crawl can decide.
    known: frozenset[AlertKind] = frozenset()

    @property
    def verdict(self) -> str:
        """Return the verdict as one phrase."""
        if self.findings:
            return str(next(iter(self.findings)))
        is_unknown = self.expected.articles is None and not self.figures.is_collection
        return LEARNING if is_unknown else FINE

    @property
    def sentence(self) -> str:
        """Return the verdict with its figures."""
        return next(iter(self.findings.values())) if self.findings else self.verdict


def assess(crawls: Sequence[CrawlFigures], known: Sequence[Assessment] = ()) -> list[Assessment]:
    """Assess the crawls of one portal, oldest first, each by those before it; `known`: earlier assessments, reused."""
    same = takewhile(lambda pair: pair[0] == pair[1].figures, zip(crawls, known, strict=False))
    assessed = [assessment for _, assessment in same]
    for figures in crawls[len(assessed) :]:
        assessed.append(_assess(figures, assessed[-MOST_LOOKED_BACK:]))
    return assessed


def _assess(figures: CrawlFigures, before: Sequence[Assessment]) -> Assessment:
    expected = find_expected(before, figures)
    open_before = frozenset(before[-1].findings) if before else frozenset()
    findings = _find_break(figures)
    if figures.is_collection:
        return _assess_collection(figures, findings)
    known = set(_ACCESS) if figures.requests else set()
    access = _find_access_problem(figures, expected) if figures.requests else {}
    findings |= access
    if figures.requests and not access and not figures.cut:
        known |= set(_find_content_problems(figures, expected, before, open_before, findings))
    has_articles = figures.articles or any(each.figures.articles for each in before)
    if expected.articles is None and (figures.articles or not (has_articles or findings or figures.cut)):
        known.add(AlertKind.SILENT)
        if not has_articles:
            findings[AlertKind.SILENT] = _describe_emptiness(figures, before)
    ordered = MappingProxyType({problem: findings[problem] for problem in AlertKind if problem in findings})
    return Assessment(figures=figures, expected=expected, findings=ordered, known=frozenset(known))


def _assess_collection(figures: CrawlFigures, findings: dict[AlertKind, str]) -> Assessment:
    """Assess a run of a collection: only its end and its access, because the number of articles depends on the queries."""
    known = frozenset({AlertKind.UNREACHABLE} if figures.requests else ())
    network = sum(figures.unreachable.values())
    if network and network == figures.requests:
        findings[AlertKind.UNREACHABLE] = f"no page was fetched: all {network} requests failed"
    return Assessment(figures=figures, expected=Expected(), findings=MappingProxyType(findings), known=known)


# ---------------------------------------------------------------------- usual figures


def find_expected(before: Sequence[Assessment], crawl: CrawlFigures) -> Expected:
    """Return the usual figures from the crawls before this one."""
    alike_ended = (each.figures for each in _choose_usual_crawls(before) if crawl.cut or each.figures.whole is crawl.whole)
    usable = list(alike_ended)[-MOST_NIGHTS:]
    if len(usable) < LEAST_NIGHTS:
        return Expected()
    alike = [figures for figures in usable if _is_free(figures) == _is_free(crawl)]
    articles = [figures.articles for figures in (alike if len(alike) >= LEAST_ALIKE else usable)]
    middle = median(articles)
    deviation = 1.4826 * median(abs(number - middle) for number in articles)
    return Expected(
        articles=middle,
        alike=len(alike) >= LEAST_ALIKE,
        spread=max(math.sqrt(max(middle, 1.0)), deviation),
        undated=median(_divide(each.undated, each.articles) for each in usable),
        suspect={word: median(each.suspect.get(word, 0.0) for each in usable) for word in Suspicion},
        unread=median(_divide(each.unread, each.unread + each.articles) for each in usable),
        failed=median(_divide(each.failed, each.requests) for each in usable),
        denied=median(_divide(_count_denials(each), each.requests) for each in usable),
        seconds=median(each.seconds for each in usable),
    )


def _choose_usual_crawls(before: Sequence[Assessment]) -> list[Assessment]:
    """Return the crawls without problems, except the very first, which fetches articles of years.

    A fortnight of fewer articles, without a better crawl of the same part of the week, becomes the usual.
    """
    found: list[Assessment] = []
    fewer: dict[bool, list[Assessment]] = {False: [], True: []}
    for each in before[1:]:
        if each.figures.cut:
            continue
        part = _is_free(each.figures)
        if not each.findings:
            found.append(each)
            fewer[part].clear()
        elif set(each.findings) == {AlertKind.FEWER}:
            fewer[part].append(each)
            if len(fewer[part]) >= NEW_USUAL_NIGHTS[part]:
                found = [other for other in found if _is_free(other.figures) is not part] + fewer[part]
    return sorted(found, key=lambda assessment: assessment.figures.round)


def _is_free(figures: CrawlFigures) -> bool:
    """Return whether a crawl is of a Saturday or Sunday; one before six belongs to the day before."""
    return (figures.began_at - timedelta(hours=6)).weekday() >= 5


def _divide(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _count_denials(figures: CrawlFigures) -> int:
    return sum(figures.denied.values()) + figures.captchas + figures.consents


# ---------------------------------------------------------------------- whether the portal lets us in


def _find_break(figures: CrawlFigures) -> dict[AlertKind, str]:
    """Return the finding that a fault ended the crawl, if one did."""
    because = figures.because
    if because is None or because.word not in _BREAKS:
        return {}
    return {AlertKind.BROKEN: f"{because} after {figures.pages} pages and {figures.articles} new articles"}


def _find_access_problem(figures: CrawlFigures, expected: Expected) -> dict[AlertKind, str]:
    """Return at most one finding: why the portal, or much of it, could not be reached."""
    denials, network = _count_denials(figures), sum(figures.unreachable.values())
    limit = max(0.3, 3 * expected.denied + 0.1)
    if denials and (not figures.readable or (denials >= 5 and _divide(denials, figures.requests) >= limit)) and denials >= network:
        return {AlertKind.BLOCKED: _describe_denials(figures, denials)}
    if figures.readable:
        return {}
    if network:
        worst = max(figures.unreachable, key=lambda reason: figures.unreachable[reason])
        return {AlertKind.UNREACHABLE: f"no page was fetched: {network} of {figures.requests} requests failed, mostly: {worst}"}
    if figures.moved:
        return {AlertKind.MOVED: "its start page leads to another host, which is out of scope"}
    if figures.forbidden:
        return {AlertKind.FORBIDDEN: "its robots.txt forbids its start page"}
    if figures.cut:
        return {}
    return {AlertKind.UNREACHABLE: f"none of {figures.requests} requests brought a page that can be read"}


def _describe_denials(figures: CrawlFigures, denials: int) -> str:
    ways = [f"HTTP {status}" for status in figures.denied]
    ways += ["a captcha"] if figures.captchas else []
    ways += ["a consent page"] if figures.consents else []
    return f"{denials} of {figures.requests} requests were answered with {' and '.join(ways)}"


# ---------------------------------------------------------------------- content


def _find_content_problems(
    figures: CrawlFigures,
    expected: Expected,
    before: Sequence[Assessment],
    open_before: frozenset[AlertKind],
    findings: dict[AlertKind, str],
) -> list[AlertKind]:
    """Add the problems of the fetched content; return the problems that could be decided."""
    known = [AlertKind.ERRORS]
    failed = _divide(figures.failed, figures.requests)
    if figures.requests >= _LEAST_REQUESTS and failed >= max(0.3, 3 * expected.failed + 0.1):
        findings[AlertKind.ERRORS] = f"{figures.failed} of {figures.requests} requests failed (usually {expected.failed:.0%})"
    if layout := _describe_layout_change(figures, expected):
        findings[AlertKind.LAYOUT] = layout
    if figures.unread + figures.articles >= 10 or figures.drift or AlertKind.LAYOUT not in open_before:
        known.append(AlertKind.LAYOUT)
    if figures.articles >= 5 and AlertKind.LAYOUT not in findings:  # one alarm for one change
        known.append(AlertKind.UNDATED)
        if _is_undated(figures, expected, was=AlertKind.UNDATED in open_before):
            usual = f"usually {expected.undated:.0%}" if expected.articles is not None else "nothing to compare with yet"
            findings[AlertKind.UNDATED] = f"{figures.undated} of {figures.articles} articles have no date ({usual})"
    if figures.articles >= _LEAST_ARTICLES:
        known.append(AlertKind.SUSPECT)
        if suspect := _describe_suspicions(figures, expected, was=AlertKind.SUSPECT in open_before):
            findings[AlertKind.SUSPECT] = suspect
    if expected.articles is None or AlertKind.LAYOUT in findings:
        return known
    known.append(AlertKind.SILENT)
    if silence := _describe_silence(figures, expected, before, was=AlertKind.SILENT in open_before):
        findings[AlertKind.SILENT] = silence
        return known
    if not expected.alike:
        return known
    known.append(AlertKind.FEWER)
    few = 0.7 if AlertKind.FEWER in open_before else 0.5
    spreads = 2 if AlertKind.FEWER in open_before else 3
    if figures.articles < few * expected.articles and figures.articles < expected.articles - spreads * expected.spread:
        findings[AlertKind.FEWER] = f"{figures.articles} new articles, about {expected.articles:.0f} are usual"
    return known


def _describe_layout_change(figures: CrawlFigures, expected: Expected) -> str:
    if figures.drift:
        return "; ".join(figures.drift)
    candidates = figures.unread + figures.articles
    share = _divide(figures.unread, candidates)
    if figures.unread >= 10 and share >= max(0.5, 3 * expected.unread + 0.1):
        return f"of {figures.unread} of {candidates} article pages no text could be taken (usually {expected.unread:.0%})"
    return ""


def _describe_suspicions(figures: CrawlFigures, expected: Expected, *, was: bool) -> str:
    """Return the finding that too many records of a crawl look wrong in the same way; "": they do not."""
    if expected.articles is None:
        return ""
    usual, least = expected.suspect, 0.1 if was else 0.2
    found = {word: share for word, share in figures.suspect.items() if share >= max(least, 2 * usual.get(word, 0.0) + least / 2)}
    return "; ".join(f"{share:.0%} of the texts: {word} (usually {usual.get(word, 0.0):.0%})" for word, share in found.items())


def _is_undated(figures: CrawlFigures, expected: Expected, *, was: bool) -> bool:
    share = _divide(figures.undated, figures.articles)
    if was:
        return share > max(0.15, 2 * expected.undated)
    return figures.undated >= 5 and share >= max(0.3, 3 * expected.undated + 0.1)


def _describe_emptiness(figures: CrawlFigures, before: Sequence[Assessment]) -> str:
    """Return the finding that no crawl of a portal has brought an article yet."""
    crawls = [figures, *(each.figures for each in before)]
    pages = counted(sum(each.pages for each in crawls), "page")
    return f"no article yet in {counted(len(crawls), 'crawl')}, {pages}; `newscrawler pages list` shows how each was classified"


def _describe_silence(figures: CrawlFigures, expected: Expected, before: Sequence[Assessment], *, was: bool) -> str:
    """Return the finding of too many empty crawls in a row, by the number of articles they should have brought."""
    if figures.articles or not expected.articles:
        return ""
    empty = 1
    for each in reversed(before):
        if each.figures.articles or not each.figures.requests:
            break
        empty += 1
    if not was and empty * expected.articles < _CERTAIN:
        return ""
    row = "no new article tonight" if empty == 1 else f"no new article for {empty} nights"
    return f"{row}, about {expected.articles:.0f} a night are usual"
