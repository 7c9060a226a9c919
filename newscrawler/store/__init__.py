"""The only package that uses SQLAlchemy: tables, articles, frontier, runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Engine, select

from newscrawler.store.database import is_in_process, open_engine, translated
from newscrawler.store.schema import complete_index, require_schema, upgrade

if TYPE_CHECKING:
    from newscrawler.store.archive.page_records import KeptPage, PageSelection, StoredPage
    from newscrawler.store.archive.pages import Pages
    from newscrawler.store.articles.article_lines import ArticleLine, ArticleLines
    from newscrawler.store.articles.articles import Articles
    from newscrawler.store.articles.collections import Collections
    from newscrawler.store.articles.drift_checks import DriftChecks
    from newscrawler.store.articles.facets import Count, Facet, Facets
    from newscrawler.store.articles.records import Selection, StoredArticle
    from newscrawler.store.articles.released_records import record_hash
    from newscrawler.store.articles.releases import ReleasedDocument, ReleaseRecord, Releases, later_of
    from newscrawler.store.articles.reviews import Reviews
    from newscrawler.store.articles.rights import Rights
    from newscrawler.store.articles.templates import Templates
    from newscrawler.store.frontier.frontier import Frontier
    from newscrawler.store.frontier.frontier_records import (
        Committed,
        FoundUrl,
        FrontierCounts,
        LeasedUrl,
        NextVisit,
        PageOutcome,
        RecentArticle,
    )
    from newscrawler.store.frontier.patterns import Patterns
    from newscrawler.store.hosts.host_records import FetchRecord, HostRecord, RobotsRecord, Turn
    from newscrawler.store.hosts.hosts import Hosts, holder_name
    from newscrawler.store.search.index import Progress
    from newscrawler.store.search.saved_searches import SavedSearch, SavedSearches
    from newscrawler.store.search.search import Hit, Order, Search
    from newscrawler.store.service.dispatch import Dispatch
    from newscrawler.store.service.jobs import Job, JobKind, Jobs, JobState
    from newscrawler.store.service.run_log import RunLog
    from newscrawler.store.service.runs import RunRecord, Runs
    from newscrawler.store.service.service import ServiceBook
    from newscrawler.store.service.service_records import AlertRecord, ExportRecord, ServiceRecord, TurnRecord
    from newscrawler.store.service.worker_records import CrawlJob, Swept, WorkerRecord
    from newscrawler.store.vocabularies import TurnState
    from newscrawler.store.web.accounts import Account, Accounts, Role
    from newscrawler.store.web.audit import Audit, AuditEntry
    from newscrawler.store.web.credentials import Credentials, Scope, Token

__all__ = [
    "Account",
    "Accounts",
    "AlertRecord",
    "ArticleLine",
    "ArticleLines",
    "Articles",
    "Audit",
    "AuditEntry",
    "Committed",
    "Count",
    "CrawlJob",
    "Credentials",
    "Dispatch",
    "DriftChecks",
    "ExportRecord",
    "Facet",
    "Facets",
    "FetchRecord",
    "FoundUrl",
    "Frontier",
    "FrontierCounts",
    "Hit",
    "HostRecord",
    "Hosts",
    "Job",
    "JobKind",
    "JobState",
    "Jobs",
    "KeptPage",
    "LeasedUrl",
    "NextVisit",
    "Order",
    "PageOutcome",
    "PageSelection",
    "Pages",
    "Patterns",
    "RecentArticle",
    "ReleaseRecord",
    "ReleasedDocument",
    "Releases",
    "Reviews",
    "RobotsRecord",
    "Role",
    "RunLog",
    "RunRecord",
    "Runs",
    "SavedSearch",
    "SavedSearches",
    "Scope",
    "Search",
    "Selection",
    "ServiceBook",
    "ServiceRecord",
    "Store",
    "StoredArticle",
    "StoredPage",
    "Swept",
    "Templates",
    "Token",
    "Turn",
    "TurnRecord",
    "TurnState",
    "WorkerRecord",
    "holder_name",
    "later_of",
    "open_store",
    "record_hash",
]


#: The module of each exported name; modules are imported on first use, because no command needs all of them.
_PLACES = {
    "Account": "web.accounts",
    "Accounts": "web.accounts",
    "AlertRecord": "service.service_records",
    "ArticleLine": "articles.article_lines",
    "ArticleLines": "articles.article_lines",
    "Articles": "articles.articles",
    "Audit": "web.audit",
    "AuditEntry": "web.audit",
    "LeasedUrl": "frontier.frontier_records",
    "Committed": "frontier.frontier_records",
    "Count": "articles.facets",
    "CrawlJob": "service.worker_records",
    "Credentials": "web.credentials",
    "Dispatch": "service.dispatch",
    "DriftChecks": "articles.drift_checks",
    "ExportRecord": "service.service_records",
    "Facet": "articles.facets",
    "Facets": "articles.facets",
    "FetchRecord": "hosts.host_records",
    "FoundUrl": "frontier.frontier_records",
    "Frontier": "frontier.frontier",
    "FrontierCounts": "frontier.frontier_records",
    "Hit": "search.search",
    "HostRecord": "hosts.host_records",
    "Hosts": "hosts.hosts",
    "Job": "service.jobs",
    "JobKind": "service.jobs",
    "JobState": "service.jobs",
    "Jobs": "service.jobs",
    "KeptPage": "archive.page_records",
    "NextVisit": "frontier.frontier_records",
    "Order": "search.search",
    "PageOutcome": "frontier.frontier_records",
    "PageSelection": "archive.page_records",
    "Pages": "archive.pages",
    "Patterns": "frontier.patterns",
    "RecentArticle": "frontier.frontier_records",
    "ReleaseRecord": "articles.releases",
    "ReleasedDocument": "articles.releases",
    "Releases": "articles.releases",
    "Reviews": "articles.reviews",
    "Rights": "articles.rights",
    "RobotsRecord": "hosts.host_records",
    "Role": "web.accounts",
    "RunLog": "service.run_log",
    "RunRecord": "service.runs",
    "Runs": "service.runs",
    "SavedSearch": "search.saved_searches",
    "SavedSearches": "search.saved_searches",
    "Scope": "web.credentials",
    "Search": "search.search",
    "Selection": "articles.records",
    "ServiceBook": "service.service",
    "ServiceRecord": "service.service_records",
    "StoredArticle": "articles.records",
    "StoredPage": "archive.page_records",
    "Swept": "service.worker_records",
    "Token": "web.credentials",
    "Turn": "hosts.host_records",
    "TurnRecord": "service.service_records",
    "TurnState": "vocabularies",
    "WorkerRecord": "service.worker_records",
    "Templates": "articles.templates",
    "holder_name": "hosts.hosts",
    "later_of": "articles.releases",
    "record_hash": "articles.released_records",
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"newscrawler.store.{_PLACES[name]}"), name)


class Store:
    """An open database; a context manager that closes it."""

    def __init__(self, engine: Engine) -> None:
        #: For the functions of `store.care`.
        self.engine = engine

    @cached_property
    def articles(self) -> Articles:
        """Return the articles of the database."""
        from newscrawler.store.articles.articles import Articles

        return Articles(self.engine)

    @cached_property
    def search(self) -> Search:
        """Return the search of the database."""
        from newscrawler.store.search.search import Search

        return Search(self.engine)

    @cached_property
    def runs(self) -> Runs:
        """Return the runs of the database."""
        from newscrawler.store.service.runs import Runs

        return Runs(self.engine)

    @cached_property
    def run_log(self) -> RunLog:
        """Return the logs of the runs."""
        from newscrawler.store.service.run_log import RunLog

        return RunLog(self.engine)

    @cached_property
    def service(self) -> ServiceBook:
        """Return the service's records."""
        from newscrawler.store.service.service import ServiceBook

        return ServiceBook(self.engine)

    @cached_property
    def dispatch(self) -> Dispatch:
        """Return the workers of a cluster and their jobs."""
        from newscrawler.store.service.dispatch import Dispatch

        return Dispatch(self.engine, check_place=self.service.check_place)

    @cached_property
    def patterns(self) -> Patterns:
        """Return the URL patterns of the database."""
        from newscrawler.store.frontier.patterns import Patterns

        return Patterns(self.engine)

    @cached_property
    def hosts(self) -> Hosts:
        """Return the hosts of the database."""
        from newscrawler.store.hosts.hosts import Hosts

        return Hosts(self.engine)

    @cached_property
    def pages(self) -> Pages:
        """Return the kept pages of the database."""
        from newscrawler.store.archive.pages import Pages

        return Pages(self.engine)

    @cached_property
    def collections(self) -> Collections:
        """Return the collections of the database."""
        from newscrawler.store.articles.collections import Collections

        return Collections(self.engine)

    @cached_property
    def templates(self) -> Templates:
        """Return the learned templates of the database."""
        from newscrawler.store.articles.templates import Templates

        return Templates(self.engine)

    @cached_property
    def drift_checks(self) -> DriftChecks:
        """Return the drift checks of the database."""
        from newscrawler.store.articles.drift_checks import DriftChecks

        return DriftChecks(self.engine)

    @cached_property
    def releases(self) -> Releases:
        """Return the releases of the database."""
        from newscrawler.store.articles.releases import Releases

        return Releases(self.engine)

    @cached_property
    def reviews(self) -> Reviews:
        """Return the reviews of the database."""
        from newscrawler.store.articles.reviews import Reviews

        return Reviews(self.engine)

    @cached_property
    def rights(self) -> Rights:
        """Return the rights records of the database."""
        from newscrawler.store.articles.rights import Rights

        return Rights(self.engine)

    @cached_property
    def article_lines(self) -> ArticleLines:
        """Return the articles of the database without their texts."""
        from newscrawler.store.articles.article_lines import ArticleLines

        return ArticleLines(self.engine)

    @cached_property
    def facets(self) -> Facets:
        """Return counts of articles by portal, section, author, language, genre and time."""
        from newscrawler.store.articles.facets import Facets

        return Facets(self.engine)

    @cached_property
    def saved_searches(self) -> SavedSearches:
        """Return the saved searches of the web application."""
        from newscrawler.store.search.saved_searches import SavedSearches

        return SavedSearches(self.engine)

    @cached_property
    def accounts(self) -> Accounts:
        """Return the accounts of the web application."""
        from newscrawler.store.web.accounts import Accounts

        return Accounts(self.engine)

    @cached_property
    def credentials(self) -> Credentials:
        """Return the sessions and tokens of the web application."""
        from newscrawler.store.web.credentials import Credentials

        return Credentials(self.engine)

    @cached_property
    def audit(self) -> Audit:
        """Return the audit log."""
        from newscrawler.store.web.audit import Audit

        return Audit(self.engine)

    @cached_property
    def jobs(self) -> Jobs:
        """Return the jobs that people give the service."""
        from newscrawler.store.service.jobs import Jobs

        return Jobs(self.engine)

    @property
    def in_process(self) -> bool:
        """Return whether this process writes the database file itself; otherwise a server does, with some latency."""
        return is_in_process(self.engine)

    def complete_index(self, progress: Progress | None = None) -> None:
        """Index the articles stored before the search index existed; continue after an interruption."""
        complete_index(self.engine, progress)

    def urls_of_kind(self, portal: str, kinds: Sequence[str], most: int = 1000) -> list[tuple[str, str | None, str]]:
        """Return (kind, outcome, URL) of a portal's URLs, nearest to the start first, without further pages of listings."""
        from newscrawler.store.tables import FRONTIER, PORTAL

        query = (
            select(FRONTIER.c.kind, FRONTIER.c.outcome, FRONTIER.c.url)
            .join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
            .where((PORTAL.c.name == portal) & FRONTIER.c.kind.in_(kinds) & FRONTIER.c.kind_reason.is_(None))
            .order_by(FRONTIER.c.depth, FRONTIER.c.id)
            .limit(most)
        )
        with translated(self.engine), self.engine.connect().execution_options(reading=True) as connection:
            return [(row.kind, row.outcome, row.url) for row in connection.execute(query)]

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def open_store(url: str, *, create: bool = True, any_schema: bool = False, progress: Progress | None = None) -> Store:
    """Open a database; with `create`, make it or bring its schema up to date.

    Args:
        url: sqlite:///FILE or postgresql://…
        create: False: the database must exist and have this schema; it is not migrated.
        any_schema: accept any schema; for copies of the file.
        progress: called with numbers of articles while those of an older database are indexed for search.

    Raises:
        ConfigError: the URL names no database that can be used.
        StoreError: it cannot be opened, was made before version 0.1.0, or has the schema of another version.
    """
    engine = open_engine(url, create=create)
    try:
        if create:
            upgrade(engine, progress=progress)
        elif not any_schema:
            require_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)
