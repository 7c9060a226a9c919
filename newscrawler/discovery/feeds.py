"""RSS, Atom, RDF and JSON feeds: the latest articles of a portal.

Reading never raises: a page, an error or rubbish in place of a feed gives a feed without entries and says in `problem` why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from html import escape
from itertools import chain
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml import etree

from newscrawler.discovery.links import HeadLinks, Resolver
from newscrawler.discovery.markup import HARMLESS, UNREADABLE, clean_field, decode_text, get_local_name, parse_time, parse_tree
from newscrawler.discovery.posts import find_section_feeds
from newscrawler.discovery.source import PRIORITY, Lead, LeadKind, Source, SourcePortal, SourceResponse, UrlList
from newscrawler.discovery.urls.canonical import canonicalize_or_none
from newscrawler.discovery.urls.same_page import make_same_page_key
from newscrawler.discovery.urls.scope import Scope
from newscrawler.limits import FEED_ENTRIES as MOST_ENTRIES
from newscrawler.page import Document, normalize_reference

_LONGEST_TITLE = 500
#: Feeds of the start pages that are read.
MOST_FEEDS = 5
#: Feeds of sections of a portal; a section that links to so many articles needs none.
MOST_SECTION_FEEDS, FEW_ARTICLES = 20, 5
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_COMMENTS = re.compile(r"comment|koment|reply|odpov", re.IGNORECASE)
#: Namespaces of pictures and sounds, with separate titles.
_OTHER_PURPOSE = re.compile(r"\{[^}]*(?:mrss|itunes|podcast)", re.IGNORECASE)
#: Addresses of feeds and sitemaps, or of a page that lists them, among links; what comes decides.
_LIST = re.compile(r"[/.?=](?:rss|atom|rdf|xml|opml|(?:rss-?)?feeds?)(?:/\w{1,20})?(?:\.\w{2,5}|/)?(?:[?&][^/]*)?\Z", re.IGNORECASE)
#: Tried if nothing names a feed: WordPress, and most others.
_USUAL_PATHS = ("/feed/", "/rss.xml")
_PUBLISHED, _MODIFIED = ("pubdate", "published", "issued", "date", "created"), ("updated", "modified", "lastbuilddate")
_FIELDS = frozenset({"title", "origlink", "guid", "id", "creator", "author", *_PUBLISHED, *_MODIFIED})
_ADDRESS = re.compile(r"\S+@\S+")
#: Characters of a text that is more than a summary, of one that is not kept, and of a last line that links to the article's page.
_SHORTEST_TEXT, _LONGEST_TEXT, _LONGEST_FOOTER = 500, 500_000, 300
_LAST_BLOCK = re.compile(r"<(?:p|div|br|a)\b(?:(?!<(?:p|div|br)\b).){0,2000}\Z", re.IGNORECASE | re.DOTALL)
_CUT = re.compile(r"(?:…|\.\.\.)[\s\])»”\"']*\Z")
#: Characters of the texts of a portal's feeds that are remembered.
_MOST_REMEMBERED = 8_000_000
_ROOTS = frozenset({"rss", "channel", "feed", "rdf"})


def read_feed(data: bytes, url: str, *, content_type: str | None = None, time_zone: tzinfo = UTC) -> UrlList:
    """Read a feed of any kind, packed or not; `time_zone` counts where a time has no offset. Never raises."""
    text = decode_text(data, content_type)
    if text.startswith("{"):
        return _read_json_feed(text, url, time_zone)
    return read_feed_tree(text, url, time_zone)


def read_opml(text: str) -> Iterator[tuple[str, str]]:
    """Yield the addresses of sites and of their feeds in a list of feeds (OPML 2.0); either may be empty. Never raises."""
    try:
        root = etree.fromstring(text.encode(), etree.XMLParser(**HARMLESS))
    except (etree.XMLSyntaxError, ValueError):
        return
    for outline in root.iter("{*}outline") if root is not None else ():
        named = {str(name).lower(): str(value).strip() for name, value in outline.attrib.items()}
        site, feed = named.get("htmlurl", ""), named.get("xmlurl") or named.get("url", "")
        if site or feed:
            yield site, feed


def read_feed_tree(text: str, url: str, time_zone: tzinfo = UTC) -> UrlList:
    """Read an RSS, Atom or RDF feed, or a list of feeds; `further` of a list that goes on is its next page (RFC 5005)."""
    root, problem = parse_tree(text)
    if root is None:
        return UrlList(problem=problem)
    if get_local_name(root) not in _ROOTS:
        feeds = filter(None, map(Resolver(url), (feed for _, feed in read_opml(text) if feed)))
        found = tuple(Lead(feed, LeadKind.FEED) for feed in feeds)
        return UrlList(found, "" if found else "no feed or sitemap")
    entries: dict[str, Lead] = {}
    for element in root.iter("{*}item", "{*}entry"):
        if len(entries) >= MOST_ENTRIES:
            return UrlList(tuple(entries.values()), "too many entries")
        if (entry := _read_entry(element, url, time_zone)) is not None:
            entries.setdefault(entry.url, entry)
    links = chain(root.iterchildren("{*}link"), root.iterfind("{*}channel/{*}link"))
    following = (_resolve(link, link.get("href") or "", url) for link in links if link.get("rel") == "next")
    return UrlList(tuple(entries.values()), further=next(filter(None, following), None))


def _read_entry(element: etree._Element, base: str, time_zone: tzinfo) -> Lead | None:
    fields: dict[str, str] = {}
    for child in element:
        name = get_local_name(child)
        if name in _FIELDS and not _OTHER_PURPOSE.search(str(child.tag)):
            text = "".join(map(str, child.itertext())) if len(child) else child.text or ""
            text = child.findtext("{*}name", text) if name == "author" else text
            if text.strip():
                fields.setdefault(name, text)
    url = _resolve(*_find_address(element, fields), base)
    if url is None:
        return None
    published, modified = _get_first(fields, *_PUBLISHED), _get_first(fields, *_MODIFIED)
    author = _ADDRESS.sub("", _get_first(fields, "creator", "author") or "").strip(" ()")
    return _make_entry(url, fields.get("title"), published, modified, time_zone, _read_content(element), author)


def _read_content(element: etree._Element) -> str:
    """Return the longest text of an entry as HTML."""
    children = [each for each in element if not _OTHER_PURPOSE.search(str(each.tag))]
    texts = (etree.tostring(each[0], encoding="unicode", method="html") if len(each) else each.text or "" for each in children)
    return max(texts, key=len, default="")


def _make_entry(
    url: str, title: str | None, published: str | None, modified: str | None, time_zone: tzinfo, content: str, author: str
) -> Lead:
    return Lead(
        url, title=clean_field(title, _LONGEST_TITLE), published_at=parse_time(published or modified, time_zone),
        changed_at=parse_time(modified, time_zone),
        content=_find_full_text(content, url) if len(content) >= _SHORTEST_TEXT else "",
        author=clean_field(author, _LONGEST_TITLE),
    )  # fmt: skip


def _find_full_text(content: str, url: str) -> str:
    """Return the text of an entry as HTML, without a last line that links to its page; "": it is only its beginning."""
    last = _LAST_BLOCK.search(content)
    parts = urlsplit(url)
    address = parts.path.strip("/") or parts.query
    is_footer = last is not None and address and address in last[0] and "href" in last[0]
    if last is not None and is_footer and len(clean_field(last[0], _LONGEST_TITLE)) < _LONGEST_FOOTER:
        content = content[: last.start()]
    shown = clean_field(content, _LONGEST_TEXT)
    if len(shown) < _SHORTEST_TEXT or len(content) > _LONGEST_TEXT or _CUT.search(shown):
        return ""
    return content if "<" in content else "".join(f"<p>{escape(line)}</p>" for line in content.splitlines() if line.strip())


def make_page_of_entry(entry: Lead) -> str:
    """Return the text of an entry as a page in HTML, which is read as the article's own page is."""
    named = {"article:published_time": entry.published_at and entry.published_at.isoformat(), "author": entry.author}
    head = "".join(f'<meta name="{name}" content="{escape(text)}">' for name, text in named.items() if text)
    title = escape(entry.title)
    return (
        f"<!doctype html><html><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        f"<body><article><h1>{title}</h1>{entry.content}</article></body></html>"
    )


