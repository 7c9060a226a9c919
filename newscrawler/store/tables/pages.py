"""Kept pages, reviews of articles, and templates with their checks."""

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, String, Text, UniqueConstraint

from newscrawler.store.tables.base import RowId, UtcDateTime, define_table, one_of
from newscrawler.store.vocabularies import PagePart, TemplateOrigin, TemplateState, UrlOutcome

WARC_FILE = define_table(
    "warc_file",
    Column("id", RowId, primary_key=True, comment="Number of the file."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal whose pages it contains."),
    Column("path", String(300), nullable=False, comment="Path within the folder of pages."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which its first page was fetched, in UTC."),
    UniqueConstraint("portal_id", "path"),
    comment="WARC files with the pages as they were received.",
)


PAGE = define_table(
    "page",
    Column("id", RowId, primary_key=True, comment="Number of the page."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("warc_id", ForeignKey("warc_file.id"), nullable=False, comment="File that contains the page."),
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
            "Kind of the page; part: a further page of an article; source: an answer from which a page was made, by a "
            "browser or of the answer of an API."
        ),
    ),
    Column("reason", ForeignKey("reason.word"), comment="Why the page gave no article."),
    Column("detail", Text, comment="Subject of the reason."),
    Column("article_id", ForeignKey("article.id", ondelete="SET NULL"), comment="Article that the page shows."),
    Column("reading", JSON(none_as_null=True), comment="Figures of how the page was read, for the detection of layout drift."),
    Index("ix_page_url", "portal_id", "url_hash"),
    Index("ix_page_round", "portal_id", "round"),
    Index("ix_page_article", "article_id"),
    Index("ix_page_warc", "warc_id"),
    Index("ix_page_fetched", "fetched_at", "id"),
    one_of("outcome", (*UrlOutcome, *PagePart)),
    comment="Pages that were kept, each as it was fetched at one time, and where they are kept.",
)


REVIEW = define_table(
    "review",
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


TEMPLATE = define_table(
    "template",
    Column("id", RowId, primary_key=True, comment="Number of the row."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("version", Integer, nullable=False, comment="Version of the portal's template, from 1."),
    Column("document", Text, nullable=False, comment="The template file, JSON."),
    Column("origin", String(16), nullable=False, comment="Where it came from."),
    Column(
        "state", String(16), nullable=False, comment="Whether it is in use; one that was withdrawn is not used again by itself."
    ),
    Column("note", Text, default="", nullable=False, comment="Why it is in this state, in a sentence."),
    Column("figures", JSON, default=dict, nullable=False, comment="Figures measured before it was adopted or refused."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which it was added, in UTC."),
    UniqueConstraint("portal_id", "version"),
    one_of("origin", TemplateOrigin),
    one_of("state", TemplateState),
    comment="Versions of the template of each portal; a version is never changed.",
)


DRIFT_CHECK = define_table(
    "drift_check",
    Column("id", RowId, primary_key=True, comment="Number of the check."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal."),
    Column("round", Integer, nullable=False, comment="Round of the portal."),
    Column("template_version", Integer, comment="Version of the template in use; NULL: none."),
    Column("figures", JSON, default=dict, nullable=False, comment="Figures of how the pages of the round were read."),
    Column("violations", JSON, default=list, nullable=False, comment="Limits that were exceeded, a sentence each; empty: none."),
    Column("action", Text, default="", nullable=False, comment="What was done about it, in a sentence."),
    Column("checked_at", UtcDateTime, nullable=False, comment="Time of the check, in UTC."),
    UniqueConstraint("portal_id", "round"),
    comment="Checks, round by round, of whether the layout of a portal has changed (layout drift).",
)
