"""URLs at which search services are asked.

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


def search_url(search_format: SearchFormat, template: str, query: str, *, page: int = 1, language: str | None = None) -> str:
    """Return the URL of a page of results.

    Args:
        search_format: of the service.
        template: the service's URL; of OpenSearch with {searchTerms} in it.
        query: what is searched for.
        page: from 1.
        language: of the results; None: any.
    """
    if search_format is SearchFormat.SEARXNG:
        parts = urlsplit(template)
        asked = {"q": query, "format": "json", "pageno": str(page)} | ({"language": language} if language else {})
        kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name not in asked]
        return urlunsplit(parts._replace(query=urlencode([*kept, *asked.items()])))
    values = {
        "searchTerms": query, "count": str(USUAL_RESULTS), "startIndex": str((page - 1) * USUAL_RESULTS + 1),
        "startPage": str(page), "language": language or "*", "inputEncoding": "UTF-8", "outputEncoding": "UTF-8",
    }  # fmt: skip
    return _PARAMETER.sub(lambda match: quote(values.get(match[1], ""), safe=""), template)


def has_pages(search_format: SearchFormat, template: str) -> bool:
    """Return whether further pages of results can be asked for."""
    return search_format is SearchFormat.SEARXNG or any(
        match[1] in {"startIndex", "startPage"} for match in _PARAMETER.finditer(template)
    )
