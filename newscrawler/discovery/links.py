"""The links of a page, each once, with its text and its part of the page.

The part of the page is the nearest landmark: an element (`nav`, `main`, `footer`, ...), an ARIA role or a word of a class or
id (`main-menu`, `post-tags`). Class names of `html` and `body` do not count: publishing systems write the kind of page there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Self
from urllib.parse import quote, urljoin, urlsplit

from lxml import etree

from newscrawler.discovery.urls.canonical import canonicalize
from newscrawler.discovery.urls.kinds import UrlVerdict
from newscrawler.languages import table
from newscrawler.limits import PAGE_LINKS
from newscrawler.page import Document, normalize_reference

LONGEST_ANCHOR = 160
_MOST_PIECES = 400

_ELEMENTS = {name: name for name in ("nav", "header", "footer", "main", "article", "aside", "menu")}
_ROLES = {
    "navigation": "nav", "banner": "header", "contentinfo": "footer", "main": "main", "article": "article",
    "complementary": "aside", "menu": "menu", "menubar": "menu", "search": "search",
}  # fmt: skip
_WORDS = {word: place for place, found in table("link_places").items() for word in found}
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SILENT = frozenset({"script", "style", "noscript", "template", "svg", "iframe", "object"})
_INLINE = frozenset({"b", "i", "em", "strong", "u", "sup", "sub", "font", "mark", "wbr", "abbr", "q", "bdi"})
#: The schemes of nearly all links that lead to no page.
_NO_PAGES = ("javascript:", "mailto:", "tel:", "data:")
_NEIGHBOURS = frozenset({"next", "prev", "previous"})
_FEED_TYPES = {
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/feed+json",
    "application/x-rss+xml",
    "text/rss+xml",
    "text/x-opml",
}

_FORMAT = re.compile(r"\b(?:rss|atom|json|xml|rdf|feed)\b|\b\d\.\d\b", re.IGNORECASE)


class FoundLink(NamedTuple):
    """A link of a page; a page has a hundred of them."""

    #: Canonical.
    url: str
    #: The best of its texts, or the title or alternative text of its picture; at most 160 characters.
    anchor: str = ""
    #: nav, menu, header, footer, main, article, aside, tags, author, share, comments, related, breadcrumb, pagination, search.
    where: str = ""
    #: Words of `rel` in small letters (nofollow, next, prev, tag, author, ...); nofollow only if every link to the URL has it.
    rel: frozenset[str] = frozenset()
    #: It leads to a further page of the listing (`LinkSource`).
    is_further: bool = False
    #: Set once it is classified.
    verdict: UrlVerdict | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadLinks:
    """The targets of a page's `link` elements; every URL canonical."""

    next: str | None = None
    previous: str | None = None
    #: (URL, title), in page order.
    feeds: tuple[tuple[str, str], ...] = ()


def collect_links(page: Document) -> tuple[FoundLink, ...]:
    """Collect the http(s) links of `a` and `area` in page order, each URL once."""
    resolve = Resolver.of(page)
    places: dict[etree._Element, str] = {}
    found: dict[str, FoundLink] = {}
    of_words: set[str] = set()
    for count, element in enumerate(page.root.iter("a", "area")):
        if count >= PAGE_LINKS:
            break
        url = resolve(element.get("href", element.get("xlink:href")))
        if url is None:
            continue
        anchor, worded = _read_anchor(element)
        earlier = found.get(url)
        rel = _split_rel(element.get("rel"))
        if earlier is not None:
            rel = _merge_rel(earlier.rel, rel)
            # Text counts more than an image's description, longer text more than shorter.
            if (worded, len(anchor)) <= (url in of_words, len(earlier.anchor)):
                if rel != earlier.rel:
                    found[url] = earlier._replace(rel=rel)
                continue
        if worded:
            of_words.add(url)
        found[url] = FoundLink(url=url, anchor=anchor, where=find_place(element, places), rel=rel)
    return tuple(found.values())


def collect_head_links(page: Document) -> HeadLinks:
    """Read the `link` elements: neighbours and feeds."""
    resolve = Resolver.of(page)
    neighbours: dict[str, str] = {}
    feeds: dict[str, str] = {}
    formats: dict[str, str] = {}
    for element in page.declarations["link"]:
        rel = _split_rel(element.get("rel"))
        kind = (element.get("type") or "").partition(";")[0].strip().lower()
        is_feed = not rel.isdisjoint({"feed", "sitemap", "outline"}) or ("alternate" in rel and kind in _FEED_TYPES)
        names = rel & _NEIGHBOURS
        if not (is_feed or names) or (url := resolve(element.get("href"))) is None:
            continue
        for name in names:
            neighbours.setdefault(name[:4], url)
        title = " ".join((element.get("title") or "").split())
        name = " ".join(_FORMAT.sub(" ", title).split()) or url
        if is_feed and formats.setdefault(name, kind) == kind:  # of a feed in several formats, the first
            feeds.setdefault(url, title)
    return HeadLinks(next=neighbours.get("next"), previous=neighbours.get("prev"), feeds=tuple(feeds.items()))


