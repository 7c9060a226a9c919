"""Articles with their authors, keywords, sections, addresses, earlier texts and fingerprints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Computed,
    Date,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    SmallInteger,
    String,
    Text,
    UniqueConstraint,
    column,
)
from sqlalchemy.types import TypeEngine

from newscrawler.article import FIELDS, DatePrecision
from newscrawler.store.tables.base import LocalDay, RowId, UtcDateTime, define_partial_index, define_table, one_of
from newscrawler.store.vocabularies import ArticleUrlKind, EntityKind, RevisionReason

SECTION = define_table(
    "section",
    Column("id", Integer, primary_key=True, comment="Number of the section."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal that the section belongs to."),
    Column("name", Text, nullable=False, comment="Name of the section as the portal writes it."),
    UniqueConstraint("portal_id", "name"),
    comment="Sections of portals, such as Sport or Politics.",
)


ARTICLE = define_table(
    "article",
    Column("id", RowId, primary_key=True, comment="Number of the article; exports and commands show the same number."),
    Column("portal_id", ForeignKey("portal.id"), nullable=False, comment="Portal that published the article."),
    Column("url", Text, nullable=False, comment="URL from which the article was fetched; other URLs of it are in article_url."),
    Column(
        "url_hash",
        LargeBinary(16),
        nullable=False,
        comment="BLAKE2b hash, 16 bytes, of the URL that identifies the article within its portal.",
    ),
    Column("text_hash", LargeBinary(16), nullable=False, comment="BLAKE2b hash, 16 bytes, of title and body."),
    Column("is_canonical", Boolean, nullable=False, comment="True: the page declares `url` to be its canonical URL."),
    Column("canonical_url", Text, comment="Canonical URL that the page declares, where it differs from `url`."),
    Column("title", Text, nullable=False, comment="Title; empty if the page has none."),
    Column(
        "lead",
        Text,
        comment="Lead, where it is not the first paragraph; otherwise that paragraph has the kind `lead` in `paragraphs`.",
    ),
    Column(
        "paragraphs",
        JSON,
        nullable=False,
        comment="Body in reading order, as JSON: [[kind, text], ...]; the kinds are lead, paragraph, heading, list item, quote and "
        "table row. A third element is the number of the post in a live blog.",
    ),
    Column("description", Text, comment="Description that the page declares; NULL where `description_is_lead`."),
    Column(
        "description_is_lead",
        Boolean,
        nullable=False,
        comment="True: the page declares no description; exports use the lead, or the first paragraph, instead.",
    ),
    Column("published_at", UtcDateTime, comment="Time of publication in UTC; NULL if unknown."),
    Column(
        "published_offset_minutes", SmallInteger, comment="Offset from UTC, in minutes, on the clock of the page at `published_at`."
    ),
    Column("published_precision", String(10), comment="How exactly the page states the time of publication: minute, day or month."),
    Column("published_source", String(40), comment="Evidence that gave the time of publication, such as json-ld or meta."),
    Column(
        "offset_given",
        Boolean,
        nullable=False,
        comment="True: the page states the offset; false: the time zone of the portal was assumed.",
    ),
    Column("modified_at", UtcDateTime, comment="Time of the latest change that the page declares, in UTC."),
    Column("modified_offset_minutes", SmallInteger, comment="Offset from UTC, in minutes, at `modified_at`."),
    Column("section_id", ForeignKey("section.id"), comment="Section of the article."),
    Column("section_source", String(40), comment="Evidence that gave the section, such as breadcrumb or listing."),
    Column("language", String(12), comment="Language that the page declares, or the portal's, as a BCP 47 tag."),
    Column("language_detected", String(12), comment="Language of the body, where it differs from `language`."),
    Column("image_url", Text, comment="URL of the main image."),
    Column("publisher", Text, comment="Name of the site, as the page declares it or links to its front page by it."),
    Column("genre", String(20), nullable=False, comment="Genre: news, opinion, interview, live, gallery or sponsored."),
    Column("free", Boolean, comment="False: behind a paywall; NULL: the page does not say."),
    Column("word_count", Integer, nullable=False, comment="Words of the body; Chinese and Japanese count by characters."),
    Column("fetched_at", UtcDateTime, nullable=False, comment="Time at which this text was fetched, in UTC."),
    Column("source", String(10), comment="archive: a web archive's copy, captured at `fetched_at`; NULL: the portal's page."),
    Column("method", String(60), nullable=False, comment="Method that found the body."),
    Column("confidence", Float, nullable=False, comment="Expected F1 of the body, 0 to 1."),
    Column("minhash", LargeBinary(256), comment="MinHash signature of the body, 64 numbers of 32 bits; NULL if it is too short."),
    Column(
        "similar_to_id",
        ForeignKey("article.id", ondelete="SET NULL"),
        comment="Earlier article, on any portal, with nearly the same text.",
    ),
    Column(
        "corrections",
        SmallInteger,
        default=0,
        server_default="0",
        nullable=False,
        comment="How often the portal has changed the text.",
    ),
    Column("corrected_at", UtcDateTime, comment="Time at which the latest change was found, in UTC."),
    Column(
        "gone_at",
        UtcDateTime,
        comment="Time at which its URL was found to answer that the article is gone, in UTC; NULL: it was there.",
    ),
    Column("http_status", SmallInteger, comment="HTTP status with which it was gone."),
    Column(
        "dated_at",
        UtcDateTime,
        Computed("coalesce(published_at, fetched_at)", persisted=True),
        comment="Time by which articles are sorted: `published_at`, or else `fetched_at`. Computed.",
    ),
    Column(
        "day",
        Date,
        Computed(LocalDay(column("published_at"), column("published_offset_minutes"), column("fetched_at")), persisted=True),
        comment="Local day of publication; of an article without a date, the UTC day on which it was fetched. Computed.",
    ),
    UniqueConstraint("portal_id", "url_hash"),
    Index("ix_article_url", "url", postgresql_using="hash"),
    Index("ix_article_text", "portal_id", "text_hash"),
    Index("ix_article_day", "portal_id", "day"),
    Index("ix_article_dated", "dated_at", "id"),
    Index("ix_article_language", "language", "dated_at"),
    Index("ix_article_section", "section_id"),
    define_partial_index("ix_article_similar", "similar_to_id", where="similar_to_id IS NOT NULL"),
    # all that a search is narrowed and ordered by, so that it need not read the rows with their texts
    Index("ix_article_facets", "id", "portal_id", "dated_at", "day", "language", "genre", "section_id", "word_count"),
    one_of("published_precision", DatePrecision),
    comment="One row for each article, with its current text.",
)


_TYPES: Mapping[str, type[TypeEngine[Any]]] = {
    "text": Text, "integer": Integer, "number": Float, "boolean": Boolean, "time": UtcDateTime,
}  # fmt: skip
for _field in FIELDS:  # those that need neither a length nor a constraint
    if _field.column and _field.name not in ARTICLE.c:
        ARTICLE.append_column(Column(_field.name, _TYPES[_field.type], comment=_field.meaning))


AUTHOR = define_table(
    "author",
    Column("id", Integer, primary_key=True, comment="Number of the author."),
    Column("name", Text, unique=True, nullable=False, comment="Name as pages write it; one person may have several spellings."),
    comment="Names of authors, each once for all portals.",
)


ARTICLE_AUTHOR = define_table(
    "article_author",
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Column("position", SmallInteger, primary_key=True, autoincrement=False, comment="Place in the byline, from 1."),
    Column("author_id", ForeignKey("author.id"), nullable=False, comment="Author."),
    Index("ix_article_author_author", "author_id", "article_id"),
    comment="Which authors an article names, in the order of its byline.",
    sqlite_with_rowid=False,
)


KEYWORD = define_table(
    "keyword",
    Column("id", Integer, primary_key=True, comment="Number of the keyword."),
    Column("name", Text, unique=True, nullable=False, comment="Keyword as pages write it."),
    comment="Keywords, each once for all portals.",
)


ARTICLE_KEYWORD = define_table(
    "article_keyword",
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Column("position", SmallInteger, primary_key=True, autoincrement=False, comment="Place in the list of the page, from 1."),
    Column("keyword_id", ForeignKey("keyword.id"), nullable=False, comment="Keyword."),
    Index("ix_article_keyword_keyword", "keyword_id", "article_id"),
    comment="Which keywords an article declares, in its order.",
    sqlite_with_rowid=False,
)


ARTICLE_URL = define_table(
    "article_url",
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Column("url_hash", LargeBinary(16), primary_key=True, comment="BLAKE2b hash, 16 bytes, of `url`."),
    Column("url", Text, nullable=False, comment="URL at which the article is or was; `article.url` is not repeated here."),
    Column(
        "kind", String(10), nullable=False, comment="canonical: declared by the page; duplicate: another URL; former: moved away."
    ),
    Column("first_seen_at", UtcDateTime, comment="Time at which the URL was connected with the article, in UTC; NULL if unknown."),
    Index("ix_article_url_url", "url", postgresql_using="hash"),
    one_of("kind", ArticleUrlKind),
    comment="Further URLs of articles: canonical ones, duplicates, and those that an article has left.",
    sqlite_with_rowid=False,
)


ENTITY = define_table(
    "entity",
    Column("id", Integer, primary_key=True, comment="Number of the entity."),
    Column("recogniser", Text, nullable=False, comment="Recogniser that finds it, such as `ontea` or `spacy:MODEL`."),
    Column("kind", String(12), nullable=False, comment="person, organisation, place, topic or other."),
    Column("name", Text, nullable=False, comment="Name, as the recogniser normalises it."),
    UniqueConstraint("recogniser", "kind", "name"),
    Index("ix_entity_name", "name"),
    one_of("kind", EntityKind),
    comment="Persons, organisations, places and topics that recognisers found, each once for all portals.",
)


ARTICLE_ENTITY = define_table(
    "article_entity",
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Column("entity_id", ForeignKey("entity.id"), primary_key=True, comment="Entity."),
    Column("mentions", Integer, nullable=False, comment="How often the text mentions it; 1 of a topic."),
    Column(
        "spans",
        JSON,
        nullable=False,
        comment="Places of the mentions, each [paragraph, first character, character behind it]; paragraph 0 is the headline.",
    ),
    Index("ix_article_entity_entity", "entity_id", "article_id", "mentions"),
    comment="Which entities an article mentions, and which topics it has.",
    sqlite_with_rowid=False,
)


RECOGNISED_ARTICLE = define_table(
    "recognised_article",
    Column("recogniser", Text, primary_key=True, comment="Recogniser."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Index("ix_recognised_article_article", "article_id"),
    comment="Which articles each recogniser has read as they are now.",
    sqlite_with_rowid=False,
)


MINHASH_BAND = define_table(
    "minhash_band",
    Column("hash", Integer, primary_key=True, autoincrement=False, comment="Hash, 32 bits, of one of the 16 bands of a signature."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article with this band."),
    Index("ix_minhash_band_article", "article_id"),
    comment="Bands of the MinHash signatures (locality-sensitive hashing): articles that share one may have nearly the same text.",
    sqlite_with_rowid=False,
)


WORD = define_table(
    "word",
    Column("id", RowId, primary_key=True, comment="Number of the word; it is never used again."),
    Column("form", Text, unique=True, nullable=False, comment="Word in small letters; empty: changes its number with removals."),
    Column("folded", Text, comment="Words of the index that the word consists of, where they differ from `form`."),
    comment="Vocabulary of all articles, for statistics.",
    sqlite_autoincrement=True,
)


ARTICLE_WORDS = define_table(
    "article_words",
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), primary_key=True, comment="Article."),
    Column(
        "ids",
        LargeBinary,
        nullable=False,
        comment="Numbers of the words of the body, packed as `newscrawler.store.search.word_ids` describes.",
    ),
    comment="Words of articles, for statistics; `newscrawler db rebuild` writes them anew.",
)


REVISION = define_table(
    "revision",
    Column("id", RowId, primary_key=True, comment="Number of the revision."),
    Column("article_id", ForeignKey("article.id", ondelete="CASCADE"), index=True, nullable=False, comment="Article."),
    Column("fetched_at", UtcDateTime, nullable=False, comment="Time at which this earlier text was fetched, in UTC."),
    Column("title", Text, nullable=False, comment="Title at that time."),
    Column("lead", Text, comment="Lead at that time, as in `article`."),
    Column("paragraphs", JSON, nullable=False, comment="Body at that time, as in `article`."),
    Column("modified_at", UtcDateTime, comment="Time of change that the page declared then, in UTC."),
    Column("modified_offset_minutes", SmallInteger, comment="Offset from UTC, in minutes, at `modified_at`; NULL if unknown."),
    Column(
        "reason",
        String(10),
        nullable=False,
        comment="corrected: the portal changed the text; reread: newscrawler read the page anew.",
    ),
    Column("detail", Text, comment="Why the page was read anew."),
    Column("record", JSON(none_as_null=True), comment="Whole earlier record, where the page was read anew."),
    one_of("reason", RevisionReason),
    comment="Earlier texts of articles.",
)
