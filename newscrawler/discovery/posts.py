"""The lists of posts that publishing systems offer to programs, as their pages declare them."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from newscrawler.page import Document
from newscrawler.urls.canonical import canonical_or_none

#: WordPress shows so many posts at most.
POSTS_A_PAGE = 100
_QUERY = f"wp/v2/posts?per_page={POSTS_A_PAGE}&page={{}}"
_PAGE = re.compile(r"(?P<before>/wp/v2/posts\?per_page=\d+&page=)(?P<number>\d+)\Z")


def usual_posts(page: Document) -> tuple[str, ...]:
    """Return the first page of the list of posts that a page's system offers; empty: it declares none."""
    for element in page.declarations["link"]:
        root = element.get("href")
        if element.get("rel") == "https://api.w.org/" and root:
            separator = "" if root.endswith("/") else "/"
            url = canonical_or_none(urljoin(page.base_url or "", root + separator + _QUERY.format(1)))
            return (url,) if url and "rest_route" not in root else ()
    return ()


def next_posts(url: str, found: int) -> str | None:
    """Return the page of a list of posts behind the one at an address; None: that was not full, or is none."""
    match = _PAGE.search(url)
    if match is None or found < POSTS_A_PAGE:
        return None
    return f"{url[: match.start()]}{match['before']}{int(match['number']) + 1}"
