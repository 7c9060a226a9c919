"""What the store is asked for and what it answers, as frozen records without SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from newscrawler.article import Article, Paragraph
from newscrawler.store.vocabularies import RevisionReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which articles are wanted; None: no condition."""

    portal: str | None = None
    #: Of any of these; empty: of all.
    portals: tuple[str, ...] = ()
    #: Numbers of articles: behind the first, up to the second.
    after_id: int | None = None
    until_id: int | None = None
    #: Any of these; empty: all.
    ids: tuple[int, ...] = ()
    language: str | None = None
    #: First and last day of publication, both included.
    since: date | None = None
    until: date | None = None
    section: str | None = None
    #: One of them has exactly this name.
    author: str | None = None
    genre: str | None = None
    #: Filed in the collection of this name.
    collection: str | None = None
    #: Filed in that collection later than this.
    filed_after: datetime | None = None
    #: Declared by the page, or filed under it, in any case.
    keyword: str | None = None
    #: A query of `newscrawler.text` that finds them.
    words: str | None = None
    #: Occurs in the title, in any case.
    title: str | None = None
    #: Leave out articles for which one of these words is said (`rights.words_reserving`).
    reserved: frozenset[str] = frozenset()
    #: Only articles for which one of these words is said.
    says: frozenset[str] = frozenset()
    #: (portal, words that do not count for it, of either).
    disregarded: tuple[tuple[str, frozenset[str]], ...] = ()
    #: unavailable_after holds from its date on; None: from now on.
    at: datetime | None = None
    newest_first: bool = False
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredArticle:
    """An article with the number that the store gave it."""

    id: int
    article: Article
    #: The id of an earlier article that says nearly the same: agency copy, an article of a sister portal.
    similar_to: int | None = None
    #: How often its portal has changed its text, and when the last change was found.
    corrections: int = 0
    corrected_at: datetime | None = None
    #: When its address was found to answer that it is gone; None: it was there the last time.
    gone_at: datetime | None = None
    #: The status of the last answer from its address.
    http_status: int | None = None
    #: Its earlier texts, oldest first; None: they were not asked for.
    revisions: tuple[Revision, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleText:
    """What statistics read of an article."""

    portal: str
    #: Of publication; None: unknown.
    day: date | None
    paragraphs: tuple[str, ...]

    @classmethod
    def of(cls, stored: StoredArticle) -> ArticleText:
        """Return the text of an article that is at hand."""
        article = stored.article
        return cls(portal=article.portal or "", day=article.date, paragraphs=tuple(each.text for each in article.paragraphs))


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """An earlier text of an article."""

    fetched_at: datetime
    title: str
    lead: str | None
    paragraphs: tuple[Paragraph, ...]
    modified_at: datetime | None
    #: Why there is a later one.
    reason: RevisionReason
    detail: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What tells whether an article says the same as another."""

    id: int
    #: Of title and body.
    text_hash: bytes
    similar_to: int | None
    published_at: datetime | None
    word_count: int
    confidence: float
