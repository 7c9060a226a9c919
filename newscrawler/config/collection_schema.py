"""The tables [[collection]] and [[search_service]] as pydantic models; each description completes the sentence "it must be ..."."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from newscrawler.config.build import record_of
from newscrawler.config.messages import shown
from newscrawler.config.names import listed, one_of
from newscrawler.config.portal import DEFAULT_RESULTS, Collection, Portal, SearchService
from newscrawler.config.schema import DefaultsTable, Table, host_name, web_address
from newscrawler.discovery import SearchFormat

_NAME = Annotated[str, Field(pattern=r"^\w[\w.\-]{0,99}$")]
_Words = list[Annotated[str, Field(min_length=1, max_length=200)]]


class SearchServiceTable(Table):
    """The keys of [[search_service]]."""

    name: _NAME = Field(description="a name that no other search service has, of letters, digits, dots, hyphens and underscores")
    url: Annotated[str, AfterValidator(web_address)] = Field(
        description="the address at which the service is asked; of OpenSearch its template, with {searchTerms} in it"
    )
    format: Annotated[str, one_of(tuple(SearchFormat))] = Field(
        "searxng", description='"searxng" (the JSON API of SearXNG) or "opensearch" (RSS or Atom)'
    )
    robots: bool = Field(
        True,
        description="true or false: whether its robots.txt counts; false only for a service whose operator allows you to ask it, "
        "such as one of your own",
    )

    def record(self) -> SearchService:
        """Convert to a record."""
        return SearchService(name=self.name, url=self.url, format=SearchFormat(self.format), obeys_robots=self.robots)


class CollectionTable(DefaultsTable):
    """The keys of [[collection]]; those of a portal's crawl apply too."""

    name: _NAME = Field(
        description="a name that no other collection or portal has, of letters, digits, dots, hyphens and underscores, at most 100"
    )
    queries: _Words = Field([], description="a list of what a search service is asked for")
    service: str | None = Field(
        None, description="the name of a [[search_service]]; without it, the first one of the file is asked for the queries"
    )
    results: Annotated[int, Field(ge=1, le=1000)] = Field(
        DEFAULT_RESULTS, description="a whole number, 1 to 1000: the results of each query that are looked at"
    )
    feeds: list[Annotated[str, AfterValidator(web_address)]] = Field(
        [], description="a list of addresses of RSS, Atom or JSON feeds"
    )
    urls: Annotated[str, Field(min_length=1)] | None = Field(
        None, description="the path of a file with an address in each line, read at the beginning of each run"
    )
    keywords: _Words = Field([], description="a list of keywords under which articles are filed that name them")
    detector: Annotated[str, listed("{detectors}")] = Field(
        "default", description="what distinguishes news from other pages, one of: {detectors}"
    )
    denylist: list[Annotated[str, AfterValidator(host_name)]] = Field(
        [], description="a list of host names that are not asked for this collection, each with its subdomains"
    )
    paused: bool = Field(False, description="true or false: whether `newscrawler run` leaves the collection out for now")

    def record(self, folder: Path, services: Mapping[str, SearchService]) -> Collection:
        """Convert to a record; a relative path refers to the folder.

        Args:
            folder: of the configuration.
            services: by name, as the file has them; the first stands for one that is not named.
        """
        base = record_of(self, name=self.name, paused=self.paused)
        service = services.get(self.service) if self.service else next(iter(services.values()), None)
        collection = Collection(
            **{field.name: getattr(base, field.name) for field in fields(Portal)},
            detector=self.detector,
            queries=tuple(dict.fromkeys(self.queries)),
            service=service if self.queries else None,
            results=self.results,
            feeds=tuple(dict.fromkeys(self.feeds)),
            url_file=folder / self.urls if self.urls else None,
            keywords=tuple(dict.fromkeys(self.keywords)),
            denylist=tuple(dict.fromkeys(self.denylist)),
        )
        return replace(collection, learn=False, start_urls=(*collection.searches, *collection.feeds))


def mistakes_of(
    tables: Sequence[tuple[str, CollectionTable]], services: Mapping[str, SearchService], portals: Sequence[str]
) -> list[str]:
    """Return the conflicts of collections with each other, services and portals; `tables`: (place, table)."""
    found = []
    taken = dict.fromkeys(portals, "a portal")
    for place, table in tables:
        if table.name in taken:
            found.append(
                f"{place}.name is {shown(table.name)}, which {taken[table.name]} has already; it must be a name of its own"
            )
        taken[table.name] = "another collection"
        if table.delay == 0:
            found.append(
                f"{place}.delay is 0; it must be above 0 (5 is usual), because the pages of a collection are on other machines"
            )
        if table.service is not None and table.service not in services:
            known = ", ".join(services) or "none"
            found.append(
                f"{place}.service is {shown(table.service)}, which is not a [[search_service]] of the file; it has: {known}"
            )
        elif table.queries and not services:
            found.append(f"{place}.queries need a search service; add one under [[search_service]] in newscrawler.toml")
    return found


def table_places(name: str, tables: Any, found: list[str]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the tables of a list with their places, such as collection[1]; what is no table is appended to `found`."""
    if not isinstance(tables, list):
        found.append(f"{name} is {shown(tables)}; it must be a list of tables, each under a line [[{name}]] of its own")
        return []
    places = [(f"{name}[{number}]", table) for number, table in enumerate(tables, 1)]
    wrong = [place for place, table in places if not isinstance(table, Mapping)]
    found.extend(f"{place} must be a table under a line [[{name}]]" for place in wrong)
    return [(place, table) for place, table in places if place not in wrong]
