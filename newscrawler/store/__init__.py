"""The only package that uses SQLAlchemy: tables, articles, frontier, runs. Its parts have their own packages."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Engine, select

from newscrawler.store.database import (
    hosts_database,
    is_in_process,
    limited_queries,
    open_engine,
    state_database,
    translated,
    wait_until_unlocked,
    without_waiting,
)
from newscrawler.store.schema import HEAD, require_schema, upgrade

if TYPE_CHECKING:
    from newscrawler.store.archive import Pages
    from newscrawler.store.articles import (
        ArticleLines,
        Articles,
        Collections,
        DriftChecks,
        Entities,
        Facets,
        Releases,
        Reviews,
        Rights,
        StoredWords,
        Templates,
    )
    from newscrawler.store.frontier import Backfills, Patterns
    from newscrawler.store.hosts import Hosts
    from newscrawler.store.search import SavedSearches, Search
    from newscrawler.store.service import Dispatch, Jobs, Portals, RunLog, Runs, ServiceBook
    from newscrawler.store.web import Accounts, Audit, Credentials

__all__ = [
    "HEAD",
    "Store",
    "hosts_database",
    "limited_queries",
    "open_store",
    "state_database",
    "wait_until_unlocked",
    "without_waiting",
]


class _Part:
    """A part of the store, imported and made when it is first used, because no command needs all of them."""

    def __init__(self, package: str, *, checks_place: bool) -> None:
        self._package = package
        self._checks_place = checks_place

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, store: Store, owner: type) -> Any:
        name = Store.__annotations__[self._name]
        options = {"check_place": store.service.check_place} if self._checks_place else {}
        made = getattr(import_module(f"newscrawler.store.{self._package}"), name)(store.engine, **options)
        store.__dict__[self._name] = made
        return made


def _part(package: str, *, checks_place: bool = False) -> Any:
    """Return a part; `checks_place`: it writes only as long as the process is the planner, if it was."""
    return _Part(package, checks_place=checks_place)


class Store:
    """An open database; a context manager that closes it. The annotation of a part is the name of its class in its package."""

    articles: Articles = _part("articles")
    article_lines: ArticleLines = _part("articles")
    collections: Collections = _part("articles")
    entities: Entities = _part("articles")
    drift_checks: DriftChecks = _part("articles")
    facets: Facets = _part("articles")
    releases: Releases = _part("articles")
    reviews: Reviews = _part("articles")
    rights: Rights = _part("articles")
    templates: Templates = _part("articles")
    pages: Pages = _part("archive")
    backfills: Backfills = _part("frontier")
    patterns: Patterns = _part("frontier")
    portals: Portals = _part("service")
    hosts: Hosts = _part("hosts")
    search: Search = _part("search")
    saved_searches: SavedSearches = _part("search")
    words: StoredWords = _part("articles")
    runs: Runs = _part("service")
    run_log: RunLog = _part("service")
    service: ServiceBook = _part("service")
    jobs: Jobs = _part("service", checks_place=True)
    dispatch: Dispatch = _part("service", checks_place=True)
    accounts: Accounts = _part("web")
    audit: Audit = _part("web")
    credentials: Credentials = _part("web")

    def __init__(self, engine: Engine, *, is_new: bool = False) -> None:
        #: For the functions of `store.maintenance`.
        self.engine = engine
        #: The database had no tables before.
        self.is_new = is_new

    @property
    def in_process(self) -> bool:
        """Return whether this process writes the database file itself; otherwise a server does, with some latency."""
        return is_in_process(self.engine)

    def urls_of_kind(self, portal: str, kinds: Sequence[str], most: int = 1000) -> list[tuple[str, str | None, str | None, str]]:
        """Return (kind, outcome, reason, URL) of a portal's URLs, nearest to the start first, without further pages of listings."""
        from newscrawler.store.tables import FRONTIER, PORTAL

        query = (
            select(FRONTIER.c.kind, FRONTIER.c.outcome, FRONTIER.c.reason, FRONTIER.c.url)
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == portal) & FRONTIER.c.kind.in_(kinds) & FRONTIER.c.kind_reason.is_(None))
            .order_by(FRONTIER.c.depth, FRONTIER.c.id)
            .limit(most)
        )
        with translated(self.engine), self.engine.connect().execution_options(reading=True) as connection:
            return [(row.kind, row.outcome, row.reason, row.url) for row in connection.execute(query)]

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_store(url: str, *, create: bool = True, migrate: bool = True, any_schema: bool = False) -> Store:
    """Open a database; with `create`, make it or bring its schema up to date.

    Args:
        url: sqlite:///FILE or postgresql://…
        create: False: the database must exist and have this schema; it is not migrated.
        migrate: False: a database that exists must have this schema; only a new one is made.
        any_schema: accept any schema; for copies of the file.

    Raises:
        ConfigError: the URL names no database that can be used.
        StoreError: it cannot be opened, is another program's, was made before version 0.1.0, or has the schema of another version.
    """
    engine = open_engine(url, create=create)
    try:
        is_new = create and upgrade(engine, migrate=migrate)
        if not (create and migrate) and not any_schema:
            require_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine, is_new=is_new)
