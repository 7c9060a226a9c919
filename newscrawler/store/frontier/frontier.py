"""The frontier: the URLs of a portal with their states; each page's outcome is written in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Integer, bindparam, func, or_, select, update

from newscrawler.article import Article
from newscrawler.discovery import RunArticles
from newscrawler.errors import PageReason
from newscrawler.store.archive.pages import add_pages
from newscrawler.store.articles.article_intake import Kept, correct_article, note_answer, store_article
from newscrawler.store.articles.names import add_names
from newscrawler.store.articles.rights import is_removed, save_said
from newscrawler.store.database import translated
from newscrawler.store.frontier.better_known import better_known, let_wait
from newscrawler.store.frontier.frontier_records import (
    LOOK_PRIORITY,
    Committed,
    Dating,
    FoundUrl,
    FrontierCounts,
    LeasedUrl,
    NextVisit,
    PageOutcome,
    RecentArticle,
)
from newscrawler.store.frontier.intake import Intake, url_hash
from newscrawler.store.frontier.late_dates import READ_AGAIN, dated_meanwhile
from newscrawler.store.frontier.leases import fence, keep_counts, release_leases
from newscrawler.store.frontier.patterns import save_learned, save_patterns
from newscrawler.store.frontier.rounds import QUIET_LISTS, credit_index, wake_listings
from newscrawler.store.service.run_articles import run_articles, vanished_articles
from newscrawler.store.tables import ARTICLE, FRONTIER
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState, reason_values

_CHUNK = 400
#: Not found, gone, unavailable for legal reasons.
_GONE = (404, 410, 451)
#: A list with more URLs than the frontier accepts is read again after this.
CAPACITY_AFTER = timedelta(days=7)
# Statements that run for every page are built once: building them costs more than running them.
_NEXT = (
    select(
        FRONTIER.c.id, FRONTIER.c.url, FRONTIER.c.kind, FRONTIER.c.kind_reason.label("why"), FRONTIER.c.depth,
        FRONTIER.c.redirects.label("hops"), FRONTIER.c.attempts.label("tries"), FRONTIER.c.etag, FRONTIER.c.last_modified,
        FRONTIER.c.outcome, FRONTIER.c.hints, FRONTIER.c.visits,
    )
    .where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.state == UrlState.WAITING))
    .where(FRONTIER.c.retry_at.is_(None) | (FRONTIER.c.retry_at <= bindparam("now")))
    .order_by(FRONTIER.c.priority, FRONTIER.c.id)
    .limit(bindparam("most", type_=Integer))
    .with_for_update(skip_locked=True)
)  # fmt: skip
_TAKE = (
    update(FRONTIER)
    .where(FRONTIER.c.id.in_(bindparam("ids", expanding=True)))
    .values(state=UrlState.FETCHING, run_id=bindparam("run"))
)
_HELD = (
    select(
        FRONTIER.c.id, FRONTIER.c.kind, FRONTIER.c.article_id, FRONTIER.c.fetched_at, FRONTIER.c.empty_visits,
        FRONTIER.c.redirects, FRONTIER.c.found_on_id,
    )
    .where((FRONTIER.c.id == bindparam("which")) & (FRONTIER.c.run_id == bindparam("run")))
    .where(FRONTIER.c.state == UrlState.FETCHING)
    .with_for_update()
)  # fmt: skip
_REDIRECTED = select(FRONTIER.c.article_id).where(
    (FRONTIER.c.id == bindparam("which")) & (FRONTIER.c.outcome == UrlOutcome.REDIRECT)
)
_COMPLETE = update(FRONTIER).where(FRONTIER.c.id == bindparam("which"))


class Frontier:
    """The URLs of one portal, for one run."""

    def __init__(self, engine: Engine, *, portal_id: int, run_id: int, round_number: int) -> None:
        self._engine = engine
        self._portal_id = portal_id
        self._run_id = run_id
        self._round = round_number
        self._intake = Intake(portal_id=portal_id, round_number=round_number)
        #: Numbers of new articles and pages committed by this run.
        self._stored = self._pages = 0
        #: Ids of the WARC files that this run writes, by path.
        self._files: dict[str, int] = {}

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Open a transaction of this run.

        Raises:
            LeaseLostError: another process has taken the run over.
        """
        try:
            with translated(self._engine), self._engine.begin() as connection:
                fence(connection, self._run_id)
                yield connection
        except BaseException:
            self._intake.forget()  # rolled back URLs are not stored
            self._files.clear()
            raise

    def seed(self, found: Iterable[FoundUrl], *, now: datetime) -> int:
        """Add the start URLs and begin the round's revisits; return the number of new URLs."""
        with self._writing() as connection:
            return self._intake.add(connection, tuple(found), found_on=None, now=now).fresh

    def claim(self, most: int, *, now: datetime) -> list[LeasedUrl]:
        """Claim up to `most` URLs by priority; this run leases them until their outcome is committed."""
        with self._writing() as connection:
            rows = connection.execute(_NEXT, {"portal": self._portal_id, "now": now, "most": most})
            claimed = [_claimed(row) for row in rows]
            if claimed:
                connection.execute(_TAKE, {"ids": [item.id for item in claimed], "run": self._run_id})
        return claimed

    def commit(
        self,
        outcomes: Sequence[PageOutcome],
        patterns: Sequence[Mapping[str, Any]] = (),
        learned: Mapping[str, Any] | None = None,
        dating: Dating | None = None,
        counts: Mapping[str, Any] | None = None,
    ) -> list[Committed]:
        """Write outcomes, articles and found URLs in one transaction; outcomes of unclaimed URLs are ignored.

        Args:
            outcomes: outcomes of claimed URLs.
            patterns: counts learned for URL patterns.
            learned: facts about the whole portal; None: unchanged.
            dating: chooses the date of an article whose page has none; None: it stays without a date.
            counts: the run's figures before these outcomes; stored too, so that they survive a kill.

        Raises:
            LeaseLostError: another process has taken the run over; nothing is written.
        """
        with self._writing() as connection:
            save_patterns(connection, self._portal_id, patterns)
            save_learned(connection, self._portal_id, learned)
            add_names(connection, [article for outcome in outcomes for article in _articles_of(outcome)])
            done = [self._commit_one(connection, outcome, dating) for outcome in outcomes]
            stored = self._stored + sum((each.article_id is not None) + each.anchored for each in done)
            pages = self._pages + sum(outcome.http_status == 200 for outcome in outcomes)
            if counts is not None:
                keep_counts(connection, self._run_id, {**counts, "new_articles": stored, "pages": pages}, now=datetime.now(UTC))
        self._stored, self._pages = stored, pages
        return done

    def release(self) -> None:
        """Release the claimed URLs, so that the next run can claim them."""
        with self._writing() as connection:
            release_leases(connection, [self._run_id])

    def postpone(self, host: str, *, until: datetime, reason: Reason) -> None:
        """Postpone all waiting URLs of a host until a time."""
        name = f"[{host}]" if ":" in host else host
        of_host = or_(
            *(FRONTIER.c.url.startswith(f"{scheme}://{name}{end}", autoescape=True) for scheme in ("http", "https") for end in "/:")
        )
        waits = (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING) & of_host
        earlier = FRONTIER.c.retry_at.is_(None) | (FRONTIER.c.retry_at < until)
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(update(FRONTIER).where(waits & earlier).values(retry_at=until, **reason_values(reason)))

    def next_try_at(self) -> datetime | None:
        """Return when the earliest waiting URL may be retried."""
        query = select(func.min(FRONTIER.c.retry_at)).where(
            (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING)
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return connection.execute(query).scalar()

    def unknown(self, urls: Collection[str]) -> set[str]:
        """Return the canonical URLs that are not in the frontier in any state."""
        by_hash = {url_hash(url): url for url in urls}
        hashes, known = list(by_hash), set()
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            for start in range(0, len(hashes), _CHUNK):
                among = FRONTIER.c.url_hash.in_(hashes[start : start + _CHUNK])
                query = select(FRONTIER.c.url_hash).where((FRONTIER.c.portal_id == self._portal_id) & among)
                known |= {bytes(found) for found in connection.execute(query).scalars()}
        return {url for key, url in by_hash.items() if key not in known}

    def counts(self) -> FrontierCounts:
        """Count the portal's URLs by state."""
        query = select(FRONTIER.c.state, func.count()).where(FRONTIER.c.portal_id == self._portal_id).group_by(FRONTIER.c.state)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return FrontierCounts(by_state={state: number for state, number in connection.execute(query)})  # noqa: C416

    def run_articles(self) -> RunArticles:
        """Return the counts that show how complete the round is."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return run_articles(connection, self._portal_id, self._round)

    def recent_articles(self, since: datetime) -> Iterator[RecentArticle]:
        """Yield, in constant memory, the articles first seen since a time, with the data that decides on revisits."""
        query = (
            select(
                FRONTIER.c.id.label("url_id"),
                FRONTIER.c.found_at.label("first_seen_at"),
                FRONTIER.c.fetched_at.label("looked_at"),
                ARTICLE.c.published_at,
                ARTICLE.c.corrected_at,
            )
            .join(ARTICLE, ARTICLE.c.id == FRONTIER.c.article_id)
            .where(
                (FRONTIER.c.portal_id == self._portal_id)
                & (FRONTIER.c.state == UrlState.DONE)
                & ((FRONTIER.c.outcome == UrlOutcome.ARTICLE) | _withdrawn())
                & (FRONTIER.c.found_at >= since)
                & (FRONTIER.c.url == ARTICLE.c.url)  # not its twins
            )
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True, yield_per=_CHUNK) as connection:
            for row in connection.execute(query):
                yield RecentArticle(**row._mapping)  # noqa: SLF001

    def requeue_vanished(self) -> int:
        """Requeue articles that have disappeared from sitemaps since the last visit; return how many."""
        with self._writing() as connection:
            vanished = vanished_articles(connection, self._portal_id, self._round)
        self.requeue(vanished)
        return len(vanished)

    def requeue(self, url_ids: Sequence[int]) -> None:
        """Requeue articles."""
        with self._writing() as connection:
            for start in range(0, len(url_ids), _CHUNK):
                connection.execute(
                    update(FRONTIER)
                    .where(FRONTIER.c.id.in_(url_ids[start : start + _CHUNK]) & (FRONTIER.c.state == UrlState.DONE))
                    .values(state=UrlState.WAITING, retry_at=None, priority=LOOK_PRIORITY)
                )

    def look_again(self, urls: Sequence[str], states: Iterable[UrlState]) -> None:
        """Requeue URLs in one of these states that were not fetched in this round."""
        keys, chosen = [url_hash(url) for url in urls], sorted(states)
        with self._writing() as connection:
            for start in range(0, len(keys), _CHUNK):
                connection.execute(
                    update(FRONTIER)
                    .where((FRONTIER.c.portal_id == self._portal_id) & FRONTIER.c.url_hash.in_(keys[start : start + _CHUNK]))
                    .where(FRONTIER.c.state.in_(chosen) & (FRONTIER.c.round < self._round))
                    .values(state=UrlState.WAITING, retry_at=None, attempts=0, etag=None, last_modified=None)
                )

    def leave_lists(self, wanted: Container[str]) -> None:
        """Take feeds and pages of results that wait, but are not wanted by this run, out of the queue."""
        waits = (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING)
        lists = waits & (FRONTIER.c.kind == FrontierKind.FEED) & (FRONTIER.c.redirects == 0)
        with self._writing() as connection:
            found = connection.execute(select(FRONTIER.c.id, FRONTIER.c.url).where(lists))
            left = [{"which": row.id} for row in found if row.url not in wanted]
            if left:
                connection.execute(_COMPLETE.values(state=UrlState.DONE), left)

    def read_again(self, urls: Sequence[str]) -> None:
        """Requeue pages in this round for an unconditional fetch."""
        keys = [url_hash(url) for url in urls]
        with self._writing() as connection:
            for start in range(0, len(keys), _CHUNK):
                connection.execute(
                    update(FRONTIER)
                    .where((FRONTIER.c.portal_id == self._portal_id) & FRONTIER.c.url_hash.in_(keys[start : start + _CHUNK]))
                    .where(FRONTIER.c.state == UrlState.DONE)
                    .values(state=UrlState.WAITING, retry_at=None, etag=None, last_modified=None, priority=LOOK_PRIORITY)
                )

    def requeue_refused(self, expected: Callable[[str], bool]) -> int:
        """Requeue, once each, refused pages whose URLs are now `expected` to be those of articles.

        Returns:
            The number of requeued pages.
        """
        with translated(self._engine), self._engine.connect().execution_options(reading=True, yield_per=_CHUNK) as connection:
            chosen = better_known(connection, self._portal_id, expected)
        if not chosen:
            return 0
        with self._writing() as connection:
            return let_wait(connection, chosen)

    def _commit_one(self, connection: Connection, outcome: PageOutcome, dating: Dating | None) -> Committed:
        held = connection.execute(_HELD, {"which": outcome.url_id, "run": self._run_id}).first()
        if held is None:
            return Committed(url_id=outcome.url_id, written=False)
        if outcome.article is not None and is_removed(connection, outcome.article):
            reason = Reason(PageReason.REMOVED, outcome.article.canonical_url or "")
            outcome = replace(outcome, article=None, outcome=UrlOutcome.NOTHING, reason=reason, pages=())
        kept = Kept()
        keeps_earlier = outcome.said is None or outcome.said.keeps_copies
        if outcome.article is not None and held.article_id is not None:
            corrected = correct_article(connection, held.article_id, outcome.article, keeps_earlier=keeps_earlier)
            kept = Kept(corrected=corrected)
        elif outcome.article is not None:
            moved = connection.execute(_REDIRECTED, {"which": held.found_on_id}).scalar() if held.redirects else None
            kept = store_article(
                connection, self._portal_id, outcome.article, outcome.sketch, moved=moved, keeps_earlier=keeps_earlier
            )
        anchored = self._store_anchored(connection, outcome, keeps_earlier=keeps_earlier)
        article_id = held.article_id or kept.id or kept.twin_of
        if (status := _answered(outcome, known=held.article_id is not None)) is not None and article_id is not None:
            note_answer(connection, article_id, status, gone=_is_gone(outcome), at=outcome.fetched_at)
        add_pages(
            connection, portal_id=self._portal_id, round_number=self._round, pages=outcome.pages,
            reason=outcome.reason,
            article_id=article_id, reading=outcome.reading, files=self._files,
        )  # fmt: skip
        if outcome.said is not None and (outcome.said.reservations or held.fetched_at is not None):
            save_said(connection, self._portal_id, outcome.url_id, outcome.said, now=outcome.fetched_at)
        added = self._intake.add(connection, outcome.found, found_on=outcome.url_id, now=outcome.fetched_at, dating=dating)
        values: dict[str, Any] = {
            "state": outcome.state,
            "outcome": outcome.outcome,
            "http_status": outcome.http_status,
            **reason_values(outcome.reason),
            "attempts": outcome.tries,
            "fetched_at": outcome.fetched_at,
            "retry_at": outcome.next_try_at,
            "new_articles": added.fresh_articles + anchored,
            "round": self._round,
            "run_id": None,
        }
        if outcome.state == UrlState.DONE and outcome.outcome != UrlOutcome.UNCHANGED:
            values |= {"etag": _bounded(outcome.etag, 300), "last_modified": _bounded(outcome.last_modified, 60)}
        if outcome.outcome in {UrlOutcome.LISTING, UrlOutcome.UNCHANGED}:
            unproductive = max(held.empty_visits + 1, QUIET_LISTS if outcome.heavy else 0)
            values["empty_visits"] = 0 if added.fresh_articles + anchored else unproductive
        if outcome.plan is not None:
            values |= _planned(outcome.plan(added.fresh_articles + anchored))
        if added.left_out:  # read the whole list again when the frontier accepts more
            values |= {"etag": None, "last_modified": None, "revisit_at": outcome.fetched_at + CAPACITY_AFTER}
        if added.fresh_articles and held.kind in {FrontierKind.START, FrontierKind.FEED, FrontierKind.SITEMAP}:
            wake_listings(connection, self._portal_id, self._round)
            credit_index(connection, held.kind, held.found_on_id)
        if outcome.outcome == UrlOutcome.UNCHANGED:  # keeps the earlier outcome
            del values["outcome"]
        if kept.id or kept.twin_of:
            values["article_id"] = article_id
        meanwhile = dated_meanwhile(connection, self._portal_id, outcome, article_id, dating)
        if meanwhile.read_again:
            values |= READ_AGAIN
        connection.execute(_COMPLETE, values | {"which": outcome.url_id})
        return Committed(
            url_id=outcome.url_id,
            state=outcome.state,
            article_id=kept.id,
            anchored=anchored,
            twin_of=kept.twin_of,
            fresh=added.fresh,
            fresh_articles=added.fresh_articles + anchored,
            skipped=added.skipped,
            corrected=kept.corrected,
            similar_to=kept.similar_to,
            dated=added.dated + (meanwhile.dated if kept.id else 0),
            left_out=added.left_out,
        )

    def _store_anchored(self, connection: Connection, outcome: PageOutcome, *, keeps_earlier: bool) -> int:
        """Store or correct the articles of a page of several; return the number of new ones."""
        fresh = 0
        for article, sketch in outcome.anchored:
            if is_removed(connection, article):
                continue
            kept = store_article(connection, self._portal_id, article, sketch, keeps_earlier=keeps_earlier)
            if kept.twin_of is not None and not kept.corrected:
                correct_article(connection, kept.twin_of, article, keeps_earlier=keeps_earlier)
            fresh += kept.id is not None
        return fresh


def _articles_of(outcome: PageOutcome) -> list[Article]:
    own = [outcome.article] if outcome.article is not None else []
    return own + [article for article, _ in outcome.anchored]


def _withdrawn() -> ColumnElement[bool]:
    """Return the condition that an article was withdrawn or is gone: a revisit confirms it."""
    gone = (FRONTIER.c.reason == PageReason.SOFT_404) | FRONTIER.c.http_status.in_(_GONE)
    return FRONTIER.c.reason.in_((PageReason.NOINDEX, PageReason.TDM_RESERVED)) | gone


def _answered(outcome: PageOutcome, *, known: bool) -> int | None:
    """Return the final status of an article's URL; None: the response says nothing about the article."""
    if outcome.state != UrlState.DONE or outcome.http_status is None:
        return None
    if outcome.article is not None or outcome.outcome == UrlOutcome.UNCHANGED:
        return 200
    return outcome.http_status if known and _is_gone(outcome) else None


def _is_gone(outcome: PageOutcome) -> bool:
    """Return whether a response says that the page no longer exists."""
    is_missing = outcome.reason is not None and outcome.reason.word is PageReason.SOFT_404
    return outcome.http_status in _GONE or is_missing


def _bounded(text: str | None, most: int) -> str | None:
    return text if text is not None and len(text) <= most else None


def _planned(visit: NextVisit) -> dict[str, Any]:
    values: dict[str, Any] = {"revisit_at": visit.at, "visits": [[at.isoformat(), fresh] for at, fresh in visit.visits]}
    return values if visit.priority is None else values | {"priority": visit.priority}


def _claimed(row: Any) -> LeasedUrl:
    values = dict(row._mapping)  # noqa: SLF001  SQLAlchemy's public name for it
    values["hints"] = tuple((source, text) for source, text in values["hints"] or ())
    values["visits"] = tuple((datetime.fromisoformat(at), fresh) for at, fresh in values["visits"] or ())
    values["kind"] = FrontierKind(values["kind"])
    return LeasedUrl(**values)
