"""One run of one portal: its state, its handlers of the crawler's signals, and all that it writes.

`scheduler` leases its URLs, `limits` ends it, `commits` writes outcomes in groups, `run_statistics` counts and learns, `threads`
calls the database in a thread and waits while it is away.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Coroutine, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any, Self
from zoneinfo import ZoneInfo

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from newscrawler.config import Configuration, Portal, check_contact
from newscrawler.crawl.collections.filing import NewsFilter
from newscrawler.crawl.components.addon import choose_portal, read_configuration
from newscrawler.crawl.components.rights import make_page_rights
from newscrawler.crawl.components.settings import make_portal_settings
from newscrawler.crawl.components.signals import robots_known, run_ended, run_started, run_waits, slot_waits, url_completed
from newscrawler.crawl.hosts.failures import StoppingError, StuckError
from newscrawler.crawl.hosts.origin_files import RobotsEntry
from newscrawler.crawl.policy.limits import Limit, find_reached_limit, list_limits
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.process.threads import READING, run_in_reading_thread
from newscrawler.crawl.reading.learning import learn_early, make_extraction_options
from newscrawler.crawl.reading.responses import record_fault
from newscrawler.crawl.run.commits import RESTS_AFTER_PAGE, GroupCommit, PageArchive, make_dating, prepare_write
from newscrawler.crawl.run.frontier_run import FrontierRun, Revisits
from newscrawler.crawl.run.items import LEASE, FetchedUrl
from newscrawler.crawl.run.report import RunCounts, RunSummary
from newscrawler.crawl.run.run_statistics import RunLogHandler, RunStatistics
from newscrawler.discovery import PRIORITY, estimate_coverage
from newscrawler.errors import NewscrawlerError, PageReason, PortalBusyError, StoreAwayError
from newscrawler.politeness import find_night_start
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Removal, Selection
from newscrawler.store.frontier import Committed, FoundUrl, Frontier, LeasedUrl
from newscrawler.store.service import BudgetUse, RunRecord, sum_budget_use
from newscrawler.store.vocabularies import FINISHED, INTERRUPTED, EndReason, FrontierKind, RunEnd, UrlOutcome, UrlState

logger = logging.getLogger(__name__)

#: URLs leased at once, and so the most that are fetched again after a power failure.
MOST_IN_HAND, MOST_IN_HAND_WITH_DELAY = 4, 1
#: Links that are written in the reactor's thread; a sitemap may bring 50,000.
_MOST_BRIEFLY = 2_000
#: New articles of a portal without a template after which one is learned; it is learned from as many, held-out ones included.
_ENOUGH_TO_LEARN = 36


class CrawlRun(FrontierRun):
    """One run of one portal.

    Attributes:
        portal: its configuration.
        link_policy: which links go into the frontier.
        reading: how pages are read.
        rights: reads reservations of the publisher.
        news_filter: refuses pages that are not news; None: no filter.
        removals: removals that operators had requested when the run began.
        summary: None until it has ended.
    """

    def __init__(self, store: Store, configuration: Configuration, portal: Portal, *, owns_store: bool = False) -> None:
        """Make it; it begins when its spider starts, and closes the store at the end if it owns it."""
        super().__init__(portal.queue, store)
        self.configuration = configuration
        self._portal = self.portal = portal
        self.most_in_hand = MOST_IN_HAND if portal.delay_seconds == 0 else MOST_IN_HAND_WITH_DELAY
        if portal.articles_first:  # nothing is leased before a page that may name articles is read
            self.most_in_hand = 1
        self._limits: tuple[Limit, ...] = ()
        #: Lists of URLs that are being read.
        self._lists: set[int] = set()
        self._owns_store = owns_store
        self._crawler: Crawler | None = None
        self.link_policy = self._make_link_policy()
        self.reading = make_extraction_options(portal, store)
        self.rights = make_page_rights(portal, configuration)
        self._archive = PageArchive.open_archive(configuration, portal)
        self._statistics = RunStatistics(portal, self.link_policy.profile)
        self._revisits = Revisits(portal.name, store, self._database, self.link_policy.profile)
        self._commits = GroupCommit(self._write, self.fail, lambda: len(self.in_hand))
        self.summary: RunSummary | None = None
        self.news_filter: NewsFilter | None = None
        self.removals: Sequence[Removal] = ()
        self._working: set[asyncio.Task[None]] = set()
        self._learning: asyncio.Task[None] | None = None
        self._log: RunLogHandler | None = None
        self._watching: asyncio.Task[None] | None = None

    def _make_link_policy(self) -> LinkPolicy:
        return LinkPolicy.of(self._portal, today=datetime.now(UTC).date())

    @classmethod
    def from_arguments(cls, *, portal: str | None, url: str | None, contact: str | None, keys: Mapping[str, Any]) -> Self:
        """Make it from the arguments and settings of `scrapy crawl portal`, by the configuration of the current folder.

        Raises:
            ConfigError: the portal or a contact is missing.
            StoreError: the database cannot be opened.
        """
        configuration = read_configuration()
        if contact:
            configuration = configuration.model_copy(update={"contact": check_contact(contact)})
        chosen = choose_portal(configuration, portal=portal, url=url, keys=keys)
        return cls(open_store(configuration.database_url), configuration, chosen, owns_store=True)

    def make_settings(self) -> dict[str, Any]:
        """Return the portal's settings of Scrapy."""
        return make_portal_settings(self._portal, self.configuration)

    def connect(self, crawler: Crawler) -> None:
        """Connect to the signals of a crawler."""
        self._crawler = crawler
        for handler, signal in (
            (self.close, signals.spider_closed),
            (self._record_fault, signals.spider_error),
            (self._record_fault, signals.item_error),
            (self._note_robots, robots_known),
            (self.report_wait, slot_waits),
        ):
            crawler.signals.connect(handler, signal=signal)

    async def find_unknown_urls(self, urls: Collection[str]) -> set[str]:
        """Return those of some canonical URLs that are not in the frontier."""
        return await self._database.run(self._frontier.unknown, urls)

    def _send(self, signal: object, **facts: Any) -> None:
        if self._crawler is not None:
            self._crawler.signals.send_catch_log(signal, **facts)

    def _record_fault(self, failure: Failure, response: Response | Failure) -> None:
        """Record an error of our code as the outcome, so that its URL does not stay leased."""
        lease = response.request.meta[LEASE]  # type: ignore[union-attr]
        logger.error("fault at %s: %s", lease.url, failure.getTraceback())
        self._start(self.complete(record_fault(lease, failure.value)))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Begin work that a signal asks for, whose senders wait for no coroutine."""
        task = asyncio.ensure_future(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)

    def _note_robots(self, entry: RobotsEntry) -> None:
        """Note a Crawl-delay beyond the limit, and put the sitemaps into the frontier."""
        if entry.capped:
            self.note(entry.capped)
        self._start(self.offer(self.link_policy.admit_sitemaps(entry.rules.sitemaps, entry.file.url)))

    @property
    def counts(self) -> RunCounts:
        """Return the figures so far."""
        return self._statistics.counts

    def get_figures(self) -> dict[str, Any]:
        """Return the figures for the run's record."""
        return self.counts.as_dict()

    async def send_heartbeat(self, run_id: int) -> None:
        """Send a heartbeat, write the log, and count the queue."""
        await super().send_heartbeat(run_id)
        await self._write_log(run_id)
        self._statistics.queue = (await self._database.run(self._frontier.counts)).left

    async def _write_log(self, run_id: int) -> None:
        if self._log is not None and (lines := self._log.take()):
            await self._database.run(self._store.run_log.add, run_id, lines, now=datetime.now(UTC))

    async def begin(self) -> None:
        """Begin the run with its start URLs, and load the knowledge of earlier runs.

        Raises:
            PortalBusyError: the portal is being crawled by another process.
            StoreError: the database fails.
        """
        now = datetime.now(UTC)
        await super().begin()
        self._watching = asyncio.ensure_future(self._watch())
        run, frontier = self._record, self._frontier
        assert run is not None
        self._log = RunLogHandler(self._portal.name)
        patterns = await self._database.run(self._store.patterns.of, self._portal.queue)
        learned = await self._database.run(self._store.patterns.learned_of, self._portal.queue)
        if not patterns:  # a backfill begins with those of the portal's own crawl
            patterns = await self._database.run(self._store.patterns.of, self._portal.name)
            learned = learned or await self._database.run(self._store.patterns.learned_of, self._portal.name)
        self._statistics.profile.load(patterns, learned)
        if self._statistics.profile.has_twins:
            known = await self._database.run(self._store.patterns.addresses_of, self._portal.queue)
            self._statistics.profile.recall(known)
        self.removals = await self._database.run(self._store.rights.removals)
        waiting = (await self._database.run(frontier.counts)).waiting
        await self._database.run(frontier.seed, self.link_policy.start(), now=now)
        if not run.resumed:
            await self._requeue_articles(frontier, now)
        await self._database.run(self._seed_more, frontier, now)
        self._statistics.queue = (await self._database.run(frontier.counts)).waiting
        began = find_night_start(now, ZoneInfo(self._portal.time_zone), self._portal.window)
        spent = await self._database.run(sum_budget_use, self._store.engine, self._portal.queue, began, but_run=run.id)
        self._limits = list_limits(self._portal, spent)
        if self.configuration.intent.legal_basis:
            basis = self.configuration.intent.legal_basis
            self.note(f"research under {basis}: reservations of text mining do not count for text analysis")
        self._send(run_started, portal=self._portal.name, run_id=run.id, resumed=run.resumed, waiting=waiting)

    async def _watch(self) -> None:
        """Have a page left on which the reading thread is stuck: soon, once the time of the run is over."""
        while True:
            await asyncio.sleep(1.0)
            READING.leave(is_over=self.is_over())

    def _seed_more(self, frontier: Frontier, now: datetime) -> None:
        """Put further URLs into the frontier, for collections."""

    async def _requeue_articles(self, frontier: Frontier, now: datetime) -> None:
        """Requeue articles that may have been corrected since they were fetched."""
        await self._database.run(self._revisits.requeue_corrected, frontier, now)

    def end_reason(self, *, at_best: int = 0) -> RunEnd | None:
        """Return why the run is to end: it was stopped, or a limit is reached; None: go on."""
        counts, seconds = self.counts, self._statistics.seconds
        used = BudgetUse(pages=counts.requests, bytes=counts.bytes, seconds=seconds, articles=counts.new_articles + at_best)
        return self._ended_because or find_reached_limit(self._limits, used, datetime.now(UTC))

    def is_over(self) -> bool:
        """Return whether the run's time is over or it has failed; other limits do not apply to requests under way."""
        time = BudgetUse(seconds=self._statistics.seconds)
        return self.error is not None or find_reached_limit(self._limits, time, datetime.now(UTC)) is not None

    async def admit(self, lease: LeasedUrl) -> bool:
        """Count a request for a leased URL; False: pages of its kind are unproductive, so it is skipped."""
        detail = self.link_policy.get_reason_to_skip(lease.url)
        if not detail and not self._statistics.is_unproductive(lease):
            self.counts.requests += 1
            return True
        self._statistics.count_skipped(lease.url, names_pattern=not detail)
        item = FetchedUrl(lease=lease, fetched_at=datetime.now(UTC), state=UrlState.SKIPPED)
        if lease.kind == FrontierKind.SITEMAP:  # it may be productive in another crawl
            item = replace(item, state=UrlState.DONE, outcome=UrlOutcome.UNCHANGED)
        is_twin = self._statistics.is_twin(lease)
        await self._commits.add(item.refuse(PageReason.TWIN if is_twin else PageReason.UNPRODUCTIVE, detail))
        if not (detail or is_twin):
            await self._skip_alike(lease)
        return False

    async def _skip_alike(self, lease: LeasedUrl) -> None:
        """Skip all waiting URLs of the shape of a skipped one in one step, if there are many."""
        alike = self._statistics.find_alike(lease)
        if alike is None:
            return
        skip = self._frontier.skip_waiting
        count = await self._database.run(skip, lease, *alike, now=datetime.now(UTC), rests=RESTS_AFTER_PAGE)
        self._statistics.count_skipped(lease.url, count, names_pattern=True)
        self._statistics.queue = max(0, self._statistics.queue - count)

    async def requeue(self) -> bool:
        """Requeue pages that were refused too early or that sitemaps no longer list; False: there are none."""
        return await self._revisits.requeue(self._frontier, self.counts.pages)

    def make_request(self, lease: LeasedUrl) -> Request:
        """Return the request for a URL, as the spider makes it."""
        spider: Any = self._crawler.spider if self._crawler is not None else None
        request: Request = spider.make_request(lease)
        return request

    def make_request_meta(self, lease: LeasedUrl) -> dict[str, Any]:  # noqa: ARG002  for collections
        """Return further meta of the request for a URL."""
        return {}

    def note(self, text: str) -> None:
        """Log something that the user should know of this run, and keep it for the summary."""
        self._statistics.note(text)

    def report_wait(self, seconds: float, why: str) -> None:
        """Report a wait, with its reason."""
        self.counts.waited[why.partition(" (")[0]] += round(seconds)
        self._send(run_waits, portal=self._portal.name, seconds=seconds, why=why)

    async def offer(self, found: tuple[FoundUrl, ...]) -> None:
        """Put URLs that no page led to into the frontier."""
        if found and self._record is not None:
            try:
                await self._database.run(self._frontier.seed, found, now=datetime.now(UTC))
                self.changed.set()
            except NewscrawlerError as error:
                self.fail(error)

    async def lease_urls(self, most: int) -> list[LeasedUrl]:
        """Lease up to `most` URLs: one with `articles_first`, as the next page may name better ones; with limits, lists first.

        While a list is being read, a run with limits leases no articles: it may name newer ones.
        """
        most = 1 if self._portal.articles_first else most
        if not self._limits:
            return await super().lease_urls(most)
        lists = await self._lease(most, before=PRIORITY["fresh"])
        self._lists = {each.id for each in lists} | (self._lists & self.in_hand)
        return lists if self._lists else await super().lease_urls(most)

    async def complete(self, item: FetchedUrl) -> None:
        """Commit the outcome of a URL: its state, its article and its links together.

        The page is written to the archive before, unless it is fetched again.
        """
        if self._portal.articles_first:
            item = replace(item, found=tuple(map(_prioritize_sample, item.found)))
        self._statistics.front_page_problem = item.front_page_problem or self._statistics.front_page_problem
        if self.link_policy.is_external(item.lease.url):  # one try; a host that pauses does not stop the portal
            item = replace(item, pause=None, retry=replace(item.retry, transient=False))
        try:
            if item.pause is not None:
                await self.pause_host(item.pause)
            committed = await self._commits.add(item)
        except NewscrawlerError:  # `fail` was called
            committed = Committed(url_id=item.lease.id, written=False)
        self.release(item.lease.id)
        if committed.written:
            await self.follow_up(item, committed)
            self._count(item, committed)

    def _count(self, item: FetchedUrl, committed: Committed) -> None:
        """Count a URL whose outcome is in the database, and announce it."""
        self._statistics.add(item, committed)
        article = item.article if committed.article_id else None
        self._send(
            url_completed, portal=self._portal.name, url=item.lease.url, progress=self._statistics.make_progress(), article=article,
            reason=str(item.reason) if item.reason is not None else None,
        )  # fmt: skip
        if self._learning is None and self.counts.new_articles >= _ENOUGH_TO_LEARN and self._may_learn_early():
            self._learning = asyncio.ensure_future(run_in_reading_thread(self._learn_early))

    def _may_learn_early(self) -> bool:
        """Return whether the portal has no template yet, and the pages to learn one from can be read without a network."""
        has_template = self.reading.template is not None or self._portal.method != "default"
        return self._portal.learn and not has_template and self._archive is not None and self._archive.is_quick

    def _learn_early(self) -> None:
        """Learn a template in the reading thread, which uses it from the next page on."""
        assert self._record is not None
        self.reading = learn_early(self._store, self.configuration, self._portal, self._record.round)

    async def follow_up(self, item: FetchedUrl, committed: Committed) -> None:
        """Do further work for a committed URL, for collections."""

    async def _write(self, items: list[FetchedUrl]) -> list[Committed]:
        profile = self._statistics.profile
        dating = make_dating(self._portal, profile.calendar)
        commit = partial(
            self._frontier.commit, patterns=profile.take_changes(), learned=profile.take_portal_changes(), dating=dating,
            counts=self.get_figures(),
        )  # fmt: skip
        links = sum(len(each.found) for each in items)
        brief = links <= _MOST_BRIEFLY and (self._archive is None or self._archive.is_quick)
        write = prepare_write(items, self._archive, commit, delay_seconds=self._portal.delay_seconds)
        return await (self._database.run_briefly(write) if brief else self._database.run(write))

    async def close(self, reason: str) -> RunSummary:
        """End the run, and release the URLs that are still leased."""
        if self._beating is not None:
            self._beating.cancel()
        await self._commits.finish()
        for task in list(self._working):
            await task
        if self._learning is not None:
            with suppress(StoppingError, StuckError):
                await self._learning
        if self._archive is not None:  # a run that another process has taken over touches no files
            await self._database.run(self._archive.close, self._store if self.error is None else None)
        for note in chain(self.link_policy.scope.get_notes(), *(source.get_notes() for source in self.link_policy.sources)):
            self.note(note)
        waiting = await self._end_record(reason)
        if self._log is not None:
            self._log.close()
        if self._watching is not None:
            self._watching.cancel()
        self._database.close()
        self.summary = self._statistics.summarize(self._record, self._explain_end(reason), waiting)
        self._send(run_ended, summary=self.summary)
        if self._crawler is not None:
            for name, value in self.summary.stats().items():
                self._crawler.stats.set_value(name, value)
        if self._owns_store:
            self._store.close()
        return self.summary

    async def _end_record(self, reason: str) -> int:
        """End the run's record, and return how many URLs wait."""
        if self._record is None or isinstance(self.error, StoreAwayError):
            return 0
        try:
            await self._end(self._record, self._frontier, reason)
            await self._write_log(self._record.id)
            return (await self._database.run(self._frontier.counts)).waiting
        except NewscrawlerError as error:
            self.fail(error)
            return 0

    def _select_articles(self) -> Selection:
        """Select the articles that this run and earlier ones have found."""
        return Selection(portal=self.portal.name)

    async def _end(self, run: RunRecord, frontier: Frontier, reason: str) -> None:
        self._statistics.note_ending(self._explain_end(reason))
        counts = self.get_figures()
        if self.error is None:
            profile = self._statistics.profile
            await self._database.run(frontier.commit, [], profile.take_changes(), learned=profile.take_portal_changes())
            counted = await self._database.run(frontier.run_articles)
            known, coverage = self._statistics, estimate_coverage(counted)
            known.coverage = coverage
            known.has_articles = await self._database.run(lambda: self._store.articles.count(self._select_articles()) > 0)
            counts |= {
                "coverage": coverage.as_dict(),
                "obstacle": str(known.front_page_problem) if known.front_page_problem else None,
            }
        because = self._explain_end(reason)
        await self._database.run(self._store.runs.end, run.id, now=datetime.now(UTC), because=because, counts=counts)

    def _explain_end(self, reason: str) -> RunEnd:
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

    def summarize_interrupted(self) -> RunSummary:
        """Return the summary of a run that a second signal ended before it closed; the next run continues it."""
        return self._statistics.summarize(self._record, INTERRUPTED, 0)


def _prioritize_sample(found: FoundUrl) -> FoundUrl:
    """Return an article's URL with a priority before sitemaps and sections."""
    return replace(found, priority=PRIORITY["sample"]) if found.kind is FrontierKind.ARTICLE else found
