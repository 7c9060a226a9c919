"""The frontier of a backfill: addresses first, each with its day; articles outside the range are skipped, with that reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Self

from newscrawler.backfill import (
    ARCHIVE,
    POSTS,
    CalendarSource,
    DayRange,
    Neighbours,
    PostListSource,
    find_address_days,
    find_archive_days,
)
from newscrawler.config import Backfill, FetchOrder
from newscrawler.crawl.policy.link_policy import LinkPolicy, outline_portal
from newscrawler.discovery import PRIORITY, PostSource, SourceResponse, find_period, make_sources
from newscrawler.discovery.urls import CLASSIFIERS, Scope
from newscrawler.errors import PageReason
from newscrawler.store.frontier import SECTION_HINT, FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason

#: Priorities of lists; all come before the articles.
_LISTS = {FrontierKind.START: 0, FrontierKind.PROBE: 1, FrontierKind.SITEMAP: 3, FrontierKind.FEED: 4, FrontierKind.SECTION: 6}
_PRIORITIES_BY_REASON = {POSTS: 3, ARCHIVE: 5, "pagination": 7}
#: How certain a day is, in percent: stated for the article; by its address; next to its link; by the list that names it; by the
#: month that the list names; as the time of its last change, or that of the front page that links to it.
_STATED, _ADDRESS, _SHOWN, _LIST, _MONTH, _CHANGED = 99, 97, 95, 92, 88, 55
#: Stretches of undated addresses that are searched at once, and sections into which each is divided.
_MOST_STRETCHES, _SECTIONS = 6, 4
#: Priorities of a day count from here.
_LATEST, _MOST_DAYS = date(2050, 1, 1), 29_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPolicy(LinkPolicy):
    """Link policy that gives each article its day, and skips those outside the range."""

    days: DayRange
    order: FetchOrder
    #: Addresses of each month, for an even order.
    months: Counter[date] = field(default_factory=Counter)

    @classmethod
    def of_backfill(cls, backfill: Backfill) -> Self:
        """Make it for a backfill."""
        include, exclude = ([each.pattern for each in patterns] for patterns in (backfill.include, backfill.exclude))
        scope = Scope.of(backfill.start_urls, backfill.hosts, include, exclude, exact_hosts=backfill.exact_hosts)
        days = DayRange(since=backfill.since, until=backfill.until)
        sources = [each for each in make_sources() if not isinstance(each, PostSource)]
        return cls(
            portal=backfill, scope=scope, classifier=CLASSIFIERS[backfill.classifier], outline=outline_portal(backfill, scope),
            sources=(PostListSource(days), *sources, CalendarSource(days)), days=days, order=backfill.order,
        )  # fmt: skip

    def find(self, answer: SourceResponse, leased: LeasedUrl) -> tuple[FoundUrl, ...]:
        """Return the URLs to which a response leads: each once, articles with their days."""
        by_url: dict[str, FoundUrl] = {}
        for each in LinkPolicy.find(self, answer, leased):
            known, found = by_url.get(each.url), self._place_found(each, answer)
            if found is not None and (known is None or found.day_percent > known.day_percent):
                by_url[each.url] = found
        return tuple(by_url.values())

    def start(self) -> tuple[FoundUrl, ...]:
        """Return the start URLs, and the first leads of the sources, before all articles."""
        return tuple(filter(None, map(self._place_list, LinkPolicy.start(self))))

    def admit_sitemaps(self, urls: Iterable[str], base: str) -> tuple[FoundUrl, ...]:
        """Return the sitemaps of a robots.txt."""
        return tuple(filter(None, map(self._place_list, LinkPolicy.admit_sitemaps(self, urls, base))))

    def rank_by_date(self, found: FoundUrl, text: str, now: datetime) -> FoundUrl:  # noqa: ARG002  as the base asks
        """Return an article with its day by a date next to its link."""
        return self.place(found, date.fromisoformat(text[:10]), _SHOWN) if found.day_percent < _SHOWN else found

    def restrict(self, found: tuple[FoundUrl, ...]) -> tuple[FoundUrl, ...]:
        """Leave out the further pages of a listing whose articles are older than the range."""
        days = sorted(each.day for each in found if each.day is not None)
        if days and days[len(days) // 2] < self.days.since:
            return tuple(each for each in found if each.why != "pagination")
        return found

    def is_before_range(self, found: Iterable[FoundUrl]) -> bool:
        """Return whether most articles of a listing are newer than the range, which its further pages may reach."""
        days = sorted(each.day for each in found if each.day is not None)
        return bool(days) and days[len(days) // 2] > self.days.until

    def place(self, found: FoundUrl, day: date, percent: int) -> FoundUrl:
        """Return an article with its day and its place in the queue."""
        if day not in self.days:
            reason = Reason(PageReason.OUT_OF_RANGE, day.isoformat())
            return replace(found, day=day, day_percent=percent, skipped=reason, priority=PRIORITY["undated"])
        month = day.replace(day=1)
        self.months[month] += 1
        number = self.months[month] if self.order is FetchOrder.SPREAD else (_LATEST - day).days
        place = PRIORITY["archive"] + min(max(0, number), _MOST_DAYS)
        return replace(found, day=day, day_percent=percent, skipped=None, priority=place)

    def _place_found(self, found: FoundUrl, answer: SourceResponse) -> FoundUrl | None:
        if found.kind is not FrontierKind.ARTICLE:
            return self._place_list(found)
        source = {POSTS: "posts", ARCHIVE: "archive"}.get(answer.why or "", found.source)
        found = replace(found, source=source if source != FrontierKind.SECTION else "links")
        if found.skipped is not None or found.hops:
            return found
        dated = self._find_day(found, answer)
        return self.place(found, *dated) if dated is not None else replace(found, priority=PRIORITY["undated"])

    def _place_list(self, found: FoundUrl) -> FoundUrl | None:
        """Return a list with its priority; None: it is not read, or has no article of the range."""
        if found.kind is FrontierKind.OTHER and found.why != "archive":
            return None
        period = find_period(found.url) if found.kind is FrontierKind.SITEMAP else find_archive_days(found.url)
        if period is not None and (period[1] < self.days.since or period[0] > self.days.until):
            return None
        priority = _PRIORITIES_BY_REASON.get(found.why or "", _LISTS.get(found.kind, 8))
        return replace(found, priority=priority, changed_at=None)

    def _find_day(self, found: FoundUrl, answer: SourceResponse) -> tuple[date, int] | None:
        """Return the day of an article by its list or its address, with its certainty."""
        stated = next((text for source, text in found.hints if source != SECTION_HINT), None)
        if stated is not None:
            return self._localize(datetime.fromisoformat(stated)), _STATED
        periods = [(find_address_days(found.url), _ADDRESS)]
        if answer.kind == FrontierKind.SITEMAP:
            periods.append((find_period(answer.requested_url), _LIST))
        elif answer.why in {ARCHIVE, "pagination"}:
            periods.append((find_archive_days(answer.requested_url), _LIST))
        for period, percent in periods:
            if period is not None and (day := self.days.find_day(*period)) is not None:
                return day, percent if period[0] == period[1] else min(percent, _MONTH)
        if found.changed_at is not None:
            day = self._localize(found.changed_at)
            return day, _STATED if day < self.days.since else _CHANGED
        return (self._localize(answer.fetched_at), _CHANGED) if answer.kind == FrontierKind.START else None

    def _localize(self, moment: datetime) -> date:
        zone = self.outline.time_zone
        return moment.astimezone(zone).date() if moment.tzinfo is not None else moment.date()


class NeighbourDays:
    """Places undated addresses by the days of their neighbours.

    An address between two of the range is within it. Of a stretch that may contain an end of the range, some addresses are to be
    requested, so that the next time it is shorter (search by sections).
    """

    def __init__(self, policy: PastPolicy) -> None:
        self._policy = policy
        self._neighbours = Neighbours()
        self.add = self._neighbours.add

    def place(self, urls: Mapping[int, str]) -> dict[int, FoundUrl]:
        """Return the addresses whose day is known, by number, and those to be requested for the days of others."""
        self._neighbours.sort()
        found, open_stretches = {}, defaultdict[tuple[str, int, int], list[tuple[int, int]]](list)
        for number, url in urls.items():
            place = self._neighbours.locate(url)
            day = place.find_day(self._policy.days) if place is not None else None
            undated = FoundUrl(url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["undated"] - 1, depth=1)
            if place is not None and day is not None:
                found[number] = self._policy.place(undated, day, place.percent)
            elif place is not None:
                open_stretches[place.key, place.low, place.high if place.last != date.max else -1].append((place.number, number))
        for stretch in sorted(open_stretches.values(), key=len, reverse=True)[:_MOST_STRETCHES]:
            stretch.sort()
            for part in range(1, _SECTIONS):
                number = stretch[len(stretch) * part // _SECTIONS][1]
                found[number] = FoundUrl(url=urls[number], kind=FrontierKind.ARTICLE, priority=PRIORITY["undated"] - 1, depth=1)
        return found
