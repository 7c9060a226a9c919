"""A validated configuration as frozen records."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from newscrawler.config.browser_settings import BrowserSettings
from newscrawler.config.service import AlertSettings, Export, ServiceSettings
from newscrawler.discovery import SearchFormat, make_search_url
from newscrawler.politeness import Window
from newscrawler.politeness.rights import Intent, Purpose, list_reserving_words

if TYPE_CHECKING:
    from newscrawler.store.archive import PagesFolder

#: Attributes of a news item in the source documents (002 §3.3); three of them are required by default.
ATTRIBUTES = ("title", "description", "source", "date", "body")
DEFAULT_REQUIRED = frozenset({"title", "source", "body"})
#: When pages are built with a browser.
RENDERING = ("never", "auto", "always")
DEFAULT_DELAY_SECONDS = 5.0
DEFAULT_TIMEOUT_SECONDS = 30.0
DEFAULT_PAGE_MEGABYTES = 5.0
#: Budgets of a night. A day has 17,280 requests 5 seconds apart: only a first crawl with a short delay reaches this.
DEFAULT_NIGHT_PAGES = 20_000
#: That number of pages of a quarter of a megabyte.
DEFAULT_NIGHT_MEGABYTES = 5_000.0
DEFAULT_PURPOSE = (str(Purpose.TEXT_ANALYSIS),)
#: Number of results read per query (002 §5.1).
DEFAULT_RESULTS = 100
#: Of `newscrawler collect` without --collection.
DEFAULT_COLLECTION = "collect"
#: In the current folder.
CONFIGURATION_FILE = "newscrawler.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal:
    """One news portal to crawl."""

    name: str
    start_urls: tuple[str, ...]
    #: Hosts in scope, each with its subdomains; empty: the registered domain of the start URLs and nothing else.
    hosts: tuple[str, ...] = ()
    #: Only these hosts and those of the start URLs, without subdomains.
    exact_hosts: bool = False
    #: Fetch articles of other hosts to which pages of the portal link; follow none of their links.
    external_pages: bool = False
    #: ISO 639-1; None: as the pages declare.
    language: str | None = None
    #: IANA name; applies to dates without an offset.
    time_zone: str = "UTC"
    delay_seconds: float = DEFAULT_DELAY_SECONDS
    #: For a response, from its first to its last byte.
    timeout_seconds: float = DEFAULT_TIMEOUT_SECONDS
    #: Size limit of a page, compressed and decompressed.
    page_megabytes: float = DEFAULT_PAGE_MEGABYTES
    #: Private networks that the portal may be in, such as 10.0.0.0/8.
    networks: tuple[str, ...] = ()
    #: Cookies are kept for the length of a crawl, and sent back.
    cookies: bool = False
    #: (name, value) of headers that the operator of the portal gave; a value "file:PATH" is read from that file.
    headers: tuple[tuple[str, str], ...] = ()
    #: Limits of one run; None: none.
    max_pages: int | None = None
    max_articles: int | None = None
    max_minutes: float | None = None
    #: Depth: number of links from a start URL.
    max_depth: int | None = None
    #: When `newscrawler run` crawls it: nightly, never, or a cron expression.
    schedule: str = "nightly"
    #: Left out by `newscrawler run` for now, whatever its schedule says.
    paused: bool = False
    #: Hours of the day in which it may be crawled, on the clock of `time_zone`; None: all.
    window: Window | None = None
    #: Budgets of one night, over all its runs; None: none.
    night_pages: int | None = DEFAULT_NIGHT_PAGES
    night_articles: int | None = None
    night_minutes: float | None = None
    night_megabytes: float | None = DEFAULT_NIGHT_MEGABYTES
    #: Regular expressions searched in the URL: allowed and excluded ones.
    include: tuple[re.Pattern[str], ...] = ()
    exclude: tuple[re.Pattern[str], ...] = ()
    #: Attributes that a page must have to be stored as an article; a subset of ATTRIBUTES.
    required: frozenset[str] = DEFAULT_REQUIRED
    #: Reservations of the publisher that are disregarded; a subset of rights.DISREGARDABLE.
    disregard: frozenset[str] = frozenset()
    #: A name of `newscrawler.research.page_methods.PAGE_METHODS`.
    method: str = "default"
    #: A name of urls.CLASSIFIERS.
    classifier: str = "default"
    #: Learn a template of the portal's layout, and extract with it.
    learn: bool = True
    #: Of RENDERING.
    render: str = "never"
    #: Words of buttons of consent that a browser may press.
    consent: tuple[str, ...] = ()
    #: Keep the fetched pages, for learning, extracting again and review; for this long, and this much at most.
    keep_pages: bool = True
    keep_pages_days: int = 90
    keep_pages_megabytes: int = 500
    #: Fetch articles before further sitemaps and sections, for a look at a few pages; not a key of the configuration.
    articles_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchService:
    """A search service for pages."""

    name: str
    #: For OpenSearch, a template with {searchTerms}.
    url: str
    format: SearchFormat
    #: False: its operator allows requests regardless of robots.txt.
    obeys_robots: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection(Portal):
    """Articles of any host: crawled, scheduled and limited as a portal is.

    `start_urls` are its feeds and the first pages of the results of its queries.
    """

    #: A name of `detection.DETECTORS`.
    detector: str = "default"
    queries: tuple[str, ...] = ()
    #: The service for the queries; None: there are none.
    service: SearchService | None = None
    #: Number of results read per query.
    results: int = DEFAULT_RESULTS
    feeds: tuple[str, ...] = ()
    #: File of URLs, one per line; read when a run begins.
    url_file: Path | None = None
    #: Topics under which articles are filed that name them.
    keywords: tuple[str, ...] = ()
    #: Of the command line: URLs, canonical, and WARC files whose pages are read in place of the network.
    urls: tuple[str, ...] = ()
    archives: tuple[Path, ...] = ()
    #: Hosts never requested for this collection, each with its subdomains.
    denylist: tuple[str, ...] = ()

    @property
    def searches(self) -> tuple[str, ...]:
        """Return the URLs of the first pages of results."""
        service = self.service
        if service is None:
            return ()
        return tuple(make_search_url(service.format, service.url, query, language=self.language) for query in self.queries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """A whole newscrawler.toml."""

    #: An e-mail address or URL at which the operator of a portal reaches the user; part of the user agent.
    contact: str | None = None
    database_url: str = "sqlite:///newscrawler.sqlite"
    data_folder: Path = Path("newscrawler-data")
    #: Of the kept pages: a folder, or s3://BUCKET/PREFIX; None: within the data folder.
    pages_place: str | Path | None = None
    #: Address at which the keys of signatures and the page about the bot are published; None: requests are not signed.
    identity: str | None = None
    #: What the corpus is for; words of rights.Purpose.
    purpose: tuple[str, ...] = DEFAULT_PURPOSE
    #: Stored articles that their publisher withdraws later are removed at the end of a run; else they are reported.
    purges_withdrawn: bool = False
    #: The provision under which the operator does research (`research = true`); None: no research.
    legal_basis: str | None = None
    #: Denylist: hosts that are never requested, each with its subdomains.
    denylist: tuple[str, ...] = ()
    portals: tuple[Portal, ...] = ()
    collections: tuple[Collection, ...] = ()
    search_services: tuple[SearchService, ...] = ()
    service: ServiceSettings = field(default_factory=ServiceSettings)
    browser: BrowserSettings = field(default_factory=BrowserSettings)
    alerts: AlertSettings = field(default_factory=AlertSettings)
    exports: tuple[Export, ...] = ()
    #: [crawler.defaults] unchanged: already applied to the portals, to be applied to a bare URL.
    defaults: Mapping[str, Any] = field(default_factory=dict, hash=False)
    #: The file; None: there is none.
    path: Path | None = None

    @property
    def crawled(self) -> tuple[Portal, ...]:
        """Return all that is crawled on a schedule: portals and collections."""
        return (*self.portals, *self.collections)

    @property
    def intent(self) -> Intent:
        """Return what the operator declares about the use of the texts."""
        return Intent(purposes=frozenset(map(Purpose, self.purpose)), legal_basis=self.legal_basis)

    def reserved_for(self, purpose: Purpose) -> dict[str, Any]:
        """Return the fields of a `store.Selection` that leave out what publishers reserve for a purpose."""
        return {
            "reserved": frozenset(map(str, list_reserving_words(purpose, self.intent))),
            "disregarded": tuple((portal.name, portal.disregard) for portal in self.portals if portal.disregard),
        }

    @property
    def identity_folder(self) -> Path:
        """Return the folder of the keys, and of what is to be published."""
        return self.data_folder / "identity"

    @property
    def pages_folder(self) -> PagesFolder:
        """Return the folder of the kept pages of all portals."""
        from newscrawler.store.archive import pages_folder  # which few commands need

        return pages_folder(self.pages_place or self.data_folder / "pages")