def _get_first(fields: Mapping[str, str], *names: str) -> str | None:
    return next((fields[name] for name in names if fields.get(name)), None)


def _find_address(element: etree._Element, fields: dict[str, str]) -> tuple[etree._Element, str]:
    """Find where an entry leads: before a redirect of the feed's host, else the link, else an identifier that is an address.

    A link to a front page leads to no article, so an identifier counts more.

    Returns:
        The element whose `xml:base` counts, and the address.
    """
    if original := fields.get("origlink"):
        return element, original.strip()
    best, found = "", element
    for child in element:
        if (name := get_local_name(child)) not in {"link", "content"}:
            continue
        href = (child.get("src") or "" if name == "content" else child.get("href") or child.text or "").strip()
        relation = (child.get("rel") or "alternate").lower()
        if href and relation == "alternate" and (not best or "html" in (child.get("type") or "")):
            best, found = href, child
    if best and urlsplit(best).path.strip("/"):
        return found, best
    about = next((value for name, value in element.attrib.items() if str(name).endswith("about")), "")
    identifier = (fields.get("guid") or fields.get("id") or str(about)).strip()
    return (element, identifier) if identifier.startswith(("http://", "https://")) else (found, best)


def _resolve(element: etree._Element, address: str, base: str) -> str | None:
    """Return the canonical URL of an address in an element, by the `xml:base` of those around it; None: it has none."""
    bases = [each.get(_BASE) for each in (element, *element.iterancestors()) if each.get(_BASE)]
    try:
        for each in reversed(bases):
            base = urljoin(base, each)
        is_readable = address and UNREADABLE not in address
        return canonicalize_or_none(urljoin(base, normalize_reference(address))) if is_readable else None
    except ValueError:
        return None


