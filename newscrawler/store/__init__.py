"""The only room that knows SQLAlchemy: tables, articles, frontier, runs."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from sqlalchemy import Engine

from newscrawler.store.articles import Articles
from newscrawler.store.database import open_engine, upgrade
from newscrawler.store.frontier import Frontier
from newscrawler.store.frontier_records import ClaimedUrl, Committed, FoundUrl, FrontierCounts, PageOutcome
from newscrawler.store.patterns import Patterns
from newscrawler.store.records import Selection, StoredArticle
from newscrawler.store.runs import RunRecord, Runs

__all__ = [
    "Articles",
    "ClaimedUrl",
    "Committed",
    "FoundUrl",
    "Frontier",
    "FrontierCounts",
    "PageOutcome",
    "Patterns",
    "RunRecord",
    "Runs",
    "Selection",
    "Store",
    "StoredArticle",
    "open_store",
]


class Store:
    """An open database; a context manager that closes it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.articles = Articles(engine)
        self.runs = Runs(engine)
        self.patterns = Patterns(engine)

    def upgrade(self) -> None:
        """Bring the schema up to date."""
        upgrade(self._engine)

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_store(url: str, *, create: bool = True) -> Store:
    """Open a database and bring its schema up to date.

    Args:
        url: sqlite:///FILE or postgresql://…
        create: False: the database must be there and hold our tables.

    Raises:
        ConfigError: the URL names no database that can be used.
        StoreError: it cannot be opened, or was written by a newer newscrawler.
    """
    engine = open_engine(url, create=create)
    try:
        upgrade(engine, create=create)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)
