"""One run of one portal: what it knows, what it does at the signals of its crawler, and everything that it writes.

Its parts stand in modules of their own: `scheduler` leases its URLs, `limits` says when to stop, `outcomes` works out what is
written of a page, `commits` puts many outcomes into one transaction, `run_statistics` adds up and learns, `threads` reaches the
database in a thread and waits while it is away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import Any, Self
from zoneinfo import ZoneInfo

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from newscrawler.config.portal import Configuration, Portal
from newscrawler.crawl.addon import chosen_portal, configuration_here
from newscrawler.crawl.commits import GroupCommit
from newscrawler.crawl.frontier_run import FrontierRun, Leases
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.learning import dating_of, reading_of
from newscrawler.crawl.limits import Limit, Progress, limits_of, reached
from newscrawler.crawl.link_policy import PRIORITY, LinkPolicy
from newscrawler.crawl.news_filter import NewsFilter
from newscrawler.crawl.page_archive import PageArchive, keeping
from newscrawler.crawl.report import RunCounts, RunProgress, RunSummary
from newscrawler.crawl.request_meta import CLAIMED
from newscrawler.crawl.responses import internal_error
from newscrawler.crawl.rights import rights_of
from newscrawler.crawl.run_log import RunLogHandler
from newscrawler.crawl.run_statistics import RunStatistics
from newscrawler.crawl.settings import portal_settings
from newscrawler.crawl.signals import robots_known, run_ended, run_started, run_waits, slot_waits, url_completed
from newscrawler.discovery.completeness import Coverage, coverage_of
from newscrawler.discovery.corrections import chosen
from newscrawler.discovery.obstacles import Obstacle
from newscrawler.errors import NewscrawlerError, PageReason, PortalBusyError, StoreAwayError
from newscrawler.plural import counted
from newscrawler.politeness.robots_entry import RobotsEntry
from newscrawler.politeness.window import night_began
from newscrawler.store import (
    ClaimedUrl,
    Committed,
    FoundUrl,
    Frontier,
    RunRecord,
    Selection,
    Store,
    open_store,
)
from newscrawler.store.rights_records import Removal
from newscrawler.store.spending import Spent, spent_since
from newscrawler.store.vocabularies.outcomes import (
    FINISHED,
    INTERRUPTED,
    EndReason,
    FrontierKind,
    RunEnd,
    UrlOutcome,
    UrlState,
)
from newscrawler.urls import canonicalize

logger = logging.getLogger(__name__)

MOST_NOTES = 20
#: Patterns that a note names; the figures have all.
MOST_NAMED = 30
#: URLs in hand at once: as many pages are fetched again after a power failure at most.
MOST_IN_HAND, MOST_IN_HAND_WITH_DELAY = 4, 1
#: Links that are written while the crawl stands still; a sitemap may bring 50,000.
_MOST_BRIEFLY = 2_000
#: Articles first seen before that are not fetched again.
LOOKED_AFTER = timedelta(days=60)


class CrawlRun(FrontierRun):
    """One run of one portal.

    Attributes:
        portal: as it is configured.
        link_policy: which links go into the frontier.
        reading: how pages are read.
        rights: how reservations of the publisher are read.
        news_filter: refuses pages that are no news before they are read; None: there is none.
        removals: what operators asked to be removed, when the run began.
        summary: how it ended; None: it has not.
    """

    def __init__(self, store: Store, configuration: Configuration, portal: Portal, *, owns_store: bool = False) -> None:
        """Make it; it begins when the crawler that it is connected to opens its spider.

        Args:
            store: of frontier and articles.
            configuration: says where pages are kept, and who we are.
            portal: to crawl.
            owns_store: close the store at the end.
        """
        super().__init__(portal.name, store)
        self._configuration = configuration
        self._portal = self.portal = portal
        self.most_in_hand = MOST_IN_HAND if portal.delay_seconds == 0 else MOST_IN_HAND_WITH_DELAY
        if portal.articles_first:  # nothing is leased before a page that may name articles is read
            self.most_in_hand = 1
        self._limits: tuple[Limit, ...] = ()
        #: How many pages had been fetched when those of another kind were last looked through.
        self._looked_through: int | None = None
        self._looked_for_vanished = False
        self._owns_store = owns_store
        self._crawler: Crawler | None = None
        self.link_policy = self._make_link_policy()
        self.reading = reading_of(portal, store)
        self.rights = rights_of(portal, configuration)
        self._archive = PageArchive.of(configuration, portal)
        self._statistics = RunStatistics(self.link_policy.profile)
        self._commits = GroupCommit(self._write, self.fail, lambda: self._leases.in_hand if self._leases else 0)
        self._began = monotonic()
        self._coverage: Coverage | None = None
        self._obstacle: Obstacle | None = None
        self._has_articles = True
        #: URLs that are still to be fetched; counted anew with each sign of life.
        self._queue = 0
        self.summary: RunSummary | None = None
        self.news_filter: NewsFilter | None = None
        self.removals: Sequence[Removal] = ()
        self._notes: list[str] = []
        self._offering: set[asyncio.Task[None]] = set()
        self._log: RunLogHandler | None = None

    def _make_link_policy(self) -> LinkPolicy:
        return LinkPolicy.of(self._portal, today=datetime.now(UTC).date())

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
            (self._failed_internally, signals.spider_error),
            (self._failed_internally, signals.item_error),
            (self._robots_known, robots_known),
            (self.waits, slot_waits),
        ):
            crawler.signals.connect(handler, signal=signal)

    def _send(self, signal: object, **facts: Any) -> None:
        if self._crawler is not None:
            self._crawler.signals.send_catch_log(signal, **facts)

    async def _failed_internally(self, failure: Failure, response: Response) -> None:
        """A fault of ours in spider or pipelines is an outcome too: else its URL would be in hand for ever."""
        claimed = response.meta[CLAIMED]
        logger.error("fault at %s: %s", claimed.url, failure.getTraceback())
        await self.complete(internal_error(claimed, failure.value))

    def _robots_known(self, entry: RobotsEntry) -> None:
        """Note a Crawl-delay beyond what is kept, and put the sitemaps into the frontier."""
        if entry.capped:
            self.note(entry.capped)
        offering = asyncio.ensure_future(self.offer(self.link_policy.sitemaps(entry.rules.sitemaps)))
        self._offering.add(offering)
        offering.add_done_callback(self._offering.discard)

    @property
    def counts(self) -> RunCounts:
        """The figures so far."""
        return self._statistics.counts

    def figures(self) -> dict[str, Any]:
        """Return the figures for the run's record."""
        return self.counts.as_dict()

    async def beat(self, run_id: int) -> None:
        """Give a sign of life, write the log, and count the queue."""
        await super().beat(run_id)
        await self._write_log(run_id)
        self._queue = (await self._database.run(self._frontier.counts)).left

    async def _write_log(self, run_id: int) -> None:
        if self._log is not None and (lines := self._log.take()):
            await self._database.run(partial(self._store.run_log.add, run_id, lines, now=datetime.now(UTC)))

    async def begin(self, leases: Leases) -> None:
        """Begin the run with its start URLs, and take in what earlier runs found out.

        Raises:
            PortalBusyError: the portal is being crawled by another process.
            StoreError: the database fails.
        """
        now = datetime.now(UTC)
        await super().begin(leases)
        run, frontier = self._record, self._frontier
        assert run is not None
        self._log = RunLogHandler(self._portal.name)
        patterns = await self._database.run(partial(self._store.patterns.of, self._portal.name))
        learned = await self._database.run(partial(self._store.patterns.learned_of, self._portal.name))
        self._statistics.profile.load(patterns, learned)
        self.removals = await self._database.run(self._store.rights.removals)
        waiting = (await self._database.run(frontier.counts)).waiting
        start = self.link_policy.start(tuple(canonicalize(url) for url in self._portal.start_urls))
        await self._database.run(partial(frontier.seed, start, now=now))
        if not run.resumed:
            await self._requeue_articles(frontier, now)
        await self._database.run(partial(self._seed_more, frontier, now))
        self._queue = (await self._database.run(frontier.counts)).waiting
        self._limits = limits_of(self._portal, await self._spent(run, now))
        if self._configuration.legal_basis:
            basis = self._configuration.legal_basis
            self.note(f"research under {basis}: reservations of text mining do not count for text analysis")
        self._send(run_started, portal=self._portal.name, run_id=run.id, resumed=run.resumed, waiting=waiting)

    def _seed_more(self, frontier: Frontier, now: datetime) -> None:
        """Put into the frontier what is to be looked at beside the start URLs."""

    async def _spent(self, run: RunRecord, now: datetime) -> Spent:
        """Return what earlier runs of this night have used of the portal's budgets."""
        began = night_began(now, ZoneInfo(self._portal.time_zone), self._portal.window)
        return await self._database.run(partial(spent_since, self._store.engine, self._portal.name, began, but_run=run.id))

    async def _requeue_articles(self, frontier: Frontier, now: datetime) -> None:
        """Requeue the articles that may have been corrected since they were fetched."""
        await self._database.run(partial(_requeue_articles, self._store, frontier, self._portal.name, now))

    # ------------------------------------------------------------------ for the scheduler

    def end_reason(self, *, at_best: int = 0) -> RunEnd | None:
        """Say why the run is to end: it was stopped, or a limit is reached; None: go on."""
        counts, seconds = self.counts, monotonic() - self._began
        progress = Progress(
            now=datetime.now(UTC), seconds=seconds, requests=counts.requests, bytes=counts.bytes,
            new_articles=counts.new_articles + at_best,
        )  # fmt: skip
        return self._ended_because or reached(self._limits, progress)

    def is_over(self) -> bool:
        """Whether the run's time is over, or it was stopped; limits of what it may fetch do not count for what is in hand."""
        nothing = Progress(now=datetime.now(UTC), seconds=monotonic() - self._began, requests=0, bytes=0, new_articles=0)
        return self.error is not None or reached(self._limits, nothing) is not None

    async def admit(self, claimed: ClaimedUrl) -> bool:
        """Count a request for a leased URL; False: all pages of its kind brought nothing, so it is completed without one."""
        detail = "its month is read" if self.link_policy.months.is_covered(claimed.url) else ""
        if not detail and not self._statistics.is_unproductive(claimed):
            self._statistics.count_request()
            return True
        self._statistics.skipped(claimed.url, names_pattern=not detail)
        item = FetchedUrl(claimed=claimed, fetched_at=datetime.now(UTC), state=UrlState.SKIPPED)
        if claimed.kind == FrontierKind.SITEMAP:  # which may bring something in another crawl
            item = replace(item, state=UrlState.DONE, outcome=UrlOutcome.UNCHANGED)
        await self._commits.add(item.refused(PageReason.UNPRODUCTIVE, detail))
        return False

    async def requeue(self) -> bool:
        """Requeue pages that were refused too early, or that no sitemap names any more; False: there are none."""
        return await self._requeue_refused() or await self._requeue_vanished()

    async def _requeue_refused(self) -> bool:
        """Requeue pages that were refused for what led to them, before their addresses were known as articles'; False: none."""
        fetched, profile = self.counts.pages, self._statistics.profile
        if fetched == self._looked_through or not profile.expects_articles():
            return False
        self._looked_through = fetched
        return await self._database.run(partial(self._frontier.requeue_refused, profile.expects_article)) > 0

    async def _requeue_vanished(self) -> bool:
        """Requeue, once in a run, the articles that no sitemap names any more; False: there are none."""
        if self._looked_for_vanished:
            return False
        self._looked_for_vanished = True
        return await self._database.run(self._frontier.requeue_vanished) > 0

    def request(self, claimed: ClaimedUrl) -> Request:
        """Return the request for a URL, as the spider makes it."""
        spider: Any = self._crawler.spider if self._crawler is not None else None
        request: Request = spider.request(claimed)
        return request

    def request_meta(self, claimed: ClaimedUrl) -> dict[str, Any]:  # noqa: ARG002  for collections
        """Return what goes along with the request for a URL, beside the URL itself."""
        return {}

    # ------------------------------------------------------------------ what happens

    def note(self, text: str, *, level: int = logging.WARNING) -> None:
        """Log something that the user should know of this run; it stands in its summary, too."""
        if text not in self._notes and len(self._notes) < MOST_NOTES:
            self._notes.append(text)
            logger.log(level, "%s: %s", self._portal.name, text)

    def waits(self, seconds: float, why: str) -> None:
        """Report how long nothing is requested, and why."""
        self.counts.waited[why] += round(seconds)
        self._send(run_waits, portal=self._portal.name, seconds=seconds, why=why)

    async def offer(self, found: tuple[FoundUrl, ...]) -> None:
        """Put URLs into the frontier that no page led to."""
        if found and self._record is not None:
            try:
                await self._database.run(partial(self._frontier.seed, found, now=datetime.now(UTC)))
                if self._leases is not None:
                    self._leases.wake()
            except NewscrawlerError as error:
                self.fail(error)

    async def claim(self, most: int) -> list[ClaimedUrl]:
        """Lease up to `most` URLs; for a sample one, as the next page may name better ones."""
        return await super().claim(1 if self._portal.articles_first else most)

    async def complete(self, item: FetchedUrl) -> None:
        """Commit what came of a URL: its state, its article and the links found on it, all together.

        The page itself is kept before that, unless it is to be fetched again.
        """
        assert self._leases is not None
        if self._portal.articles_first:
            item = replace(item, found=tuple(map(_as_sample, item.found)))
        self._obstacle = item.obstacle or self._obstacle
        if self.link_policy.is_external(item.claimed.url):  # one try; a host that pauses does not hold up the portal
            item = replace(item, pause=None, retry=replace(item.retry, transient=False))
        try:
            if item.pause is not None:
                await self._leases.pause_host(item.pause)
            committed = await self._commits.add(item)
        except NewscrawlerError:  # `fail` knows
            committed = Committed(url_id=item.claimed.id, written=False)
        self._leases.completed(item.claimed.id)
        if committed.written:
            await self.follow_up(item, committed)
            self._count(item, committed)

    def _count(self, item: FetchedUrl, committed: Committed) -> None:
        """Count a URL whose outcome is in the database, and announce it."""
        for note in item.notes:
            self.note(note)
        if committed.left_out:
            number = counted(committed.left_out, "article")
            self.note(f"{item.claimed.url}: {number} not taken on this visit, as so many already wait")
        self._statistics.add(item, committed)
        self._queue = max(0, self._queue + committed.fresh - (committed.state is not UrlState.WAITING))
        article = item.article if committed.article_id else None
        self._send(
            url_completed, portal=self._portal.name, url=item.claimed.url, progress=self._progress(), article=article,
            reason=str(item.reason) if item.reason is not None else None,
        )  # fmt: skip

    async def follow_up(self, item: FetchedUrl, committed: Committed) -> None:
        """Do what else follows from a URL whose outcome is in the database."""

    def _progress(self) -> RunProgress:
        seconds = monotonic() - self._began
        return RunProgress(counts=self.counts, seconds=seconds, queue=self._queue, delay_seconds=self._portal.delay_seconds)

    async def _write(self, items: list[FetchedUrl]) -> list[Committed]:
        profile = self._statistics.profile
        dating = dating_of(self._portal, profile.day_order)
        commit = partial(
            self._frontier.commit, patterns=profile.changes(), learned=profile.portal_changes(), dating=dating,
            counts=self.counts.as_dict(),
        )  # fmt: skip
        links = sum(len(each.found) for each in items)
        brief = links <= _MOST_BRIEFLY and (self._archive is None or self._archive.is_quick)
        write = keeping(items, self._archive, commit, delay_seconds=self._portal.delay_seconds)
        return await self._database.run(write, brief=brief)

    async def close(self, reason: str) -> RunSummary:
        """End the run; what is still in hand is given back."""
        if self._beating is not None:
            self._beating.cancel()
        await self._commits.finished()
        for offering in list(self._offering):
            await offering
        if self._archive is not None:  # whose run was taken over touches no files
            await self._database.run(partial(self._archive.close, self._store if self.error is None else None))
        waiting = 0
        if self._record is not None and not isinstance(self.error, StoreAwayError):
            try:
                await self._end(self._record, self._frontier, reason)
                await self._write_log(self._record.id)
                waiting = (await self._database.run(self._frontier.counts)).waiting
            except NewscrawlerError as error:
                self.fail(error)
        if self._log is not None:
            self._log.close()
        self._database.close()
        self.summary = self._summarise(self._because(reason), waiting)
        self._send(run_ended, summary=self.summary)
        if self._crawler is not None:
            for name, value in self.counts.as_dict().items():
                self._crawler.stats.set_value(f"run/{name}", value)
        if self._owns_store:
            self._store.close()
        return self.summary

    def _note_parameters(self) -> None:
        """Note which parameters of addresses were found to change nothing."""
        if idle := self._statistics.profile.parameters.idle:
            self.note(f"parameters that change nothing are removed from its addresses: {', '.join(sorted(idle))}")

    def _note_given_up(self) -> None:
        """Note the patterns of addresses that were given up, those with the most pages first."""
        self._statistics.add_passed_over()
        given_up = self.counts.given_up.most_common()
        named = [f"{pattern} ({count})" for pattern, count in given_up[:MOST_NAMED]]
        more = [f"{len(given_up) - MOST_NAMED} more, which `--json` names"] if len(given_up) > MOST_NAMED else []
        if named:
            listed = ", ".join(named + more)
            self.note(f"patterns given up, as their pages led to no article (URLs skipped): {listed}", level=logging.INFO)

    def _note_budget(self, because: RunEnd) -> None:
        """Note the rest of the queue when the budget of a night ends a run."""
        if because.word is EndReason.BUDGET and self._queue:
            keys = "`night_pages`, `night_megabytes`, `night_articles` and `night_minutes`"
            self.note(f"the budget of this night is used up: {counted(self._queue, 'URL')} wait for the next night; {keys} set it")

    async def _end(self, run: RunRecord, frontier: Frontier, reason: str) -> None:
        self._note_parameters()
        self._note_given_up()
        self._note_budget(self._because(reason))
        counts: dict[str, Any] = self.counts.as_dict()
        if self.error is None:
            profile = self._statistics.profile
            await self._database.run(partial(frontier.commit, [], profile.changes(), learned=profile.portal_changes()))
            counted = await self._database.run(frontier.run_articles)
            self._coverage = coverage_of(counted)
            self._has_articles = await self._database.run(lambda: self._store.articles.count(Selection(portal=run.portal)) > 0)
            counts |= {"coverage": self._coverage.as_dict(), "obstacle": str(self._obstacle) if self._obstacle else None}
        because = self._because(reason)
        await self._database.run(partial(self._store.runs.end, run.id, now=datetime.now(UTC), because=because, counts=counts))

    def _because(self, reason: str) -> RunEnd:
        if isinstance(self.error, PortalBusyError):
            return RunEnd(EndReason.BUSY, str(self.error))
        if self.error is not None:
            return RunEnd(EndReason.ERROR, str(self.error))
        if reason == "memusage_exceeded":
            detail = "the process uses more than service.max_memory allows; the next run goes on from here"
            return RunEnd(EndReason.MEMORY, detail)
        if self._ended_because is not None:
            return self._ended_because
        return FINISHED if reason == "finished" else INTERRUPTED

    def broken_off(self) -> RunSummary:
        """Summarise a run that a second signal ended before it could close; the next one takes its place."""
        return self._summarise(INTERRUPTED, 0)

    def _summarise(self, because: RunEnd, waiting: int) -> RunSummary:
        return RunSummary(
            portal=self._portal.name,
            run_id=self._record.id if self._record else 0,
            round=self._record.round if self._record else 0,
            ended_because=because,
            seconds=monotonic() - self._began,
            counts=self.counts,
            waiting=waiting,
            coverage=self._coverage,
            obstacle=self._obstacle,
            has_articles=self._has_articles,
            notes=tuple(self._notes),
        )


def _requeue_articles(store: Store, frontier: Frontier, portal: str, now: datetime) -> None:
    """Requeue articles for another visit, as many as the time since the last crawl allows."""
    recent = list(frontier.recent_articles(now - LOOKED_AFTER))
    began = [run.started_at for run in store.runs.latest(portal, limit=2)][1:]
    days = (now - began[0]) / timedelta(days=1) if began else 0.0
    frontier.requeue([recent[place].url_id for place in chosen(recent, now, days=days)])


def _as_sample(found: FoundUrl) -> FoundUrl:
    """Return a URL with an article's place before sitemaps and sections."""
    return replace(found, priority=PRIORITY["sample"]) if found.kind is FrontierKind.ARTICLE else found
