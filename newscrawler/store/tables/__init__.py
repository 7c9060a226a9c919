"""The tables, a module for each topic. Rows are rows, not domain objects: the records of `article` and `store` are those."""

from newscrawler.store.tables.articles import (
    ARTICLE,
    ARTICLE_AUTHOR,
    ARTICLE_ENTITY,
    ARTICLE_KEYWORD,
    ARTICLE_URL,
    ARTICLE_WORDS,
    AUTHOR,
    ENTITY,
    KEYWORD,
    MINHASH_BAND,
    RECOGNISED_ARTICLE,
    REVISION,
    SECTION,
    WORD,
)
from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime
from newscrawler.store.tables.corpora import (
    COLLECTION,
    COLLECTION_ARTICLE,
    COLLECTION_KEYWORD,
    NEWS_KEYWORD,
    RELEASE,
    RELEASE_DOCUMENT,
    RELEASED_RECORD,
)
from newscrawler.store.tables.frontier import (
    FETCH,
    FRONTIER,
    HOST,
    ORIGIN_FILE,
    ORIGIN_STATEMENT,
    PORTAL,
    REASON,
    REMOVAL,
    RESERVATION,
    RUN,
    RUN_LOG,
    URL_PATTERN,
)
from newscrawler.store.tables.pages import DRIFT_CHECK, PAGE, REVIEW, TEMPLATE, WARC_FILE
from newscrawler.store.tables.service import (
    ACCOUNT,
    ALERT,
    AUDIT,
    JOB,
    SAVED_SEARCH,
    SCHEMA_WRITERS,
    SERVICE,
    SESSION,
    TOKEN,
    VERDICT,
    WORKER,
)

__all__ = [
    "ACCOUNT", "ALERT", "ARTICLE", "ARTICLE_AUTHOR", "ARTICLE_ENTITY", "ARTICLE_KEYWORD", "ARTICLE_URL", "ARTICLE_WORDS", "AUDIT",
    "AUTHOR", "COLLECTION", "COLLECTION_ARTICLE", "COLLECTION_KEYWORD", "DRIFT_CHECK", "ENTITY", "FETCH", "FRONTIER", "HOST",
    "JOB", "KEYWORD", "METADATA", "MINHASH_BAND", "NEWS_KEYWORD", "ORIGIN_FILE", "ORIGIN_STATEMENT", "PAGE", "PORTAL", "REASON",
    "RECOGNISED_ARTICLE", "RELEASE", "RELEASED_RECORD", "RELEASE_DOCUMENT", "REMOVAL", "RESERVATION", "REVIEW", "REVISION", "RUN",
    "RUN_LOG", "SAVED_SEARCH", "SCHEMA_WRITERS", "SECTION", "SERVICE", "SESSION", "TEMPLATE", "TOKEN", "URL_PATTERN", "VERDICT",
    "WARC_FILE", "WORD", "WORKER", "RowId", "UtcDateTime",
]  # fmt: skip
