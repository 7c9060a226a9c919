"""Rights records: publishers' reservations, kept with their pages even after an article is purged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Engine, Row, bindparam, delete, distinct, func, insert, select, text, update

from newscrawler.article import Article, Reservation, Reserved
from newscrawler.errors import PageReason
from newscrawler.store.articles.article_intake import forget_entities, remove_articles
from newscrawler.store.articles.records import (
    OriginStatement,
    RecordedReservations,
    Removal,
    RightsCounts,
    StoredPageRights,
    StoredReservation,
)
from newscrawler.store.database import StorePart, fill_record, make_insert, translated
from newscrawler.store.search.index import forget_words
from newscrawler.store.statements import match_given
from newscrawler.store.tables import ARTICLE, FRONTIER, ORIGIN_STATEMENT, PAGE, PORTAL, REMOVAL, RESERVATION, REVIEW, VERDICT
from newscrawler.store.vocabularies import UrlOutcome, UrlState

_CHUNK = 400
SaidOf = Callable[[str], Sequence[Reservation]]
#: Columns of fields of records.
_TIMES = {"first_said_at": "first_seen_at", "last_said_at": "last_seen_at"}


def save_reservations(connection: Connection, portal_id: int, url_id: int, said: RecordedReservations, *, now: datetime) -> None:
    """Store a page's reservations at this visit, and end those that it no longer makes."""
    rows = connection.execute(select(RESERVATION).where((RESERVATION.c.url_id == url_id) & RESERVATION.c.ended_at.is_(None))).all()
    known = {_make_reservation(row): row.id for row in rows}
    again = [known.pop(item) for item in said.reservations if item in known]
    if again:
        connection.execute(update(RESERVATION).where(RESERVATION.c.id.in_(again)).values(last_seen_at=now))
    if known and said.complete:
        connection.execute(update(RESERVATION).where(RESERVATION.c.id.in_(known.values())).values(ended_at=now))
    before = {_make_reservation(row) for row in rows}
    fresh = [_make_values(portal_id, url_id, item, now) for item in dict.fromkeys(said.reservations) if item not in before]
    if fresh:
        connection.execute(insert(RESERVATION), fresh)


_REMOVALS = select(REMOVAL).order_by(REMOVAL.c.id)


def removals_of(connection: Connection) -> list[Removal]:
    """Return operators' requests for removal, oldest first."""
    return [fill_record(Removal, row, {"because": "reason", "asked_at": "requested_at"}) for row in connection.execute(_REMOVALS)]


def is_removed(removals: Iterable[Removal], article: Article) -> bool:
    """Return whether the operator of a portal requested the removal of an article, by any of its addresses."""
    return any(each.covers(article.url) or each.covers(article.canonical_url) for each in removals)


