"""The lists of posts that publishing systems offer to programs: WordPress's REST API, Ghost's content API, feeds of sections."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode, urljoin

from newscrawler.discovery.source import PRIORITY, Lead, LeadKind, Source, SourceResponse
from newscrawler.discovery.urls.canonical import canonicalize_or_none
from newscrawler.page import Document

#: Both systems show so many posts at most.
POSTS_A_PAGE = 100
_WORDPRESS = f"wp/v2/posts?per_page={POSTS_A_PAGE}&page=1"
_GHOST = "ghost/api/content/"
_LIST = re.compile(r"/wp/v2/posts\?|/ghost/api/(?:v\d/)?content/posts/\?")
_PAGE = re.compile(r"(?<=[?&]page=)\d+")
#: Name in the generator element → a section's address, and the suffix of the section's feed.
_SECTION_FEEDS = (
    ("wordpress", re.compile(r"[^?]*/[^/?.]+/?\Z"), "/feed/"),
    ("drupal", re.compile(r"[^?]*/taxonomy/term/\d+/?\Z"), "/feed"),
    ("joomla", re.compile(r"[^?]*\Z"), "?format=feed&type=rss"),
)


def find_posts(page: Document) -> tuple[str, ...]:
    """Return the first page of the list of posts that a page's system offers; empty: it declares none."""
    declared = next((url for url in (*_find_wordpress_posts(page), *_find_ghost_posts(page)) if url), None)
    url = canonicalize_or_none(urljoin(page.base_url or "", declared)) if declared else None
    return (url,) if url else ()


def _find_wordpress_posts(page: Document) -> Iterator[str]:
    for element in page.declarations["link"]:
        root = element.get("href") or ""
        if element.get("rel") == "https://api.w.org/" and root and "rest_route" not in root:
            yield f"{root.rstrip('/')}/{_WORDPRESS}"


def _find_ghost_posts(page: Document) -> Iterator[str]:
    """Yield the list for the key that Ghost's own scripts (portal, search) carry for the readers' browsers."""
    for element in page.declarations["script"]:
        key, root, site = (element.get(name) or "" for name in ("data-key", "data-api", "data-ghost"))
        root = root or (urljoin(f"{site.rstrip('/')}/", _GHOST) if site else "")
        if key and "/ghost/api/" in root:
            query = urlencode({"key": key, "fields": "title,url", "limit": POSTS_A_PAGE, "page": 1})
            yield f"{root.rstrip('/')}/posts/?{query}"


def find_next_posts(url: str, found: int) -> str | None:
    """Return the page of a list of posts behind the one at an address; None: that was not full, or is none."""
    match = _PAGE.search(url)
    if match is None or _LIST.search(url) is None or found < POSTS_A_PAGE:
        return None
    return f"{url[: match.start()]}{int(match.group()) + 1}{url[match.end() :]}"


def find_section_feeds(page: Document) -> tuple[str, ...]:
    """Return where the system of a page offers the feed of a section; empty: the page does not name a known one."""
    system, here = (page.get_first_meta("generator") or "").lower(), page.url or ""
    known = [suffix for name, address, suffix in _SECTION_FEEDS if system.startswith(name) and address.match(here)]
    return tuple(url for suffix in known if (url := canonicalize_or_none(here.rstrip("/") + suffix)))


class PostSource(Source):
    """The lists of posts that publishing systems offer; read only where neither feed nor sitemap has named articles."""

    priority = PRIORITY["pagination"]

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the list that a page declares, or the next page of a list that was full."""
        allows = answer.portal.scope.allows
        if answer.page is None and answer.kind == "section":  # JSON
            following = find_next_posts(answer.url, len(answer.found))
            if following is not None and allows(following):
                yield Lead(following, LeadKind.SECTION, is_further=True)
        elif answer.page is not None and not answer.portal.lists and answer.kind not in {"start", "other"}:
            yield from (Lead(url, LeadKind.SECTION) for url in find_posts(answer.page) if allows(url))
