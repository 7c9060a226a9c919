"""The tables, a module a topic. Rows are rows, not domain objects; the records of `article` and `records` cross the house."""

from newscrawler.store.tables.articles import ARTICLE, BAND, REVISION
from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime
from newscrawler.store.tables.frontier import FRONTIER, PATTERN
from newscrawler.store.tables.hosts import FETCH, HOST, ROBOTS
from newscrawler.store.tables.pages import NIGHT, PAGE, REVIEW, WARC, WRAPPER
from newscrawler.store.tables.portals import PORTAL, RUN
from newscrawler.store.tables.rights import ORIGIN_STATEMENT, REMOVAL, RESERVATION, RIGHTS_FILE, TDM_FILE
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
    "ORIGIN_STATEMENT",
    "PAGE",
    "PATTERN",
    "PORTAL",
    "REMOVAL",
    "RESERVATION",
    "REVIEW",
    "REVISION",
    "RIGHTS_FILE",
    "ROBOTS",
    "RUN",
    "SERVICE",
    "TDM_FILE",
    "TURN",
    "WARC",
    "WATCH",
    "WRAPPER",
    "RowId",
    "UtcDateTime",
]
