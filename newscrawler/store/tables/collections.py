"""Collections, the articles that are filed in them, their keywords, and keywords known from news."""

from sqlalchemy import Column, ForeignKey, Index, Integer, String, Text

from newscrawler.store.tables.base import UtcDateTime, define_table, one_of
from newscrawler.store.vocabularies import KeywordSource

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
