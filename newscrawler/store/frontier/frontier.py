"""The frontier: the URLs of a portal with their states; each page's outcome is written in one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, Engine, Integer, bindparam, case, func, or_, select, update

from newscrawler.discovery import PRIORITY, Overlap, RecentArticle, RunArticles
from newscrawler.errors import PageReason
from newscrawler.store.articles.article_rows import digest
from newscrawler.store.database import StorePart, fill_record, translated
from newscrawler.store.frontier.commits import OutcomeWriter
from newscrawler.store.frontier.frontier_records import (
    GONE,
    LISTED,
    LOOK_PRIORITY,
    MOST_PRIORITY,
    Committed,
    Dating,
    FoundUrl,
    FrontierCounts,
    LeasedUrl,
    PageOutcome,
)
from newscrawler.store.frontier.intake import SOURCES
from newscrawler.store.frontier.leases import fence, keep_counts, release_leases, requeue
from newscrawler.store.frontier.past import DayEstimate, date_undated, restrict_days
from newscrawler.store.frontier.patterns import read_account, save_learned, save_patterns
from newscrawler.store.frontier.revisits import plan_likely_articles, update_named
from newscrawler.store.tables import ARTICLE, FRONTIER, RUN
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState, reason_values

#: If more articles disappear from a portal's sitemaps in a round, the sitemaps have changed.
MOST_VANISHED = 50
#: Articles published less than this before the last round are expected to be linked in the next.
STILL_LINKED = timedelta(days=2)


def run_articles(connection: Connection, portal_id: int, round_number: int) -> RunArticles:
    """Count the articles of a round; see `RunArticles`."""
    of_portal = FRONTIER.c.portal_id == portal_id
    fetched = (FRONTIER.c.round == round_number) & (FRONTIER.c.state == UrlState.DONE)
    fetched &= FRONTIER.c.priority != LOOK_PRIORITY  # revisits were fetched before
    named = [func.max(FRONTIER.c.sources.bitwise_and(bit)) for bit in SOURCES.values()]
    is_article = of_portal & fetched & (FRONTIER.c.outcome == UrlOutcome.ARTICLE)
    by_article = select(sum(named[1:], named[0]).label("sources")).where(is_article).group_by(FRONTIER.c.article_id).subquery()
    new = select(RUN.c.counts).where((RUN.c.portal_id == portal_id) & (RUN.c.round == round_number))
    left = FRONTIER.c.state.in_([UrlState.WAITING, UrlState.FETCHING]) & (FRONTIER.c.priority != LOOK_PRIORITY)
    failed = (FRONTIER.c.state == UrlState.FAILED) & (FRONTIER.c.round == round_number)
    failed &= (FRONTIER.c.kind == FrontierKind.ARTICLE) & FRONTIER.c.article_id.is_(None)
    return RunArticles(
        by_sources={
            frozenset(name for name, bit in SOURCES.items() if sources & bit): number
            for sources, number in connection.execute(select(by_article.c.sources, func.count()).group_by(by_article.c.sources))
        },
        new=sum(row.counts.get("new_articles", 0) for row in connection.execute(new)),
        left=connection.execute(select(func.count()).where(of_portal & left)).scalar_one(),
        failed=connection.execute(select(func.count()).where(of_portal & failed)).scalar_one(),
        seen_twice=_count_seen_twice(connection, portal_id, round_number),
        account=read_account(connection, portal_id),
    )


def vanished_articles(connection: Connection, portal_id: int, round_number: int) -> list[int]:
    """Return the URLs of articles that sitemaps named when they were last read, and no longer name in this round.

    If many are missing at once, the sitemap has changed and not the articles: none is returned.
    """
    listed = (FRONTIER.c.portal_id == portal_id) & (FRONTIER.c.sources.bitwise_and(SOURCES["sitemap"]) != 0)
    listed &= (FRONTIER.c.state == UrlState.DONE) & (FRONTIER.c.outcome == UrlOutcome.ARTICLE)
    before = select(func.max(FRONTIER.c.seen_round)).where(listed & (FRONTIER.c.seen_round < round_number)).scalar_subquery()
    missing = select(FRONTIER.c.id).where(listed & (FRONTIER.c.seen_round == before)).limit(MOST_VANISHED + 1)
    vanished = [row.id for row in connection.execute(missing)]
    seen = connection.execute(select(func.count()).where(listed & (FRONTIER.c.seen_round == round_number))).scalar_one()
    return vanished if len(vanished) <= min(MOST_VANISHED, seen) else []


def _count_seen_twice(connection: Connection, portal_id: int, round_number: int) -> Overlap | None:
    """Compare articles known from earlier rounds with those linked in this one; None: there was no earlier round."""
    began, last_began = (_find_beginning(connection, portal_id, each) for each in (round_number, round_number - 1))
    if began is None or last_began is None:
        return None
    known, linked = FRONTIER.c.found_at < began, FRONTIER.c.seen_round == round_number
    query = (
        select(_count_rows(known), _count_rows(linked), _count_rows(known & linked))
        .join(ARTICLE, ARTICLE.c.id == FRONTIER.c.article_id)
        .where((FRONTIER.c.portal_id == portal_id) & (FRONTIER.c.outcome == UrlOutcome.ARTICLE))
        .where((ARTICLE.c.published_at < last_began) & (ARTICLE.c.published_at >= last_began - STILL_LINKED))
    )
    first, second, both = connection.execute(query).one()
    return Overlap(first=first or 0, second=second or 0, both=both or 0)


def _find_beginning(connection: Connection, portal_id: int, round_number: int) -> datetime | None:
    query = select(func.min(RUN.c.started_at)).where((RUN.c.portal_id == portal_id) & (RUN.c.round == round_number))
    began: datetime | None = connection.execute(query).scalar()
    return began


def _count_rows(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0), type_=Integer)


_CHUNK = 400
# Statements that run for every page are built once: building them costs more than running them.
_NEXT = (
    select(
        FRONTIER.c.id, FRONTIER.c.url, FRONTIER.c.kind, FRONTIER.c.kind_reason.label("why"), FRONTIER.c.priority, FRONTIER.c.depth,
        FRONTIER.c.redirects.label("hops"), FRONTIER.c.attempts.label("tries"), FRONTIER.c.etag, FRONTIER.c.last_modified,
        FRONTIER.c.outcome, FRONTIER.c.hints, FRONTIER.c.visits, FRONTIER.c.empty_visits, FRONTIER.c.sources, FRONTIER.c.article_id,
        FRONTIER.c.http_status.label("status"), FRONTIER.c.day,
    )
    .where((FRONTIER.c.portal_id == bindparam("portal")) & (FRONTIER.c.state == UrlState.WAITING))
    .where(FRONTIER.c.priority < bindparam("before", type_=Integer))
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
_LEAVE = update(FRONTIER).where(FRONTIER.c.id == bindparam("which")).values(state=UrlState.DONE)


class Frontier(StorePart):
    """The URLs of one portal, for one run."""

    def __init__(
        self, engine: Engine, *, portal_id: int, run_id: int, round_number: int, articles_portal_id: int | None = None
    ) -> None:
        """Open the queue of a portal; `articles_portal_id`: of the portal itself, in the queue of its past."""
        super().__init__(engine)
        self._portal_id = portal_id
        self._run_id = run_id
        self._round = round_number
        self._writer = OutcomeWriter(
            portal_id=portal_id, run_id=run_id, round_number=round_number, articles_portal_id=articles_portal_id or portal_id
        )
        #: Numbers of new articles and pages committed by this run.
        self._stored = self._pages = 0

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
            self._writer.forget()  # what was rolled back is not stored
            raise

    def seed(self, found: Iterable[FoundUrl], *, now: datetime) -> int:
        """Add the start URLs and begin the round's revisits; return the number of new URLs."""
        with self._writing() as connection:
            return self._writer.add_urls(connection, tuple(found), now=now)

    def lease(self, most: int, *, now: datetime, before: int = MOST_PRIORITY) -> list[LeasedUrl]:
        """Lease up to `most` URLs by priority, smaller than `before`, until their outcome is committed."""
        with self._writing() as connection:
            rows = connection.execute(_NEXT, {"portal": self._portal_id, "now": now, "most": most, "before": before})
            leased = [_make_leased_url(row) for row in rows]
            if leased:
                connection.execute(_TAKE, {"ids": [item.id for item in leased], "run": self._run_id})
        return leased

    def commit(
        self,
        outcomes: Sequence[PageOutcome],
        patterns: Sequence[Mapping[str, Any]] = (),
        learned: Mapping[str, Any] | None = None,
        dating: Dating | None = None,
        counts: Mapping[str, Any] | None = None,
    ) -> list[Committed]:
        """Write outcomes, articles and found URLs in one transaction; outcomes of URLs that are not leased are ignored.

        `learned`: facts about the whole portal, if they have changed; `dating`: chooses the date of an article whose page has none;
        `counts`: the run's figures before these outcomes, which survive a kill so.

        Raises:
            LeaseLostError: another process has taken the run over; nothing is written.
        """
        with self._writing() as connection:
            save_patterns(connection, self._portal_id, patterns)
            save_learned(connection, self._portal_id, learned)
            done = self._writer.write(connection, outcomes, dating)
            stored = self._stored + sum((each.article_id is not None) + each.anchored for each in done)
            pages = self._pages + sum(outcome.http_status == 200 for outcome in outcomes)
            if counts is not None:
                keep_counts(connection, self._run_id, {**counts, "new_articles": stored, "pages": pages}, now=datetime.now(UTC))
        self._stored, self._pages = stored, pages
        return done

    def release(self) -> None:
        """Release the leased URLs, so that the next run can lease them."""
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

    def find_next_try(self) -> tuple[datetime, str] | None:
        """Return when the earliest waiting URL may be retried, and why it waits; None: none waits."""
        waits = (
            (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING) & FRONTIER.c.retry_at.is_not(None)
        )
        row = self._read_first(select(FRONTIER).where(waits).order_by(FRONTIER.c.retry_at).limit(1))
        if row is None:
            return None
        status = f"{urlsplit(row.url).hostname} answers {row.http_status}" if row.http_status else str(row.reason)
        return row.retry_at, row.detail or status

    def unknown(self, urls: Collection[str]) -> set[str]:
        """Return the canonical URLs that are not in the frontier in any state."""
        known = set()
        for among in self._list_chunks(urls):
            known |= {bytes(found) for found in self._read_column(select(FRONTIER.c.url_hash).where(among))}
        return {url for url in urls if digest(url) not in known}

    def _list_chunks(self, urls: Collection[str]) -> Iterator[ColumnElement[bool]]:
        """Yield conditions for these URLs of the portal, so many in each as a statement takes."""
        hashes = list(map(digest, urls))
        for start in range(0, len(hashes), _CHUNK):
            yield (FRONTIER.c.portal_id == self._portal_id) & FRONTIER.c.url_hash.in_(hashes[start : start + _CHUNK])

    def counts(self) -> FrontierCounts:
        """Count the portal's URLs by state."""
        query = select(FRONTIER.c.state, func.count()).where(FRONTIER.c.portal_id == self._portal_id).group_by(FRONTIER.c.state)
        return FrontierCounts(by_state={state: number for state, number in self._read(query)})  # noqa: C416

    def run_articles(self) -> RunArticles:
        """Return the counts that show how complete the round is, with the account of all named articles."""
        with self._writing() as connection:
            update_named(connection, self._portal_id)
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
                & ((FRONTIER.c.outcome == UrlOutcome.ARTICLE) | _is_withdrawn())
                & (FRONTIER.c.found_at >= since)
                & (FRONTIER.c.url == ARTICLE.c.url)  # not its twins
            )
        )
        return (fill_record(RecentArticle, row) for row in self._stream(query))

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
                chosen = FRONTIER.c.id.in_(url_ids[start : start + _CHUNK]) & (FRONTIER.c.state == UrlState.DONE)
                requeue(connection, chosen, priority=LOOK_PRIORITY)

    def skip_waiting(
        self, like: LeasedUrl, prefix: str, chosen: Callable[[str], bool], *, now: datetime, rests: Sequence[timedelta]
    ) -> int:
        """Skip as unproductive the chosen waiting URLs of the kind of another one that begin with a prefix; return how many.

        `rests`: until articles are tried again, by their visits in vain; those of other kinds are not tried again.
        """
        waits = (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING) & (FRONTIER.c.kind == like.kind)
        alike = waits & FRONTIER.c.kind_reason.is_not_distinct_from(like.why) & FRONTIER.c.url.startswith(prefix, autoescape=True)
        if not like.is_listed:
            alike &= FRONTIER.c.hints.is_(None) & (FRONTIER.c.sources.bitwise_and(SOURCES["feed"]) == 0)
        found: dict[int, list[int]] = defaultdict(list)
        with self._writing() as connection:
            for row in connection.execute(select(FRONTIER.c.id, FRONTIER.c.url, FRONTIER.c.empty_visits).where(alike)):
                if chosen(row.url):
                    found[min(row.empty_visits, len(rests) - 1)].append(row.id)
            values = {"state": UrlState.SKIPPED, "outcome": UrlOutcome.NOTHING, "fetched_at": now, "round": self._round}
            values |= {"http_status": None, "attempts": 0, **reason_values(Reason(PageReason.UNPRODUCTIVE))}
            for visits, url_ids in found.items():
                if like.kind == FrontierKind.ARTICLE:
                    values |= {"retry_at": now + rests[visits], "empty_visits": FRONTIER.c.empty_visits + 1}
                for start in range(0, len(url_ids), _CHUNK):
                    skipped = FRONTIER.c.id.in_(url_ids[start : start + _CHUNK])
                    connection.execute(update(FRONTIER).where(skipped).values(values))
        return sum(map(len, found.values()))

    def look_again(self, urls: Sequence[str], states: Iterable[UrlState]) -> None:
        """Requeue URLs in one of these states that were not fetched in this round."""
        earlier = FRONTIER.c.state.in_(sorted(states)) & (FRONTIER.c.round < self._round)
        with self._writing() as connection:
            for among in self._list_chunks(urls):
                requeue(connection, among & earlier, attempts=0, etag=None, last_modified=None)

    def leave_lists(self, wanted: Container[str]) -> None:
        """Take feeds and pages of results that wait, but are not wanted by this run, out of the queue."""
        waits = (FRONTIER.c.portal_id == self._portal_id) & (FRONTIER.c.state == UrlState.WAITING)
        lists = waits & (FRONTIER.c.kind == FrontierKind.FEED) & (FRONTIER.c.redirects == 0)
        with self._writing() as connection:
            found = connection.execute(select(FRONTIER.c.id, FRONTIER.c.url).where(lists))
            left = [{"which": row.id} for row in found if row.url not in wanted]
            if left:
                connection.execute(_LEAVE, left)

    def requeue_pages(self, urls: Sequence[str]) -> None:
        """Requeue pages in this round for an unconditional fetch."""
        is_done, values = FRONTIER.c.state == UrlState.DONE, {"etag": None, "last_modified": None, "priority": LOOK_PRIORITY}
        with self._writing() as connection:
            for among in self._list_chunks(urls):
                requeue(connection, among & is_done, **values)

    def restrict_days(self, since: date, until: date) -> None:
        """Skip the waiting articles of a backfill that are outside a range of days, and let those within it wait."""
        with self._writing() as connection:
            restrict_days(connection, self._portal_id, since, until)

    def date_undated(self, estimate: DayEstimate) -> int:
        """Give undated articles of a backfill the days that `estimate` finds by the dated ones; return how many are requested."""
        with self._writing() as connection:
            return date_undated(connection, self._portal_id, estimate)

    def plan_likely(self, suggested: Callable[[str], bool]) -> None:
        """Plan another visit, in a later round, to pages that were not articles, but whose URLs suggest articles."""
        with self._writing() as connection:
            plan_likely_articles(connection, self._portal_id, suggested, datetime.now(UTC))


