"""A slow walk over a site's own links that keeps the pages which are no articles."""

from __future__ import annotations

import re
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from hashlib import sha256
from html import unescape
from typing import Any
from urllib.error import HTTPError
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from training.records import structure, without_styles

#: Status and HTML of a page, or None where the answer is not HTML.
Fetch = Callable[[str], tuple[int, str] | None]

_LINK = re.compile(r"<a\b[^>]*?href=[\"']?([^\"'#> ]+)", re.IGNORECASE)
_NO_PAGE = re.compile(
    r"replytocom|/feed|feed=|wp-json|rest_route|wp-content|wp-includes|xmlrpc|\.(?:css|js|png|svg|xml|rss|atom|txt)\b"
)
#: What a page is by its address; the first that matches counts.
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("login", re.compile(r"^/(?:wp-login\.php|login)")),
    ("search", re.compile(r"^/search|[?&]s=")),
    ("error", re.compile(r"no-such-page|the-story-we-withdrew|[?&](?:p|page_id)=9999|[?&]cat=999")),
    ("author", re.compile(r"/authors?(?:/|\.html)|[?&]author=")),
    ("tag", re.compile(r"/tags?(?:/|\.html)|[?&]tag=|/categories/[^/]*(?<!cat_)tag")),
    ("archive", re.compile(r"^/archives?(?:/|\.html|$)|^/calendar/|^/\d{4}/(?:[\w-]+/)?(?:page/\d+/|index\.html)?$|[?&]m=\d")),
    ("section", re.compile(r"/categor(?:y|ies)(?:/|\.html)|/sections?/|[?&](?:cat|paged)=|^/page/\d+/|^/index-\d+\.html")),
    ("section", re.compile(r"^/(?:cs|en|pl|de|uk|he)/[a-z]+/(?:strana/\d+/|\?page=\d+)?$")),
    ("front", re.compile(r"^/(?:(?:cs|en|pl|de|uk|he)/)?$")),
)
#: Error pages so short that all servers send the same.
_FEW_CHARACTERS = 200
_TEXT_PAGES = re.compile(r"/(?:about|contact|legal|internal)\b")


def kind_of(target: str) -> str | None:
    """What a path with its query shows; None: an article, or a page of another kind."""
    target = unquote(target)
    if _TEXT_PAGES.search(target):
        return None
    return next((kind for kind, pattern in _KINDS if pattern.search(target)), None)


def loopback(base_url: str, pause_seconds: float = 0.05) -> Fetch:
    """Fetch from a server on this machine, one page after the other, with a pause before each."""
    if urlsplit(base_url).hostname != "127.0.0.1":
        msg = f"{base_url} is not on this machine; only 127.0.0.1 is walked over"
        raise ValueError(msg)
    opener = build_opener(ProxyHandler({}))

    def fetch(target: str) -> tuple[int, str] | None:
        time.sleep(pause_seconds)
        try:
            answer = opener.open(Request(base_url + target, headers={"User-Agent": "newscrawler-training"}), timeout=60)  # noqa: S310
        except HTTPError as error:
            answer = error
        with answer:
            content = answer.read().decode("utf-8", "replace")
            return (answer.status or 0, content) if "html" in (answer.headers.get("Content-Type") or "") else None

    return fetch


def walk(fetch: Fetch, base_url: str, starts: Collection[str], articles: Collection[str], limit: int) -> Iterator[dict[str, Any]]:
    """Yield {"path", "html", "kind"} of pages that are no articles, breadth first."""
    waiting, seen = deque(starts), set(starts)
    while waiting and limit:
        limit -= 1
        target = waiting.popleft()
        answer = fetch(target)
        if answer is None:
            continue
        status, html = answer
        kind = "error" if status >= 400 else kind_of(target)
        if kind:
            yield {"path": target, "html": html, "kind": kind}
        for found in _LINK.findall(html):
            parts = urlsplit(urljoin(base_url + target, unescape(found)))
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            own = f"{parts.scheme}://{parts.netloc}" == base_url
            if own and path not in seen and path not in articles and kind_of(path) and not _NO_PAGE.search(path):
                seen.add(path)
                waiting.append(path)


def part_of(site: str, path: str) -> str:
    """Whether a page serves training or the tests of the repository: never both."""
    return "tests" if sha256(f"{site} {path}".encode()).digest()[0] % 3 == 0 else "training"


def choose(pages: Collection[dict[str, Any]], site: str, part: str, most: int, alike: int = 2) -> list[dict[str, Any]]:
    """Keep pages of one part, at most so many of a structure, the kinds in turn."""
    structures: Counter[tuple[str, str]] = Counter()
    by_kind: dict[str, deque[dict[str, Any]]] = {}
    for page in sorted(pages, key=lambda page: sha256(page["path"].encode()).digest()):
        key = (page["kind"], structure(page["html"]))
        own_part = part_of(site, page["path"]) if len(page["html"]) > _FEW_CHARACTERS else "training"
        if own_part != part or structures[key] >= alike:
            continue
        structures[key] += 1
        by_kind.setdefault(page["kind"], deque()).append({**page, "html": without_styles(page["html"])})
    chosen: list[dict[str, Any]] = []
    while by_kind and len(chosen) < most:
        for kind in list(by_kind):
            chosen.append(by_kind[kind].popleft())
            if not by_kind[kind]:
                del by_kind[kind]
    return chosen[:most]
