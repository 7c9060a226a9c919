"""The only room that knows SQLAlchemy: tables, articles, frontier, runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Engine, select

from newscrawler.store.database import is_in_process, open_engine, translated
from newscrawler.store.schema import Report, complete_index, require_schema, upgrade

if TYPE_CHECKING:
    from newscrawler.store.accounts import Account, Accounts, Role
    from newscrawler.store.article_lines import ArticleLine, ArticleLines
    from newscrawler.store.articles import Articles
    from newscrawler.store.audit import Audit, AuditEntry
    from newscrawler.store.collections import Collections
    from newscrawler.store.credentials import Credentials, Scope, Token
    from newscrawler.store.dispatch import Dispatch
    from newscrawler.store.drift_checks import DriftChecks
    from newscrawler.store.facets import Count, Facet, Facets
    from newscrawler.store.frontier import Frontier
    from newscrawler.store.frontier_records import (
        ClaimedUrl,
        Committed,
        FoundUrl,
        FrontierCounts,
        NextVisit,
        PageOutcome,
        RecentArticle,
    )
    from newscrawler.store.host_records import FetchRecord, HostRecord, RobotsRecord, Turn
    from newscrawler.store.hosts import Hosts, holder_name
    from newscrawler.store.jobs import Job, JobKind, Jobs, JobState
    from newscrawler.store.page_records import KeptPage, PageSelection, StoredPage
    from newscrawler.store.pages import Pages
    from newscrawler.store.patterns import Patterns
    from newscrawler.store.records import Selection, StoredArticle
    from newscrawler.store.released_records import record_hash
    from newscrawler.store.releases import ReleasedDocument, ReleaseRecord, Releases, later_of
    from newscrawler.store.reviews import Reviews
    from newscrawler.store.rights import Rights
    from newscrawler.store.run_log import RunLog
    from newscrawler.store.runs import RunRecord, Runs
    from newscrawler.store.saved_searches import SavedSearch, SavedSearches
    from newscrawler.store.search import Hit, Order, Search
    from newscrawler.store.search_index import Progress
    from newscrawler.store.service import ServiceBook
    from newscrawler.store.service_records import AlertRecord, ExportRecord, ServiceRecord, TurnRecord
    from newscrawler.store.vocabularies import TurnState
    from newscrawler.store.worker_records import CrawlJob, Swept, WorkerRecord
    from newscrawler.store.wrappers import Wrappers

__all__ = [
    "Account",
    "Accounts",
    "AlertRecord",
    "ArticleLine",
    "ArticleLines",
    "Articles",
    "Audit",
    "AuditEntry",
    "ClaimedUrl",
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
    "Token",
    "Turn",
    "TurnRecord",
    "TurnState",
    "WorkerRecord",
    "Wrappers",
    "holder_name",
    "later_of",
    "open_store",
    "record_hash",
]


#: Where what is exported stands: it is loaded when it is asked for, as no command needs all of it.
_PLACES = {
    "Account": "accounts",
    "Accounts": "accounts",
    "AlertRecord": "service_records",
    "ArticleLine": "article_lines",
    "ArticleLines": "article_lines",
    "Articles": "articles",
    "Audit": "audit",
    "AuditEntry": "audit",
    "ClaimedUrl": "frontier_records",
    "Committed": "frontier_records",
    "Count": "facets",
    "CrawlJob": "worker_records",
    "Credentials": "credentials",
    "Dispatch": "dispatch",
    "DriftChecks": "drift_checks",
    "ExportRecord": "service_records",
    "Facet": "facets",
    "Facets": "facets",
    "FetchRecord": "host_records",
    "FoundUrl": "frontier_records",
    "Frontier": "frontier",
    "FrontierCounts": "frontier_records",
    "Hit": "search",
    "HostRecord": "host_records",
    "Hosts": "hosts",
    "Job": "jobs",
    "JobKind": "jobs",
    "JobState": "jobs",
    "Jobs": "jobs",
    "KeptPage": "page_records",
    "NextVisit": "frontier_records",
    "Order": "search",
    "PageOutcome": "frontier_records",
    "PageSelection": "page_records",
    "Pages": "pages",
    "Patterns": "patterns",
    "RecentArticle": "frontier_records",
    "ReleaseRecord": "releases",
    "ReleasedDocument": "releases",
    "Releases": "releases",
    "Reviews": "reviews",
    "Rights": "rights",
    "RobotsRecord": "host_records",
    "Role": "accounts",
    "RunLog": "run_log",
    "RunRecord": "runs",
    "Runs": "runs",
    "SavedSearch": "saved_searches",
    "SavedSearches": "saved_searches",
    "Scope": "credentials",
    "Search": "search",
    "Selection": "records",
    "ServiceBook": "service",
    "ServiceRecord": "service_records",
    "StoredArticle": "records",
    "StoredPage": "page_records",
    "Swept": "worker_records",
    "Token": "credentials",
    "Turn": "host_records",
    "TurnRecord": "service_records",
    "TurnState": "vocabularies",
    "WorkerRecord": "worker_records",
    "Wrappers": "wrappers",
    "holder_name": "hosts",
    "later_of": "releases",
    "record_hash": "released_records",
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
        """Articles of the database."""
        from newscrawler.store.articles import Articles

        return Articles(self.engine)

    @cached_property
    def search(self) -> Search:
        """Search of the database."""
        from newscrawler.store.search import Search

        return Search(self.engine)

    @cached_property
    def runs(self) -> Runs:
        """Runs of the database."""
        from newscrawler.store.runs import Runs

        return Runs(self.engine)

    @cached_property
    def run_log(self) -> RunLog:
        """Logs of the runs."""
        from newscrawler.store.run_log import RunLog

        return RunLog(self.engine)

    @cached_property
    def service(self) -> ServiceBook:
        """ServiceBook of the database."""
        from newscrawler.store.service import ServiceBook

        return ServiceBook(self.engine)

    @cached_property
    def dispatch(self) -> Dispatch:
        """Workers of a cluster and their jobs."""
        from newscrawler.store.dispatch import Dispatch

        return Dispatch(self.engine)

    @cached_property
    def patterns(self) -> Patterns:
        """Patterns of the database."""
        from newscrawler.store.patterns import Patterns

        return Patterns(self.engine)

    @cached_property
    def hosts(self) -> Hosts:
        """Hosts of the database."""
        from newscrawler.store.hosts import Hosts

        return Hosts(self.engine)

    @cached_property
    def pages(self) -> Pages:
        """Pages of the database."""
        from newscrawler.store.pages import Pages

        return Pages(self.engine)

    @cached_property
    def collections(self) -> Collections:
        """Collections of the database."""
        from newscrawler.store.collections import Collections

        return Collections(self.engine)

    @cached_property
    def wrappers(self) -> Wrappers:
        """Wrappers of the database."""
        from newscrawler.store.wrappers import Wrappers

        return Wrappers(self.engine)

    @cached_property
    def drift_checks(self) -> DriftChecks:
        """Drift checks of the database."""
        from newscrawler.store.drift_checks import DriftChecks

        return DriftChecks(self.engine)

    @cached_property
    def releases(self) -> Releases:
        """Releases of the database."""
        from newscrawler.store.releases import Releases

        return Releases(self.engine)

    @cached_property
    def reviews(self) -> Reviews:
        """Reviews of the database."""
        from newscrawler.store.reviews import Reviews

        return Reviews(self.engine)

    @cached_property
    def rights(self) -> Rights:
        """Rights of the database."""
        from newscrawler.store.rights import Rights

        return Rights(self.engine)

    @cached_property
    def article_lines(self) -> ArticleLines:
        """Articles of the database, as lists show them."""
        from newscrawler.store.article_lines import ArticleLines

        return ArticleLines(self.engine)

    @cached_property
    def facets(self) -> Facets:
        """Counts of articles by portal, section, author, language, genre and time."""
        from newscrawler.store.facets import Facets

        return Facets(self.engine)

    @cached_property
    def saved_searches(self) -> SavedSearches:
        """Searches that people of the web application keep."""
        from newscrawler.store.saved_searches import SavedSearches

        return SavedSearches(self.engine)

    @cached_property
    def accounts(self) -> Accounts:
        """Accounts of the web application."""
        from newscrawler.store.accounts import Accounts

        return Accounts(self.engine)

    @cached_property
    def credentials(self) -> Credentials:
        """Sessions and tokens of the web application."""
        from newscrawler.store.credentials import Credentials

        return Credentials(self.engine)

    @cached_property
    def audit(self) -> Audit:
        """Who changed what."""
        from newscrawler.store.audit import Audit

        return Audit(self.engine)

    @cached_property
    def jobs(self) -> Jobs:
        """What people ask the service to do."""
        from newscrawler.store.jobs import Jobs

        return Jobs(self.engine)

    @property
    def in_process(self) -> bool:
        """Whether this process writes the database's file itself; else a server does, whose answers take their time."""
        return is_in_process(self.engine)

    def complete_index(self, progress: Progress | None = None) -> None:
        """Index what was stored before there was a search index; goes on where it was interrupted."""
        complete_index(self.engine, progress)

    def urls_of_kind(self, portal: str, kinds: Sequence[str], most: int = 1000) -> list[tuple[str, str | None, str]]:
        """(kind, outcome, URL) of a portal's URLs, nearest to the start first; further pages of listings left out."""
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


def open_store(
    url: str, *, create: bool = True, any_schema: bool = False, report: Report | None = None, progress: Progress | None = None
) -> Store:
    """Open a database; make it or bring its schema up to date only for those who may create it.

    Args:
        url: sqlite:///FILE or postgresql://…
        create: False: the database must be there and hold our tables, of this schema; it is not migrated.
        any_schema: whatever its schema is; for copies of the file.
        report: is told, in sentences, how far a long migration is; None: the log is.
        progress: called with numbers of articles while those of an older database are indexed for search.

    Raises:
        ConfigError: the URL names no database that can be used.
        StoreError: it cannot be opened, or has the schema of another version.
    """
    engine = open_engine(url, create=create)
    try:
        if create:
            upgrade(engine, report=report, progress=progress)
        elif not any_schema:
            require_schema(engine)
    except BaseException:
        engine.dispose()
        raise
    return Store(engine)
