"""Kept pages, and people's reviews of articles."""

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

from newscrawler.store.tables.base import METADATA, RowId, UtcDateTime, one_of
from newscrawler.store.vocabularies import PageOutcomeKind

WARC_FILE = Table(
    "warc_file",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the file."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal whose pages it holds."),
    Column("path", String(300), nullable=False, comment="Path within the folder of pages."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which its first page was fetched, in UTC."),
    UniqueConstraint("portal_id", "path"),
    comment="WARC files with the pages as they were received.",
)


PAGE = Table(
    "page",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the page."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("warc_id", ForeignKey("warc_file.id"), nullable=False, comment="File that holds the page."),
    Column("round", Integer, nullable=False, comment="Round of the portal in which it was fetched."),
    Column("url", Text, nullable=False, comment="URL of the page."),
    Column("url_hash", LargeBinary(16), nullable=False, comment="BLAKE2b hash, 16 bytes, of `url`."),
    Column("fetched_at", UtcDateTime, nullable=False, comment="Time of fetching, in UTC."),
    Column("warc_offset", BigInteger, nullable=False, comment="Offset of the WARC record in the file, in bytes."),
    Column("warc_length", Integer, nullable=False, comment="Length of the WARC record, in bytes."),
    Column("size", Integer, nullable=False, comment="Length of the content, in bytes."),
    Column("digest", String(60), nullable=False, comment="Digest of the content, as in the WARC record."),
    Column(
        "outcome",
        String(16),
        comment=(
            "What the page was taken for; part: a further page of an article; source: an answer from which a page was made, by a "
            "browser or of the answer of an API."
        ),
    ),
    Column("reason", ForeignKey("reason.word"), comment="Why the page gave no article."),
    Column("detail", Text, comment="What the reason is about."),
    Column("article_id", ForeignKey("article.id", ondelete="SET NULL"), comment="Article that the page shows."),
    Column("reading", JSON(none_as_null=True), comment="Figures of how the page was read, for the detection of layout drift."),
    Index("ix_page_url", "portal_id", "url_hash"),
    Index("ix_page_round", "portal_id", "round"),
    Index("ix_page_article", "article_id"),
    Index("ix_page_warc", "warc_id"),
    Index("ix_page_fetched", "fetched_at", "id"),
    one_of("outcome", PageOutcomeKind),
    comment="Pages that were kept, each as it was fetched at one time, and where they are kept.",
)


REVIEW = Table(
    "review",
    METADATA,
    Column("id", RowId, primary_key=True, comment="Number of the review."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal of the article."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), nullable=False, comment="Article that was reviewed."),
    Column("page_id", ForeignKey("page.id"), index=True, nullable=False, comment="Page that the reviewer saw."),
    Column("faults", JSON, default=list, nullable=False, comment="Faults, as a JSON list of words; empty: the article is right."),
    Column("gold", JSON(none_as_null=True), comment="Corrected record; NULL: not corrected."),
    Column("note", Text, default="", nullable=False, comment="Note of the reviewer."),
    Column("reviewed_at", UtcDateTime, nullable=False, comment="Time of the review, in UTC."),
    UniqueConstraint("article_id"),
    comment="Reviews of articles by people.",
)
