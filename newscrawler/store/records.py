"""What the store is asked for and what it answers, as frozen records without SQL."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from newscrawler.article import Article


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which articles are wanted; None: no condition."""

    portal: str | None = None
    #: Of any of these; empty: of all.
    portals: tuple[str, ...] = ()
    #: Numbers of articles: behind the first, up to the second.
    after_id: int | None = None
    until_id: int | None = None
    language: str | None = None
    #: First and last day of publication, both included.
    since: date | None = None
    until: date | None = None
    #: Occurs in the title, in any case.
    text: str | None = None
    #: Leave out articles for which one of these words is said (`rights.words_reserving`).
    reserved: frozenset[str] = frozenset()
    #: (portal, words that do not count for it).
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
