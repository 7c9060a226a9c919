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
from typing import NamedTuple, Protocol

from newscrawler.discovery.links import FoundLink, HeadLinks
from newscrawler.discovery.urls.scope import Scope
from newscrawler.page import Document

#: Priorities in the frontier; smaller is fetched earlier: likely articles, then listings, then the rest.
PRIORITY = {
    "start": 0, "probe": 1, "feed": 2, "sample": 3, "sitemap": 4, "article": 10, "section": 20, "pagination": 25, "look": 40,
    "quiet sitemap": 45, "archive": 50, "late sitemap": 55, "other": 60,
}  # fmt: skip


class LeadKind(StrEnum):
    """The kind of a lead; it decides how the policy judges it."""

    #: A link, to be classified by its address, text and place.
    LINK = "link"
    #: The entry of a list of articles.
    ENTRY = "entry"
    SECTION = "section"
    FEED = "feed"
    SITEMAP = "sitemap"


class Lead(NamedTuple):
    """A URL that a source found, before the policy decides on it."""

    #: Canonical.
    url: str
    kind: LeadKind = LeadKind.LINK
    #: In the frontier; None: the usual one of its kind, or that of the source.
    priority: int | None = None
    #: None: one more than that of the response.
    depth: int | None = None
    #: The text of a link, or the title of an entry.
    title: str = ""
    #: The link's part of the page, as `FoundLink.where`.
    where: str = "main"
    is_followable: bool = True
    #: It is a further page of the listing that was read.
    is_further: bool = False
    published_at: datetime | None = None
    changed_at: datetime | None = None
    #: Stored with the URL and returned as `SourceResponse.why`; a source recognises its own lists by it.
    why: str | None = None


class Admitted(Protocol):
    """A lead that the policy has admitted."""

    @property
    def url(self) -> str:
        """Return its URL."""
        ...

    @property
    def kind(self) -> str:
        """Return its kind in the frontier: article, section, …."""
        ...

    @property
    def why(self) -> str | None:
        """Return its subkind: pagination, tag, …."""
        ...


@dataclass(slots=True, kw_only=True)
class SourcePortal:
    """A portal as sources know it."""

    #: Canonical.
    start_urls: tuple[str, ...]
    scope: Scope
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
    #: Of pages.
    page: Document | None = None
    links: Sequence[FoundLink] = ()
    head: HeadLinks = field(default_factory=HeadLinks)
    #: Leads in this response that the policy has admitted so far.
    found: Sequence[Admitted] = ()
    #: Why it names nothing, or not everything.
    problem: str = ""
    #: For the user.
    notes: list[str] = field(default_factory=list)

    @property
    def articles(self) -> frozenset[str]:
        """Return the likely articles among the admitted URLs."""
        return frozenset(each.url for each in self.found if each.kind == "article")


class Source:
    """A way to find URLs of a portal; an instance serves one crawl and may remember its responses."""

    #: Of its leads in the frontier, where they name none.
    priority = PRIORITY["other"]

    def start(self, portal: SourcePortal) -> Iterable[Lead]:  # noqa: ARG002  as subclasses ask
        """Return the leads with which a crawl begins."""
        return ()

    def read(self, answer: SourceResponse) -> Iterable[Lead]:  # noqa: ARG002
        """Return the leads in a response; none in one that this source cannot read."""
        return ()

    def get_reason_to_skip(self, url: str) -> str:  # noqa: ARG002
        """Return why a URL of the frontier has become superfluous; "": it is not."""
        return ""
