"""Kept pages, what was learned of portals, the figures of their nights, and people's judgement of articles."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime

#: A file of pages.
WARC = Table(
    "warc",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    #: Within the folder of pages.
    Column("path", String(300), nullable=False),
    #: When its first page was fetched.
    Column("began_at", UtcDateTime, nullable=False),
    UniqueConstraint("portal_id", "path"),
)


#: A page as it was fetched at one time, and where it is kept.
PAGE = Table(
    "page",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    Column("warc_id", ForeignKey("warc.id"), nullable=False),
    Column("round", Integer, nullable=False),
    Column("url", Text, nullable=False),
    #: BLAKE2b, 16 bytes, of the URL.
    Column("url_hash", LargeBinary(16), nullable=False),
    Column("fetched_at", UtcDateTime, nullable=False),
    #: The record within the file, in bytes.
    Column("offset", BigInteger, nullable=False),
    Column("length", Integer, nullable=False),
    #: Of the content, in bytes, and its digest as the record has it.
    Column("size", Integer, nullable=False),
    Column("digest", String(60), nullable=False),
    #: What it was taken for: article, listing, nothing; part: a further page of an article.
    Column("outcome", String(16)),
    Column("reason", String(300)),
    #: The article that it shows, where it shows one.
    Column("article_id", RowId),
    #: How it was read, for the figures of the night: see `newscrawler.store.nights`.
    Column("reading", JSON(none_as_null=True)),
    Index("ix_page_url", "portal_id", "url_hash"),
    Index("ix_page_round", "portal_id", "round"),
    Index("ix_page_article", "article_id"),
    Index("ix_page_warc", "warc_id"),
)


#: A version of what was learned of a portal; never changed, and kept when the next one comes.
WRAPPER = Table(
    "wrapper",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    #: 1, 2, 3, ... of the portal.
    Column("version", Integer, nullable=False),
    #: The template file.
    Column("document", Text, nullable=False),
    #: learned, imported.
    Column("origin", String(16), nullable=False),
    #: in use, replaced, refused, withdrawn (by hand, never to be used again by itself).
    Column("state", String(16), nullable=False),
    #: Why it is in this state, in a sentence.
    Column("note", Text, default="", nullable=False),
    #: What it was measured on before it was adopted or refused.
    Column("figures", JSON, default=dict, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("portal_id", "version"),
)


#: The watched figures of a portal in one round, and whether they broke their limits.
NIGHT = Table(
    "night",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    Column("round", Integer, nullable=False),
    #: The version of the wrapper that was used; None: none.
    Column("wrapper", Integer),
    Column("figures", JSON, default=dict, nullable=False),
    #: What broke its limit, a sentence each; empty: nothing.
    Column("broken", JSON, default=list, nullable=False),
    #: What was done about it, a sentence.
    Column("done", Text, default="", nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("portal_id", "round"),
)


#: What a person found of an article.
REVIEW = Table(
    "review",
    METADATA,
    Column("id", RowId, primary_key=True),
    Column("portal_id", ForeignKey("portal.id"), nullable=False),
    Column("article_id", ForeignKey("article.id"), nullable=False),
    #: The page that the person saw, which is kept as long as the review.
    Column("page_id", ForeignKey("page.id"), nullable=False),
    #: Words of a fixed vocabulary; empty: the article is right.
    Column("faults", JSON, default=list, nullable=False),
    #: What is expected of the page, as `newscrawler evaluate` takes it; None: faulty and not corrected.
    Column("gold", JSON(none_as_null=True)),
    Column("note", Text, default="", nullable=False),
    Column("reviewed_at", UtcDateTime, nullable=False),
    UniqueConstraint("article_id"),
)
