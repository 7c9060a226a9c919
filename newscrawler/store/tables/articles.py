"""Articles, their fingerprints and their earlier texts."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    JSON,
    BigInteger,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import Mapped, mapped_column

from newscrawler.store.tables.base import Base, RowId, UtcDateTime


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
    section_source: Mapped[str | None] = mapped_column(String(40))
    keywords: Mapped[list[str]] = mapped_column(JSON)
    language: Mapped[str | None] = mapped_column(String(12))
    #: What the body is written in, where the page declares, or the configuration says, another.
    language_detected: Mapped[str | None] = mapped_column(String(12))
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
    """An earlier text of an article that its portal has changed since, or that we have read anew since."""

    __tablename__ = "revision"

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    article_id: Mapped[int] = mapped_column(ForeignKey("article.id"), index=True)
    #: When this text was fetched.
    fetched_at: Mapped[datetime] = mapped_column(UtcDateTime)
    headline: Mapped[str] = mapped_column(Text)
    lead: Mapped[str | None] = mapped_column(Text)
    paragraphs: Mapped[list[list[str]]] = mapped_column(JSON)
    modified_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    #: Why there is a later one; None: the portal changed the text.
    why: Mapped[str | None] = mapped_column(String(40))
    #: The whole earlier record, where we read the page anew and other fields may have changed.
    record: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


ARTICLE = cast("Table", ArticleRow.__table__)
BAND = cast("Table", BandRow.__table__)
REVISION = cast("Table", RevisionRow.__table__)
