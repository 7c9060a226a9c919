"""The URLs of a portal, and what was learned of their patterns."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime, one_of
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome, UrlState

_LEASED = text("run_id IS NOT NULL")
_WITH_ARTICLE = text("article_id IS NOT NULL")

FRONTIER = Table(
    "frontier",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the URL."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal to which the URL belongs."),
    Column("url", Text, nullable=False, comment="Canonical form of the URL."),
    Column("url_hash", LargeBinary(16), nullable=False, comment="BLAKE2b hash, 16 bytes, of `url`."),
    Column("kind", String(16), nullable=False, comment="What the URL is expected to be, before it is fetched."),
    Column("kind_reason", String(40), comment="Why it is expected to be that."),
    Column("priority", SmallInteger, nullable=False, comment="Order of fetching; smaller is earlier."),
    Column("depth", Integer, nullable=False, comment="Links from a start URL."),
    Column("redirects", SmallInteger, default=0, nullable=False, comment="Redirects in a row that led to the URL."),
    Column("state", String(10), nullable=False, comment="State in the queue."),
    Column("outcome", String(16), comment="What the latest fetch showed."),
    Column("http_status", SmallInteger, comment="HTTP status of the latest fetch; NULL if there was no response."),
    Column("reason", ForeignKey("reason.word"), comment="Why the URL gave no article, or is not fetched."),
    Column("detail", String(300), comment="What the reason is about."),
    Column("attempts", SmallInteger, default=0, nullable=False, comment="Failed attempts in a row."),
    Column("new_articles", Integer, default=0, nullable=False, comment="New URLs of articles that the latest visit to it found."),
    Column("empty_visits", SmallInteger, default=0, nullable=False, comment="Latest visits in a row that found no new article."),
    Column("found_on_id", ForeignKey("frontier.id"), comment="Page, feed or sitemap on which the URL was found first."),
    Column("sources", SmallInteger, default=0, nullable=False, comment="Bits: 1 found in links, 2 in feeds, 4 in sitemaps."),
    Column("hints", JSON(none_as_null=True), comment="Dates and sections seen beside links to the URL: [[source, text], ...]."),
    Column("found_at", UtcDateTime, nullable=False, comment="Time at which the URL was found first, in UTC."),
    Column("fetched_at", UtcDateTime, comment="Time of the latest fetch, in UTC."),
    Column("retry_at", UtcDateTime, comment="Earliest time of the next attempt, in UTC."),
    Column("revisit_at", UtcDateTime, comment="Time from which a listing is due again, in UTC; NULL: at once."),
    Column("visits", JSON(none_as_null=True), comment="Latest visits to a listing: [[time, new articles], ...]."),
    Column("round", Integer, default=0, nullable=False, comment="Round of the portal in which the URL was last processed."),
    Column(
        "seen_round",
        Integer,
        default=0,
        server_default="0",
        nullable=False,
        comment="Latest round in which a page, feed or sitemap led to the URL.",
    ),
    Column("run_id", ForeignKey("run.id", ondelete="SET NULL"), comment="Run that holds the lease of the URL."),
    Column("etag", String(300), comment="ETag of the latest response."),
    Column("last_modified", String(60), comment="Last-Modified of the latest response."),
    Column("article_id", ForeignKey("article.id", ondelete="SET NULL"), comment="Article that the URL shows."),
    UniqueConstraint("portal_id", "url_hash"),
    Index("ix_frontier_next", "portal_id", "state", "priority", "id"),
    Index("ix_frontier_lease", "run_id", "state", sqlite_where=_LEASED, postgresql_where=_LEASED),
    Index("ix_frontier_article", "article_id", sqlite_where=_WITH_ARTICLE, postgresql_where=_WITH_ARTICLE),
    one_of("kind", FrontierKind),
    one_of("state", UrlState),
    one_of("outcome", UrlOutcome),
    CheckConstraint("sources BETWEEN 0 AND 7", name="sources"),
    comment="Every URL of each portal with its state: the queue and its history.",
)


URL_PATTERN = Table(
    "url_pattern",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the pattern."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("pattern", String(500), nullable=False, comment="Pattern, such as /{section}/{slug}-{id}."),
    Column("articles", Integer, nullable=False, comment="Fetched URLs that were articles."),
    Column("listings", Integer, nullable=False, comment="Fetched URLs that were listings."),
    Column("others", Integer, nullable=False, comment="Fetched URLs that were neither."),
    Column("new_articles", Integer, nullable=False, comment="New URLs of articles that listings of this pattern led to."),
    Column(
        "unproductive",
        Integer,
        nullable=False,
        comment="Fetched URLs in a row, up to the latest, that were neither article nor listing.",
    ),
    Column(
        "skipped",
        Integer,
        nullable=False,
        comment="URLs since the latest fetched one that were not fetched, as they promise nothing.",
    ),
    UniqueConstraint("portal_id", "pattern"),
    comment="Patterns of URLs of each portal, and what fetching showed of them.",
)
