"""Facts learned about each portal and its URL patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Insert, select, update

from newscrawler.store.database import StorePart, make_insert
from newscrawler.store.tables import FRONTIER, PORTAL, URL_PATTERN

FIELDS = ("pattern", "articles", "listings", "others", "new_articles", "unproductive", "skipped")
_LONGEST = 500


def save_patterns(connection: Connection, portal_id: int, changes: Sequence[Mapping[str, Any]]) -> None:
    """Store the counts of patterns, replacing earlier ones."""
    rows = [{"portal_id": portal_id, **change} for change in changes if len(change["pattern"]) <= _LONGEST]
    if not rows:
        return
    connection.execute(_make_upsert(connection.dialect.name), rows)


@lru_cache(maxsize=2)  # building it costs more than running it
def _make_upsert(dialect: str) -> Insert:
    statement = make_insert(dialect, URL_PATTERN)
    counts = {name: statement.excluded[name] for name in FIELDS[1:]}
    upsert: Insert = statement.on_conflict_do_update(index_elements=["portal_id", "pattern"], set_=counts)
    return upsert


def save_learned(connection: Connection, portal_id: int, learned: Mapping[str, Any] | None) -> None:
    """Store the learned facts about a portal, replacing earlier ones; None: nothing has changed."""
    if learned is not None:
        connection.execute(update(PORTAL).where(PORTAL.c.id == portal_id).values(learned=dict(learned)))


class Patterns(StorePart):
    """Learned facts about all portals."""

    def of(self, portal: str) -> list[dict[str, Any]]:
        """Return a portal's patterns with their counts, those with most articles first."""
        query = (
            select(*(URL_PATTERN.c[name] for name in FIELDS))
            .join(PORTAL, PORTAL.c.id == URL_PATTERN.c.portal_id)
            .where(PORTAL.c.name == portal)
            .order_by(URL_PATTERN.c.articles.desc(), URL_PATTERN.c.listings.desc(), URL_PATTERN.c.pattern)
        )
        return [dict(row._mapping) for row in self._read(query)]  # noqa: SLF001  SQLAlchemy's public name for it

    def learned_of(self, portal: str) -> dict[str, Any]:
        """Return the learned facts about a portal."""
        query = select(PORTAL.c.learned).where(PORTAL.c.name == portal)
        return self._read_value(query) or {}

    def sources_of(self, portal: str) -> list[dict[str, Any]]:
        """Return a portal's start pages, feeds, sitemaps and sections with the results of recent visits, best first."""
        query = (
            select(FRONTIER.c.kind, FRONTIER.c.url, FRONTIER.c.visits, FRONTIER.c.revisit_at)
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == portal) & FRONTIER.c.visits.is_not(None))
            .order_by(FRONTIER.c.depth, FRONTIER.c.id)
        )
        found = [
            {
                "kind": row.kind, "url": row.url, "visits": len(row.visits), "fresh": sum(fresh for _, fresh in row.visits),
                "next_visit_at": row.revisit_at.isoformat(timespec="minutes") if row.revisit_at else "at once",
            }
            for row in self._read(query)
        ]  # fmt: skip
        return sorted(found, key=lambda source: -source["fresh"])
