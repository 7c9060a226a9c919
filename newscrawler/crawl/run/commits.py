"""Commit outcomes in groups: a transaction costs as much as half of a page's rows.

An outcome waits up to 0.2 s for others while more URLs are leased. Outcomes that arrive during a transaction go into the
next one. The call that commits an outcome writes its page to a WARC file first: a separate thread took half a millisecond more of
CPU time a page. If writing fails, that is logged once, and the crawl continues without the files.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

from newscrawler import __version__
from newscrawler.article import FROM_FEED
from newscrawler.config import Configuration, Portal
from newscrawler.crawl.run.items import FINAL, JUDGED, FetchedUrl, is_last_try
from newscrawler.discovery import (
    LONGEST_SECONDS,
    MOST_VISITS,
    PRIOR_SECONDS,
    PRIOR_SECONDS_FAR,
    PRIORITY,
    ListingVisit,
    compute_next_visit_seconds,
    estimate_articles_per_day,
)
from newscrawler.errors import NewscrawlerError, PageReason, StoreError
from newscrawler.extraction.dates import DateContext, DateHint, PortalCalendar, choose_seen_date, read_url_day
from newscrawler.store import Store
from newscrawler.store.archive import ArchiveLimits, ObjectFolder, PageLocation, PagesFolder, clean_up, mend, writer_for
from newscrawler.store.frontier import SECTION_HINT, Committed, Dating, LeasedUrl, NextVisit, PageOutcome, SeenDate
from newscrawler.store.vocabularies import FrontierKind, PagePart, UrlOutcome, UrlState

logger = logging.getLogger(__name__)

#: Outcomes that are enough for a transaction; below the four URLs that a run leases, so that work goes on meanwhile.
ENOUGH = 3
_LONGEST_WAIT_SECONDS = 0.2


class GroupCommit:
    """Pass outcomes to `write` in groups, and return to each caller its own result."""

    def __init__(
        self,
        write: Callable[[list[FetchedUrl]], Awaitable[list[Committed]]],
        on_error: Callable[[NewscrawlerError], None],
        in_hand: Callable[[], int] = lambda: 0,
    ) -> None:
        """Make it; `write` commits outcomes, and `on_error` gets the reason if that fails.

        `in_hand` returns the number of leased URLs without a committed outcome, those waiting here included.
        """
        self._write = write
        self._on_error = on_error
        self._in_hand = in_hand
        self._late: asyncio.TimerHandle | None = None
        self._pending: deque[tuple[FetchedUrl, asyncio.Future[Committed]]] = deque()
        self._writing: asyncio.Task[None] | None = None

    async def add(self, item: FetchedUrl) -> Committed:
        """Wait until an outcome is in the database.

        Raises:
            NewscrawlerError: the commit failed for good.
        """
        future: asyncio.Future[Committed] = asyncio.get_running_loop().create_future()
        self._pending.append((item, future))
        if len(self._pending) >= min(ENOUGH, self._in_hand()):
            self._begin()
        elif self._late is None:
            self._late = asyncio.get_running_loop().call_later(_LONGEST_WAIT_SECONDS, self._begin)
        return await future

    def _begin(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if self._writing is None or self._writing.done():
            self._writing = asyncio.ensure_future(self._drain())

    async def finish(self) -> None:
        """Wait until nothing is under way."""
        if self._pending:
            self._begin()
        if self._writing is not None:
            await self._writing

    async def _drain(self) -> None:
        while self._pending:
            batch = list(self._pending)
            self._pending.clear()
            try:
                done = await self._write([item for item, _ in batch])
            except Exception as error:  # any error, as callers wait for their result
                ours = error if isinstance(error, NewscrawlerError) else StoreError(f"{type(error).__name__}: {error}")
                logger.debug("a commit failed", exc_info=error)
                self._on_error(ours)
                for _, future in batch:
                    if not future.done():
                        future.set_exception(ours)
                continue
            for (_, future), committed in zip(batch, done, strict=True):
                if not future.done():
                    future.set_result(committed)


#: Pause before a retry, doubled with each try up to the longest, unless the server asks for more.
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
#: Pauses, in hours, between visits that brought nothing: from the first after a failure, from a later one after an answer without
#: the page, from the next after a page that is not an article.
RESTS = tuple(timedelta(hours=hours) for hours in (1 / 6, 1, 6, 12, 36, 72, 144, 288, 576))
_AFTER_ANSWER, _AFTER_PAGE = 3, 4
RESTS_AFTER_PAGE = RESTS[_AFTER_PAGE:]
_LISTINGS = frozenset({FrontierKind.START, FrontierKind.SECTION, FrontierKind.FEED, FrontierKind.SITEMAP})
#: Larger lists count as heavy, and are visited less often.
HEAVY_BYTES = 1024 * 1024


def make_outcome(item: FetchedUrl, *, delay_seconds: float, pages: tuple[tuple[PageLocation, str | None], ...] = ()) -> PageOutcome:
    """Return the outcome that is written of a URL, with the places of its archived pages.

    `delay_seconds`: of the portal; the shortest pause before a retry.
    """
    lease, tries, state, next_try_at = item.lease, item.lease.tries, item.state, None
    is_article = lease.kind == FrontierKind.ARTICLE
    if state is UrlState.FAILED and item.retry.blameless:
        state, next_try_at = UrlState.WAITING, item.fetched_at + timedelta(seconds=item.pause.seconds) if item.pause else None
    elif state is UrlState.FAILED:
        tries += 1
        visits = 0 if lease.is_stored else lease.empty_visits if is_article else max(0, tries - item.retry.most_tries)
        if not is_last_try(item):
            state = UrlState.WAITING
            next_try_at = item.fetched_at + timedelta(seconds=pause_seconds(item, delay_seconds=delay_seconds))
        else:
            next_try_at = item.fetched_at + RESTS[min(visits, len(RESTS) - 1)]
            tries = 0 if is_article or lease.kind == FrontierKind.START else tries
    elif (first := _find_first_rest(item)) is not None:
        next_try_at = item.fetched_at + RESTS[min(first + (lease.empty_visits if is_article else tries), len(RESTS) - 1)]
        tries = 0 if is_article else tries + 1
    else:
        tries = 0
    return replace(
        item,
        url_id=item.lease.id,
        state=state,
        found=item.found if state is UrlState.DONE else (),  # a page that is retried is read again
        next_try_at=next_try_at,
        tries=tries,
        heavy=item.size > HEAVY_BYTES,
        pages=pages,
        hints=item.lease.hints,
        plan=plan_visit(item),
    )


def _find_first_rest(item: FetchedUrl) -> int | None:
    """Return the place in `RESTS` of the first pause of a URL that brought nothing; None: it is not tried again."""
    lease = item.lease
    if lease.kind in _LISTINGS - {FrontierKind.START}:
        is_known = any(fresh for _, fresh in lease.visits) and item.word is not PageReason.UNPRODUCTIVE
        return _AFTER_ANSWER if item.outcome is UrlOutcome.NOTHING and (item.says_nothing or is_known) else None
    if item.article is not None and item.article.method == FROM_FEED:  # its page may be there later
        return _AFTER_ANSWER
    if lease.kind == FrontierKind.OTHER and item.says_nothing and item.state is UrlState.DONE:
        return _AFTER_ANSWER
    if lease.kind != FrontierKind.ARTICLE or item.article is not None or item.anchored or lease.is_stored or item.word in FINAL:
        return None
    if item.state is UrlState.SKIPPED:  # nothing was requested
        return _AFTER_PAGE if item.word is PageReason.UNPRODUCTIVE else _AFTER_ANSWER
    if item.word not in JUDGED and item.outcome is not UrlOutcome.UNCHANGED:
        return _AFTER_ANSWER
    return _AFTER_PAGE if lease.is_listed or lease.empty_visits else None


def pause_seconds(item: FetchedUrl, *, delay_seconds: float) -> float:
    """Return the pause before a retry in this run: as long as the server asks, or longer with each try."""
    first = max(delay_seconds, FIRST_PAUSE_SECONDS)
    doubled = min(1.5 * first * 2.0**item.lease.tries, max(first, LONGEST_PAUSE_SECONDS))  # other URLs come before it
    return float(max(item.retry.after_seconds or 0.0, item.pause.seconds if item.pause else 0.0, doubled))


_PARAMETER = re.compile(r"[?&][^=&]*=")
#: Depth from which a section counts as far.
_FAR = 2
#: (new articles a day, added to the priority of a section); the first that is reached.
_PENALTIES = ((3.0, 0), (1.0, 3), (0.3, 6), (0.1, 10), (0.0, 14))


def plan_visit(item: FetchedUrl) -> Callable[[int], NextVisit] | None:
    """Return the function from new articles to the next visit; None: no listing."""
    lease, at = item.lease, item.fetched_at
    if item.state is not UrlState.DONE or lease.kind not in _LISTINGS or lease.why == "pagination":
        return None
    if item.word is PageReason.UNPRODUCTIVE:  # it was not fetched
        postponed = NextVisit(at=at + timedelta(seconds=LONGEST_SECONDS), visits=lease.visits)
        return lambda _: postponed

    def plan(fresh: int) -> NextVisit:
        visits = [*(ListingVisit(at=earlier, fresh=each) for earlier, each in lease.visits), ListingVisit(at=at, fresh=fresh)][
            -MOST_VISITS:
        ]
        prior = PRIOR_SECONDS_FAR if lease.depth >= _FAR else PRIOR_SECONDS
        wait = compute_next_visit_seconds(visits, at, prior_seconds=prior)
        is_over = lease.kind != FrontierKind.START and _is_of_past(lease.url, at)
        if item.outcome is UrlOutcome.NOTHING or is_over:  # a usual URL without a feed, a list without articles
            wait = LONGEST_SECONDS
        rate = estimate_articles_per_day(visits, at, prior_seconds=prior)
        return NextVisit(
            at=at + timedelta(seconds=wait),
            visits=tuple((visit.at, visit.fresh) for visit in visits),
            priority=_compute_priority(lease, rate, fresh),
            is_over=is_over,
        )

    return plan


def _is_of_past(url: str, at: datetime) -> bool:
    """Return whether a list is that of a day or month that was over two days ago, to which nothing is added."""
    period = read_url_day(f"{_PARAMETER.sub('/', url)}/")
    return period is not None and period[1] + timedelta(days=2) < at


def _compute_priority(lease: LeasedUrl, rate: float, fresh: int) -> int | None:
    """Return the priority of a listing at its next visit; None: as before."""
    if lease.kind == FrontierKind.SECTION:
        return PRIORITY["section"] + next(more for least, more in _PENALTIES if rate >= least)
    if lease.kind == FrontierKind.SITEMAP and lease.depth:  # of an index, new sitemaps come before old months
        return PRIORITY["sitemap" if fresh else "quiet sitemap"]
    return None


def prepare_write(
    items: Sequence[FetchedUrl], archive: PageArchive | None, commit: Callable[[list[PageOutcome]], list[Committed]], *,
    delay_seconds: float,
) -> Callable[[], list[Committed]]:  # fmt: skip
    """Return a call that writes the pages of URLs, then commits the outcomes.

    A repeated call, after the database was away, writes no page twice.
    """

    @cache
    def outcomes() -> list[PageOutcome]:
        return [
            make_outcome(item, delay_seconds=delay_seconds, pages=archive.keep(item) if archive is not None else ())
            for item in items
        ]

    return lambda: commit(outcomes())


class PageArchive:
    """Writer of the pages of one run; for one thread at a time.

    Attributes:
        begun: the first page was written; that call may take long, as it repairs files that a killed run left incomplete.
    """

    def __init__(self, folder: PagesFolder, portal: Portal, *, contact: str | None = None) -> None:
        self._folder = folder
        self._portal = portal
        info = {"software": f"newscrawler/{__version__}", "isPartOf": portal.name, "operator": contact or ""}
        self._writer = writer_for(folder, portal.queue, info=info)
        self.begun = False
        self._failed = False

    @classmethod
    def open_archive(cls, configuration: Configuration, portal: Portal) -> PageArchive | None:
        """Return the archive of a portal; None: its pages are not kept.

        Raises:
            ConfigError: the object store of its pages cannot be used.
        """
        if not portal.keep_pages:
            return None
        folder = configuration.pages_folder
        if isinstance(folder, ObjectFolder):
            try:
                folder.check()
            except OSError as error:
                logger.warning("%s: pages may not be kept: %s: %s", portal.name, folder, error.strerror or error)
        return cls(folder, portal, contact=configuration.contact)

    @property
    def is_quick(self) -> bool:
        """Return whether the next pages are written without waiting for a network or a repair."""
        return self.begun and not isinstance(self._folder, ObjectFolder)

    def keep(self, item: FetchedUrl) -> tuple[tuple[PageLocation, str | None], ...]:
        """Write the pages of a URL, unless it is fetched again.

        Returns:
            The place and the outcome of each page; nothing after the disk failed.
        """
        if self._failed or not item.raw or item.state is not UrlState.DONE:
            return ()
        try:
            if not self.begun:  # this process owns the run, so the one that wrote half a page has ended
                mend(self._folder, self._portal.queue)
                self.begun = True
            # of records of one address, a reader of the file takes the last
            sources = [(self._writer.write(page), PagePart.SOURCE) for page in item.sources]
            kinds = (item.outcome, *(PagePart.PART for _ in item.raw[1:]))
            written = [(self._writer.write(page), kind) for page, kind in zip(item.raw, kinds, strict=True)]
        except OSError as error:
            self._failed = True
            logger.warning("%s: pages are not kept any more: %s: %s", self._portal.name, self._folder, error.strerror or error)
            return ()
        return (*written, *sources)

    def close(self, store: Store | None) -> None:
        """Close the file, and delete pages beyond their retention; without a store nothing is deleted."""
        portal = self._portal
        try:
            self._writer.close()
            if store is None:
                return
            retention = ArchiveLimits(days=portal.keep_pages_days, megabytes=portal.keep_pages_megabytes)
            clean_up(store.pages, self._folder, portal.name, retention, now=datetime.now(UTC))
        except (OSError, StoreError) as error:
            logger.warning("%s: old pages could not be dropped: %s", portal.name, error)


def make_dating(portal: Portal, calendar: PortalCalendar) -> Dating:
    """Return the function that picks a date from an article's hints; `calendar` is how the portal writes dates."""
    base = DateContext(time_zone=portal.time_zone, language=portal.language, calendar=calendar)

    def choose_date(hints: Iterable[Sequence[str]], fetched_at: datetime) -> SeenDate | None:
        said = tuple(DateHint(source=source, text=text) for source, text in hints if source != SECTION_HINT)
        if not said:
            return None
        chosen = choose_seen_date(replace(base, fetched_at=fetched_at, hints=said))
        if chosen is None:
            return None
        return SeenDate(
            published_at=chosen.value, precision=str(chosen.precision), source=chosen.source, offset_given=chosen.offset_given
        )

    return choose_date
