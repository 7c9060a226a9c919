"""The URLs of a portal, and what was learned of their patterns."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import cast

from sqlalchemy import JSON, ForeignKey, Index, Integer, LargeBinary, SmallInteger, String, Table, Text, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, RowId, UtcDateTime


class UrlState(StrEnum):
    """Where a URL of the frontier stands."""

    WAITING = "waiting"
    FETCHING = "fetching"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class FrontierRow(Base):
    """One URL of a portal and everything that happened to it."""

    __tablename__ = "frontier"
    __table_args__ = (
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

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    url: Mapped[str] = mapped_column(Text)
    #: BLAKE2b, 16 bytes, of the canonical URL.
    url_hash: Mapped[bytes] = mapped_column(LargeBinary(16))
    #: What the classifier took it for: start, section, article, other, feed, sitemap.
    kind: Mapped[str] = mapped_column(String(16))
    why: Mapped[str | None] = mapped_column(String(40))
    #: Smaller is fetched earlier.
    priority: Mapped[int] = mapped_column(SmallInteger)
    #: Links from a start URL.
    depth: Mapped[int] = mapped_column(Integer)
    #: Redirects that led here without a page between.
    hops: Mapped[int] = mapped_column(SmallInteger, default=0)
    state: Mapped[str] = mapped_column(String(10))
    #: What fetching showed: article, listing, nothing, redirect.
    outcome: Mapped[str | None] = mapped_column(String(16))
    http_status: Mapped[int | None] = mapped_column(SmallInteger)
    #: A word of PageReason, with a detail behind a colon.
    reason: Mapped[str | None] = mapped_column(String(300))
    tries: Mapped[int] = mapped_column(SmallInteger, default=0)
    #: New articles that this page's links led to, the last time and in all.
    fresh_links: Mapped[int] = mapped_column(Integer, default=0)
    #: Visits in a row, up to the latest, that led to no new article.
    barren_visits: Mapped[int] = mapped_column(SmallInteger, default=0)
    found_on_id: Mapped[int | None] = mapped_column(RowId)
    #: Bits: who led to it (1 links, 2 feeds, 4 sitemaps); from their overlap a night's completeness is estimated.
    sources: Mapped[int] = mapped_column(SmallInteger, default=0)
    #: What was said of its date before it was opened: [[source, text], ...].
    hints: Mapped[list[list[str]] | None] = mapped_column(JSON(none_as_null=True))
    found_at: Mapped[datetime] = mapped_column(UtcDateTime)
    fetched_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    next_try_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: From when on a listing is worth another visit; null: at once.
    next_visit_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: The latest visits to a listing: [[when, new articles], ...]; `next_visit_at` follows from them.
    visits: Mapped[list[list[object]] | None] = mapped_column(JSON(none_as_null=True))
    #: The round in which it was last dealt with.
    round: Mapped[int] = mapped_column(Integer, default=0)
    #: The run that has it in hand.
    run_id: Mapped[int | None] = mapped_column(Integer)
    etag: Mapped[str | None] = mapped_column(String(300))
    last_modified: Mapped[str | None] = mapped_column(String(60))
    #: The article that this URL shows, where it shows one.
    article_id: Mapped[int | None] = mapped_column(RowId)


class PatternRow(Base):
    """What fetching showed of the URLs of one make (`/{section}/{slug}-{id}`)."""

    __tablename__ = "pattern"
    __table_args__ = (UniqueConstraint("portal_id", "pattern"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    pattern: Mapped[str] = mapped_column(String(500))
    articles: Mapped[int] = mapped_column(Integer)
    listings: Mapped[int] = mapped_column(Integer)
    neither: Mapped[int] = mapped_column(Integer)
    fresh: Mapped[int] = mapped_column(Integer)
    barren: Mapped[int] = mapped_column(Integer)
    passed_over: Mapped[int] = mapped_column(Integer)


FRONTIER = cast("Table", FrontierRow.__table__)
PATTERN = cast("Table", PatternRow.__table__)
