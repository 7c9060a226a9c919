"""The URLs of a portal, and what was learned of their patterns."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
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

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: One URL of a portal and everything that happened to it.
FRONTIER = Table(
    "frontier",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    Column("url", Text, nullable=False),
    #: BLAKE2b, 16 bytes, of the canonical URL.
    Column("url_hash", LargeBinary(16), nullable=False),
    #: What the classifier took it for: start, section, article, other, feed, sitemap.
    Column("kind", String(16), nullable=False),
    Column("why", String(40)),
    #: Smaller is fetched earlier.
    Column("priority", SmallInteger, nullable=False),
    #: Links from a start URL.
    Column("depth", Integer, nullable=False),
    #: Redirects that led here without a page between.
    Column("hops", SmallInteger, default=0, nullable=False),
    Column("state", String(10), nullable=False),
    #: What fetching showed: article, listing, nothing, redirect.
    Column("outcome", String(16)),
    Column("http_status", SmallInteger),
    #: A word of PageReason, and what it is about.
    Column("reason", String(300)),
    Column("detail", String(300)),
    Column("tries", SmallInteger, default=0, nullable=False),
    #: New articles that this page's links led to, the last time and in all.
    Column("fresh_links", Integer, default=0, nullable=False),
    #: Visits in a row, up to the latest, that led to no new article.
    Column("barren_visits", SmallInteger, default=0, nullable=False),
    Column("found_on_id", RowId),
    #: Bits: who led to it (1 links, 2 feeds, 4 sitemaps); from their overlap a night's completeness is estimated.
    Column("sources", SmallInteger, default=0, nullable=False),
    #: What was said of its date before it was opened: [[source, text], ...].
    Column("hints", JSON(none_as_null=True)),
    Column("found_at", UtcDateTime, nullable=False),
    Column("fetched_at", UtcDateTime),
    Column("next_try_at", UtcDateTime),
    #: From when on a listing is worth another visit; null: at once.
    Column("next_visit_at", UtcDateTime),
    #: The latest visits to a listing: [[when, new articles], ...]; `next_visit_at` follows from them.
    Column("visits", JSON(none_as_null=True)),
    #: The round in which it was last dealt with.
    Column("round", Integer, default=0, nullable=False),
    #: The round in which a page, feed or sitemap led to it for the last time.
    Column("seen_round", Integer, default=0, server_default="0", nullable=False),
    #: The run that has it in hand.
    Column("run_id", Integer),
    Column("etag", String(300)),
    Column("last_modified", String(60)),
    #: The article that this URL shows, where it shows one.
    Column("article_id", RowId),
    UniqueConstraint("portal_id", "url_hash"),
    Index("ix_frontier_next", "portal_id", "state", "priority", "id"),
    Index("ix_frontier_lease", "run_id", "state"),
    Index(
        "ix_frontier_article",
        "article_id",
        sqlite_where=text("article_id IS NOT NULL"),
        postgresql_where=text("article_id IS NOT NULL"),
    ),
)


#: What fetching showed of the URLs of one make (`/{section}/{slug}-{id}`).
PATTERN = Table(
    "pattern",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    Column("pattern", String(500), nullable=False),
    Column("articles", Integer, nullable=False),
    Column("listings", Integer, nullable=False),
    Column("neither", Integer, nullable=False),
    Column("fresh", Integer, nullable=False),
    Column("barren", Integer, nullable=False),
    Column("passed_over", Integer, nullable=False),
    UniqueConstraint("portal_id", "pattern"),
)