def _read_json_feed(text: str, base: str, time_zone: tzinfo) -> UrlList:
    """Read a JSON feed (jsonfeed.org)."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return UrlList(problem="broken JSON")
    items = value.get("items") if isinstance(value, dict) else None
    if not isinstance(items, list):
        return UrlList(problem="no feed or sitemap")
    entries: dict[str, Lead] = {}
    for item in items[:MOST_ENTRIES]:
        if isinstance(item, dict) and (entry := _read_json_entry(item, base, time_zone)):
            entries.setdefault(entry.url, entry)
    problem = "too many entries" if len(items) > MOST_ENTRIES else ""
    return UrlList(tuple(entries.values()), problem, further=Resolver(base)(_get_string(value.get("next_url"))))


def _read_json_entry(item: dict[str, Any], base: str, time_zone: tzinfo) -> Lead | None:
    address = _get_string(item.get("url")) or _get_string(item.get("external_url"))
    if not address:
        identifier = _get_string(item.get("id"))
        address = identifier if identifier.startswith(("http://", "https://")) else ""
    url = Resolver(base)(address)
    if url is None:
        return None
    title, published, modified, html, text = (
        _get_string(item.get(name)) for name in ("title", "date_published", "date_modified", "content_html", "content_text")
    )
    people = item.get("authors") or [item.get("author")]
    names = (_get_string(each.get("name")) for each in people if isinstance(each, dict)) if isinstance(people, list) else ()
    return _make_entry(url, title, published, modified, time_zone, html or text, ", ".join(names))


def _get_string(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


class FeedSource(Source):
    """The feeds of start pages and of sections with few links, and their entries."""

    priority = PRIORITY["feed"]

    def __init__(self) -> None:
        self._of_starts: set[str] = set()
        self._of_sections: set[str] = set()
        #: Entries with the texts of their articles, by the key of all forms of a URL, the oldest first.
        self._entries: dict[str, Lead] = {}
        self._size = 0

    def get_entry(self, url: str) -> Lead | None:
        """Return an entry with the text of its article; None: no feed has given it."""
        return self._entries.get(make_same_page_key(url) or url)

    def note_redirect(self, url: str, target: str) -> None:
        """Take the target of an entry's address for the address of its article."""
        if (entry := self.get_entry(url)) is not None:
            self._remember([entry._replace(url=target)])

    def _remember(self, entries: Sequence[Lead]) -> None:
        for entry in entries:
            key = make_same_page_key(entry.url) or entry.url
            before = self._entries.pop(key, None)
            self._entries[key] = entry
            self._size += len(entry.content) - (len(before.content) if before is not None else 0)
            while self._size > _MOST_REMEMBERED:
                self._size -= len(self._entries.pop(next(iter(self._entries))).content)

    def start(self, portal: SourcePortal) -> Iterator[Lead]:
        """Yield the feeds that the user names."""
        return (Lead(url, LeadKind.FEED, depth=0) for url in portal.feeds)

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the entries of a feed, or the feeds that a page leads to."""
        if answer.kind == "feed" and answer.why is None:
            feed = read_feed(answer.body, answer.url, content_type=answer.content_type, time_zone=answer.portal.time_zone)
            answer.problem = feed.problem
            if feed.entries:
                answer.portal.lists.add("feed")
            if answer.keeps_texts:
                self._remember([entry for entry in feed.entries if entry.content])
            yield from feed.entries
            if feed.entries and feed.further is not None and feed.further != answer.url:
                yield Lead(feed.further, LeadKind.SECTION, PRIORITY["pagination"], is_further=True)
        elif answer.page is not None and answer.head is not None:
            found = self._list_start_feeds if answer.kind == "start" else self._list_section_feeds
            yield from (Lead(url, LeadKind.FEED, depth=0) for url in found(answer, answer.page, answer.head))

    def _list_start_feeds(self, answer: SourceResponse, _page: Document, head: HeadLinks) -> Sequence[str]:
        """Return the feeds that a start page names, without those of comments; without any, those of links and usual ones."""
        self._of_starts.update(url for url, _ in head.feeds)
        if answer.portal.feeds:
            return ()
        if not head.feeds:
            usual = [url for path in _USUAL_PATHS if (url := Resolver(answer.requested_url)(path))]
            return list(dict.fromkeys([*_list_linked(answer)[: MOST_FEEDS - len(usual)], *usual]))
        return _list_wanted(head.feeds, answer.portal.scope)[:MOST_FEEDS]

    def _list_section_feeds(self, answer: SourceResponse, page: Document, head: HeadLinks) -> Sequence[str]:
        """Return the feed of a section that links to few articles: named by its page, or usual for its publishing system."""
        if answer.problem:  # a page in place of a feed
            return _list_linked(answer)[:MOST_FEEDS]
        is_section = answer.kind == "section" and answer.why is None
        if not is_section or "sitemap" in answer.portal.lists:
            return ()
        if sum(each.kind == "article" for each in answer.found) >= FEW_ARTICLES:
            return ()
        named = [url for url in _list_wanted(head.feeds, answer.portal.scope) if url not in self._of_starts]
        urls = (named or [url for url in find_section_feeds(page) if answer.portal.scope.allows(url)])[:1]
        fresh = [url for url in urls if url in self._of_sections or len(self._of_sections) < MOST_SECTION_FEEDS]
        self._of_sections.update(fresh)
        return fresh


def _list_linked(answer: SourceResponse) -> list[str]:
    """Return the links to feeds; those that turn the pages of a page at a feed's address lead to none."""
    own = urlsplit(answer.url).path.rstrip("/")
    links = (link for link in answer.links if _LIST.search(link.url) and urlsplit(link.url).path.rstrip("/") != own)
    return _list_wanted(((link.url, link.anchor) for link in links if "nofollow" not in link.rel), answer.portal.scope)


def _list_wanted(named: Iterable[tuple[str, str]], scope: Scope) -> list[str]:
    return [url for url, title in named if scope.allows(url) and not _COMMENTS.search(f"{url} {title}")]
