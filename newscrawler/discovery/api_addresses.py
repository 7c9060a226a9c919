"""Where the API of a site has the data of a page: learned from pages that a browser has built, as a pattern of addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

#: Pieces of a page's address that may stand in that of its data, the surest first.
_SLUG, _NUMBER = "{slug}", "{number}"
_SHORTEST_SLUG = 8
_NUMBERS = re.compile(r"(?<!\d)\d{4,}(?!\d)")
_EXTENSION = re.compile(r"\.(?:html?|php|aspx?)$")


def api_pattern(page_url: str, api_url: str) -> str | None:
    """Return the address of an answer with what it has of the page's in a placeholder; None: nothing, or more than once."""
    if "{" in api_url:
        return None
    for placeholder, piece in _pieces(page_url):
        if api_url.count(piece) == 1:
            return api_url.replace(piece, placeholder)
    return None


def api_address(pattern: str, page_url: str) -> str | None:
    """Return the address at which a pattern has the data of a page; None: the page's address lacks what it needs."""
    return next((pattern.replace(placeholder, piece) for placeholder, piece in _pieces(page_url) if placeholder in pattern), None)


def _pieces(page_url: str) -> Iterator[tuple[str, str]]:
    slug = _EXTENSION.sub("", urlsplit(page_url).path.rstrip("/").rpartition("/")[2])
    if len(slug) >= _SHORTEST_SLUG:
        yield _SLUG, slug
    numbers = _NUMBERS.findall(slug)
    if len(numbers) == 1:
        yield _NUMBER, numbers[0]
