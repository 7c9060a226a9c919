"""URLs of the pages of results of search services; apart from `search`, so that the configuration need not load lxml.

- SearXNG's JSON API: `GET /search?q=…&format=json&pageno=…`.
- OpenSearch 1.1: a template such as `https://www.example.org/?q={searchTerms}&start={startIndex?}`.
"""

from __future__ import annotations

import re
from enum import StrEnum
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

#: Results of a page, where the service does not say.
USUAL_RESULTS = 10
_PARAMETER = re.compile(r"\{(?:\w+:)?(\w+)\??\}")


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
