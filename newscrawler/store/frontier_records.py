"""What goes into the frontier and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from newscrawler.article import Article
from newscrawler.store.page_records import KeptPage
from newscrawler.store.rights_records import Said
from newscrawler.store.vocabularies.outcomes import FrontierKind, Reason, UrlOutcome, UrlState

#: Of a hint that names the section in whose listing a link stands; all others tell a date.
SECTION_HINT = "section"
#: The place in the queue of articles that are fetched again, behind those that are new.
LOOK_PRIORITY = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundUrl:
    """A URL that a page, a feed or a sitemap led to; canonical."""

    url: str
    kind: FrontierKind
    #: Smaller is fetched earlier.
    priority: int
    depth: int
    why: str | None = None
    #: Redirects that led here without a page between.
    hops: int = 0
    #: Not to be fetched, and why not.
    skipped: Reason | None = None
    #: Look at it again if this round has not yet: the next page of a listing that brought something new.
    again: bool = False
    #: Of a sitemap or article: a list says that it has changed since then, so it is fetched again if it was not since.
    changed_at: datetime | None = None
    #: links, feed or sitemap.
    source: str = "links"
    #: (source, text) of dates that were seen beside the link.
    hints: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedUrl:
    """A URL that this run has in hand."""

    id: int
    url: str
    kind: FrontierKind
    why: str | None = None
    depth: int = 0
    hops: int = 0
    tries: int = 0
    etag: str | None = None
    last_modified: str | None = None
    #: What it showed the last time.
    outcome: str | None = None
    hints: tuple[tuple[str, str], ...] = ()
    #: The latest visits to a listing: (when, new articles).
    visits: tuple[tuple[datetime, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDate:
    """A date of publication that the crawl has seen elsewhere than on the article's page."""

    #: Aware.
    published_at: datetime
    precision: str
    source: str
    #: It came with its offset; otherwise the portal's time zone was assumed.
    offset_given: bool


#: Chooses a date among what was seen beside links to an article that was fetched at that time; None: they tell none.
Dating = Callable[[Iterable[Sequence[str]], datetime], SeenDate | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextVisit:
    """When a listing is worth another visit."""

    at: datetime
    #: Why: what is to be kept of its history.
    visits: tuple[tuple[datetime, int], ...]
    #: Its place among what waits then; None: as before.
    priority: int | None = None


class TextSketch(Protocol):
    """The fingerprint of a text, as whoever made it compares it."""

    def bands(self) -> tuple[int, ...]:
        """Numbers of 63 bits; texts that share one are to be compared."""
        ...

    def to_bytes(self) -> bytes:
        """What `is_twin_of` takes."""
        ...

    def is_twin_of(self, other: bytes) -> bool:
        """Say whether the two texts are nearly the same."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutcome:
    """What fetching one URL showed; it is committed as a whole, or not at all."""

    url_id: int
    #: Done, failed, waiting (to be tried again) or skipped.
    state: UrlState
    outcome: UrlOutcome | None = None
    http_status: int | None = None
    reason: Reason | None = None
    article: Article | None = None
    #: Of the article's text; None: too short to tell.
    sketch: TextSketch | None = None
    #: Of a page of several articles: each with its sketch; `article` is None then.
    anchored: tuple[tuple[Article, TextSketch | None], ...] = ()
    found: tuple[FoundUrl, ...] = ()
    fetched_at: datetime
    next_try_at: datetime | None = None
    tries: int = 0
    etag: str | None = None
    last_modified: str | None = None
    #: A list so large that it is not fetched in vain twice before its time.
    heavy: bool = False
    #: What the publisher reserves; None: nothing was heard of it.
    said: Said | None = None
    #: Where the page and the further pages of its article are kept, each with what it was taken for; the page first.
    pages: tuple[tuple[KeptPage, str | None], ...] = ()
    #: How it was read, for the figures of the night.
    reading: Mapping[str, Any] | None = None
    #: What was known of the article's date when the page was read; more may have been seen since.
    hints: tuple[tuple[str, str], ...] = ()
    #: Of a listing: what follows from the number of new articles that it brought, which only the commit can tell.
    plan: Callable[[int], NextVisit] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """What committing one outcome did."""

    url_id: int
    #: False: the run had lost its lease, nothing was written.
    written: bool = True
    #: What is in the table now; a failure that may pass is waiting.
    state: UrlState = UrlState.DONE
    #: The article is new.
    article_id: int | None = None
    #: New articles of a page of several.
    anchored: int = 0
    #: The article was there already under this id.
    twin_of: int | None = None
    #: The article was there already under this URL, and its text has changed.
    corrected: bool = False
    #: Another article says nearly the same.
    similar_to: int | None = None
    #: Articles of this round that had no date and have one now: of other pages by what this one shows, or this page's by others.
    dated: int = 0
    #: URLs that nobody had found before.
    fresh: int = 0
    #: Of these, likely articles.
    fresh_articles: int = 0
    #: Why some of the URLs found for the first time are not to be fetched.
    skipped: tuple[Reason, ...] = ()
    #: URLs that were not taken, because too many wait already.
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentArticle:
    """An article that may be looked at again for corrections."""

    url_id: int
    first_seen_at: datetime
    looked_at: datetime
    published_at: datetime | None
    #: When its last change was found; None: it has not changed.
    corrected_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierCounts:
    """How many URLs of a portal stand where."""

    by_state: dict[str, int] = field(default_factory=dict)

    @property
    def waiting(self) -> int:
        """URLs that are still to be fetched."""
        return self.by_state.get(UrlState.WAITING, 0)

    @property
    def left(self) -> int:
        """URLs whose outcome is not known yet: those to be fetched and those in hand."""
        return self.waiting + self.by_state.get(UrlState.FETCHING, 0)
