"""The frontier of a backfill: addresses first, each with its day; articles outside the range are skipped, with that reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Self
from urllib.parse import urlsplit

from newscrawler.backfill import (
    ARCHIVE,
    COPIES,
    COPY,
    PAST_FEEDS,
    POSTS,
    ArchiveSource,
    CalendarSource,
    CommonCrawl,
    DayRange,
    Neighbours,
    PastFeedSource,
    Place,
    PostListSource,
    Pywb,
    Wayback,
    WebArchive,
    find_address_days,
    find_archive,
    find_archive_days,
    split_copy_url,
)  # fmt: skip
from newscrawler.config import ArchiveFormat, Backfill, FetchOrder
from newscrawler.crawl.policy.link_policy import LinkPolicy, outline_portal
from newscrawler.discovery import PRIORITY, Lead, PostSource, SourceResponse, find_period, make_sources
from newscrawler.discovery.urls import CLASSIFIERS, Scope
from newscrawler.errors import PageReason
from newscrawler.store.frontier import SECTION_HINT, FoundUrl, LeasedUrl, ListedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason

#: Priorities of lists; all come before the articles.
_LISTS = {FrontierKind.START: 0, FrontierKind.PROBE: 1, FrontierKind.SITEMAP: 3, FrontierKind.FEED: 4, FrontierKind.SECTION: 6}
_PRIORITIES_BY_REASON = {POSTS: 3, COPIES: 4, PAST_FEEDS: 4, ARCHIVE: 5, "pagination": 7}
#: How certain a day is, in percent: stated for the article; by its address; next to its link; by the list that names it; by the
#: month that the list names; as the time of its last change, or of an old range by the front page; before its capture.
_STATED, _ADDRESS, _SHOWN, _LIST, _MONTH, _CHANGED, _CAPTURED = 99, 97, 95, 92, 88, 55, 50
#: The adapters of web archives by their format.
_ADAPTERS: Mapping[ArchiveFormat, Callable[[str], WebArchive]] = {
    ArchiveFormat.WAYBACK: Wayback, ArchiveFormat.COMMON_CRAWL: CommonCrawl, ArchiveFormat.PYWB: Pywb,
}  # fmt: skip
#: A front page has no older articles, as a rule.
_LONGEST_ON_FRONT_PAGE = timedelta(days=180)
#: Stretches of undated addresses that are searched at once, those that are remembered, and addresses of each.
_MOST_STRETCHES, _MOST_OPEN, _LONGEST_STRETCH = 6, 200, 4_000
#: Priorities of a day count from here.
_LATEST, _MOST_DAYS = date(2050, 1, 1), 29_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPolicy(LinkPolicy):
    """Link policy that gives each article its day, and skips those outside the range."""

    days: DayRange
    order: FetchOrder
    #: Web archives, for addresses and copies.
    archives: tuple[WebArchive, ...] = ()
    #: Addresses of each month, for an even order.
    months: Counter[date] = field(default_factory=Counter)

    @classmethod
    def of_backfill(cls, backfill: Backfill) -> Self:
        """Make it for a backfill."""
        include, exclude = ([each.pattern for each in patterns] for patterns in (backfill.include, backfill.exclude))
        scope = Scope.of(backfill.start_urls, backfill.hosts, include, exclude, exact_hosts=backfill.exact_hosts)
        days = DayRange(since=backfill.since, until=backfill.until)
        sources = [each for each in make_sources() if not isinstance(each, PostSource)]
        archives = tuple(_ADAPTERS[each.format](each.address) for each in backfill.archives if each.format in _ADAPTERS)
        hosts = tuple(dict.fromkeys(urlsplit(url).netloc for url in backfill.start_urls))
        return cls(
            archives=archives, portal=backfill, scope=scope, classifier=CLASSIFIERS[backfill.classifier], days=days,
            sources=(PostListSource(days), PastFeedSource(days), *sources, CalendarSource(days),
                     ArchiveSource(archives, days, hosts)),
            order=backfill.order, outline=outline_portal(backfill, scope),
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

    def admit_redirect(self, url: str, leased: LeasedUrl) -> FoundUrl | None:
        """Return the target of a redirect; of a copy, another copy of the portal's pages."""
        if leased.why != COPY:
            return LinkPolicy.admit_redirect(self, url, leased)
        found = split_copy_url(url) if find_archive(self.archives, url) is not None else None
        if found is None or not self.scope.allows(found[0]):
            return None
        return FoundUrl(
            url=url, kind=leased.kind, why=COPY, priority=leased.priority, depth=leased.depth, hops=leased.hops + 1,
            source="copies", day=leased.day, day_percent=_CHANGED if leased.day else 0,
        )  # fmt: skip

    def make_copy(self, url: str, leased: LeasedUrl) -> FoundUrl | None:
        """Return the copy of a page that is gone, in the first archive or, of a copy, the next one; None: there is none."""
        place = 0
        if leased.why == COPY and (archive := find_archive(self.archives, leased.url)) is not None:
            place = self.archives.index(archive) + 1
        for archive in self.archives[place:]:
            if (copy_url := archive.make_copy_url(url, leased.day or self.days.until)) is not None:
                return FoundUrl(
                    url=copy_url, kind=FrontierKind.ARTICLE, why=COPY, priority=leased.priority, depth=leased.depth,
                    source="copies", day=leased.day, day_percent=_CHANGED if leased.day else 0,
                )  # fmt: skip
        return None

    def place_capture(self, url: str, captured_at: datetime) -> FoundUrl | None:
        """Return a page that an archive's file names; None: it is not an article of the portal by its address."""
        answer = SourceResponse(
            portal=self.outline, requested_url=url, url=url, kind=FrontierKind.SITEMAP, why=COPIES, fetched_at=captured_at
        )
        found = self._admit_entry(Lead(url, changed_at=captured_at), answer)
        return self._place_found(found, answer) if found is not None else None

    def _admit_entry(self, lead: Lead, answer: SourceResponse) -> FoundUrl | None:
        """Return an article; an address that an archive names is judged as if the portal named it."""
        page_url = self.outline.start_urls[0] if answer.why == COPIES else answer.requested_url
        return LinkPolicy._admit_entry(self, lead, replace(answer, requested_url=page_url))  # noqa: SLF001  no super() with slots

    def _may_be_list(self, url: str) -> bool:
        return LinkPolicy._may_be_list(self, url) or find_archive(self.archives, url) is not None  # noqa: SLF001

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
        source = {POSTS: "posts", ARCHIVE: "archive", COPIES: "copies"}.get(answer.why or "", found.source)
        if answer.why == "pagination" and find_archive_days(answer.requested_url) is not None:
            source = "archive"
        found = replace(found, source=source if source != FrontierKind.SECTION else "links")
        if found.skipped is not None or found.hops:
            return found
        dated = self._find_day(found, answer)
        found = replace(found, changed_at=None) if answer.why == COPIES else found
        return self.place(found, *dated) if dated is not None else replace(found, priority=PRIORITY["undated"])

    def _place_list(self, found: FoundUrl) -> FoundUrl | None:
        """Return a list with its priority; None: it is not read, or has no article of the range."""
        if found.kind is FrontierKind.OTHER and found.why != "archive":
            return None
        period = find_period(found.url) if found.kind is FrontierKind.SITEMAP else find_archive_days(found.url)
        if found.why != COPIES and period is not None and (period[1] < self.days.since or period[0] > self.days.until):
            return None
        priority = _PRIORITIES_BY_REASON.get(found.why or "", _LISTS.get(found.kind, 8))
        return replace(found, priority=priority, changed_at=None)

    def _find_day(self, found: FoundUrl, answer: SourceResponse) -> tuple[date, int] | None:
        """Return the day of an article by its list or its address, with its certainty."""
        stated = next((text for source, text in found.hints if source != SECTION_HINT), None)
        if stated is not None:
            return self._localize(datetime.fromisoformat(stated)), _STATED
        periods = [(find_address_days(found.url), _ADDRESS)]
        if answer.kind == FrontierKind.SITEMAP and answer.why != COPIES:
            periods.append((find_period(answer.requested_url), _LIST))
        elif answer.why in {ARCHIVE, "pagination"}:
            periods.append((find_archive_days(answer.requested_url), _LIST))
        for period, percent in periods:
            if period is not None and (day := self.days.find_day(*period)) is not None:
                return day, percent if period[0] == period[1] else min(percent, _MONTH)
        if found.changed_at is not None:
            day = self._localize(found.changed_at)
            if answer.why == COPIES:  # it was published at some time before its capture
                return (day, _CAPTURED) if day < self.days.since else None
            return day, _STATED if day < self.days.since else _CHANGED
        today = self._localize(answer.fetched_at)
        is_front = answer.kind == FrontierKind.START and today - self.days.until > _LONGEST_ON_FRONT_PAGE
        return (today, _CHANGED) if is_front else None

    def _localize(self, moment: datetime) -> date:
        zone = self.outline.time_zone
        return moment.astimezone(zone).date() if moment.tzinfo is not None else moment.date()


