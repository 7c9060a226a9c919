"""Collections: [[collection]] and [[search_service]]; the collection that a command describes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field

from newscrawler.config.portal import Portal
from newscrawler.config.table import Table, format_value
from newscrawler.config.values import FilePath, HostName, Name, Values, WebAddress, listed, word_of
from newscrawler.discovery import SearchFormat, make_search_url

_Words = Values[Annotated[str, Field(min_length=1, max_length=200)]]


class SearchService(Table):
    """[[search_service]]: a search service for pages."""

    name: Name = Field(description="a name that no other search service has, of letters, digits, dots, hyphens and underscores")
    url: WebAddress = Field(
        description="the address at which the service is asked; of OpenSearch its template, with {searchTerms} in it"
    )
    format: Annotated[SearchFormat, word_of(SearchFormat)] = Field(
        default=SearchFormat.SEARXNG, description='"searxng" (the JSON API of SearXNG) or "opensearch" (RSS or Atom)'
    )
    obeys_robots: bool = Field(
        default=True,
        validation_alias="robots",
        description="true or false: whether its robots.txt counts; false only for a service whose operator allows you to ask it, "
        "such as one of your own",
    )


class Collection(Portal):
    """[[collection]]: articles of any host, crawled, scheduled and limited as a portal is."""

    internal: ClassVar[frozenset[str]] = frozenset({
        "articles_first", "start_urls", "sitemaps", "hosts", "exact_hosts", "external_pages", "search_service", "given_urls",
        "archives",
    })  # fmt: skip

    name: Name = Field(
        description="a name that no other collection or portal has, of letters, digits, dots, hyphens and underscores, at most 100"
    )
    queries: _Words = Field(default=(), description="a list of what a search service is asked for")
    service: str | None = Field(
        default=None, description="the name of a [[search_service]]; without it, the first one of the file is asked for the queries"
    )
    results: Annotated[int, Field(ge=1, le=1000)] = Field(
        default=100, description="a whole number, 1 to 1000: the results of each query that are looked at"
    )
    feeds: Values[WebAddress] = Field(default=(), description="a list of addresses of RSS, Atom or JSON feeds")
    url_file: FilePath | None = Field(
        default=None,
        validation_alias="urls",
        description="the path of a file with an address in each line, read at the beginning of each run",
    )
    roam: bool = Field(
        default=False,
        description="true or false: whether links of the pages are followed, to any host that may be visited; "
        "it needs `max_pages`, `max_articles` or `max_minutes`",
    )
    keywords: _Words = Field(default=(), description="a list of keywords under which articles are filed that name them")
    detector: Annotated[str, listed("{detectors}")] = Field(
        default="default", description="what distinguishes news from other pages, one of: {detectors}"
    )
    denylist: Values[HostName] = Field(
        default=(), description="a list of host names that are not asked for this collection, each with its subdomains"
    )
    paused: bool = Field(default=False, description="true or false: whether `newscrawler run` leaves the collection out for now")
    #: The first pages of the results of the queries, and the feeds.
    start_urls: tuple[str, ...] = ()
    #: The service for the queries; None: there are none.
    search_service: SearchService | None = None
    #: URLs of the command line, canonical, and its WARC files, whose pages are read in place of the network.
    given_urls: tuple[str, ...] = ()
    archives: tuple[Path, ...] = ()

    def find_sources(self, services: Mapping[str, SearchService]) -> Collection:
        """Return the collection with its search service and start URLs; the first service is used if none is named."""
        service = None
        if self.queries:
            service = services.get(self.service) if self.service else next(iter(services.values()), None)
        searches = [
            make_search_url(service.format, service.url, query, language=self.language) for query in self.queries if service
        ]
        return self.model_copy(
            update={"learn": False, "search_service": service, "start_urls": (*dict.fromkeys((*searches, *self.feeds)),)}
        )


def describe_conflicts(
    collections: Sequence[tuple[str, Collection]], services: Mapping[str, SearchService], portals: Sequence[str]
) -> list[str]:
    """Return the conflicts of collections with each other, services and portals; `collections`: (place, collection)."""
    found = []
    taken = dict.fromkeys(portals, "a portal")
    for place, collection in collections:
        if collection.name in taken:
            found.append(
                f"{place}.name is {format_value(collection.name)}, which {taken[collection.name]} has already; "
                "it must be a separate name"
            )
        taken[collection.name] = "another collection"
        if collection.delay_seconds == 0:
            found.append(
                f"{place}.delay is 0; it must be above 0 (5 is usual), because the pages of a collection are on other machines"
            )
        if collection.roam and not (collection.max_pages or collection.max_articles or collection.max_minutes):
            found.append(f"{place}.roam needs max_pages, max_articles or max_minutes, because links between hosts never end")
        if collection.service is not None and collection.service not in services:
            known = ", ".join(services) or "none"
            found.append(
                f"{place}.service is {format_value(collection.service)}, which is not a [[search_service]] of the file; "
                f"it has: {known}"
            )
        elif collection.queries and not services:
            found.append(f"{place}.queries need a search service; add one under [[search_service]] in newscrawler.toml")
    return found
