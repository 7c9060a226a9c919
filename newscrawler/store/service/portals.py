"""Portals by their names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, func, select, true

from newscrawler.store.database import make_insert
from newscrawler.store.tables import PORTAL


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
