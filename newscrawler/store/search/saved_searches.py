"""Saved searches of the web application, by account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Engine, delete, func, insert, select

from newscrawler.errors import ConfigError
from newscrawler.store.database import translated
from newscrawler.store.tables import SAVED_SEARCH

#: Of one owner.
MOST = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSearch:
    """One search."""

    id: int
    owner: str
    name: str
    #: Query and filters, as in the URL of the page.
    query: str
    saved_at: datetime


class SavedSearches:
    """The saved searches of all accounts."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, owner: str) -> list[SavedSearch]:
        """Return the searches of an owner, by name."""
        query = select(SAVED_SEARCH).where(SAVED_SEARCH.c.owner == owner).order_by(SAVED_SEARCH.c.name)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [SavedSearch(**row._mapping) for row in connection.execute(query)]  # noqa: SLF001  SQLAlchemy's public name for it

    def save(self, owner: str, name: str, query: str, *, now: datetime) -> None:
        """Save a search, replacing an earlier one of this name.

        Raises:
            ConfigError: the owner has too many.
        """
        same = (SAVED_SEARCH.c.owner == owner) & (SAVED_SEARCH.c.name == name)
        with translated(self._engine), self._engine.begin() as connection:
            connection.execute(delete(SAVED_SEARCH).where(same))
            number = connection.execute(select(func.count()).where(SAVED_SEARCH.c.owner == owner)).scalar_one()
            if number >= MOST:
                raise ConfigError(f"you have {MOST} saved searches; remove one first")
            connection.execute(insert(SAVED_SEARCH).values(owner=owner, name=name, query=query, saved_at=now))

    def remove(self, owner: str, search_id: int) -> bool:
        """Remove a search of an owner; False: there is none."""
        query = delete(SAVED_SEARCH).where((SAVED_SEARCH.c.owner == owner) & (SAVED_SEARCH.c.id == search_id))
        with translated(self._engine), self._engine.begin() as connection:
            return bool(connection.execute(query).rowcount)