class Rights(StorePart):
    """The rights records of all portals."""

    def of_article(self, article_id: int) -> list[StoredReservation]:
        """Return all reservations ever made on an article's pages, oldest first."""
        query = (
            select(RESERVATION, FRONTIER.c.url)
            .join(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
            .where(FRONTIER.c.article_id == article_id)
            .order_by(RESERVATION.c.id)
        )
        return [_make_stored(row) for row in self._read(query)]

    def of_articles(self, article_ids: Sequence[int]) -> dict[int, list[StoredReservation]]:
        """Return the same for several articles by id, without those that have none."""
        query = (
            select(RESERVATION, FRONTIER.c.url, FRONTIER.c.article_id)
            .join(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
            .where(FRONTIER.c.article_id.in_(article_ids))
            .order_by(RESERVATION.c.id)
        )
        found: dict[int, list[StoredReservation]] = {}
        for row in self._read(query):
            found.setdefault(row.article_id, []).append(_make_stored(row))
        return found

    def counts(self, portal: str | None = None) -> list[RightsCounts]:
        """Return the current numbers of pages and stored articles by reservation."""
        query = (
            select(
                PORTAL.c.name.label("portal"),
                RESERVATION.c.kind.label("word"),
                func.count(distinct(RESERVATION.c.url_id)).label("pages"),
                func.count(distinct(FRONTIER.c.article_id)).label("articles"),
            )
            .select_from(RESERVATION.join(PORTAL, PORTAL.c.id == RESERVATION.c.portal_id))
            .outerjoin(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
            .where(RESERVATION.c.ended_at.is_(None) & RESERVATION.c.is_granted.is_(False))
            .where(*match_given((PORTAL.c.name, portal)))
            .group_by(PORTAL.c.name, RESERVATION.c.kind)
            .order_by(PORTAL.c.name, RESERVATION.c.kind)
        )
        return [fill_record(RightsCounts, row) for row in self._read(query)]

    def stored(self, portal: str | None = None) -> Iterator[StoredPageRights]:
        """Yield every stored article with its page's current reservations, in constant memory."""
        query = (
            select(
                ARTICLE.c.id.label("article_id"), ARTICLE.c.title, PORTAL.c.name.label("portal"), FRONTIER.c.url,
                FRONTIER.c.http_status, FRONTIER.c.fetched_at, RESERVATION,
            )
            .select_from(
                ARTICLE.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id)
                .join(FRONTIER, (FRONTIER.c.article_id == ARTICLE.c.id) & (FRONTIER.c.url == ARTICLE.c.url))
                .outerjoin(RESERVATION, (RESERVATION.c.url_id == FRONTIER.c.id) & RESERVATION.c.ended_at.is_(None))
            )
            .where(*match_given((PORTAL.c.name, portal)))
            .order_by(ARTICLE.c.id, RESERVATION.c.id)
        )  # fmt: skip
        for _, group in groupby(self._stream(query), key=lambda row: row.article_id):
            rows = list(group)
            yield fill_record(StoredPageRights, rows[0], kept=tuple(_make_stored(row) for row in rows if row.kind is not None))

    def note_statements(self, origin: str, lines: Iterable[tuple[str, str]], *, now: datetime) -> bool:
        """Store an origin's current statements, (place, said) each; return whether they have changed."""
        said = {(place[:40], text) for place, text in lines}
        with self._writing() as connection:
            query = select(ORIGIN_STATEMENT).where((ORIGIN_STATEMENT.c.origin == origin) & ORIGIN_STATEMENT.c.ended_at.is_(None))
            known = {(row.place, row.statement): row.id for row in connection.execute(query)}
            again = [known[each] for each in said & known.keys()]
            over = [known[each] for each in known.keys() - said]
            chosen = ORIGIN_STATEMENT.c.id.in_
            connection.execute(update(ORIGIN_STATEMENT).where(chosen(again)).values(last_seen_at=now))
            connection.execute(update(ORIGIN_STATEMENT).where(chosen(over)).values(ended_at=now))
            fresh = [
                {"origin": origin, "place": place, "statement": text, "first_seen_at": now, "last_seen_at": now}
                for place, text in sorted(said - known.keys())
            ]
            if fresh:
                connection.execute(insert(ORIGIN_STATEMENT), fresh)
            if fresh or over:
                _let_wait(connection, origin)
        return bool(fresh or over)

    def statements(self, *, current: bool = False) -> list[OriginStatement]:
        """Return the statements of origins, oldest first; with `current` only those still made."""
        query = select(ORIGIN_STATEMENT).order_by(ORIGIN_STATEMENT.c.origin, ORIGIN_STATEMENT.c.id)
        if current:
            query = query.where(ORIGIN_STATEMENT.c.ended_at.is_(None))
        return [fill_record(OriginStatement, row, {"said": "statement", **_TIMES}) for row in self._read(query)]

    def removals(self) -> list[Removal]:
        """Return operators' requests for removal, oldest first."""
        with self._reading() as connection:
            return removals_of(connection)

    def add_removal(self, removal: Removal) -> None:
        """Store a removal request, replacing an earlier one for the same address."""
        with self._writing() as connection:
            values = {
                "pattern": removal.pattern, "reason": removal.because, "requested_at": removal.asked_at,
                "articles": removal.articles,
            }  # fmt: skip
            statement = make_insert(connection.dialect.name, REMOVAL).values(values)
            connection.execute(statement.on_conflict_do_update(index_elements=["pattern"], set_=values))

    def articles_under(self, pattern: str) -> Iterator[tuple[int, str, str]]:
        """Yield, in constant memory, the articles (id, portal, URL) with a URL that matches a pattern."""
        removal = Removal(pattern=pattern, because="", asked_at=datetime.now(UTC))
        query = (
            select(ARTICLE.c.id, PORTAL.c.name, ARTICLE.c.url, ARTICLE.c.canonical_url, FRONTIER.c.url.label("shown_at"))
            .select_from(ARTICLE.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id))
            .outerjoin(FRONTIER, FRONTIER.c.article_id == ARTICLE.c.id)
            .order_by(ARTICLE.c.id)
        )
        for article_id, group in groupby(self._stream(query), key=lambda row: row.id):
            rows = list(group)
            if any(removal.covers(url) for row in rows for url in (row.url, row.canonical_url, row.shown_at)):
                yield article_id, rows[0].name, rows[0].url

    def forget_page(self, page_id: int) -> None:
        """Remove the row of a kept page that was erased, with reviews that saw it."""
        with self._writing() as connection:
            for judged in (VERDICT, REVIEW):
                connection.execute(delete(judged).where(judged.c.page_id == page_id))
            connection.execute(delete(PAGE).where(PAGE.c.id == page_id))

    def restate(self, origin: str, said_of: SaidOf, places: Collection[str], *, now: datetime) -> int:
        """Update the records of an origin's articles by what it reserves for a URL (`said_of`), without fetching pages again.

        `places` are those of an origin's reservations; reservations of pages are unchanged.

        Returns:
            The number of pages whose records changed.
        """
        pages = (
            select(FRONTIER.c.id, FRONTIER.c.portal_id, FRONTIER.c.url)
            .where(FRONTIER.c.article_id.is_not(None) & FRONTIER.c.url.startswith(f"{origin}/", autoescape=True))
            .where(FRONTIER.c.id > bindparam("behind"))
            .order_by(FRONTIER.c.id)
            .limit(_CHUNK)
        )
        changed = behind = 0
        while True:
            with self._writing() as connection:
                rows = connection.execute(pages, {"behind": behind}).all()
                changed += sum(_restate(connection, row, said_of(row.url), places, now) for row in rows)
            if len(rows) < _CHUNK:
                return changed
            behind = rows[-1].id

    def purge(self, article_ids: Mapping[int, Reservation | None], *, now: datetime) -> int:
        """Remove articles with all their texts, each with the reservation that causes it, or None; return how many."""
        total, ids = 0, list(article_ids)
        with translated(self._engine):
            for start in range(0, len(ids), _CHUNK):
                with self._engine.begin() as connection:
                    if connection.dialect.name == "sqlite":
                        connection.execute(text("PRAGMA secure_delete=ON"))  # overwrite the text on disk
                    total += _purge(connection, {number: article_ids[number] for number in ids[start : start + _CHUNK]}, now)
            if total:
                with self._engine.begin() as connection:
                    if connection.dialect.name == "sqlite":
                        connection.execute(text("PRAGMA secure_delete=ON"))
                    forget_words(connection)
                    forget_entities(connection)
                if self._engine.dialect.name == "sqlite":
                    _make_empty_log(self._engine)
        return total


def _purge(connection: Connection, articles: Mapping[int, Reservation | None], now: datetime) -> int:
    query = select(FRONTIER.c.id, FRONTIER.c.portal_id, FRONTIER.c.article_id).where(FRONTIER.c.article_id.in_(articles))
    for row in connection.execute(query).all():
        reservation = articles[row.article_id]
        if reservation is not None:
            save_reservations(
                connection, row.portal_id, row.id, RecordedReservations(reservations=(reservation,), complete=False), now=now
            )
    there = connection.execute(select(func.count()).select_from(ARTICLE).where(ARTICLE.c.id.in_(articles))).scalar_one()
    changes = {"outcome": UrlOutcome.NOTHING, "etag": None, "last_modified": None}
    connection.execute(update(FRONTIER).where(FRONTIER.c.article_id.in_(articles)).values(changes))
    remove_articles(connection, list(articles))
    return int(there)


def _make_empty_log(engine: Engine) -> None:
    """Empty the write-ahead log, which has earlier pages; without SQLAlchemy, which would begin a transaction."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def _restate(
    connection: Connection, page: Row[Any, Any, Any], reservations: Sequence[Reservation], places: Collection[str], now: datetime
) -> bool:
    rows = connection.execute(select(RESERVATION).where((RESERVATION.c.url_id == page.id) & RESERVATION.c.ended_at.is_(None))).all()
    own = {Reserved(row.kind) for row in rows if row.place not in places}
    # a page takes precedence over a file
    said = [item for item in reservations if item.word is not Reserved.TDM or Reserved.TDM not in own]
    known = {_make_reservation(row): row.id for row in rows if row.place in places}
    over = [known[item] for item in known if item not in said]
    if over:
        connection.execute(update(RESERVATION).where(RESERVATION.c.id.in_(over)).values(ended_at=now))
    fresh = [_make_values(page.portal_id, page.id, item, now) for item in said if item not in known]
    if fresh:
        connection.execute(insert(RESERVATION), fresh)
    return bool(over or fresh)


def _let_wait(connection: Connection, origin: str) -> None:
    connection.execute(
        update(FRONTIER)
        .where(
            FRONTIER.c.state.in_([UrlState.SKIPPED, UrlState.DONE])
            & FRONTIER.c.reason.in_([PageReason.TDM_RESERVED, PageReason.USE_RESERVED])
            & FRONTIER.c.url.startswith(f"{origin}/", autoescape=True)
        )
        .values(state=UrlState.WAITING, retry_at=None, attempts=0)
    )


def _make_values(portal_id: int, url_id: int, item: Reservation, now: datetime) -> dict[str, Any]:
    return {
        "portal_id": portal_id, "url_id": url_id, "kind": str(item.word), "statement": item.said[:200],
        "place": item.place[:40], "is_granted": item.granted, "policy": item.policy,
        "note": item.note[:200] if item.note else None, "effective_at": item.from_at, "first_seen_at": now, "last_seen_at": now,
    }  # fmt: skip


def _make_reservation(row: Row[Any]) -> Reservation:
    return fill_record(
        Reservation, row, {"said": "statement", "granted": "is_granted", "from_at": "effective_at"}, word=Reserved(row.kind)
    )


def _make_stored(row: Row[Any]) -> StoredReservation:
    return fill_record(StoredReservation, row, _TIMES, reservation=_make_reservation(row))
