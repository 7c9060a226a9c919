"""The interface of sources: each finds URLs of a portal in one way, such as its feeds, its sitemaps or the links of its pages.

A source reads responses and yields leads. It knows neither the frontier nor the limits of a crawl: the crawl's policy decides which
leads are fetched. A new source is a subclass of `Source` and a row in the table of `sources.py`, or an entry point of the group
`newscrawler.sources`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # the store takes priorities from here, and loads no parser
    from newscrawler.discovery.links import FoundLink, HeadLinks
    from newscrawler.discovery.urls.scope import Scope
    from newscrawler.page import Document

#: Priorities in the frontier; smaller is fetched earlier: likely articles, then listings, then the rest. Articles of a known date
#: follow "fresh" by quarters of an hour, then days, and "archive" by days; those without one are "article" where lists of links or
#: "related" where articles lead to them, and else "undated".
PRIORITY = {
    "start": 0, "probe": 1, "feed": 2, "sample": 3, "sitemap": 4, "fresh": 10, "article": 2_400, "related": 2_410, "section": 2_420,
    "pagination": 2_425, "look": 2_440, "quiet sitemap": 2_445, "archive": 2_450, "undated": 31_980, "late sitemap": 31_985,
    "other": 31_990,
}  # fmt: skip


class LeadKind(StrEnum):
    """The kind of a lead; it decides how the policy judges it."""

    #: The entry of a list of articles.
    ENTRY = "entry"
    SECTION = "section"
    FEED = "feed"
    SITEMAP = "sitemap"


class Lead(NamedTuple):
    """An article or a list of articles that a source found, before the policy decides on it."""

    #: Canonical.
    url: str
    kind: LeadKind = LeadKind.ENTRY
    #: In the frontier; None: that of an article, or of the source's lists.
    priority: int | None = None
    #: None: one more than that of the response.
    depth: int | None = None
    #: Of an entry.
    title: str = ""
    published_at: datetime | None = None
    changed_at: datetime | None = None
    #: The text of an entry, as HTML, if the list gives it in full, and its author.
    content: str = ""
    author: str = ""
    #: It is a further page of the listing that was read.
    is_further: bool = False
    #: Stored with the URL and returned as `SourceResponse.why`; a source recognises its own lists by it.
    why: str | None = None


@dataclass(frozen=True, slots=True)
class UrlList:
    """The content of a feed, a sitemap or a page of search results."""

    entries: tuple[Lead, ...] = ()
    #: Why there is nothing, or not everything: "HTML page", "no feed or sitemap", "broken XML", "broken JSON",
    #: "too many entries", ….
    problem: str = ""
    #: The next page of a feed that goes on; canonical.
    further: str | None = None


@dataclass(slots=True, kw_only=True)
class SourcePortal:
    """A portal as sources know it."""

    #: Canonical.
    start_urls: tuple[str, ...]
    scope: Scope
    #: Named by the user; canonical.
    feeds: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()
    #: Counts where a time has no offset.
    time_zone: tzinfo = UTC
    #: Kinds of lists ("feed", "sitemap") that have named articles in this crawl.
    lists: set[str] = field(default_factory=set)


@dataclass(slots=True, kw_only=True)
class SourceResponse:
    """The response to a URL of the frontier, as sources read it."""

    portal: SourcePortal
    #: As it was requested, and as it is canonical by the response.
    requested_url: str
    url: str
    #: Its kind in the frontier: start, section, article, other, feed, sitemap; and its subkind.
    kind: str
    why: str | None = None
    depth: int = 0
    #: Aware.
    fetched_at: datetime
    #: It was read before, so that a new entry is a new article.
    seen_before: bool = False
    #: Of feeds and sitemaps.
    body: bytes = b""
    content_type: str | None = None
    #: The publisher permits to store texts of this response.
    keeps_texts: bool = True
    #: Of pages.
    page: Document | None = None
    links: Sequence[FoundLink] = ()
    head: HeadLinks | None = None
    #: The URLs of this response that the policy has admitted so far (`FoundUrl`).
    found: Sequence[Any] = ()
    #: Why it names nothing, or not everything.
    problem: str = ""
    #: For the user.
    notes: list[str] = field(default_factory=list)


class Source:
    """A way to find URLs of a portal; an instance serves one crawl and may remember its responses."""

    #: Of its leads in the frontier, where they name none.
    priority = PRIORITY["other"]

    def start(self, portal: SourcePortal) -> Iterable[Lead]:  # noqa: ARG002  as subclasses ask
        """Return the leads with which a crawl begins."""
        return ()

    def read(self, answer: SourceResponse) -> Iterable[Lead | FoundLink]:  # noqa: ARG002
        """Return the leads and links in a response; none in one that this source cannot read."""
        return ()

    def get_entry(self, url: str) -> Lead | None:  # noqa: ARG002
        """Return an entry of this crawl with the text of its article; None: no list has given it."""
        return None

    def note_redirect(self, url: str, target: str) -> None:
        """Learn where an address leads that a list has given."""

    def get_notes(self) -> Iterable[str]:
        """Return remarks for the user at the end of a crawl."""
        return ()

    def get_reason_to_skip(self, url: str) -> str:  # noqa: ARG002
        """Return why a URL of the frontier has become superfluous; "": it is not."""
        return ""
