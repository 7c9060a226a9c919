"""Articles, their fingerprints and their earlier texts."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
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

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: One article.
ARTICLE = Table(
    "article",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    Column("url", Text, nullable=False),
    #: BLAKE2b, 16 bytes, of the URL that stands for the article: the canonical one where it is believed.
    Column("url_hash", LargeBinary(16), nullable=False),
    #: The same of headline and body.
    Column("text_hash", LargeBinary(16), nullable=False),
    Column("canonical_url", Text),
    Column("headline", Text, nullable=False),
    Column("lead", Text),
    Column("body", Text, nullable=False),
    #: [[kind, text], ...]
    Column("paragraphs", JSON, nullable=False),
    Column("description", Text),
    Column("description_is_lead", Boolean, nullable=False),
    Column("authors", JSON, nullable=False),
    Column("published_at", UtcDateTime),
    #: The offset that the page gave, or that was assumed.
    Column("published_offset_minutes", SmallInteger),
    Column("published_precision", String(10)),
    Column("published_source", String(40)),
    Column("offset_given", Boolean, nullable=False),
    Column("modified_at", UtcDateTime),
    Column("modified_offset_minutes", SmallInteger),
    Column("section", Text),
    Column("section_source", String(40)),
    Column("keywords", JSON, nullable=False),
    Column("language", String(12)),
    #: What the body is written in, where the page declares, or the configuration says, another.
    Column("language_detected", String(12)),
    Column("image_url", Text),
    Column("genre", String(20), nullable=False),
    Column("free", Boolean),
    Column("word_count", Integer, nullable=False),
    Column("fetched_at", UtcDateTime, index=True, nullable=False),
    Column("method", String(60), nullable=False),
    Column("confidence", Float, nullable=False),
    #: MinHash of the text, 256 bytes; None: too short to tell.
    Column("sketch", LargeBinary(256)),
    #: An earlier article that says nearly the same.
    Column("similar_to", RowId),
    UniqueConstraint("portal_id", "url_hash"),
    Index("ix_article_published", "portal_id", "published_at"),
    Index("ix_article_text", "portal_id", "text_hash"),
    #: All that a search is narrowed by, so that it need not read the rows with their texts.
    Index(
        "ix_article_facets",
        "id",
        "portal_id",
        "published_at",
        "fetched_at",
        "published_offset_minutes",
        "language",
        "genre",
        "section",
    ),
)


#: A part of the fingerprint of an article's text; articles that share one are compared.
BAND = Table(
    "band",
    METADATA,
    Column("article_id", ForeignKey("article.id"), primary_key=True),
    Column("number", SmallInteger, primary_key=True),
    Column("value", BigInteger, nullable=False),
    Index("ix_band_value", "value"),
)


#: An earlier text of an article that its portal has changed since, or that we have read anew since.
REVISION = Table(
    "revision",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("article_id", ForeignKey("article.id"), index=True, nullable=False),
    #: When this text was fetched.
    Column("fetched_at", UtcDateTime, nullable=False),
    Column("headline", Text, nullable=False),
    Column("lead", Text),
    Column("paragraphs", JSON, nullable=False),
    Column("modified_at", UtcDateTime),
    #: Why there is a later one; None: the portal changed the text.
    Column("why", String(40)),
    #: The whole earlier record, where we read the page anew and other fields may have changed.
    Column("record", JSON(none_as_null=True)),
)
