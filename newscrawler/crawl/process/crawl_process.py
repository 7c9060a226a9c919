"""Crawl portals in this process, several at once, and end cleanly on a signal."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from math import inf
from typing import Any

import scrapy.core.downloader.contextfactory  # noqa: F401  it inspects all frames that import it: .2 s less here than in the reactor
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.settings import SETTINGS_PRIORITIES, Settings
from scrapy.utils.misc import load_object
from twisted.logger import globalLogBeginner

from newscrawler.config import Backfill, Collection, Configuration, Portal
from newscrawler.corpus import purge_withdrawn, recognise_entities
from newscrawler.crawl.browser import PROCESSOR_TIME
from newscrawler.crawl.components.settings import TWISTED_DNS_RESOLVER, project_settings
from newscrawler.crawl.components.signals import run_ended, run_started, run_waits, url_completed
from newscrawler.crawl.components.spider import PortalSpider
from newscrawler.crawl.hosts.shared_hosts import SharedHosts
from newscrawler.crawl.process.memory import keep_memory_together, measure_private_mib
from newscrawler.crawl.process.threads import READING, Watchdog
from newscrawler.crawl.reading.learning import learn_after
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.report import Report, RunSummary
from newscrawler.errors import NewscrawlerError, counted
from newscrawler.extraction import read_record
from newscrawler.extraction.batch import collect_rarely
from newscrawler.limits import MEMORY_WALL, OUTAGE_SECONDS, SHUTDOWN_SECONDS
from newscrawler.store import Store, open_store, wait_until_unlocked
from newscrawler.store.articles import Selection
from newscrawler.store.vocabularies import INTERRUPTED

logger = logging.getLogger(__name__)


#: Portals that one process crawls at the same time.
MOST_AT_ONCE = 8
#: Memory for each portal beyond the first, in MiB.
_MEMORY_OF_ANOTHER = 64


class _NoCertificates(logging.Filter):
    """Drop Twisted's messages about certificates, which are reported as reasons of URLs."""

    def filter(self, record: logging.LogRecord) -> bool:
        return "while verifying certificate" not in record.getMessage()


def quiet_twisted() -> None:
    """Keep Twisted from writing to standard error; its records in Python's logging stay."""
    logger = logging.getLogger("twisted")
    if not any(isinstance(known, _NoCertificates) for known in logger.filters):
        logger.addFilter(_NoCertificates())
        globalLogBeginner.beginLoggingTo([], redirectStandardIO=False, discardBuffer=True)


class _CrawlerProcess(AsyncCrawlerProcess):
    """Scrapy's process, which also reports a signal to stop and starts queued crawls."""

    def __init__(self, report: Report) -> None:
        quiet_twisted()
        super().__init__({"LOG_ENABLED": False, "LOG_INSTALL_ROOT_HANDLER": False, "TWISTED_DNS_RESOLVER": TWISTED_DNS_RESOLVER})
        self._report = report
        self._waiting: deque[Callable[[], asyncio.Task[None]]] = deque()

    def queue(self, begin: Callable[[], asyncio.Task[None]]) -> None:
        """Begin a crawl when one that is under way has ended."""
        self._waiting.append(begin)

    def begin_next(self, *_: object) -> None:
        """Begin the crawl that has waited longest, unless the process ends."""
        if self._waiting:
            self._waiting.popleft()().add_done_callback(self.begin_next)

    def _signal_shutdown(self, signum: int, frame: Any) -> None:
        self._waiting.clear()
        super()._signal_shutdown(signum, frame)
        from twisted.internet import reactor

        reactor.callFromThread(SharedHosts.stop_waiting)
        reactor.callFromThread(READING.end)
        reactor.callFromThread(self._report.stopping)
        reactor.callFromThread(reactor.callLater, SHUTDOWN_SECONDS, self._stop_reactor)


