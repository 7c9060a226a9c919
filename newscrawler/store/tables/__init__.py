"""The tables, a module a topic. Rows are rows, not domain objects; the records of `article` and `records` cross the house."""

from newscrawler.store.tables.articles import ARTICLE, BAND, REVISION, ArticleRow, BandRow, RevisionRow
from newscrawler.store.tables.base import Base, RowId, UtcDateTime
from newscrawler.store.tables.frontier import FRONTIER, PATTERN, FrontierRow, PatternRow, UrlState
from newscrawler.store.tables.hosts import FETCH, HOST, ROBOTS, FetchRow, HostRow, RobotsRow
from newscrawler.store.tables.portals import PORTAL, RUN, PortalRow, RunRow

__all__ = [
    "ARTICLE",
    "BAND",
    "FETCH",
    "FRONTIER",
    "HOST",
    "PATTERN",
    "PORTAL",
    "REVISION",
    "ROBOTS",
    "RUN",
    "ArticleRow",
    "BandRow",
    "Base",
    "FetchRow",
    "FrontierRow",
    "HostRow",
    "PatternRow",
    "PortalRow",
    "RevisionRow",
    "RobotsRow",
    "RowId",
    "RunRow",
    "UrlState",
    "UtcDateTime",
]
