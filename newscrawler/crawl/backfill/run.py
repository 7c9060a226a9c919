"""The run of a portal's past: its lists first, then the articles of a range of days, within a daily budget.

It has its own queue and budget, and waits while the portal's nightly crawl runs.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from scrapy import Request
from scrapy.http import Headers, HtmlResponse

from newscrawler.article import FROM_ARCHIVE
from newscrawler.backfill import (
    ARCHIVE,
    COPIES,
    COPY,
    IN_FILE,
    POSTS,
    ArchiveFiles,
    find_archive,
    find_archive_days,
    split_copy_url,
)
from newscrawler.config import Backfill, Configuration
from newscrawler.crawl.backfill.policy import NeighbourDays, PastPolicy
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery import PRIORITY
from newscrawler.discovery.urls import make_pattern
from newscrawler.errors import PageReason, counted
from newscrawler.extraction.batch import ArchivedPage
from newscrawler.politeness import get_host
from newscrawler.store import Store
from newscrawler.store.frontier import MOST_PRIORITY, Committed, FoundUrl, Frontier, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome, UrlState

#: The nightly crawl is looked for again after this.
_LOOK_AGAIN_SECONDS = 5.0
#: Pages of archives in a row without an article, such as days, from which on the usual limits count.
_MOST_EMPTY = 62
#: Articles of unknown days are requested as long as no more than this share of the articles was outside the range, or so few: to
#: find out the days of others, and without such an aim.
_MOST_OUTSIDE, _FEW_OUTSIDE, _FEW_AIMLESS = 0.02, 25, 6
#: Listed articles in a row that were not there, by pattern, from which on the usual rules count.
_MOST_MISSES = 100
#: Statuses of copies, or of the index, of a host that has left the archive.
_LEFT = (403, 451)


#: Key of a request's meta: the page in place of an answer.
ARCHIVED = "archived_page"


class ArchivedCopyMiddleware:
    """Answers requests for copies in WARC files, which bring their page, without a network; it comes before all others."""

    def process_request(self, request: Request) -> HtmlResponse | None:
        """Return the page that a request has; None: it is sent."""
        page: ArchivedPage | None = request.meta.get(ARCHIVED)
        if page is None:
            return None
        headers = Headers()
        for name, value in page.headers:
            headers.appendlist(name, value)
        return HtmlResponse(request.url, status=200, headers=headers, body=page.body, request=request)


class BackfillRun(CrawlRun):
    """One run of one backfill."""

    link_policy: PastPolicy

    def __init__(self, store: Store, configuration: Configuration, backfill: Backfill) -> None:
        self._backfill = backfill
        self.past_of = backfill.name
        self._files = [ArchiveFiles(each.path) for each in backfill.archives if each.path is not None]
        super().__init__(store, configuration, backfill)
        #: Articles read, those of them outside the range, and the number of requests when days were last estimated.
        self._read, self._outside, self._dated_with = 0, 0, -1
        #: Web archives that do not show the portal.
        self._closed: set[str] = set()
        #: Articles in a row that were not there, by pattern.
        self._misses: Counter[str] = Counter()
        #: Pages of archives in a row that named no article.
        self._empty_pages = 0

    def make_settings(self) -> dict[str, Any]:
        """Return the settings of Scrapy, with the delays of the archives."""
        settings, addresses = super().make_settings(), [each for each in self._backfill.archives if each.address]
        delays = {get_host(each.address): each.delay_seconds for each in addresses}
        private = [*settings["PRIVATE_HOSTS"], *(each.address for each in addresses)]
        middlewares = settings["DOWNLOADER_MIDDLEWARES"] | {f"{ArchivedCopyMiddleware.__module__}.ArchivedCopyMiddleware": 50}
        return settings | {"HOST_DELAYS": delays, "PRIVATE_HOSTS": private, "DOWNLOADER_MIDDLEWARES": middlewares}

    def make_request(self, lease: LeasedUrl) -> Request:
        """Return the request for a URL; one for a copy in a file brings its page."""
        request = super().make_request(lease)
        original, mark, _ = lease.url.partition(IN_FILE)
        page = self._find_in_files(original) if mark else None
        return request.replace(meta={**request.meta, ARCHIVED: page}) if page is not None else request

    def get_figures(self) -> dict[str, Any]:
        """Return the figures for the run's record, with the range."""
        return super().get_figures() | {"range": [self._backfill.since.isoformat(), self._backfill.until.isoformat()]}

    def _make_link_policy(self) -> PastPolicy:
        return PastPolicy.of_backfill(self._backfill)

    def _seed_more(self, frontier: Frontier, now: datetime) -> None:
        """Apply the range to the addresses that are known, and read the start pages again, which name lists."""
        frontier.restrict_days(self._backfill.since, self._backfill.until)
        frontier.look_again(self.link_policy.outline.start_urls, (UrlState.DONE,))
        found = (
            self.link_policy.place_capture(each.url, each.captured_at) for files in self._files for each in files.list_captures()
        )
        frontier.seed(filter(None, found), now=now)
        for month in self._store.backfills.months(self._backfill.name):
            self.link_policy.months[month.month] = month.known
            self._read += month.stored

    async def _requeue_articles(self, frontier: Frontier, now: datetime) -> None:
        """Requeue nothing: the nightly crawl looks for corrections."""

    async def requeue(self) -> bool:
        """Requeue nothing: articles of the past are fetched once."""
        return False

    async def _lease(self, most: int, *, before: int = MOST_PRIORITY) -> list[LeasedUrl]:
        """Lease articles of known days; then date others by their neighbours; then request a few of those without a day."""
        if before < MOST_PRIORITY:
            return await super()._lease(most, before=before)
        found = await super()._lease(most, before=PRIORITY["undated"])
        if found or self.in_hand or self.taken:
            return found
        most_outside = _MOST_OUTSIDE * self._read
        if self._outside < max(_FEW_OUTSIDE, most_outside) and self._dated_with != self.counts.requests:
            self._dated_with = self.counts.requests
            if await self._database.run(self._frontier.date_undated, NeighbourDays(self.link_policy)):
                return await super()._lease(most, before=PRIORITY["undated"])
        return await super()._lease(1) if self._outside < max(_FEW_AIMLESS, most_outside) else []

    async def admit(self, lease: LeasedUrl) -> bool:
        """Wait while the portal's own crawl runs; then count a request, or skip one that is unproductive."""
        await self._wait_for_news()
        if lease.why in {COPIES, COPY} and any(lease.url.startswith(f"{closed}/") for closed in self._closed):
            item = FetchedUrl(lease=lease, fetched_at=datetime.now(UTC), state=UrlState.SKIPPED)
            await self._commits.add(item.refuse(PageReason.USE_RESERVED, "the archive does not show the portal"))
            return False
        is_page = lease.why == ARCHIVE or (lease.why == "pagination" and find_archive_days(lease.url) is not None)
        is_list = lease.why == POSTS or (is_page and self._empty_pages < _MOST_EMPTY)
        if lease.day is not None and lease.kind is FrontierKind.ARTICLE and not self._statistics.is_twin(lease):
            is_list = bool(self._backfill.archives) or self._misses[make_pattern(lease.url)] < _MOST_MISSES
        is_list = is_list and not self.link_policy.get_reason_to_skip(lease.url)
        if is_list or lease.kind is FrontierKind.SITEMAP:
            self.counts.requests += 1
            return True
        return await super().admit(lease)

    async def _wait_for_news(self) -> None:
        while self.end_reason() is None:
            live = await self._database.run(lambda: self._store.runs.live(now=datetime.now(UTC)))
            if not any(run.portal == self._backfill.name for run in live):
                return
            self.report_wait(_LOOK_AGAIN_SECONDS, "for the portal's own crawl, which goes first")
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)

    async def complete(self, item: FetchedUrl) -> None:
        """Commit an outcome; a page that is gone leads to its copy, if an archive has one and nobody wants it removed."""
        lease, word = item.lease, item.word
        original = found[0] if lease.why == COPY and (found := split_copy_url(lease.url)) is not None else lease.url
        if (
            lease.why in {COPIES, COPY}
            and item.http_status in _LEFT
            and (archive := find_archive(self.link_policy.archives, lease.url))
        ):
            self._closed.add(archive.url)
            self.note(f"{archive.url} does not show this portal (HTTP {item.http_status}); it gets no further requests")
        is_gone = item.http_status in {404, 410} or word is PageReason.SOFT_404
        is_wanted = lease.kind == FrontierKind.ARTICLE and not lease.is_stored and item.article is None
        if is_gone and is_wanted and not any(each.covers(original) for each in self.removals):
            item = self._find_copy(item, original)
        if item.article is not None and lease.why == COPY:
            item = replace(item, article=replace(item.article, source=FROM_ARCHIVE))
        await super().complete(item)

    def _find_copy(self, item: FetchedUrl, original: str) -> FetchedUrl:
        """Return the record of a page that is gone, with its copy: read from a file, or where an archive has it."""
        copy = self.link_policy.make_copy(original, item.lease)
        if item.lease.why != COPY and (page := self._find_in_files(original)) is not None:
            url = f"{original}{IN_FILE}{page.fetched_at or datetime.now(UTC):%Y%m%d%H%M%S}"
            copy = FoundUrl(
                url=url, kind=FrontierKind.ARTICLE, why=COPY, priority=item.lease.priority, depth=item.lease.depth, source="copies"
            )
        if copy is None or any(copy.url.startswith(f"{closed}/") for closed in self._closed):
            return item
        return replace(item, found=(copy,), outcome=UrlOutcome.REDIRECT)

    def _find_in_files(self, url: str) -> ArchivedPage | None:
        """Return the copy of a page in a file; None: there is none."""
        return next(filter(None, (files.read_copy(url) for files in self._files)), None)

    def _count(self, item: FetchedUrl, committed: Committed) -> None:
        lists = item.lease.why == ARCHIVE and any(each.kind is FrontierKind.ARTICLE for each in item.found)
        self._empty_pages = self._empty_pages + 1 if item.lease.why == ARCHIVE and not lists else 0
        if item.lease.kind is FrontierKind.ARTICLE and item.article is not None:
            day: date | None = item.article.date
            self._misses.pop(make_pattern(item.lease.url), None)
            self._read += 1
            self._outside += day is not None and day not in self.link_policy.days
        elif lists or (self.link_policy.is_before_range(item.found) and not self._statistics.stop_rules.listed):
            committed = replace(committed, fresh_articles=max(1, committed.fresh_articles))
        elif item.lease.kind is FrontierKind.ARTICLE:
            self._misses[make_pattern(item.lease.url)] += item.outcome is not UrlOutcome.REDIRECT
        super()._count(item, committed)

    async def _end(self, run: Any, frontier: Frontier, reason: str) -> None:
        outside = await self._database.run(self._store.backfills.count_outside, self._backfill.name)
        if outside.get("outside"):
            since, until = self._backfill.since, self._backfill.until
            self.note(f"{counted(outside['outside'], 'article')} outside {since} to {until} not requested")
        if outside.get("undated"):
            self.note(f"{counted(outside['undated'], 'article')} of an unknown day not requested, as too many of them are outside")
        await super()._end(run, frontier, reason)
