"""Results of search services.

- SearXNG's JSON API answers {"results": [{"url", "title", "publishedDate"}, …]}.
- OpenSearch 1.1: RSS or Atom.

Reading never raises: the `problem` of a page without results says why it has none.
"""

from __future__ import annotations

import json
from datetime import UTC, tzinfo
from typing import Any

from newscrawler.discovery.feeds import read_feed
from newscrawler.discovery.markup import clean_field, decode_text, parse_time
from newscrawler.discovery.search_urls import SearchFormat
from newscrawler.discovery.source import Lead, UrlList
from newscrawler.discovery.urls.canonical import canonicalize_or_none

_LONGEST_TITLE = 500
#: Of SearXNG where its JSON API is off.
HTML_PROBLEM = "HTML in place of JSON"


def read_results(
    data: bytes, url: str, search_format: SearchFormat, *, content_type: str | None = None, time_zone: tzinfo = UTC
) -> UrlList:
    """Read a page of results; never raises."""
    if search_format is SearchFormat.SEARXNG:
        return _read_searxng(decode_text(data, content_type), time_zone)
    return read_feed(data, url, content_type=content_type, time_zone=time_zone)


def _read_searxng(text: str, time_zone: tzinfo) -> UrlList:
    if text.lstrip().startswith("<"):
        return UrlList(problem=HTML_PROBLEM)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return UrlList(problem="broken JSON")
    results = value.get("results") if isinstance(value, dict) else None
    if not isinstance(results, list):
        return UrlList(problem="no results in the answer")
    entries = {entry.url: entry for each in results if (entry := _read_result(each, time_zone)) is not None}
    return UrlList(tuple(entries.values()))


def _read_result(result: Any, time_zone: tzinfo) -> Lead | None:
    address = result.get("url") if isinstance(result, dict) else None
    url = canonicalize_or_none(address) if isinstance(address, str) else None
    if url is None:
        return None
    title, published = result.get("title"), result.get("publishedDate")
    return Lead(
        url,
        title=clean_field(title if isinstance(title, str) else "", _LONGEST_TITLE),
        published_at=parse_time(published, time_zone) if isinstance(published, str) else None,
    )
