"""Ways to the text of a portal's articles: those that a page offers, and their success in earlier crawls.

A page that shows its text is read as it is. One that is filled by scripts often names the same article in another form: the answer
of the site's own API, or an AMP page. Only URLs that the page itself names are requested, or those of a pattern of API addresses
that pages built by a browser have shown. Of GraphQL requests, only queries that read are sent (GraphQL specification, 2.1–2.3).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from newscrawler.discovery.links import Resolver
from newscrawler.limits import API_QUERY_BYTES
from newscrawler.page import Document

#: A way is tried on so many pages before its rate of success counts.
_TRIED = 5
#: Below this rate of success a way is given up, but for one page in so many.
_LEAST_RATE, _ANEW_AFTER = 0.1, 50
#: Alternates of a page that are named beyond these are not looked at.
_MOST_NAMED = 4
_JSON = frozenset({"application/json", "application/ld+json", "application/vnd.api+json", "application/hal+json"})
#: Pieces of a page's address that may be in that of its data, the surest first.
_SLUG, _NUMBER = "{slug}", "{number}"
_SHORTEST_SLUG = 8
_NUMBERS = re.compile(r"(?<!\d)\d{4,}(?!\d)")
_EXTENSION = re.compile(r"\.(?:html?|php|aspx?)$")
_TOKEN = re.compile(r'"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[A-Za-z_]\w*|\.\.\.|[^\s,\ufeff]', re.ASCII)
_OPENING, _CLOSING = frozenset("{(["), frozenset("})]")
#: Definitions that change nothing and open no stream.
_READING = frozenset({"{", "query", "fragment"})


class Fallback(StrEnum):
    """Where the text of an article comes from, in the order in which the ways are tried."""

    HTML = "html"
    #: JSON in the page: the state of its scripts, or JSON-LD.
    STATE = "state"
    #: The answer of the site's own API.
    API = "api"
    AMP = "amp"
    BROWSER = "browser"


class Alternate(NamedTuple):
    """Another form of the same article, as its page names it."""

    way: Fallback
    #: Canonical.
    url: str


def find_alternates(page: Document) -> tuple[Alternate, ...]:
    """Return the other forms that a page names: JSON (`rel=alternate`, or data that it preloads) and AMP; each URL once."""
    resolve = Resolver.of(page)
    found: dict[str, Alternate] = {}
    for way, address in _list_alternates(page):
        url = resolve(address)
        if url is not None and url != page.url and len(found) < _MOST_NAMED:
            found.setdefault(url, Alternate(way, url))
    return tuple(found.values())


def _list_alternates(page: Document) -> Iterator[tuple[Fallback, str | None]]:
    for element in page.declarations["link"]:
        relations = frozenset((element.get("rel") or "").lower().split())
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        preloads = "preload" in relations and (element.get("as") or "").lower() == "fetch"
        if ("alternate" in relations and kind in _JSON) or (preloads and kind in _JSON | {""}):
            yield Fallback.API, element.get("href")
        elif "amphtml" in relations:
            yield Fallback.AMP, element.get("href")


@dataclass(frozen=True, slots=True, kw_only=True)
class FallbackRecord:
    """How one way has done."""

    tried: int = 0
    articles: int = 0
    #: Pages since the last try on which it was left out.
    left_out: int = 0

    @property
    def justifies_a_request(self) -> bool:
        """Return whether the way is to be tried on the next page."""
        return self.tried < _TRIED or self.articles >= _LEAST_RATE * self.tried or self.left_out >= _ANEW_AFTER


@dataclass(slots=True)
class FallbackRecords:
    """The success of the fallbacks of one portal."""

    records: dict[Fallback, FallbackRecord] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[str, Mapping[str, int]]) -> FallbackRecords:
        """Read the output of `as_dict`; words of other versions are ignored."""
        return cls({Fallback(word): FallbackRecord(**counts) for word, counts in values.items() if word in set(map(str, Fallback))})

    def as_dict(self) -> dict[str, Any]:
        """Return the counts by way, those that were tried."""
        return {str(way): asdict(self.records[way]) for way in Fallback if way in self.records}

    def note(self, way: Fallback, *, article: bool) -> None:
        """Count a try."""
        known = self.records.get(way, FallbackRecord())
        self.records[way] = FallbackRecord(tried=known.tried + 1, articles=known.articles + article)

    def allows(self, way: Fallback) -> bool:
        """Return whether a way is to be tried on this page; a refusal is counted."""
        known = self.records.get(way, FallbackRecord())
        if known.justifies_a_request:
            return True
        self.records[way] = replace(known, left_out=known.left_out + 1)
        return False

    def get_rate(self, way: Fallback) -> float:
        """Return how often the way has led to an article; 1 before it was tried."""
        known = self.records.get(way, FallbackRecord())
        return known.articles / known.tried if known.tried else 1.0


def make_api_pattern(page_url: str, api_url: str) -> str | None:
    """Return the address of an API response with the page's slug or number as a placeholder; None: it has none, or several."""
    if "{" in api_url:
        return None
    for placeholder, piece in _list_placeholders(page_url):
        if api_url.count(piece) == 1:
            return api_url.replace(piece, placeholder)
    return None


def fill_api_pattern(pattern: str, page_url: str) -> str | None:
    """Return the address at which a pattern has the data of a page; None: the page's address has no such part."""
    return next(
        (pattern.replace(placeholder, piece) for placeholder, piece in _list_placeholders(page_url) if placeholder in pattern), None
    )


def _list_placeholders(page_url: str) -> Iterator[tuple[str, str]]:
    slug = _EXTENSION.sub("", urlsplit(page_url).path.rstrip("/").rpartition("/")[2])
    if len(slug) >= _SHORTEST_SLUG:
        yield _SLUG, slug
    numbers = _NUMBERS.findall(slug)
    if len(numbers) == 1:
        yield _NUMBER, numbers[0]


def extract_reading_query(body: bytes) -> str | None:
    """Return a request of GraphQL as it may be sent; None: it is none, or may change something at the server.

    The result is written anew and contains only the query, its variables and the operation's name: a server that reads JSON in
    another way, or takes a stored operation by its hash, cannot find anything else in it.
    """
    if len(body) > API_QUERY_BYTES:
        return None
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict) or not isinstance(given.get("query"), str) or not _is_read_only(given["query"]):
        return None
    kept: dict[str, Any] = {"query": given["query"]}
    if isinstance(given.get("operationName"), str):
        kept["operationName"] = given["operationName"]
    if isinstance(given.get("variables"), dict):
        kept["variables"] = given["variables"]
    return json.dumps(kept)


def _is_read_only(document: str) -> bool:
    """Return whether every definition of a document is a query or a fragment."""
    depth, is_begin, definitions = 0, True, 0
    for token in _TOKEN.findall(document):
        if token.startswith("#"):
            continue
        if is_begin:
            if token not in _READING:
                return False
            definitions, is_begin = definitions + 1, False
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
            if depth < 0:
                return False
            is_begin = depth == 0 and token.startswith("}")
    return depth == 0 and is_begin and definitions > 0
