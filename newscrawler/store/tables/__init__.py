"""The tables, a module a topic. Rows are rows, not domain objects; the records of `article` and `records` cross the house."""

from newscrawler.store.tables.articles import ARTICLE, BAND, REVISION
from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime
from newscrawler.store.tables.frontier import FRONTIER, PATTERN
from newscrawler.store.tables.hosts import FETCH, HOST, ROBOTS
from newscrawler.store.tables.pages import NIGHT, PAGE, REVIEW, WARC, WRAPPER
from newscrawler.store.tables.portals import PORTAL, RUN
from newscrawler.store.tables.releases import RELEASE
from newscrawler.store.tables.rights import RESERVATION, TDM_FILE
from newscrawler.store.tables.search import SEARCH_BACKLOG
from newscrawler.store.tables.service import (
    ALERT,
    DIGEST,
    EXPORT,
    SERVICE,
    TURN,
    WATCH,
)

__all__ = [
    "ALERT",
    "ARTICLE",
    "BAND",
    "DIGEST",
    "EXPORT",
    "FETCH",
    "FRONTIER",
    "HOST",
    "METADATA",
    "NIGHT",
    "PAGE",
    "PATTERN",
    "PORTAL",
    "RELEASE",
    "RESERVATION",
    "REVIEW",
    "REVISION",
    "ROBOTS",
    "RUN",
    "SEARCH_BACKLOG",
    "SERVICE",
    "TDM_FILE",
    "TURN",
    "WARC",
    "WATCH",
    "WRAPPER",
    "RowId",
    "UtcDateTime",
]