def _is_withdrawn() -> ColumnElement[bool]:
    """Return the condition that an article was withdrawn or is gone: a revisit confirms it."""
    gone = (FRONTIER.c.reason == PageReason.SOFT_404) | FRONTIER.c.http_status.in_(GONE)
    return FRONTIER.c.reason.in_((PageReason.NOINDEX, PageReason.TDM_RESERVED)) | gone


def _is_read_anew(empty_visits: int) -> bool:
    """Return whether an unchanged page is requested without a condition, as some servers answer 304 whatever has changed.

    After 2, 5, 11, 23 … visits in a row that brought nothing new.
    """
    share, rest = divmod(empty_visits + 1, 3)
    return rest == 0 and share & (share - 1) == 0


def _make_leased_url(row: Any) -> LeasedUrl:
    values = dict(row._mapping)  # noqa: SLF001  SQLAlchemy's public name for it
    if values.pop("status") == HTTPStatus.NOT_MODIFIED and _is_read_anew(row.empty_visits):
        values |= {"etag": None, "last_modified": None}
    values["is_stored"] = values.pop("article_id") is not None
    is_in_feed = bool(values.pop("sources") & SOURCES["feed"])
    values["is_listed"] = is_in_feed or any(source in LISTED for source, _ in values["hints"] or ())
    values["hints"] = tuple((source, text) for source, text in values["hints"] or ())
    values["visits"] = tuple((datetime.fromisoformat(at), fresh) for at, fresh in values["visits"] or ())
    values["kind"] = FrontierKind(values["kind"])
    if row.priority == LOOK_PRIORITY:  # the target of a redirect of a revisited article is new
        values["priority"] = PRIORITY["article"]
    return LeasedUrl(**values)
