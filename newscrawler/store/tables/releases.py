"""Corpora that were released, and their kept records so that they can be made again."""

from sqlalchemy import JSON, Column, ForeignKey, Integer, LargeBinary, String, Text

from newscrawler.store.tables.base import RowId, UtcDateTime, define_table, one_of
from newscrawler.store.vocabularies import ReleaseLoss

RELEASE = define_table(
    "release",
    Column("id", Integer, primary_key=True, comment="Number of the release."),
    Column("name", String(100), unique=True, nullable=False, comment="Name of the release, unique."),
    Column("created_at", UtcDateTime, nullable=False, comment="Time, in UTC, for which articles and rights were selected."),
    Column("recipe", JSON, nullable=False, comment="Selection, formats and options, from which the release can be made again."),
    Column("version", String(40), nullable=False, comment="Version of newscrawler."),
    Column("articles", Integer, nullable=False, comment="Number of articles in the release."),
    Column(
        "manifest_sha256",
        String(64),
        nullable=False,
        comment="SHA-256 of manifest.json, which contains the SHA-256 of every other file.",
    ),
    Column("path", Text, nullable=False, comment="Folder to which the release was written."),
    Column(
        "facts",
        JSON(none_as_null=True),
        comment="Figures of crawls, reviews, templates and models that the datasheet quotes; NULL: the release was made by an "
        "earlier newscrawler, which kept nothing of its documents.",
    ),
    comment="Releases: corpora that were written to be cited.",
)


RELEASED_RECORD = define_table(
    "released_record",
    Column("id", RowId, primary_key=True, comment="Number of the record."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), index=True, nullable=False, comment="Article."),
    Column("record", JSON, nullable=False, comment="Columns of `article`, and its names, before it changed."),
    comment="Articles as releases contain them, where they have changed since.",
)


RELEASE_DOCUMENT = define_table(
    "release_document",
    Column("release_id", ForeignKey("release.id", ondelete="CASCADE"), primary_key=True, comment="Release."),
    Column(
        "article_id",
        RowId,
        primary_key=True,
        autoincrement=False,
        index=True,
        comment="Number of the article, which may have been removed since.",
    ),
    Column("record_hash", LargeBinary(16), comment="BLAKE2b hash, 16 bytes, of the whole record; NULL: it is not in the release."),
    Column(
        "record_id",
        ForeignKey("released_record.id", ondelete="SET NULL"),
        index=True,
        comment="The record that was released; NULL: the article has not changed since.",
    ),
    Column(
        "later",
        JSON(none_as_null=True),
        comment="Facts known then besides the record: similar article, corrections, answer of the server; NULL: nothing.",
    ),
    Column("rights", JSON(none_as_null=True), comment="Rights as the release states them; NULL: nothing was reserved."),
    Column("left_out", JSON(none_as_null=True), comment="Why it is not in the release: a duplicate or a tombstone; NULL: it is."),
    Column(
        "lost",
        String(10),
        comment="Why the record cannot be rebuilt: removed (the article was) or reserved (its publisher reserves copies); "
        "NULL: it can.",
    ),
    Column("url", Text, comment="URL of an article that was removed."),
    one_of("lost", ReleaseLoss),
    comment="Documents of a release, and those left out of it.",
    sqlite_with_rowid=False,
)
