"""Portals by their names."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from newscrawler.store.tables import PORTAL


def known_portal(connection: Connection, name: str, now: datetime) -> tuple[int, int]:
    """Return id and round of a portal, adding a new one; its row stays locked until the transaction ends."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    connection.execute(dialect.insert(PORTAL).values(name=name, created_at=now, round=0).on_conflict_do_nothing())
    row = connection.execute(select(PORTAL.c.id, PORTAL.c.round).where(PORTAL.c.name == name).with_for_update()).one()
    return row.id, row.round
