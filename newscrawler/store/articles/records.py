"""Queries for articles and their results, and reservations, as records without SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache

from newscrawler.article import Article, Paragraph, Reservation
from newscrawler.store.vocabularies import EntityKind, RevisionReason

#: Conditions that people set, by the names of options, fields of forms and parameters; a field of `Selection` each.
FILTERS = (
    "portal", "section", "author", "language", "genre", "collection", "keyword", "entity", "topic", "words", "since", "until",
)  # fmt: skip
#: Those that are days.
DAYS = frozenset({"since", "until"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Conditions on articles; None: no condition."""

    portal: str | None = None
    #: Any of these portals; empty: all.
    portals: tuple[str, ...] = ()
    #: Ids of articles: after the first, up to the second.
    after_id: int | None = None
    until_id: int | None = None
    #: Any of these ids; empty: all.
    ids: tuple[int, ...] = ()
    language: str | None = None
    #: First and last day of publication, both included.
    since: date | None = None
    until: date | None = None
    section: str | None = None
    #: One of the authors has exactly this name.
    author: str | None = None
    genre: str | None = None
    #: Filed in the collection of this name.
    collection: str | None = None
    #: Filed in `collection` later than this.
    filed_after: datetime | None = None
    #: Declared by the page, or filed under it, ignoring case.
    keyword: str | None = None
    #: A person, organisation, place or other thing that a recogniser found in it, ignoring case; and a topic.
    entity: str | None = None
    topic: str | None = None
    #: A query of `newscrawler.store.search` that matches.
    words: str | None = None
    #: Occurs in the title, ignoring case.
    title: str | None = None
    #: Leave out articles with one of these reservations, and those with one of each of these sets.
    reserved: frozenset[str] = frozenset()
    withdrawn: tuple[frozenset[str], ...] = ()
    #: Only articles with one of these reservations.
    says: frozenset[str] = frozenset()
    #: (portal, reservations ignored for it in all of these).
    disregarded: tuple[tuple[str, frozenset[str]], ...] = ()
    #: The time for which unavailable_after is evaluated; None: now.
    at: datetime | None = None
    #: Of articles with nearly the same text, only the first of those that the other conditions select, whatever its words.
    distinct: bool = False
    newest_first: bool = False
    limit: int | None = None

    def narrow(self, query: str) -> Selection:
        """Return the articles of the selection that a query matches, too; unchanged if it is empty."""
        if not query:
            return self
        return replace(self, words=query if self.words is None else f"({self.words}) ({query})")

    def end_at(self, newest: int) -> Selection:
        """Return the articles of the selection that were stored up to a number."""
        return replace(self, until_id=newest if self.until_id is None else min(newest, self.until_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEntity:
    """An entity that an article mentions, or a topic of it."""

    kind: EntityKind
    name: str
    mentions: int
    #: Paragraph (0: the headline), first character, character behind the last.
    spans: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredArticle:
    """An article with its id in the store."""

    id: int
    article: Article
    #: The id of an earlier near-duplicate: agency copy, an article of a sister portal.
    similar_to: int | None = None
    #: Number of corrections, and when the last one was found.
    corrections: int = 0
    corrected_at: datetime | None = None
    #: When its URL first returned that it is gone; None: it was available the last time.
    gone_at: datetime | None = None
    #: The status of the last response from its URL.
    http_status: int | None = None
    #: Its earlier texts, oldest first; None: not requested.
    revisions: tuple[Revision, ...] | None = None
    #: The same.
    entities: tuple[StoredEntity, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleText:
    """The parts of an article that statistics read."""

    portal: str
    #: Of publication; None: unknown.
    day: date | None
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """An earlier text of an article."""

    fetched_at: datetime
    title: str
    lead: str | None
    paragraphs: tuple[Paragraph, ...]
    modified_at: datetime | None
    #: Why it was replaced.
    reason: RevisionReason
    detail: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """The fingerprint by which duplicates of an article are found."""

    id: int
    #: Hash of title and body.
    text_hash: bytes
    similar_to: int | None
    published_at: datetime | None
    word_count: int
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedReservations:
    """A page's reservations at one visit."""

    reservations: tuple[Reservation, ...] = ()
    #: These are all reservations of the page; False: earlier ones still apply (a 304 has only headers).
    complete: bool = True
    #: Further copies may be kept: earlier texts of an article.
    keeps_copies: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReservation:
    """A rights record: a reservation for a page, its place and its time."""

    url: str
    reservation: Reservation
    first_said_at: datetime
    last_said_at: datetime
    #: The first visit without it; None: it is still made.
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPageRights:
    """A stored article and its page's current reservations."""

    article_id: int
    portal: str
    url: str
    title: str
    #: Current reservations.
    kept: tuple[StoredReservation, ...] = ()
    #: Status of the last response; 404 and 410: the page is gone.
    http_status: int | None = None
    fetched_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsCounts:
    """How often a reservation is made on a portal."""

    portal: str
    #: A word of Reserved.
    word: str
    #: Pages that make it.
    pages: int
    #: Of these, pages of stored articles.
    articles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginStatement:
    """One statement of an origin about its pages, and its time."""

    origin: str
    place: str
    said: str
    first_said_at: datetime
    last_said_at: datetime
    #: When it was no longer made; None: it still is.
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """A removal request of a portal's operator."""

    #: An address, in which `*` matches anything.
    pattern: str
    because: str
    asked_at: datetime
    #: Number of removed articles.
    articles: int = 0

    def covers(self, url: str | None) -> bool:
        """Return whether the pattern matches an address, ignoring http or https."""
        return url is not None and _compile_pattern(self.pattern).fullmatch(_normalize(url)) is not None


def _normalize(url: str) -> str:
    """Return an address without scheme and fragment, with its host in lower case."""
    host, slash, rest = url.partition("://")[2].partition("#")[0].partition("/")
    return f"{host.lower()}/{rest}" if slash else f"{host.lower()}/"


@lru_cache(maxsize=4_096)
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    pieces = re.sub(r"\*+", "*", _normalize(pattern)).split("*")
    head, *rest = map(re.escape, pieces)
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1])  # matches its first occurrence without backtracking
    return re.compile(head + middle + (f".*{rest[-1]}" if rest else ""), re.DOTALL)
