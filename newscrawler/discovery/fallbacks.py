"""The ways to the text of a portal's articles, which of them a page offers, and what crawls have learned of them.

A page that shows its text is read as it is. One that is filled by scripts often names the same article in another form: the answer
of the site's own API, or an AMP page. Only what the page itself names is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from newscrawler.discovery.links import Resolver
from newscrawler.page import Document

#: A way is tried on so many pages before its rate of success counts.
_TRIED = 5
#: Below this rate of success a way is given up, but for one page in so many.
_LEAST_RATE, _ANEW_AFTER = 0.1, 50
#: Alternates of a page that are named beyond these are not looked at.
_MOST_NAMED = 4
_JSON = frozenset({"application/json", "application/ld+json", "application/vnd.api+json", "application/hal+json"})


class ReadingWay(StrEnum):
    """Where the text of an article comes from, in the order in which the ways are tried."""

    HTML = "html"
    #: JSON in the page: the state of its scripts, or JSON-LD.
    STATE = "state"
    #: The answer of the site's own API.
    API = "api"
    AMP = "amp"
    BROWSER = "browser"


#: Ways that need a request more than the page itself.
FURTHER_WAYS = (ReadingWay.API, ReadingWay.AMP, ReadingWay.BROWSER)


class Alternate(NamedTuple):
    """Another form of the same article, as its page names it."""

    way: ReadingWay
    #: Canonical.
    url: str


def alternates_of(page: Document) -> tuple[Alternate, ...]:
    """Return the other forms that a page names: JSON (`rel=alternate`, or data that it preloads) and AMP; each URL once."""
    resolve = Resolver(page.base_url)
    found: dict[str, Alternate] = {}
    for way, address in _named(page):
        url = resolve(address)
        if url is not None and url != page.url and len(found) < _MOST_NAMED:
            found.setdefault(url, Alternate(way, url))
    return tuple(found.values())


def _named(page: Document) -> Iterator[tuple[ReadingWay, str | None]]:
    for element in page.declarations["link"]:
        relations = frozenset((element.get("rel") or "").lower().split())
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        preloads = "preload" in relations and (element.get("as") or "").lower() == "fetch"
        if ("alternate" in relations and kind in _JSON) or (preloads and kind in _JSON | {""}):
            yield ReadingWay.API, element.get("href")
        elif "amphtml" in relations:
            yield ReadingWay.AMP, element.get("href")


@dataclass(frozen=True, slots=True, kw_only=True)
class WayRecord:
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
class WayRecords:
    """What crawls have learned of the ways of one portal."""

    records: dict[ReadingWay, WayRecord] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Mapping[str, Mapping[str, int]]) -> WayRecords:
        """Read what `as_dict` has written; words of other versions are passed over."""
        return cls({ReadingWay(word): WayRecord(**counts) for word, counts in values.items() if word in set(map(str, ReadingWay))})

    def as_dict(self) -> dict[str, Any]:
        """Return the counts by way, those that were tried."""
        return {str(way): asdict(self.records[way]) for way in ReadingWay if way in self.records}

    def saw(self, way: ReadingWay, *, article: bool) -> None:
        """Count a try."""
        known = self.records.get(way, WayRecord())
        self.records[way] = WayRecord(tried=known.tried + 1, articles=known.articles + article)

    def admits(self, way: ReadingWay) -> bool:
        """Return whether a way is to be tried on this page; a refusal is counted."""
        known = self.records.get(way, WayRecord())
        if known.justifies_a_request:
            return True
        self.records[way] = replace(known, left_out=known.left_out + 1)
        return False

    def rate(self, way: ReadingWay) -> float:
        """Return how often the way has led to an article; 1 before it was tried."""
        known = self.records.get(way, WayRecord())
        return known.articles / known.tried if known.tried else 1.0
