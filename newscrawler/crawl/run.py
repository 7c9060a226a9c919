"""One run of one portal: what it knows, what it does at the signals of its crawler, and everything that it writes.

Its parts stand in modules of their own: `claims` leases URLs, `limits` says when to stop, `outcomes` works out what is written
of a page, `commits` puts many outcomes into one transaction, `counting` adds up and learns, `database_thread` reaches the
database beside the reactor and waits while it is away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any, Self
from zoneinfo import ZoneInfo

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from newscrawler import __version__
from newscrawler.config.portal import Configuration, Portal
from newscrawler.crawl.answers import faulty
from newscrawler.crawl.arguments import chosen_portal, configuration_here
from newscrawler.crawl.claims import Claims
from newscrawler.crawl.commits import GroupCommit
from newscrawler.crawl.counting import Counting
from newscrawler.crawl.database_thread import DatabaseThread
from newscrawler.crawl.following import PRIORITY, Following
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.keeping import Keeper, Settled, keeping
from newscrawler.crawl.late_dates import dating_of
from newscrawler.crawl.learning import reading_of
from newscrawler.crawl.limits import limits_of
from newscrawler.crawl.outcomes import outcome_of
from newscrawler.crawl.progress import robots_known, run_ended, run_started, run_waits, slot_waits, url_settled
from newscrawler.crawl.report import RunCounts, RunSummary, estimate_dict
from newscrawler.crawl.request_meta import CLAIMED
from newscrawler.crawl.rights import rights_of
from newscrawler.crawl.settings import portal_settings
from newscrawler.crawl.visits import postponed_visit
from newscrawler.discovery.completeness import Completeness, completeness_of
from newscrawler.discovery.revisit import next_look_seconds
from newscrawler.errors import NewscrawlerError, PageReason, PortalBusyError, StoreAwayError
from newscrawler.politeness.night import night_began
from newscrawler.politeness.robots_entry import RobotsEntry
from newscrawler.store import ClaimedUrl, Committed, FoundUrl, Frontier, PageOutcome, RecentArticle, RunRecord, Store, open_store
from newscrawler.store.outcomes import FINISHED, INTERRUPTED, EndReason, FrontierKind, Reason, RunEnd, UrlOutcome, UrlState
from newscrawler.store.rights_records import Removal
from newscrawler.store.spending import Spent, spent_since
from newscrawler.urls import canonicalize

logger = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
MOST_NOTES = 20
#: Links that are written while the crawl stands still; a sitemap may bring 50,000.
_MOST_BRIEFLY = 2_000
#: Articles first seen before that are left alone.
LOOKED_AFTER = timedelta(days=60)


class CrawlRun:
    """One run of one portal.

    Attributes:
        portal: as it is configured.
        following: which links go into the frontier.
        reading: how pages are read.
        rights: how reservations of the publisher are read.
        removals: what operators asked to be removed, when the run began.
        summary: how it ended; None: it has not.
        error: why it could not go on; None: it could.
    """

    def __init__(self, store: Store, configuration: Configuration, portal: Portal, *, owns_store: bool = False) -> None:
        """Make it; it begins when the crawler that it is connected to opens its spider.

        Args:
            store: of frontier and articles.
            configuration: says where pages are kept, and who we are.
            portal: to crawl.
            owns_store: close the store at the end.
        """
        self._store = store
        self._configuration = configuration
        self._portal = self.portal = portal
        self._owns_store = owns_store
        self._crawler: Crawler | None = None
        self.following = Following.of(portal, today=datetime.now(UTC).date())
        self.reading = reading_of(portal, store)
        self.rights = rights_of(portal, configuration)
        self._keeper = Keeper.of(configuration, portal)
        self._counting = Counting(self.following.knowledge)
        self._database = DatabaseThread(portal.name, waits=self.waits, in_process=store.in_process)
        self._commits: GroupCommit[Settled] = GroupCommit(
            self._write, self.fail, lambda: self._claims.in_hand if self._claims else 0
        )
        self._run: RunRecord | None = None
        self._frontier: Frontier | None = None
        self._claims: Claims | None = None
        self._beating: asyncio.Task[None] | None = None
        self._began = monotonic()
        self._estimate: Completeness | None = None
        self.summary: RunSummary | None = None
        self.removals: Sequence[Removal] = ()
        self.error: NewscrawlerError | None = None
        self._notes: list[str] = []
        self._offering: set[asyncio.Task[None]] = set()

    @classmethod
    def from_arguments(cls, *, portal: str | None = None, url: str | None = None) -> Self:
        """Make it as `scrapy crawl portal -a portal=NAME` or `-a url=URL` asks, by the configuration that holds here.

        Raises:
            ConfigError: there is no such portal, or no contact.
            StoreError: the database cannot be opened.
        """
        configuration = configuration_here()
        chosen = chosen_portal(configuration, portal=portal, url=url)
        return cls(open_store(configuration.database_url), configuration, chosen, owns_store=True)

    def settings(self) -> dict[str, Any]:
        """Return the settings of Scrapy that this portal asks for."""
        return portal_settings(self._portal, self._configuration)

    def connect(self, crawler: Crawler) -> None:
        """Follow the signals of a crawler."""
        self._crawler = crawler
        for handler, signal in (
            (self.close, signals.spider_closed),
            (self._at_fault, signals.spider_error),
            (self._at_fault, signals.item_error),
            (self._robots_known, robots_known),
            (self.waits, slot_waits),
        ):
            crawler.signals.connect(handler, signal=signal)

    def _tell(self, signal: object, **facts: Any) -> None:
        if self._crawler is not None:
            self._crawler.signals.send_catch_log(signal, **facts)

    async def _opened(self) -> None:
        try:
            await self.open(self.following.start(tuple(canonicalize(url) for url in self._portal.start_urls)))
        except NewscrawlerError as error:
            self.fail(error)

    async def _at_fault(self, failure: Failure, response: Response) -> None:
        """A fault of ours in spider or pipelines is an outcome too: else its URL would be in hand for ever."""
        claimed = response.meta[CLAIMED]
        logger.error("fault at %s: %s", claimed.url, failure.getTraceback())
        await self.settle(faulty(claimed, failure.value))

    def _robots_known(self, entry: RobotsEntry) -> None:
        """Tell of what is asked beyond what is kept, and look into the sitemaps."""
        if entry.capped:
            self.note(entry.capped)
        offering = asyncio.ensure_future(self.offer(self.following.sitemaps(entry.rules.sitemaps)))
        self._offering.add(offering)
        offering.add_done_callback(self._offering.discard)

    @property
    def counts(self) -> RunCounts:
        """The figures so far."""
        return self._counting.counts

    async def open(self, start: tuple[FoundUrl, ...]) -> None:
        """Begin the run.

        Raises:
            StoreError: the portal is being crawled by another process, or the database fails.
        """
        now = datetime.now(UTC)
        begin = partial(self._store.runs.begin, self._portal.name, now=now, version=__version__)
        run, frontier = await self._database.run(begin)
        self._run, self._frontier = run, frontier
        patterns = await self._database.run(partial(self._store.patterns.of, self._portal.name))
        learned = await self._database.run(partial(self._store.patterns.learned_of, self._portal.name))
        self._counting.knowledge.load(patterns, learned)
        self.removals = await self._database.run(self._store.rights.removals)
        waiting = (await self._database.run(frontier.counts)).waiting
        await self._database.run(partial(frontier.seed, start, now=now))
        if not run.resumed:
            await self._requeue_articles(frontier, now)
        limits = limits_of(self._portal, await self._spent(run, now))
        self._claims = Claims(self._portal, frontier, self._database, self._counting, limits=limits, waits=self.waits)
        if self._configuration.legal_basis:
            self.note(
                f"research under {self._configuration.legal_basis}: reservations of text mining do not count for text analysis"
            )
        self._tell(run_started, portal=self._portal.name, run_id=run.id, resumed=run.resumed, waiting=waiting)
        self._beating = asyncio.ensure_future(self._beat(run.id))

    async def _spent(self, run: RunRecord, now: datetime) -> Spent:
        """What earlier runs of this night have used of the portal's budgets."""
        began = night_began(now, ZoneInfo(self._portal.time_zone), self._portal.window)
        return await self._database.run(partial(spent_since, self._store.engine, self._portal.name, began, but_run=run.id))

    async def _requeue_articles(self, frontier: Frontier, now: datetime) -> None:
        """Let the articles wait that are due for a look at corrections: a few times in their first days."""
        recent = partial(frontier.recent_articles, now - LOOKED_AFTER)
        due = await self._database.run(lambda: [item.url_id for item in recent() if _is_due(item, now)])
        await self._database.run(partial(frontier.requeue, due, priority=PRIORITY["look"]))

    @property
    def run_id(self) -> int | None:
        """The number of the run, once it has begun."""
        return self._run.id if self._run else None

    def is_over(self) -> bool:
        """Whether the run's time is over, or it was stopped: what still waits for its turn is left for the next one."""
        return self._claims is not None and self._claims.is_over()

    def note(self, told: str) -> None:
        """Tell something that the user should know of this run; it stands in its summary too."""
        if told not in self._notes and len(self._notes) < MOST_NOTES:
            self._notes.append(told)
            logger.warning("%s: %s", self._portal.name, told)

    def waits(self, seconds: float, why: str) -> None:
        """Tell how long nothing is asked, and why."""
        self.counts.waited[why] += round(seconds)
        self._tell(run_waits, portal=self._portal.name, seconds=seconds, why=why)

    async def offer(self, found: tuple[FoundUrl, ...]) -> None:
        """Put URLs into the frontier that no page led to."""
        if found and self._frontier is not None:
            try:
                await self._database.run(partial(self._frontier.seed, found, now=datetime.now(UTC)))
            except NewscrawlerError as error:
                self.fail(error)

    async def claims(self) -> AsyncIterator[ClaimedUrl]:
        """Begin the run, and yield URLs as fast as they are dealt with; ends when nothing is left or a limit is reached."""
        await self._opened()
        if self._claims is None or self.error is not None:
            return
        try:
            async for claimed in self._claims.urls(self._give_up):
                yield claimed
        except NewscrawlerError as error:
            self.fail(error)

    async def _give_up(self, claimed: ClaimedUrl) -> None:
        self._counting.given_up()
        reason = Reason(PageReason.BARREN)
        now = datetime.now(UTC)
        outcome = PageOutcome(url_id=claimed.id, state=UrlState.SKIPPED, reason=reason, fetched_at=now)
        if claimed.kind == FrontierKind.SITEMAP:  # which may bring something another night
            outcome = replace(outcome, state=UrlState.DONE, outcome=UrlOutcome.UNCHANGED, plan=postponed_visit(claimed, now))
        await self._commits.add(Settled(outcome))

    async def settle(self, item: FetchedUrl) -> None:
        """Commit what came of a URL: its state, its article and the links found on it, all together.

        The page itself is kept before that, unless it is to be fetched again.
        """
        assert self._claims is not None
        outcome = outcome_of(item, delay_seconds=self._portal.delay_seconds)
        try:
            if item.pause is not None:
                await self._claims.host_paused(item.pause)
            committed = await self._commits.add(Settled(outcome, item.raw if item.state is UrlState.DONE else ()))
        except NewscrawlerError:  # `fail` was told
            committed = Committed(url_id=outcome.url_id, written=False)
        self._claims.settled(item.claimed.id)
        for told in item.notes if committed.written else ():
            self.note(told)
        if committed.left_out:
            self.note(f"{item.claimed.url}: {committed.left_out} articles are left for a later visit, so many wait already")
        if committed.written:
            self._counting.add(item, outcome, committed)
            article = item.article if committed.article_id else None
            self._tell(
                url_settled, portal=self._portal.name, url=item.claimed.url, counts=self.counts, article=article,
                reason=str(outcome.reason) if outcome.reason is not None else None,
            )  # fmt: skip

    async def _write(self, settled: list[Settled]) -> list[Committed]:
        assert self._frontier is not None
        knowledge = self._counting.knowledge
        dating = dating_of(self._portal, knowledge.day_order)
        commit = partial(self._frontier.commit, patterns=knowledge.changes(), learned=knowledge.portal_changes(), dating=dating)
        links = sum(len(each.outcome.found) for each in settled)
        brief = links <= _MOST_BRIEFLY and (self._keeper is None or self._keeper.begun)
        return await self._database.run(keeping(settled, self._keeper, commit), brief=brief)

    def fail(self, error: NewscrawlerError) -> None:
        """End the run, because the database cannot be used; what was committed stays."""
        if self.error is None:
            self.error = error
            logger.error("%s: %s", self._portal.name, error)
        if self._claims is not None:
            self._claims.stop(RunEnd(EndReason.ERROR, str(error)))

    async def _beat(self, run_id: int) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            beat = partial(self._store.runs.heartbeat, run_id, now=datetime.now(UTC), counts=self.counts.as_dict())
            try:
                await self._database.run(beat)
            except NewscrawlerError as error:
                self.fail(error)
                return

    async def close(self, reason: str) -> RunSummary:
        """End the run; what is still in hand is given back."""
        if self._beating is not None:
            self._beating.cancel()
        await self._commits.finished()
        for offering in list(self._offering):
            await offering
        if self._keeper is not None:  # whose run was taken over touches no files
            await self._database.run(partial(self._keeper.close, self._store if self.error is None else None))
        waiting = 0
        if self._run is not None and self._frontier is not None and not isinstance(self.error, StoreAwayError):
            try:
                await self._end(self._run, self._frontier, reason)
                waiting = (await self._database.run(self._frontier.counts)).waiting
            except NewscrawlerError as error:
                self.fail(error)
        self._database.close()
        self.summary = self._summarise(self._because(reason), waiting)
        self._tell(run_ended, summary=self.summary)
        if self._crawler is not None:
            for name, value in self.counts.as_dict().items():
                self._crawler.stats.set_value(f"run/{name}", value)
        if self._owns_store:
            self._store.close()
        return self.summary

    async def _end(self, run: RunRecord, frontier: Frontier, reason: str) -> None:
        counts: dict[str, Any] = self.counts.as_dict()
        if self.error is None:
            knowledge = self._counting.knowledge
            await self._database.run(partial(frontier.commit, [], knowledge.changes(), learned=knowledge.portal_changes()))
            self._estimate = completeness_of(await self._database.run(frontier.articles_by_source))
            counts |= {"estimate": estimate_dict(self._estimate)} if self._estimate else {}
        because = self._because(reason)
        await self._database.run(partial(self._store.runs.end, run.id, now=datetime.now(UTC), because=because, counts=counts))

    def _because(self, reason: str) -> RunEnd:
        if isinstance(self.error, PortalBusyError):
            return RunEnd(EndReason.BUSY, str(self.error))
        if self.error is not None:
            return RunEnd(EndReason.ERROR, str(self.error))
        if reason == "memusage_exceeded":
            told = "the process takes more than it may (service.max_memory); what is left is for the next run"
            return RunEnd(EndReason.MEMORY, told)
        if self._claims is not None and self._claims.ended_because is not None:
            return self._claims.ended_because
        return FINISHED if reason == "finished" else INTERRUPTED

    def broken_off(self) -> RunSummary:
        """Summarise a run that a second signal ended before it could close; the next one takes its place."""
        return self._summarise(INTERRUPTED, 0)

    def _summarise(self, because: RunEnd, waiting: int) -> RunSummary:
        return RunSummary(
            portal=self._portal.name,
            run_id=self._run.id if self._run else 0,
            round=self._run.round if self._run else 0,
            ended_because=because,
            seconds=monotonic() - self._began,
            counts=self.counts,
            waiting=waiting,
            estimate=self._estimate,
            notes=tuple(self._notes),
        )


def _is_due(item: RecentArticle, now: datetime) -> bool:
    seconds = next_look_seconds(
        published_at=item.published_at,
        first_seen_at=item.first_seen_at,
        looked_at=item.looked_at,
        changes=item.changes,
        now=now,
    )
    return seconds == 0.0
