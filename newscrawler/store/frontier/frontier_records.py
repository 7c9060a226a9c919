"""Input and output of the frontier, as records without SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from newscrawler.article import Article
from newscrawler.discovery import PRIORITY, Sketch
from newscrawler.store.archive.page_records import PageLocation
from newscrawler.store.articles.records import RecordedReservations
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState

#: Source of a hint that names the section of a listing; hints of all other sources are dates.
SECTION_HINT = "section"
#: Sources of hints of lists that name articles only: feeds, and sitemaps with dates of publication.
LISTED = frozenset({"feed", "news sitemap"})
#: Statuses of missing pages: not found, gone, unavailable for legal reasons.
GONE = (404, 410, 451)
#: Priority of articles that are fetched again, after new ones.
LOOK_PRIORITY = PRIORITY["look"]
#: Larger than any.
MOST_PRIORITY = 2**15


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundUrl:
    """A URL that a page, a feed or a sitemap led to; canonical."""

    url: str
    kind: FrontierKind
    #: Smaller is fetched earlier.
    priority: int
    depth: int
    why: str | None = None
    #: Number of redirects that led here.
    hops: int = 0
    #: Why the URL is not to be fetched.
    skipped: Reason | None = None
    #: Requeue it if not yet fetched in this round: the next page of a listing with new articles.
    again: bool = False
    #: Requeue it though it was fetched in this round: a cookie opens it.
    anew: bool = False
    #: When a sitemap or article changed, by a list; it is fetched again unless fetched since.
    changed_at: datetime | None = None
    #: A key of `SOURCES`: links, feed, sitemap, ….
    source: str = "links"
    #: (source, text) of dates found next to the link.
    hints: tuple[tuple[str, str], ...] = ()
    #: In a backfill: the day of publication, and its probability in percent; None: not known.
    day: date | None = None
    day_percent: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeasedUrl:
    """A URL that this run has claimed."""

    id: int
    url: str
    kind: FrontierKind
    why: str | None = None
    priority: int = PRIORITY["other"]
    depth: int = 0
    hops: int = 0
    tries: int = 0
    etag: str | None = None
    last_modified: str | None = None
    #: The outcome of the last visit.
    outcome: str | None = None
    hints: tuple[tuple[str, str], ...] = ()
    #: Its article is stored.
    is_stored: bool = False
    #: A feed, or a sitemap with a date of publication, names it as an article.
    is_listed: bool = False
    #: Latest visits in a row that brought no new article.
    empty_visits: int = 0
    #: The latest visits to a listing: (when, new articles).
    visits: tuple[tuple[datetime, int], ...] = ()
    #: Of a backfill: the day of publication; None: not known.
    day: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDate:
    """A date of publication found elsewhere than on the article's page."""

    #: Aware.
    published_at: datetime
    precision: str
    source: str
    #: The date has a UTC offset; otherwise the portal's time zone was assumed.
    offset_given: bool


#: Chooses a date among the hints of an article fetched at that time; None: they contain none.
Dating = Callable[[Iterable[Sequence[str]], datetime], SeenDate | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextVisit:
    """The next visit to a listing."""

    at: datetime
    #: The history of visits to store, from which the time was computed.
    visits: tuple[tuple[datetime, int], ...]
    #: Its priority then; None: unchanged.
    priority: int | None = None
    #: Nothing is added to it; news elsewhere does not bring its next visit forward.
    is_over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOutcome:
    """The outcome of fetching one URL; it is committed completely or not at all."""

    url_id: int
    #: Done, failed, waiting (to be tried again) or skipped.
    state: UrlState
    outcome: UrlOutcome | None = None
    http_status: int | None = None
    reason: Reason | None = None
    article: Article | None = None
    #: The sketch of the article's text; None: the text is too short.
    sketch: Sketch | None = None
    #: The articles of a page of several, with their sketches; `article` is None then.
    anchored: tuple[tuple[Article, Sketch | None], ...] = ()
    found: tuple[FoundUrl, ...] = ()
    fetched_at: datetime
    next_try_at: datetime | None = None
    tries: int = 0
    etag: str | None = None
    last_modified: str | None = None
    #: A list so large that it is not fetched again without effect before it is due.
    heavy: bool = False
    #: The publisher's reservations; None: unknown.
    said: RecordedReservations | None = None
    #: URLs of earlier articles of the run that turned out to be teasers.
    teasers: tuple[str, ...] = ()
    #: The kept page and the article's further pages, each with its outcome; the page first.
    pages: tuple[tuple[PageLocation, str | None], ...] = ()
    #: How the page was extracted, for the drift figures of the run.
    drift_note: Mapping[str, Any] | None = None
    #: Date hints known when the page was read; more may have been found since.
    hints: tuple[tuple[str, str], ...] = ()
    #: For a listing: computes the next visit from the number of new articles, which is known at commit.
    plan: Callable[[int], NextVisit] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """The effect of committing one outcome."""

    url_id: int
    #: False: the URL was not claimed, and nothing was written.
    written: bool = True
    #: The state in the table; temporary failures are waiting.
    state: UrlState = UrlState.DONE
    #: The article is new.
    article_id: int | None = None
    #: New articles of a page of several.
    anchored: int = 0
    #: The id of the article stored earlier, if this is a duplicate.
    twin_of: int | None = None
    #: The stored article of this URL was corrected.
    corrected: bool = False
    #: The id of a near-duplicate.
    similar_to: int | None = None
    #: Articles of this round that got a missing date, from this page's links or from hints of other pages.
    dated: int = 0
    #: New URLs.
    fresh: int = 0
    #: Of these, likely articles.
    fresh_articles: int = 0
    #: Why some of the new URLs are not to be fetched.
    skipped: tuple[Reason, ...] = ()
    #: URLs left out because too many are waiting.
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierCounts:
    """Numbers of a portal's URLs by state."""

    by_state: dict[str, int] = field(default_factory=dict)

    @property
    def waiting(self) -> int:
        """Return the number of URLs still to be fetched."""
        return self.by_state.get(UrlState.WAITING, 0)

    @property
    def left(self) -> int:
        """Return the number of URLs without an outcome: waiting and claimed ones."""
        return self.waiting + self.by_state.get(UrlState.FETCHING, 0)
