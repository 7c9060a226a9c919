"""Search services: the URLs of their pages of results, and the results.

- SearXNG's JSON API: `GET /search?q=…&format=json&pageno=…` answers {"results": [{"url", "title", "publishedDate"}, …]}.
- OpenSearch 1.1: a template such as `https://www.example.org/?q={searchTerms}&start={startIndex?}`; results as RSS or Atom.

Reading never raises: the `problem` of a page without results says why it has none.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from newscrawler.discovery.feeds import FeedEntry, read_feed
from newscrawler.discovery.markup import clean_field, decode_text, parse_time
from newscrawler.discovery.urls.canonical import canonicalize_or_none

#: Results of a page, where the service does not say.
USUAL_RESULTS = 10
_PARAMETER = re.compile(r"\{(?:\w+:)?(\w+)\??\}")
_LONGEST_TITLE = 500
#: Of SearXNG where its JSON API is off.
HTML_PROBLEM = "HTML in place of JSON"


class SearchFormat(StrEnum):
    """How a search service is asked, and how it answers."""

    SEARXNG = "searxng"
    OPENSEARCH = "opensearch"


def make_search_url(search_format: SearchFormat, template: str, query: str, *, first: int = 1, language: str | None = None) -> str:
    """Return the URL of a page of results.

    Args:
        search_format: of the service.
        template: the service's URL; of OpenSearch with {searchTerms} in it.
        query: what is searched for.
        first: number of its first result, from 1; a service that is asked by the page gets the page in which that usually is.
        language: of the results; None: any.
    """
    page = str((first - 1) // USUAL_RESULTS + 1)
    if search_format is SearchFormat.SEARXNG:
        parts = urlsplit(template)
        asked = {"q": query, "format": "json", "pageno": page} | ({"language": language} if language else {})
        kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in asked]
        return urlunsplit(parts._replace(query=urlencode([*kept, *asked.items()])))
    values = {
        "searchTerms": query, "count": str(USUAL_RESULTS), "startIndex": str(first),
        "startPage": page, "language": language or "*", "inputEncoding": "UTF-8", "outputEncoding": "UTF-8",
    }  # fmt: skip
    return _PARAMETER.sub(lambda match: quote(values.get(match[1], ""), safe=""), template)


def get_result_step(search_format: SearchFormat, template: str) -> int:
    """Return the distance between results that a page can begin with; 0: there is only one page."""
    asked = {match[1] for match in _PARAMETER.finditer(template)}
    if search_format is SearchFormat.OPENSEARCH and "startIndex" in asked:
        return 1
    return USUAL_RESULTS if search_format is SearchFormat.SEARXNG or "startPage" in asked else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResults:
    """One page of results."""

    entries: tuple[FeedEntry, ...] = ()
    #: Why there are none: "HTML page", "broken JSON", "no results in the answer", …; empty: there are, or none were found.
    problem: str = ""


def read_results(
    data: bytes, url: str, search_format: SearchFormat, *, content_type: str | None = None, time_zone: tzinfo = UTC
) -> SearchResults:
    """Read a page of results; never raises."""
    if search_format is SearchFormat.SEARXNG:
        return _read_searxng(decode_text(data, content_type), time_zone)
    feed = read_feed(data, url, content_type=content_type, time_zone=time_zone)
    return SearchResults(entries=feed.entries, problem=feed.problem)


def _read_searxng(text: str, time_zone: tzinfo) -> SearchResults:
    if text.lstrip().startswith("<"):
        return SearchResults(problem=HTML_PROBLEM)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return SearchResults(problem="broken JSON")
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        return SearchResults(problem="no results in the answer")
    entries = {entry.url: entry for each in results if (entry := _read_result(each, time_zone)) is not None}
    return SearchResults(entries=tuple(entries.values()))


def _read_result(result: Any, time_zone: tzinfo) -> FeedEntry | None:
    address = result.get("url") if isinstance(result, dict) else None
    url = canonicalize_or_none(address) if isinstance(address, str) else None
    if url is None:
        return None
    title, published = result.get("title"), result.get("publishedDate")
    return FeedEntry(
        url=url,
        title=clean_field(title if isinstance(title, str) else "", _LONGEST_TITLE),
        published_at=parse_time(published, time_zone) if isinstance(published, str) else None,
    )