class NeighbourDays:
    """Places undated addresses by the days of their neighbours.

    An address between two of the range is within it. Of a stretch that may contain an end of the range, one address is to be
    requested, so that the next time it is half as long.
    """

    def __init__(self, policy: PastPolicy) -> None:
        self._policy = policy
        self._neighbours = Neighbours()
        self._is_sorted = False
        #: By stretch, the place of its first address, and (number, number of the row, address) of all; of a long one, a part.
        self._open: dict[tuple[str, int, int], tuple[Place, list[tuple[int, int, str]]]] = {}

    def add(self, address: ListedUrl, day: date) -> None:
        """Add a dated address."""
        self._neighbours.add(address.url, day, place=address.id, in_list=address.list_name)

    def place(self, addresses: Iterable[ListedUrl]) -> dict[int, FoundUrl]:
        """Return the addresses whose day is known, by number."""
        if not self._is_sorted:
            self._neighbours.sort()
            self._is_sorted = True
        found = {}
        for each in addresses:
            place = self._neighbours.locate(each.url, place=each.id, in_list=each.list_name)
            day = place.find_day(self._policy.days) if place is not None else None
            if place is not None and day is not None:
                found[each.id] = self._policy.place(_make_undated(each.url), day, place.percent)
            elif place is not None:
                key = place.key, place.low, place.high if place.last != date.max else -1
                if key not in self._open and len(self._open) >= _MOST_OPEN:
                    continue
                stretch = self._open.setdefault(key, (place, []))[1]
                stretch.append((place.number, each.id, each.url))
                if len(stretch) >= _LONGEST_STRETCH:
                    stretch[:] = sorted(stretch)[::2]
        return found

    def choose(self, today: date) -> dict[int, FoundUrl]:
        """Return one address of each of the longest open stretches, by number."""
        found = {}
        for place, stretch in sorted(self._open.values(), key=lambda each: -len(each[1]))[:_MOST_STRETCHES]:
            stretch.sort()
            _, number, url = stretch[place.choose_probe([each[0] for each in stretch], self._policy.days, today)]
            found[number] = _make_undated(url)
        return found


def _make_undated(url: str) -> FoundUrl:
    return FoundUrl(url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["undated"] - 1, depth=1)
