"""Corpora: collections with their keywords, and releases with the records of which they can be made again."""

from sqlalchemy import JSON, Column, ForeignKey, Index, Integer, LargeBinary, String, Text

from newscrawler.store.tables.base import RowId, UtcDateTime, define_table, one_of
from newscrawler.store.vocabularies import KeywordSource, ReleaseLoss

COLLECTION = define_table(
    "collection",
    Column(
        "id",
        ForeignKey("portal.id"),
        primary_key=True,
        comment="Number of the collection; it is a row of `portal`, too, so that runs, queue and schedule are those of a portal.",
    ),
    Column("created_at", UtcDateTime, nullable=False, comment="Time at which it was first collected, in UTC."),
    comment="Collections of articles from any host, found by searches, lists of URLs, feeds and archives.",
)


COLLECTION_ARTICLE = define_table(
    "collection_article",
    Column("collection_id", ForeignKey("collection.id", ondelete="CASCADE"), primary_key=True, comment="Collection."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article of any portal."),
    Column("filed_at", UtcDateTime, nullable=False, comment="Time at which it was filed, in UTC."),
    Index("ix_collection_article_article", "article_id"),
    comment="Which articles are in which collections; an article of a portal may be in several.",
    sqlite_with_rowid=False,
)


COLLECTION_KEYWORD = define_table(
    "collection_keyword",
    Column("collection_id", ForeignKey("collection.id", ondelete="CASCADE"), primary_key=True, comment="Collection."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Column("keyword_id", ForeignKey("keyword.id"), primary_key=True, comment="Keyword under which it is filed."),
    Column(
        "source",
        String(10),
        nullable=False,
        comment="topic: a keyword of the collection that the article names; declared: by its page; frequent: among the words that "
        "its text repeats most.",
    ),
    Index("ix_collection_keyword_article", "article_id"),
    Index("ix_collection_keyword_keyword", "keyword_id", "article_id"),
    one_of("source", KeywordSource),
    comment="Keywords under which the articles of collections are filed.",
    sqlite_with_rowid=False,
)


NEWS_KEYWORD = define_table(
    "news_keyword",
    Column("language", String(12), primary_key=True, comment="Language of the pages."),
    Column("word", Text, primary_key=True, comment="Keyword in small letters."),
    Column("pages", Integer, nullable=False, comment="Pages of news that declared it."),
    comment="Keywords of pages that were found to be news, with which the keywords of other pages are compared.",
    sqlite_with_rowid=False,
)


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
