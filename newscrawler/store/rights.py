"""Rights records: what publishers reserved, kept with the page that said it, also after its article is purged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Engine, Row, distinct, func, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite

from newscrawler.article import Reservation, Reserved
from newscrawler.errors import PageReason
from newscrawler.store.database import translated
from newscrawler.store.outcomes import UrlOutcome, UrlState
from newscrawler.store.removal import remove_articles
from newscrawler.store.rights_records import KeptReservation, RightsCounts, Said, StoredPageRights, TdmFile
from newscrawler.store.search_index import forget_words
from newscrawler.store.tables import ARTICLE, FRONTIER, PORTAL, RESERVATION, TDM_POLICY

_CHUNK = 400


def save_said(connection: Connection, portal_id: int, url_id: int, said: Said, *, now: datetime) -> None:
    """Note what a page says at this visit, and what it says no more."""
    rows = connection.execute(select(RESERVATION).where((RESERVATION.c.url_id == url_id) & RESERVATION.c.ended_at.is_(None))).all()
    known = {_reservation(row): row.id for row in rows}
    again = [known.pop(item) for item in said.reservations if item in known]
    if again:
        connection.execute(update(RESERVATION).where(RESERVATION.c.id.in_(again)).values(last_seen_at=now))
    if known and said.complete:
        connection.execute(update(RESERVATION).where(RESERVATION.c.id.in_(known.values())).values(ended_at=now))
    before = {_reservation(row) for row in rows}
    fresh = [_values(portal_id, url_id, item, now) for item in dict.fromkeys(said.reservations) if item not in before]
    if fresh:
        connection.execute(insert(RESERVATION), fresh)


class Rights:
    """The rights records of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of_article(self, article_id: int) -> list[KeptReservation]:
        """Everything that was ever said on the pages that show an article, oldest first."""
        query = (
            select(RESERVATION, FRONTIER.c.url)
            .join(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
            .where(FRONTIER.c.article_id == article_id)
            .order_by(RESERVATION.c.id)
        )
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_kept(row) for row in connection.execute(query)]

    def of_articles(self, article_ids: Sequence[int]) -> dict[int, list[KeptReservation]]:
        """The same of several articles, by number; those of which nothing was said are left out."""
        query = (
            select(RESERVATION, FRONTIER.c.url, FRONTIER.c.article_id)
            .join(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
            .where(FRONTIER.c.article_id.in_(article_ids))
            .order_by(RESERVATION.c.id)
        )
        found: dict[int, list[KeptReservation]] = {}
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            for row in connection.execute(query):
                found.setdefault(row.article_id, []).append(_kept(row))
        return found

    def counts(self, portal: str | None = None) -> list[RightsCounts]:
        """How many pages, and how many stored articles, say what by now."""
        query = (
            select(
                PORTAL.c.name,
                RESERVATION.c.kind,
                func.count(distinct(RESERVATION.c.url_id)).label("pages"),
                func.count(distinct(FRONTIER.c.article_id)).label("articles"),
            )
            .select_from(RESERVATION.join(PORTAL, PORTAL.c.id == RESERVATION.c.portal_id))
            .outerjoin(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
            .where(RESERVATION.c.ended_at.is_(None) & RESERVATION.c.is_granted.is_(False))
            .group_by(PORTAL.c.name, RESERVATION.c.kind)
            .order_by(PORTAL.c.name, RESERVATION.c.kind)
        )
        if portal is not None:
            query = query.where(PORTAL.c.name == portal)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            rows = connection.execute(query).all()
        return [RightsCounts(portal=row.name, word=row.kind, pages=row.pages, articles=row.articles) for row in rows]

    def stored(self, portal: str | None = None) -> Iterator[StoredPageRights]:
        """Every stored article with what its own page says by now, in constant memory."""
        query = (
            select(
                ARTICLE.c.id.label("article_id"), ARTICLE.c.headline, PORTAL.c.name.label("portal"), FRONTIER.c.url,
                FRONTIER.c.http_status, FRONTIER.c.fetched_at, RESERVATION,
            )
            .select_from(
                ARTICLE.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id)
                .join(FRONTIER, (FRONTIER.c.article_id == ARTICLE.c.id) & (FRONTIER.c.url == ARTICLE.c.url))
                .outerjoin(RESERVATION, (RESERVATION.c.url_id == FRONTIER.c.id) & RESERVATION.c.ended_at.is_(None))
            )
            .order_by(ARTICLE.c.id, RESERVATION.c.id)
        )  # fmt: skip
        if portal is not None:
            query = query.where(PORTAL.c.name == portal)
        with translated(self._engine), self._engine.connect().execution_options(reading=True, yield_per=500) as connection:
            for _, group in groupby(connection.execute(query), key=lambda row: row.article_id):
                rows = list(group)
                first = rows[0]
                yield StoredPageRights(
                    article_id=first.article_id,
                    portal=first.portal,
                    url=first.url,
                    headline=first.headline,
                    kept=tuple(_kept(row) for row in rows if row.kind is not None),
                    http_status=first.http_status,
                    fetched_at=first.fetched_at,
                )

    def tdm_file(self, origin: str) -> TdmFile | None:
        """What an origin said of text mining the last time it was asked."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(select(TDM_POLICY).where(TDM_POLICY.c.origin == origin)).first()
        return _file(row) if row else None

    def tdm_files(self) -> list[TdmFile]:
        """The same of all origins that were asked."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_file(row) for row in connection.execute(select(TDM_POLICY).order_by(TDM_POLICY.c.origin))]

    def save_tdm_file(self, file: TdmFile) -> None:
        """Keep what an origin says; where that has changed, pages that were passed over for it wait again."""
        values = {
            "origin": file.origin,
            "rules": [list(rule) for rule in file.rules],
            "http_status": file.status,
            "reason": file.because,
            "fetched_at": file.asked_at,
            "expires_at": file.expires_at,
            "unchanged_since": file.said_since,
        }
        with translated(self._engine), self._engine.begin() as connection:
            before = connection.execute(select(TDM_POLICY).where(TDM_POLICY.c.origin == file.origin).with_for_update()).first()
            dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
            changed = {name: value for name, value in values.items() if name != "origin"}
            statement = dialect.insert(TDM_POLICY).values(values)
            connection.execute(statement.on_conflict_do_update(index_elements=["origin"], set_=changed))
            if before is not None and before.rules != values["rules"]:
                _let_wait(connection, file.origin)

    def purge(self, article_ids: Mapping[int, Reservation | None], *, now: datetime) -> int:
        """Remove articles with all their texts; answers how many there were.

        Args:
            article_ids: each with the reservation for which it goes, where no page said that itself (tdmrep.json).
            now: stands in the rights record.
        """
        total, ids = 0, list(article_ids)
        with translated(self._engine):
            for start in range(0, len(ids), _CHUNK):
                with self._engine.begin() as connection:
                    if connection.dialect.name == "sqlite":
                        connection.execute(text("PRAGMA secure_delete=ON"))  # the text is overwritten, not only forgotten
                    total += _purge(connection, {number: article_ids[number] for number in ids[start : start + _CHUNK]}, now)
            if self._engine.dialect.name == "sqlite" and total:
                with self._engine.begin() as connection:
                    connection.execute(text("PRAGMA secure_delete=ON"))
                    forget_words(connection)
                _empty_log(self._engine)
        return total


def _purge(connection: Connection, articles: Mapping[int, Reservation | None], now: datetime) -> int:
    query = select(FRONTIER.c.id, FRONTIER.c.portal_id, FRONTIER.c.article_id).where(FRONTIER.c.article_id.in_(articles))
    for row in connection.execute(query).all():
        reservation = articles[row.article_id]
        if reservation is not None:
            save_said(connection, row.portal_id, row.id, Said(reservations=(reservation,), complete=False), now=now)
    there = connection.execute(select(func.count()).select_from(ARTICLE).where(ARTICLE.c.id.in_(articles))).scalar_one()
    changes = {"outcome": UrlOutcome.NOTHING, "etag": None, "last_modified": None}
    connection.execute(update(FRONTIER).where(FRONTIER.c.article_id.in_(articles)).values(changes))
    remove_articles(connection, list(articles))
    return int(there)


def _empty_log(engine: Engine) -> None:
    """Below SQLAlchemy, which would begin a transaction first: the write-ahead log holds pages as they were before."""
    connection = engine.raw_connection()
    try:
        connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()


def _let_wait(connection: Connection, origin: str) -> None:
    connection.execute(
        update(FRONTIER)
        .where(
            (FRONTIER.c.state == UrlState.SKIPPED)
            & (FRONTIER.c.reason == PageReason.TDM_RESERVED)
            & FRONTIER.c.url.startswith(f"{origin}/", autoescape=True)
        )
        .values(state=UrlState.WAITING, retry_at=None, attempts=0)
    )


def _values(portal_id: int, url_id: int, item: Reservation, now: datetime) -> dict[str, Any]:
    return {
        "portal_id": portal_id,
        "url_id": url_id,
        "kind": str(item.word),
        "statement": item.said[:200],
        "place": item.place[:40],
        "is_granted": item.granted,
        "policy": item.policy,
        "effective_at": item.from_at,
        "first_seen_at": now,
        "last_seen_at": now,
    }


def _reservation(row: Row[Any]) -> Reservation:
    return Reservation(
        word=Reserved(row.kind),
        said=row.statement,
        place=row.place,
        granted=row.is_granted,
        policy=row.policy,
        from_at=row.effective_at,
    )


def _kept(row: Row[Any]) -> KeptReservation:
    return KeptReservation(
        url=row.url,
        reservation=_reservation(row),
        first_said_at=row.first_seen_at,
        last_said_at=row.last_seen_at,
        ended_at=row.ended_at,
    )


def _file(row: Row[Any]) -> TdmFile:
    return TdmFile(
        origin=row.origin,
        rules=tuple((location, reserved, policy) for location, reserved, policy in row.rules),
        status=row.http_status,
        because=row.reason,
        asked_at=row.fetched_at,
        expires_at=row.expires_at,
        said_since=row.unchanged_since,
    )
