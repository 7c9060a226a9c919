"""A canonical URL split once for all functions that read the same link in turn.

`urlsplit` has to be ready for any text and costs a link 7 µs, as much as all that is looked for in its path; a canonical URL is
cut at two signs. So are `unquote` and `fold`, which most paths do not need.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from newscrawler.discovery.urls.canonical import canonical_or_none
from newscrawler.discovery.urls.vocabulary import fold


class Address(NamedTuple):
    """The parts of a canonical URL."""

    #: The whole.
    url: str
    #: Host and port.
    netloc: str
    #: From the first slash.
    path: str
    #: Without the question mark.
    query: str
    #: The path unquoted, in small letters without accents.
    folded: str


@lru_cache(maxsize=2_048)  # several functions read each link in turn
def address_of(url: str) -> Address | None:
    """Return the parts of a URL, or None if it is not an http(s) address."""
    canonical = canonical_or_none(url)
    if canonical is None:
        return None
    start = canonical.index("/", 8)
    path, _, query = canonical[start:].partition("?")
    netloc = canonical[canonical.index("//") + 2 : start]
    return Address(canonical, netloc, path, query, fold(unquote(path) if "%" in path else path))