def crawl_portals(
    configuration: Configuration, portals: Sequence[Portal], *, report: Report, hosts_database: str | None = None,
    at_once: int | None = None, guarded: bool = False,
) -> list[RunSummary]:  # fmt: skip
    """Crawl portals until each queue is empty, a limit is reached, or the process receives a signal to stop.

    SIGINT or SIGTERM ends the runs after the requests under way; a second one ends at once. Either way nothing committed
    is lost, and the next call continues where this one stopped.

    Args:
        configuration: says which database, and who we are.
        portals: to crawl.
        report: receives events.
        hosts_database: database of host slots and robots.txt, if not the configuration's.
        at_once: portals crawled at the same time; others wait, and other processes may crawl them meanwhile.
        guarded: have a process kill this one if Python does not run after a signal or a deadline; not for a child of a service.

    Raises:
        PortalBusyError: other processes crawl all of these portals.
        StoreError: the database cannot be opened or written.
    """
    wait_until_unlocked(configuration.database_url, seconds=OUTAGE_SECONDS, report=logger.warning)
    with open_store(configuration.database_url) as store:
        keep_memory_together()
        with collect_rarely(), _restore_handlers():
            hosts_database = hosts_database or configuration.database_url
            ended, errors = _crawl(store, configuration, portals, report, hosts_database, at_once or MOST_AT_ONCE, guarded=guarded)
        summaries = list(_learn_after_runs(store, configuration, portals, ended))
        if len(summaries) == 1 and not errors:  # the cost of several runs cannot be divided; a run that was lost is another's
            store.runs.note_cost(summaries[0].run_id, cpu_seconds=PROCESSOR_TIME.seconds(), memory_mib=measure_private_mib())
    if errors and len(errors) == len(portals):
        raise errors[0]
    return summaries


def _learn_after_runs(
    store: Store, configuration: Configuration, portals: Sequence[Portal], ended: Sequence[RunSummary]
) -> Iterator[RunSummary]:
    """Learn from each run in turn, until the user interrupts."""
    interrupted = False
    for portal, summary in zip(portals, ended, strict=True):
        try:
            yield summary if interrupted else _end(store, configuration, portal, summary)
        except KeyboardInterrupt:
            interrupted = True
            note = "interrupted while learning from its pages; all that was crawled is kept"
            yield replace(summary, ended_because=INTERRUPTED, notes=(*summary.notes, note))


def _end(store: Store, configuration: Configuration, portal: Portal, summary: RunSummary) -> RunSummary:
    """Learn from a run, remove withdrawn articles, and find the entities of new ones."""
    learned = learn_after(store, configuration, portal, summary)
    return _recognise(store, configuration, _purge_withdrawn(store, configuration, learned))


def _recognise(store: Store, configuration: Configuration, summary: RunSummary) -> RunSummary:
    """Find the entities of a portal's new articles by the configured recognisers; a failure is a note in the summary."""
    notes = []
    for name in configuration.recognisers:
        try:
            done = recognise_entities(store, name, Selection(portal=summary.portal))
        except NewscrawlerError as error:
            notes.append(f"no persons and places were found in new articles: {error}")
        else:
            number = f"{counted(len(done.failed), 'new article')} of {summary.portal}"
            notes += [f"{name} failed on {number}, first on {done.failed[0][0]}: {done.failed[0][1]}"] if done.failed else []
    return replace(summary, notes=(*summary.notes, *notes)) if notes else summary


def _purge_withdrawn(store: Store, configuration: Configuration, summary: RunSummary) -> RunSummary:
    """Remove withdrawn articles if the configuration says so, with a note in the summary."""
    removed = purge_withdrawn(store, configuration, summary.portal, now=datetime.now(UTC))
    note = f"{counted(removed, 'stored article')} removed, as the publisher has withdrawn what it published"
    return replace(summary, notes=(*summary.notes, note)) if removed else summary


@contextmanager
def _restore_handlers() -> Iterator[None]:
    """Restore the previous signal handlers, as Scrapy's do nothing once its reactor has ended.

    The memory of the crawls is freed before learning. A signal during that time is deferred: raised within the garbage
    collector, it would be lost.
    """
    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in (signal.SIGINT, signal.SIGTERM)}
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield
        gc.collect()
        return
    late: list[int] = []
    try:
        yield
    finally:
        for number in before:
            signal.signal(number, lambda number, _: late.append(number))
        gc.collect()
        for number, handler in before.items():
            signal.signal(number, handler)
        if late:
            signal.raise_signal(late[0])


