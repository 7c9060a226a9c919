"""The run of a portal's past: its lists first, then the articles of a range of days, within a daily budget.

It has its own queue and budget, and waits while the portal's nightly crawl runs.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from newscrawler.backfill import ARCHIVE, POSTS
from newscrawler.config import Backfill, Configuration
from newscrawler.crawl.backfill.policy import NeighbourDays, PastPolicy
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery import PRIORITY
from newscrawler.errors import counted
from newscrawler.store import Store
from newscrawler.store.frontier import MOST_PRIORITY, Committed, Frontier, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, UrlState

#: The nightly crawl is looked for again after this.
_LOOK_AGAIN_SECONDS = 5.0
#: Pages of archives in a row without an article, such as days, from which on the usual limits count.
_MOST_EMPTY = 62
#: Articles of unknown days are requested as long as no more than this share of the articles was outside the range, or so few.
_MOST_OUTSIDE, _FEW_OUTSIDE = 0.02, 25


class BackfillRun(CrawlRun):
    """One run of one backfill."""

    link_policy: PastPolicy

    def __init__(self, store: Store, configuration: Configuration, backfill: Backfill) -> None:
        self._backfill = backfill
        self.past_of = backfill.name
        super().__init__(store, configuration, backfill)
        #: Articles read, those of them outside the range, and the number when days were last estimated.
        self._read, self._outside, self._dated_with = 0, 0, -1
        #: Pages of archives in a row that named no article.
        self._empty_pages = 0

    def get_figures(self) -> dict[str, Any]:
        """Return the figures for the run's record, with the range."""
        return super().get_figures() | {"range": [self._backfill.since.isoformat(), self._backfill.until.isoformat()]}

    def _make_link_policy(self) -> PastPolicy:
        return PastPolicy.of_backfill(self._backfill)

    def _seed_more(self, frontier: Frontier, now: datetime) -> None:  # noqa: ARG002  as the base asks
        """Apply the range to the addresses that are known, and read the start pages again, which name lists."""
        frontier.restrict_days(self._backfill.since, self._backfill.until)
        frontier.look_again(self.link_policy.outline.start_urls, (UrlState.DONE,))
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
        is_allowed = self._outside < max(_FEW_OUTSIDE, _MOST_OUTSIDE * self._read)
        if is_allowed and self._dated_with != self._read:
            self._dated_with = self._read
            if await self._database.run(self._frontier.date_undated, NeighbourDays(self.link_policy)):
                return await super()._lease(most, before=PRIORITY["undated"])
        return await super()._lease(1) if is_allowed else []

    async def admit(self, lease: LeasedUrl) -> bool:
        """Wait while the portal's own crawl runs; then count a request, or skip one that is unproductive."""
        await self._wait_for_news()
        is_list = lease.why == POSTS or (lease.why == ARCHIVE and self._empty_pages < _MOST_EMPTY)
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

    def _count(self, item: FetchedUrl, committed: Committed) -> None:
        lists = item.lease.why == ARCHIVE and any(each.kind is FrontierKind.ARTICLE for each in item.found)
        self._empty_pages = self._empty_pages + 1 if item.lease.why == ARCHIVE and not lists else 0
        if item.lease.kind is FrontierKind.ARTICLE and item.article is not None:
            day: date | None = item.article.date
            self._read += 1
            self._outside += day is not None and day not in self.link_policy.days
        elif lists or (self.link_policy.is_before_range(item.found) and not self._statistics.stop_rules.listed):
            committed = replace(committed, fresh_articles=max(1, committed.fresh_articles))
        super()._count(item, committed)

    async def _end(self, run: Any, frontier: Frontier, reason: str) -> None:
        outside = await self._database.run(self._store.backfills.count_outside, self._backfill.name)
        if outside.get("outside"):
            since, until = self._backfill.since, self._backfill.until
            self.note(f"{counted(outside['outside'], 'article')} outside {since} to {until} not requested")
        if outside.get("undated"):
            self.note(f"{counted(outside['undated'], 'article')} of an unknown day not requested, as too many of them are outside")
        await super()._end(run, frontier, reason)