def find_twins(page: Document) -> dict[str, str]:
    """Return the other addresses that an article's head declares for its text, with the kind of the declaration.

    These are editions in the same language, AMP, print and mobile pages, and the canonical address.
    """
    resolve, found, tags = Resolver.of(page), dict[str, str](), dict[str, str]()
    for element in page.declarations["link"]:
        rel, url = _split_rel(element.get("rel")), resolve(element.get("href"))
        if url is None or not urlsplit(url).path.strip("/"):
            continue
        if tag := (element.get("hreflang") or "").lower():
            tags[url] = tag.partition("-")[0]
        elif kind := next(iter(rel & {"amphtml", "canonical"}), "media" if "alternate" in rel and element.get("media") else ""):
            found[url] = kind
    own = tags.get(page.url or "", page.declared_language)
    return {
        url: kind for url, kind in ({url: "hreflang" for url, tag in tags.items() if tag == own} | found).items() if url != page.url
    }


class Resolver:
    """Makes the links of one page absolute and canonical; most need no parsing at all."""

    def __init__(self, base: str | None, encoding: str = "utf-8") -> None:
        self._base = base or ""
        self._encoding = encoding
        try:
            parts = urlsplit(self._base)
            self._scheme = f"{parts.scheme}:" if parts.scheme else ""
            self._origin = f"{self._scheme}//{parts.netloc}" if parts.netloc else ""
        except ValueError:
            self._base = self._scheme = self._origin = ""

    @classmethod
    def of(cls, page: Document) -> Self:
        """Make it for the links of a page."""
        return cls(page.base_url, page.encoding)

    def __call__(self, href: str | None) -> str | None:
        """None where the link leads to no other http(s) page."""
        if href is None:
            return None
        href = href.strip()
        if not href or (href[0] == "#" and href[1:2] != "!") or href.startswith(_NO_PAGES):
            return None
        if "\\" in href or not href.isascii():
            href = normalize_reference(href, self._encoding)
        try:
            if "#!" in href:
                return canonicalize(_escape_fragment(urljoin(self._base, href)))
            if href[0] == "/" and self._origin and href[1:2] not in {"/", "\\"}:
                return canonicalize(self._origin + href)
            if href[:7] == "http://" or href[:8] == "https://":
                return canonicalize(href)
            if href[:2] == "//" and self._scheme and href[2:3].isalnum():
                return canonicalize(self._scheme + href)
            return canonicalize(urljoin(self._base, href))
        except ValueError:
            return None


def _escape_fragment(url: str) -> str:
    """Return where a server shows what a hash-bang address names to programs (Google's AJAX crawling scheme)."""
    before, _, fragment = url.partition("#!")
    return f"{before}{'&' if '?' in before else '?'}_escaped_fragment_={quote(fragment, safe='/=&')}"


def _read_anchor(element: etree._Element) -> tuple[str, bool]:
    """Return the text of a link, and whether it is the link's own rather than that of a picture or an attribute."""
    text = " ".join((_join_text(element) if len(element) else element.text or "").split())
    worded = bool(text)
    if not worded:
        text = " ".join(
            (element.get("title") or element.get("aria-label") or element.get("alt") or _get_picture_text(element)).split()
        )
    return (text if len(text) <= LONGEST_ANCHOR else text[:LONGEST_ANCHOR].rstrip()), worded


def _join_text(element: etree._Element) -> str:
    """Join the texts below a link, scripts left out; a blank keeps neighbouring blocks apart."""
    pieces: list[str] = []
    silent: etree._Element | None = None
    for event, node in etree.iterwalk(element, events=("start", "end")):
        started = event == "start"
        if started and silent is None and node.tag in _SILENT:
            silent = node
        if silent is None or (silent is node and not started):
            pieces.append("" if node.tag in _INLINE else " ")
            pieces.append((node.text if started else node.tail if node is not element else "") or "")
        if silent is node and not started:
            silent = None
        if len(pieces) > _MOST_PIECES:
            break
    return "".join(pieces)


def _get_picture_text(element: etree._Element) -> str:
    picture = next(element.iter("img"), None)
    return (picture.get("alt") or picture.get("title") or "") if picture is not None else ""


def find_place(element: etree._Element, known: dict[etree._Element, str]) -> str:
    """Name the nearest landmark above a link, remembering the answer for everything passed on the way."""
    passed: list[etree._Element] = []
    place = ""
    node: etree._Element | None = element
    if element.tag == "a" and element.get("role") is None:  # says nothing itself, and is looked up once
        node = element.getparent()
    while node is not None:
        if node in known:
            place = known[node]
            break
        passed.append(node)
        place = _find_landmark(node.tag, node.get("role"), node.get("class"), node.get("id"))
        if place:
            break
        node = node.getparent()
    for each in passed:
        known[each] = place
    return place


@lru_cache(maxsize=2_048)
def _find_landmark(tag: str, role: str | None, classes: str | None, identifier: str | None) -> str:
    if tag in {"body", "html"}:
        return ""
    if role and role.strip().lower() in _ROLES:
        return _ROLES[role.strip().lower()]
    if tag == "a":
        return ""
    for name in ((classes or "")[:500] + " " + (identifier or "")[:100]).split():
        parts = [part.lower() for part in _PART.findall(name)]
        # The last word names the thing (`header-menu` is a menu); prefixes of state (`has-sidebar`) say nothing.
        if parts and parts[0] not in {"has", "is", "no", "with", "without", "not", "hide", "show"}:
            for part in reversed(parts):
                if part in _WORDS:
                    return _WORDS[part]
    return _ELEMENTS.get(tag, "")


def _split_rel(rel: str | None) -> frozenset[str]:
    return frozenset(rel.lower().split()) if rel else frozenset()


def _merge_rel(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    both = first | second
    return both if "nofollow" in first and "nofollow" in second else both - {"nofollow"}
