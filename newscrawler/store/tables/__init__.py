"""The tables, a module a topic. Rows are rows, not domain objects; the records of `article` and `records` cross the house."""

from newscrawler.store.tables.articles import ARTICLE, BAND, REVISION, ArticleRow, BandRow, RevisionRow
from newscrawler.store.tables.base import Base, RowId, UtcDateTime
from newscrawler.store.tables.frontier import FRONTIER, PATTERN, FrontierRow, PatternRow, UrlState
from newscrawler.store.tables.hosts import FETCH, HOST, ROBOTS, FetchRow, HostRow, RobotsRow
from newscrawler.store.tables.pages import NIGHT, PAGE, REVIEW, WARC, WRAPPER, NightRow, PageRow, ReviewRow, WarcRow, WrapperRow
from newscrawler.store.tables.portals import PORTAL, RUN, PortalRow, RunRow

__all__ = [
    "ARTICLE",
    "BAND",
    "FETCH",
    "FRONTIER",
    "HOST",
    "NIGHT",
    "PAGE",
    "PATTERN",
    "PORTAL",
    "REVIEW",
    "REVISION",
    "ROBOTS",
    "RUN",
    "WARC",
    "WRAPPER",
    "ArticleRow",
    "BandRow",
    "Base",
    "FetchRow",
    "FrontierRow",
    "HostRow",
    "NightRow",
    "PageRow",
    "PatternRow",
    "PortalRow",
    "ReviewRow",
    "RevisionRow",
    "RobotsRow",
    "RowId",
    "RunRow",
    "UrlState",
    "UtcDateTime",
    "WarcRow",
    "WrapperRow",
]
