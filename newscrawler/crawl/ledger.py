"""Between the reactor and the database: lets URLs go, takes outcomes in, and knows when a run is over.

All statements run in one thread beside the reactor's, and outcomes that come in while a transaction is under way are
committed together in the next one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from time import monotonic
from typing import TypeVar

from newscrawler import __version__
from newscrawler.config.portal import Portal
from newscrawler.crawl.commits import GroupCommit
from newscrawler.crawl.following import PRIORITY
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.knowledge import Knowledge
from newscrawler.crawl.patience import Patience
from newscrawler.crawl.report import Report, RunCounts, RunSummary, estimate_dict
from newscrawler.discovery.completeness import Completeness, completeness_of
from newscrawler.discovery.revisit import next_look_seconds
from newscrawler.errors import NewscrawlerError, PageReason
from newscrawler.store import ClaimedUrl, Committed, FoundUrl, Frontier, PageOutcome, RecentArticle, Store
from newscrawler.urls.learned import Outcome

logger = logging.getLogger(__name__)
_T = TypeVar("_T")

MOST_TRIES = 3
#: A failure that may pass is tried again after this, doubled with each try.
FIRST_PAUSE_SECONDS = 2.0
#: Longer than this the run does not wait: the rest is for the next one.
LONGEST_WAIT_SECONDS = 120.0
HEARTBEAT_SECONDS = 15.0
#: Articles first seen before that are left alone.
LOOKED_AFTER = timedelta(days=60)
#: A sitemap with fewer articles is not taken for the list of all.
LEAST_LISTED = 30


class Ledger:
    """One run of one portal."""

    def __init__(self, store: Store, portal: Portal, report: Report, knowledge: Knowledge) -> None:
        self.counts = RunCounts()
        self._store = store
        self._portal = portal
        self._report = report
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"ledger-{portal.name}")
        self._frontier: Frontier | None = None
        self._run_id = 0
        self._round = 0
        self._patience = Patience()
        self._knowledge = knowledge
        self._in_hand: set[int] = set()
        self._changed = asyncio.Event()
        self._paused_until: datetime | None = None
        self._ended_because: str | None = None
        self._commits = GroupCommit(self._write, self.fail)
        self._beating: asyncio.Task[None] | None = None
        self._began = monotonic()
        self._estimate: Completeness | None = None
        self.summary: RunSummary | None = None
        self.error: NewscrawlerError | None = None

    # ------------------------------------------------------------------ begin and end

    async def open(self, start: tuple[FoundUrl, ...]) -> None:
        """Begin the run.

        Raises:
            StoreError: the portal is being crawled by another process, or the database fails.
        """
        now = datetime.now(UTC)
        run, frontier = await self._db(partial(self._store.runs.begin, self._portal.name, now=now, version=__version__))
        self._frontier, self._run_id, self._round = frontier, run.id, run.round
        self._knowledge.load(await self._db(partial(self._store.patterns.of, self._portal.name)))
        waiting = (await self._db(frontier.counts)).waiting
        await self._db(partial(frontier.seed, start, now=now))
        if not run.resumed:
            await self._look_again(frontier, now)
        self._report.started(self._portal.name, resumed=run.resumed, waiting=waiting)
        self._beating = asyncio.ensure_future(self._beat())

    async def _look_again(self, frontier: Frontier, now: datetime) -> None:
        """Let the articles wait that are due for a look at corrections: a few times in their first days."""
        recent = await self._db(partial(frontier.recent_articles, now - LOOKED_AFTER))
        due = [item.url_id for item in recent if _is_due(item, now)]
        await self._db(partial(frontier.look_again, due, priority=PRIORITY["look"]))

    async def offer(self, found: tuple[FoundUrl, ...]) -> None:
        """Put URLs into the frontier that no page led to."""
        if found and self._frontier is not None:
            try:
                await self._db(partial(self._frontier.seed, found, now=datetime.now(UTC)))
            except NewscrawlerError as error:
                self.fail(error)

    async def close(self, reason: str) -> RunSummary:
        """End the run; what is still in hand is given back."""
        if self._beating is not None:
            self._beating.cancel()
        await self._commits.finished()
        because = self._ended_because or ("interrupted" if reason != "finished" else "finished")
        waiting = 0
        if self._frontier is not None:
            try:
                await self._db(partial(self._frontier.commit, [], self._knowledge.changes()))
                self._estimate = completeness_of(await self._db(self._frontier.articles_by_source))
                counts = self.counts.as_dict() | ({"estimate": estimate_dict(self._estimate)} if self._estimate else {})
                now = datetime.now(UTC)
                await self._db(partial(self._store.runs.end, self._run_id, now=now, because=because, counts=counts))
                waiting = (await self._db(self._frontier.counts)).waiting
            except NewscrawlerError as error:
                self.fail(error)
                because = self._ended_because or because
        self._thread.shutdown(wait=False)
        self.summary = self._summarise(because, waiting)
        self._report.ended(self.summary)
        return self.summary

    def broken_off(self) -> RunSummary:
        """Summarise a run that a second signal ended before it could close; the next one takes its place."""
        return self._summarise("interrupted", 0)

    def _summarise(self, because: str, waiting: int) -> RunSummary:
        return RunSummary(
            portal=self._portal.name,
            run_id=self._run_id,
            round=self._round,
            ended_because=because,
            seconds=monotonic() - self._began,
            counts=self.counts,
            waiting=waiting,
            estimate=self._estimate,
        )

    # ------------------------------------------------------------------ letting URLs go

    async def claims(self) -> AsyncIterator[ClaimedUrl]:
        """Yield URLs as fast as they are dealt with; ends when nothing is left or a limit is reached."""
        at_once = 4 if self._portal.delay_seconds == 0 else 1
        buffer: deque[ClaimedUrl] = deque()
        while self._ended_because is None:
            self._ended_because = self._limit_reached()
            if self._ended_because:
                break
            if len(self._in_hand) >= at_once or self._articles_may_be_enough():
                await self._wait_for_change()
                continue
            if not buffer:
                buffer.extend(await self._claim(4 * at_once))
            if not buffer:
                if self._in_hand:
                    await self._wait_for_change()
                    continue
                if not await self._wait_for_retry():
                    break
                continue
            claimed = buffer.popleft()
            if self._patience.is_lost(claimed.url, claimed.kind, claimed.why):
                await self._give_up(claimed)
                continue
            await self._wait_for_pause()
            self._in_hand.add(claimed.id)
            self.counts.requests += 1
            yield claimed

    async def _claim(self, most: int) -> list[ClaimedUrl]:
        assert self._frontier is not None
        try:
            return await self._db(partial(self._frontier.claim, most, now=datetime.now(UTC)))
        except NewscrawlerError as error:
            self.fail(error)
            return []

    def _limit_reached(self) -> str | None:
        portal = self._portal
        if portal.max_pages is not None and self.counts.requests >= portal.max_pages:
            return f"limit: {portal.max_pages} pages"
        if portal.max_articles is not None and self.counts.new_articles >= portal.max_articles:
            return f"limit: {portal.max_articles} articles"
        if portal.max_minutes is not None and monotonic() - self._began >= portal.max_minutes * 60:
            return f"limit: {portal.max_minutes:g} minutes"
        return None

    def _articles_may_be_enough(self) -> bool:
        """What is in hand may fill the limit: wait and see."""
        most = self._portal.max_articles
        return bool(most is not None and self._in_hand and self.counts.new_articles + len(self._in_hand) >= most)

    async def _wait_for_change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    async def _wait_for_retry(self) -> bool:
        """Wait until something may be tried again; False: nothing, or not in this run."""
        assert self._frontier is not None
        due = await self._db(self._frontier.next_try_at)
        if due is None or self._ended_because:
            return False
        seconds = (due - datetime.now(UTC)).total_seconds()
        if seconds > LONGEST_WAIT_SECONDS:
            return False
        self._report.waits(self._portal.name, max(0.0, seconds), "to try again what failed")
        await asyncio.sleep(max(0.05, seconds))
        return True

    async def _wait_for_pause(self) -> None:
        while self._paused_until is not None:
            seconds = (self._paused_until - datetime.now(UTC)).total_seconds()
            if seconds <= 0:
                self._paused_until = None
                break
            self._report.waits(self._portal.name, seconds, "as the server asked")
            await asyncio.sleep(seconds)

    async def _give_up(self, claimed: ClaimedUrl) -> None:
        self.counts.skipped[PageReason.BARREN] += 1
        await self._commits.add(
            PageOutcome(url_id=claimed.id, state="skipped", reason=str(PageReason.BARREN), fetched_at=datetime.now(UTC))
        )

    # ------------------------------------------------------------------ taking outcomes in

    async def settle(self, item: FetchedUrl) -> None:
        """Commit what came of a URL: its state, its article and the links found on it, all together."""
        outcome = self._outcome(item)
        try:
            committed = await self._commits.add(outcome)
        except NewscrawlerError:
            committed = Committed(url_id=outcome.url_id, written=False)
        self._in_hand.discard(item.claimed.id)
        self._changed.set()
        if committed.written:
            self._count(item, outcome, committed)
            article = item.article if committed.article_id else None
            self._report.fetched(self._portal.name, item.claimed.url, self.counts, article=article, reason=outcome.reason)

    def _outcome(self, item: FetchedUrl) -> PageOutcome:
        now, tries, state, next_try_at = item.fetched_at, item.claimed.tries, item.state, None
        if state == "failed":
            tries += 1
        if item.transient:
            pause = max(item.retry_after_seconds or 0.0, max(self._portal.delay_seconds, FIRST_PAUSE_SECONDS) * 2 ** (tries - 1))
            if tries < MOST_TRIES:
                state, next_try_at = "waiting", now + timedelta(seconds=pause)
            if item.http_status in {429, 503}:
                self._paused_until = now + timedelta(seconds=min(pause, LONGEST_WAIT_SECONDS))
        return PageOutcome(
            url_id=item.claimed.id,
            state=state,
            outcome=item.outcome,
            http_status=item.http_status,
            reason=item.told,
            article=item.article,
            sketch=item.sketch,
            found=item.found if state == "done" else (),  # a page that is tried again is read again
            fetched_at=now,
            next_try_at=next_try_at,
            tries=0 if state == "done" else tries,
            etag=item.etag,
            last_modified=item.last_modified,
        )

    def _count(self, item: FetchedUrl, outcome: PageOutcome, committed: Committed) -> None:
        counts, claimed = self.counts, item.claimed
        counts.skipped.update(reason.partition(":")[0] for reason in committed.skipped)
        counts.bytes += item.size
        counts.new_articles += committed.article_id is not None
        counts.twins += committed.twin_of is not None
        counts.corrected += committed.corrected
        counts.similar += committed.similar_to is not None
        if outcome.state == "waiting":
            counts.retries += 1
            return
        if outcome.state == "failed":
            counts.failed[str(item.reason)] += 1
            return
        if outcome.state == "skipped":
            counts.skipped[str(item.reason)] += 1
            return
        counts.pages += (item.http_status == 200) + item.parts
        counts.requests += item.parts
        counts.listings += item.outcome == "listing"
        counts.unchanged += item.outcome == "unchanged"
        counts.redirects += item.outcome == "redirect"
        if item.reason is not None and item.outcome != "listing":
            counts.refused[str(item.reason)] += 1
        fruitful = item.outcome in {"article", "redirect", "unchanged"} or committed.fresh_articles > 0
        self._patience.listed |= claimed.kind == "sitemap" and len(item.found) >= LEAST_LISTED
        self._patience.linked(url.url for url in item.found if url.why == "pagination")
        if item.outcome in {"article", "listing", "nothing"} and claimed.kind in {"article", "section", "other"}:
            self._knowledge.saw(claimed.url, _shown(item, committed), fresh=committed.fresh_articles)
        self._patience.note(claimed.url, claimed.kind, claimed.why, fruitful=fruitful)

    async def _write(self, outcomes: list[PageOutcome]) -> list[Committed]:
        assert self._frontier is not None
        return await self._db(partial(self._frontier.commit, outcomes, self._knowledge.changes()))

    def fail(self, error: NewscrawlerError) -> None:
        """End the run, because the database cannot be used; what was committed stays."""
        if self.error is None:
            self.error = error
            self._ended_because = f"error: {error}"
            logger.error("%s: %s", self._portal.name, error)
        self._changed.set()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            beat = partial(self._store.runs.heartbeat, self._run_id, now=datetime.now(UTC), counts=self.counts.as_dict())
            try:
                await self._db(beat)
            except NewscrawlerError as error:
                self.fail(error)

    async def _db(self, call: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)


def _is_due(item: RecentArticle, now: datetime) -> bool:
    seconds = next_look_seconds(
        published_at=item.published_at,
        first_seen_at=item.first_seen_at,
        looked_at=item.looked_at,
        changes=item.changes,
        now=now,
    )
    return seconds == 0.0


def _shown(item: FetchedUrl, committed: Committed) -> Outcome:
    """What a page turned out to be; one without text counts as a listing only if it is one by its looks or brought something."""
    if item.outcome == "article":
        return Outcome.ARTICLE
    if item.reason is PageReason.LISTING or committed.fresh_articles:
        return Outcome.LISTING
    return Outcome.NEITHER
