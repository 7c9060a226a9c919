"""The tables. Rows are rows, not domain objects; what crosses the house are the records of `article` and `records`."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC; comes back aware from SQLite too."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Move to UTC; refuse a naive time."""
        if value is None:
            return None
        if value.tzinfo is None:
            msg = f"{value!r} has no offset"
            raise ValueError(msg)
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """Make what the database gives aware."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


#: SQLite numbers rows by itself only in a column that is exactly INTEGER.
RowId = BigInteger().with_variant(Integer, "sqlite")


class UrlState(StrEnum):
    """Where a URL of the frontier stands."""

    WAITING = "waiting"
    FETCHING = "fetching"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Base(DeclarativeBase):
    """All tables, with named constraints, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


class PortalRow(Base):
    """A portal that was crawled at least once."""

    __tablename__ = "portal"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    name: Mapped[str] = mapped_column(String(200), unique=True)
    #: Counts the nights: a run that follows a finished one begins a new round, one that follows a broken one goes on.
    round: Mapped[int] = mapped_column(Integer, default=0)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class RunRow(Base):
    """One crawl of one portal by one process."""

    __tablename__ = "run"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"), index=True)
    round: Mapped[int] = mapped_column(Integer)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    heartbeat_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    ended_because: Mapped[str | None] = mapped_column(String(200))
    host: Mapped[str] = mapped_column(String(255))
    pid: Mapped[int] = mapped_column(Integer)
    version: Mapped[str] = mapped_column(String(40))
    counts: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)


class FrontierRow(Base):
    """One URL of a portal and everything that happened to it."""

    __tablename__ = "frontier"
    __table_args__ = (
        UniqueConstraint("portal_id", "url_hash"),
        Index("ix_frontier_next", "portal_id", "state", "priority", "id"),
        Index("ix_frontier_lease", "run_id", "state"),
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


class ArticleRow(Base):
    """One article."""

    __tablename__ = "article"
    __table_args__ = (
        UniqueConstraint("portal_id", "url_hash"),
        Index("ix_article_published", "portal_id", "published_at"),
        Index("ix_article_text", "portal_id", "text_hash"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    portal_id: Mapped[int] = mapped_column(ForeignKey("portal.id"))
    url: Mapped[str] = mapped_column(Text)
    #: BLAKE2b, 16 bytes, of the URL that stands for the article: the canonical one where it is believed.
    url_hash: Mapped[bytes] = mapped_column(LargeBinary(16))
    #: The same of headline and body.
    text_hash: Mapped[bytes] = mapped_column(LargeBinary(16))
    canonical_url: Mapped[str | None] = mapped_column(Text)
    headline: Mapped[str] = mapped_column(Text)
    lead: Mapped[str | None] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)
    #: [[kind, text], ...]
    paragraphs: Mapped[list[list[str]]] = mapped_column(JSON)
    description: Mapped[str | None] = mapped_column(Text)
    description_is_lead: Mapped[bool]
    authors: Mapped[list[str]] = mapped_column(JSON)
    published_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: The offset that the page gave, or that was assumed.
    published_offset_minutes: Mapped[int | None] = mapped_column(SmallInteger)
    published_precision: Mapped[str | None] = mapped_column(String(10))
    published_source: Mapped[str | None] = mapped_column(String(40))
    offset_given: Mapped[bool]
    modified_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    modified_offset_minutes: Mapped[int | None] = mapped_column(SmallInteger)
    section: Mapped[str | None] = mapped_column(Text)
    keywords: Mapped[list[str]] = mapped_column(JSON)
    language: Mapped[str | None] = mapped_column(String(12))
    image_url: Mapped[str | None] = mapped_column(Text)
    genre: Mapped[str] = mapped_column(String(20))
    free: Mapped[bool | None]
    word_count: Mapped[int] = mapped_column(Integer)
    fetched_at: Mapped[datetime] = mapped_column(UtcDateTime, index=True)
    method: Mapped[str] = mapped_column(String(60))
    confidence: Mapped[float] = mapped_column(Float)
    #: MinHash of the text, 256 bytes; None: too short to tell.
    sketch: Mapped[bytes | None] = mapped_column(LargeBinary(256))
    #: An earlier article that says nearly the same.
    similar_to: Mapped[int | None] = mapped_column(RowId)


class BandRow(Base):
    """A part of the fingerprint of an article's text; articles that share one are compared."""

    __tablename__ = "band"
    __table_args__ = (Index("ix_band_value", "value"),)

    article_id: Mapped[int] = mapped_column(ForeignKey("article.id"), primary_key=True)
    number: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    value: Mapped[int] = mapped_column(BigInteger)


class RevisionRow(Base):
    """An earlier text of an article that its portal has changed since."""

    __tablename__ = "revision"

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    article_id: Mapped[int] = mapped_column(ForeignKey("article.id"), index=True)
    #: When this text was fetched.
    fetched_at: Mapped[datetime] = mapped_column(UtcDateTime)
    headline: Mapped[str] = mapped_column(Text)
    lead: Mapped[str | None] = mapped_column(Text)
    paragraphs: Mapped[list[list[str]]] = mapped_column(JSON)
    modified_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


#: The tables as such, for statements without the object layer.
PORTAL = cast("Table", PortalRow.__table__)
RUN = cast("Table", RunRow.__table__)
FRONTIER = cast("Table", FrontierRow.__table__)
BAND = cast("Table", BandRow.__table__)
REVISION = cast("Table", RevisionRow.__table__)
PATTERN = cast("Table", PatternRow.__table__)
ARTICLE = cast("Table", ArticleRow.__table__)
