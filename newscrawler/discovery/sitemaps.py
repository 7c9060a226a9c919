"""Sitemaps: XML lists of pages, indexes of them, news sitemaps, text lists, feeds in their place; packed or not.

Reading never raises: a page, an error or rubbish in place of a sitemap gives nothing and says in `problem` why.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree

from newscrawler.discovery.feeds import feed_of
from newscrawler.discovery.markup import name_of, plain, text_of, time_of, tree_of
from newscrawler.urls.canonical import canonical_or_none
from newscrawler.urls.vocabulary import category_of, fold

#: By the protocol a file has no more.
MOST_ENTRIES = 50_000
#: Where sitemaps usually are, the most telling first.
USUAL_PATHS = (
    "/sitemap.xml",
    "/sitemap_index.xml",
    "/wp-sitemap.xml",
    "/news-sitemap.xml",
    "/sitemap-news.xml",
    "/sitemap.xml.gz",
    "/sitemap.txt",
)
_ROBOTS_LINE = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_HTML = re.compile(r"<(?:!doctype\s+html|html|head|body)[\s>]", re.IGNORECASE)
_OLDEST = datetime.min.replace(tzinfo=UTC)
_NO_ARTICLES = frozenset(
    {"tag", "author", "video", "gallery", "category", "podcast", "login", "shop", "topic-pages", "legal", "jobs"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapEntry:
    """One page, or in an index one sitemap."""

    #: Canonical.
    url: str
    modified_at: datetime | None = None
    #: From a news sitemap.
    published_at: datetime | None = None
    title: str = ""
    language: str | None = None

    @property
    def newest_at(self) -> datetime:
        """The latest time that the entry states; the beginning of time where it states none."""
        return max(self.modified_at or _OLDEST, self.published_at or _OLDEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitemap:
    """What a sitemap says; without `kind` it was none."""

    #: pages, index, text or feed; "" where the document is no sitemap.
    kind: str = ""
    pages: tuple[SitemapEntry, ...] = ()
    #: Of an index: the sitemaps, as they stand; `in_order` says which first.
    sitemaps: tuple[SitemapEntry, ...] = ()
    #: Why there is nothing, or not everything: as for feeds.
    problem: str = ""


def usual_sitemaps(start_url: str) -> tuple[str, ...]:
    """Give the addresses at which sitemaps usually are, canonical."""
    return tuple(url for path in USUAL_PATHS if (url := canonical_or_none(urljoin(start_url, path))))


def sitemaps_of_robots(text: str, robots_url: str) -> tuple[str, ...]:
    """Give the sitemaps that robots.txt names, canonical; a page in its place names none."""
    if _HTML.search(text[:5_000]):
        return ()
    found: dict[str, None] = {}
    for address in _ROBOTS_LINE.findall(text[:500_000]):
        try:
            url = canonical_or_none(urljoin(robots_url, address))
        except ValueError:
            continue
        if url is not None:
            found[url] = None
    return tuple(found)


def read_sitemap(data: bytes, url: str, *, content_type: str | None = None, time_zone: tzinfo = UTC) -> Sitemap:
    """Read a sitemap of any kind; never raises.

    Args:
        data: the body of the response, packed or not.
        url: where it came from; links are resolved against it.
        content_type: the HTTP header.
        time_zone: counts where a time has no offset.
    """
    text = text_of(data, content_type).lstrip("\ufeff \t\r\n")
    if text[:8].lower().startswith(("http://", "https://")):
        return _text_sitemap(text)
    root, problem = tree_of(text)
    if root is None:
        return Sitemap(problem=problem)
    kind = name_of(root)
    if kind == "sitemapindex":
        entries, problem = _entries(root, "sitemap", url, time_zone)
        return Sitemap(kind="index", sitemaps=entries, problem=problem)
    if kind == "urlset":
        entries, problem = _entries(root, "url", url, time_zone)
        return Sitemap(kind="pages", pages=entries, problem=problem)
    feed = feed_of(root, url, time_zone)
    pages = tuple(
        SitemapEntry(url=entry.url, modified_at=entry.modified_at, published_at=entry.published_at, title=entry.title)
        for entry in feed.entries
    )
    return Sitemap(kind="feed" if feed.kind else "", pages=pages, problem=feed.problem)


def newest_first(entries: Iterable[SitemapEntry], since: datetime | None = None) -> tuple[SitemapEntry, ...]:
    """Order entries by the time they state, the latest first; those without one keep their order at the end.

    Args:
        entries: of one or more sitemaps.
        since: entries that state an earlier time are left out.
    """
    wanted = (entry for entry in entries if since is None or entry.newest_at == _OLDEST or entry.newest_at >= since)
    return tuple(sorted(wanted, key=lambda entry: entry.newest_at, reverse=True))


def in_order(sitemaps: Iterable[SitemapEntry]) -> tuple[SitemapEntry, ...]:
    """Order the sitemaps of an index by what they promise: news, then pages, the latest first; tags, authors and pictures last."""
    return tuple(sorted(newest_first(sitemaps), key=lambda entry: _promise(entry.url)))


def _promise(url: str) -> int:
    name = fold(unquote(urlsplit(url).path))
    words = re.findall(r"[^\W\d_]+", name)
    if any(word in {"news", "latest", "today", "aktualne", "zpravy", "noticias", "nachrichten", "wiadomosci"} for word in words):
        return 0
    # `image` and `taxonomies`, `users` are the words of publishing systems rather than of readers.
    if any(category_of(word) in _NO_ARTICLES or word in {"taxonomies", "taxonomy", "users"} for word in words if word != "post"):
        return 2
    return 1


def _entries(root: etree._Element, name: str, base: str, time_zone: tzinfo) -> tuple[tuple[SitemapEntry, ...], str]:
    found: dict[str, SitemapEntry] = {}
    for element in root.iter("{*}" + name):
        if len(found) >= MOST_ENTRIES:
            return tuple(found.values()), "too many entries"
        entry = _entry(element, base, time_zone)
        if entry is not None:
            found.setdefault(entry.url, entry)
    return tuple(found.values()), ""


def _entry(element: etree._Element, base: str, time_zone: tzinfo) -> SitemapEntry | None:
    address = ""
    fields: dict[str, str] = {}
    for child in element:
        name = name_of(child)
        if name == "loc" and not address:
            address = (child.text or "").strip()
        elif name == "lastmod":
            fields["lastmod"] = child.text or ""
        elif name == "news":
            for part in child.iter():
                fields.setdefault(name_of(part), part.text or "")
    try:
        url = canonical_or_none(urljoin(base, address)) if address else None
    except ValueError:
        return None
    if url is None:
        return None
    return SitemapEntry(
        url=url,
        modified_at=time_of(fields.get("lastmod"), time_zone),
        published_at=time_of(fields.get("publication_date"), time_zone),
        title=plain(fields.get("title"), 500),
        language=(fields.get("language") or "").strip()[:8].lower() or None,
    )


def _text_sitemap(text: str) -> Sitemap:
    pages: dict[str, SitemapEntry] = {}
    for line in text.splitlines():
        if len(pages) >= MOST_ENTRIES:
            return Sitemap(kind="text", pages=tuple(pages.values()), problem="too many entries")
        url = canonical_or_none(line.strip()) if line.strip() else None
        if url is not None:
            pages.setdefault(url, SitemapEntry(url=url))
    return Sitemap(kind="text", pages=tuple(pages.values()))
