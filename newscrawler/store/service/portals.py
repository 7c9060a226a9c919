"""Portals by their names and the addresses at which they start: renamed, or forgotten with all that their crawls left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, select, true, update

from newscrawler.errors import ConfigError, PortalBusyError, counted
from newscrawler.store.database import StorePart, make_insert
from newscrawler.store.frontier.leases import is_alive, shared_time
from newscrawler.store.tables import ARTICLE, COLLECTION, FRONTIER, JOB, METADATA, PORTAL, RUN
from newscrawler.store.vocabularies import PAST, FrontierKind


class Portals(StorePart):
    """The portals that were crawled, configured or not."""

    def starting_at(self, urls: Sequence[str]) -> list[str]:
        """Return the names of the portals whose crawls begin at one of these canonical addresses, in the order of their first."""
        starts = select(FRONTIER.c.portal_id).where((FRONTIER.c.kind == FrontierKind.START) & FRONTIER.c.url.in_(urls))
        names = self._read_column(select(PORTAL.c.name).where(PORTAL.c.id.in_(starts)).order_by(PORTAL.c.id))
        return [name for name in names if not name.endswith(PAST)]  # the queue of a backfill is no portal

    def adopt(self, name: str, urls: Sequence[str], *, configured: Sequence[str], now: datetime) -> str | None:
        """Give a new portal the crawls of its addresses without configuration; return their former name, or None.

        Raises:
            ConfigError: the name is that of another portal in the database.
            PortalBusyError: a crawl of the portal is under way.
        """
        found = [other for other in self.starting_at(urls) if other not in configured]
        if not found or name in found:
            return None
        with self._writing() as connection:
            if connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == name)).first() is not None:
                raise ConfigError(f"{urls[0]} was crawled as {found[0]}, and {name} is another portal; choose another with --name")
            portal_id = _find_idle(connection, found[0], now)
            connection.execute(update(PORTAL).where(PORTAL.c.id == portal_id).values(name=name))
            connection.execute(update(JOB).where((JOB.c.kind == "crawl") & (JOB.c.target == found[0])).values(target=name))
        return found[0]

    def forget(self, name: str, *, now: datetime) -> int | None:
        """Remove a portal without articles, with its runs, addresses, pages and templates; return the number of its addresses.

        None: there is no such portal. The log of requests stays.

        Raises:
            ConfigError: it has articles, or is a collection.
            PortalBusyError: a crawl of the portal is under way.
        """
        with self._writing() as connection:
            portal_id = _find_idle(connection, name, now)
            if portal_id is None:
                return None
            count = select(func.count()).select_from
            articles = connection.execute(count(ARTICLE).where(ARTICLE.c.portal_id == portal_id)).scalar_one()
            if articles:
                raise ConfigError(f"{name} has {counted(articles, 'article')}; only a portal without articles is forgotten")
            if connection.execute(select(COLLECTION.c.id).where(COLLECTION.c.id == portal_id)).first() is not None:
                raise ConfigError(f"{name} is a collection; only a portal is forgotten")
            urls = connection.execute(count(FRONTIER).where(FRONTIER.c.portal_id == portal_id)).scalar_one()
            for table in reversed(METADATA.sorted_tables):
                if (column := table.c.get("portal_id")) is None:
                    continue
                change = update(table).values(portal_id=None) if column.nullable else delete(table)
                connection.execute(change.where(column == portal_id))
            connection.execute(delete(JOB).where((JOB.c.kind == "crawl") & (JOB.c.target == name)))
            connection.execute(delete(PORTAL).where(PORTAL.c.id == portal_id))
        return int(urls)


def _find_idle(connection: Connection, name: str, now: datetime) -> int | None:
    """Return the id of a portal, whose row stays locked; None: there is none.

    Raises:
        PortalBusyError: a crawl of it is under way.
    """
    portal_id: int | None = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == name).with_for_update()).scalar()
    runs = connection.execute(select(RUN).where((RUN.c.portal_id == portal_id) & RUN.c.ended_at.is_(None)))
    if any(is_alive(run, shared_time(connection, now)) for run in runs):
        raise PortalBusyError(f"{name} is being crawled; run the command again when that has ended")
    return portal_id


def known_portal(connection: Connection, name: str, now: datetime) -> tuple[int, int]:
    """Return id and round of a portal, adding a new one; its row stays locked until the transaction ends."""
    connection.execute(
        make_insert(connection.dialect.name, PORTAL).values(name=name, created_at=now, round=0).on_conflict_do_nothing()
    )
    row = connection.execute(select(PORTAL.c.id, PORTAL.c.round).where(PORTAL.c.name == name).with_for_update()).one()
    return row.id, row.round


def newest_ids(
    connection: Connection, table: Table, of_portal: ColumnElement[bool], newest_first: Sequence[ColumnElement[Any]],
    portals: Sequence[str] | None, limit: int,
) -> Select[Any]:  # fmt: skip
    """Return a query for the ids of the newest rows of each portal in a table; `portals`: None: of all.

    PostgreSQL reads only these rows, by the table's index; SQLite has no LATERAL and reads all rows of the portals.
    """
    wanted = true() if portals is None else PORTAL.c.name.in_(portals)
    if connection.dialect.name == "postgresql":
        newest = select(table.c.id).where(of_portal).order_by(*newest_first).limit(limit).lateral()
        return select(newest.c.id).select_from(PORTAL.join(newest, true())).where(wanted)
    rank = func.row_number().over(partition_by=PORTAL.c.id, order_by=newest_first).label("rank")
    ranked = select(table.c.id, rank).select_from(table.join(PORTAL, of_portal)).where(wanted).subquery()
    return select(ranked.c.id).where(ranked.c.rank <= limit)