def _crawl(
    store: Store,
    configuration: Configuration,
    portals: Sequence[Portal],
    report: Report,
    hosts_database: str,
    at_once: int,
    *,
    guarded: bool,
) -> tuple[list[RunSummary], list[NewscrawlerError]]:
    """Crawl, and return summaries and errors; nothing else of the runs stays in memory."""
    process = _CrawlerProcess(report)
    memory = configuration.service.max_memory + _MEMORY_OF_ANOTHER * (min(at_once, len(portals)) - 1)
    settings = project_settings()
    settings.set("HOSTS_DATABASE", hosts_database, priority="cmdline")
    settings.set("MEMUSAGE_LIMIT_MB", memory, priority="cmdline")
    runs = [_make_run(store, configuration, portal) for portal in portals]
    for run in runs:
        process.queue(partial(_begin, process, run, settings, report))
    for _ in range(at_once):
        process.begin_next()
    with _limit_memory(memory), _guard(portals) if guarded else nullcontext():
        process.start()
    SharedHosts.close_all()
    return [run.summary or run.summarize_interrupted() for run in runs], [run.error for run in runs if run.error]


@contextmanager
def _guard(portals: Sequence[Portal]) -> Iterator[None]:
    """Have a process kill this one if Python is held up after a signal, or when the time of the shortest run is over."""
    from twisted.internet import reactor
    from twisted.internet.task import LoopingCall

    with Watchdog(60 * min((portal.max_minutes or inf for portal in portals), default=inf)) as watchdog:
        beating = LoopingCall(watchdog.note_life)
        reactor.callWhenRunning(beating.start, 1.0)
        yield


def _make_run(store: Store, configuration: Configuration, portal: Portal) -> CrawlRun:
    if isinstance(portal, Collection):
        from newscrawler.crawl.collections.run import CollectionRun  # only where there are collections

        return CollectionRun(store, configuration, portal)
    if isinstance(portal, Backfill):
        from newscrawler.crawl.backfill.run import BackfillRun  # only where there are backfills

        return BackfillRun(store, configuration, portal)
    return CrawlRun(store, configuration, portal)


def _begin(process: _CrawlerProcess, run: CrawlRun, settings: Settings, report: Report) -> asyncio.Task[None]:
    """Begin to crawl one portal."""
    crawler = Crawler(PortalSpider, settings)
    handlers = (
        (report.started, run_started),
        (report.fetched, url_completed),
        (report.waits, run_waits),
        (report.ended, run_ended),
    )
    for handler, sent in handlers:
        crawler.signals.connect(_make_receiver(handler), signal=sent, weak=False)
    return process.crawl(crawler, run=run)


def _make_receiver(handler: Callable[..., None]) -> Callable[..., None]:
    """Return a receiver that passes all arguments of a signal; the dispatcher itself omits keyword-only ones."""

    def call(**facts: Any) -> None:
        handler(**{name: value for name, value in facts.items() if name not in {"signal", "sender"}})

    return call


@contextmanager
def _limit_memory(memory_mib: int) -> Iterator[None]:
    """Limit the memory of the process to a multiple of this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wall = MEMORY_WALL * memory_mib * 2**20
    if soft != resource.RLIM_INFINITY:
        wall = min(wall, soft)
    resource.setrlimit(resource.RLIMIT_DATA, (wall, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


#: Modules that libraries import at first use; not the reactor, as each process installs its own.
_LATE = ("twisted.internet.asyncioreactor", "sqlalchemy.dialects.sqlite", "sqlalchemy.dialects.postgresql.psycopg")
_PAGE = """<html lang="en"><head><title>Council opens the new bridge</title></head><body><article>
<h1>Council opens the new bridge</h1><p class="byline">By Jane Example, 2 November 2026</p>
<p>The council opened the new bridge on Monday, after two years of work that cost nine million.</p>
</article></body></html>"""


def preload() -> None:
    """Import all components, and read a page, which loads models and languages."""
    settings = project_settings()
    for path in _list_components(settings):
        load_object(path)
    for module in _LATE:
        import_module(module)
    read_record(_PAGE, "https://www.example.org/2026/11/02/bridge.html")


def _list_components(settings: Settings) -> Iterator[str]:
    """Yield the paths of the classes that our settings name and use."""
    for name in settings:
        if settings.getpriority(name) != SETTINGS_PRIORITIES["project"]:
            continue
        value = settings[name]
        used = [each for pair in value.items() if pair[1] is not None for each in pair] if hasattr(value, "items") else [value]
        yield from (each for each in used if isinstance(each, str) and each.startswith(("newscrawler.", "scrapy.")))
