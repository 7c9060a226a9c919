"""RSS, Atom, RDF and JSON feeds: the latest articles of a portal.

Reading never raises: a page, an error or rubbish in place of a feed gives a feed without entries and says in `problem` why.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any
from urllib.parse import urljoin

from lxml import etree

from newscrawler.discovery.markup import clean_field, decode_text, get_local_name, parse_time, parse_tree
from newscrawler.discovery.posts import find_section_feeds
from newscrawler.discovery.source import PRIORITY, Lead, LeadKind, Source, SourceResponse
from newscrawler.discovery.urls.canonical import canonicalize_or_none
from newscrawler.page import Document

MOST_ENTRIES = 5_000
_LONGEST_TITLE = 500
#: Feeds of the start pages that are read; usual URLs of feeds that are tried if nothing names one.
MOST_FEEDS, MOST_USUAL = 5, 2
#: Feeds of sections of a portal; a section that links to so many articles needs none.
MOST_SECTION_FEEDS, FEW_ARTICLES = 20, 5
_COMMENTS = re.compile(r"comment|koment|reply|odpov", re.IGNORECASE)
#: Namespaces of pictures and sounds, with separate titles.
_OTHER_PURPOSE = re.compile(r"\{[^}]*(?:mrss|itunes|podcast)", re.IGNORECASE)
_LONGEST_SUMMARY = 2_000
#: Where feeds usually are, the most widespread first: WordPress, static generators, others.
USUAL_PATHS = (
    "/feed/",
    "/rss.xml",
    "/feed.xml",
    "/atom.xml",
    "/rss",
    "/index.xml",
    "/feeds/all.atom.xml",
    "/rss/",
    "/feed.json",
    "/?feed=rss2",
    "/feeds/posts/default",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedEntry:
    """One entry of a feed."""

    #: Canonical.
    url: str
    title: str = ""
    published_at: datetime | None = None
    modified_at: datetime | None = None
    author: str = ""
    summary: str = ""
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """The content of a feed; without `kind` the document was not one."""

    #: rss, atom, rdf or json; "" where the document is not a feed.
    kind: str = ""
    title: str = ""
    entries: tuple[FeedEntry, ...] = ()
    #: Older entries (Atom, JSON).
    next_url: str | None = None
    #: Why there is nothing, or not everything: "HTML page", "entities declared", "no feed or sitemap", "broken XML", "broken JSON",
    #: "too many entries".
    problem: str = ""


def list_usual_feeds(start_url: str) -> tuple[str, ...]:
    """Give the addresses at which feeds usually are, canonical."""
    return tuple(url for path in USUAL_PATHS if (url := canonicalize_or_none(urljoin(start_url, path))))


def read_feed(data: bytes, url: str, *, content_type: str | None = None, time_zone: tzinfo = UTC) -> Feed:
    """Read a feed of any kind; never raises.

    Args:
        data: the body of the response, packed or not.
        url: where it came from; links are resolved against it.
        content_type: the HTTP header.
        time_zone: counts where a time has no offset.
    """
    text = decode_text(data, content_type)
    if text.startswith("{"):
        return _read_json_feed(text, url, time_zone)
    root, problem = parse_tree(text)
    if root is None:
        return Feed(problem=problem)
    return read_feed_tree(root, url, time_zone)


def read_feed_tree(root: etree._Element, url: str, time_zone: tzinfo = UTC) -> Feed:
    """Read the tree of an RSS, Atom or RDF feed."""
    kind = {"rss": "rss", "channel": "rss", "feed": "atom", "rdf": "rdf"}.get(get_local_name(root), "")
    if not kind:
        return Feed(problem="no feed or sitemap")
    entries: dict[str, FeedEntry] = {}
    problem = ""
    for element in root.iter("{*}item", "{*}entry"):
        if len(entries) >= MOST_ENTRIES:
            problem = "too many entries"
            break
        entry = _read_entry(element, url, time_zone)
        if entry is not None:
            entries.setdefault(entry.url, entry)
    channel = root if kind == "atom" else next(root.iter("{*}channel"), root)
    title = next((clean_field(child.text, _LONGEST_TITLE) for child in channel if get_local_name(child) == "title"), "")
    return Feed(kind=kind, title=title, entries=tuple(entries.values()), next_url=_find_next(channel, url), problem=problem)


def _read_entry(element: etree._Element, base: str, time_zone: tzinfo) -> FeedEntry | None:
    fields: dict[str, str] = {}
    categories: list[str] = []
    for child in element:
        name = get_local_name(child)
        if _OTHER_PURPOSE.search(str(child.tag)):
            continue
        text = "".join(map(str, child.itertext())) if len(child) else child.text or ""
        if name == "category":
            categories.append(clean_field(child.get("term") or text, 100))
        elif text.strip():
            fields.setdefault(name, text)
    address = _find_address(element, fields)
    url = _resolve(base, address)
    if url is None:
        return None
    published = _get_first(fields, "pubdate", "published", "issued", "date", "created")
    modified = _get_first(fields, "updated", "modified", "lastbuilddate")
    return FeedEntry(
        url=url,
        title=clean_field(fields.get("title"), _LONGEST_TITLE),
        published_at=parse_time(published or modified, time_zone),
        modified_at=parse_time(modified, time_zone),
        author=_read_author(element, fields),
        summary=clean_field(_get_first(fields, "description", "summary", "encoded", "content"), _LONGEST_SUMMARY),
        categories=tuple(filter(None, dict.fromkeys(categories))),
    )


def _get_first(fields: Mapping[str, str], *names: str) -> str | None:
    return next((fields[name] for name in names if fields.get(name)), None)


def _find_address(element: etree._Element, fields: dict[str, str]) -> str:
    """Find where an entry leads: before a redirect of the feed's host, else the link, else an identifier that is an address."""
    if original := fields.get("origlink"):
        return original.strip()
    best = ""
    for child in element:
        if get_local_name(child) != "link":
            continue
        href = (child.get("href") or child.text or "").strip()
        relation = (child.get("rel") or "alternate").lower()
        if href and relation == "alternate" and (not best or "html" in (child.get("type") or "")):
            best = href
    if best:
        return best
    about = next((value for name, value in element.attrib.items() if str(name).endswith("about")), "")
    identifier = (fields.get("guid") or fields.get("id") or str(about)).strip()
    return identifier if identifier.startswith(("http://", "https://")) else ""


def _read_author(element: etree._Element, fields: dict[str, str]) -> str:
    for child in element:
        if get_local_name(child) == "author" and len(child):
            names = [clean_field(each.text, 200) for each in child if get_local_name(each) == "name"]
            return ", ".join(filter(None, names))
    return clean_field(fields.get("creator") or fields.get("author"), 200)


def _find_next(channel: etree._Element, base: str) -> str | None:
    for child in channel:
        href = child.get("href") if get_local_name(child) == "link" and (child.get("rel") or "").lower() == "next" else None
        if href:
            return _resolve(base, href)
    return None


def _resolve(base: str, address: str) -> str | None:
    """Return the canonical URL of an address; None: it has none."""
    try:
        return canonicalize_or_none(urljoin(base, address)) if address else None
    except ValueError:
        return None


def _read_json_feed(text: str, base: str, time_zone: tzinfo) -> Feed:
    """Read a JSON feed (jsonfeed.org)."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return Feed(problem="broken JSON")
    items = value.get("items") if isinstance(value, dict) else None
    if not isinstance(items, list):
        return Feed(problem="no feed or sitemap")
    entries: dict[str, FeedEntry] = {}
    for item in items[:MOST_ENTRIES]:
        if isinstance(item, dict) and (entry := _read_json_entry(item, base, time_zone)):
            entries.setdefault(entry.url, entry)
    following = _get_string(value.get("next_url"))
    return Feed(
        kind="json",
        title=clean_field(_get_string(value.get("title")), _LONGEST_TITLE),
        entries=tuple(entries.values()),
        next_url=_resolve(base, following),
        problem="too many entries" if len(items) > MOST_ENTRIES else "",
    )


def _read_json_entry(item: dict[str, Any], base: str, time_zone: tzinfo) -> FeedEntry | None:
    address = _get_string(item.get("url")) or _get_string(item.get("external_url"))
    if not address:
        identifier = _get_string(item.get("id"))
        address = identifier if identifier.startswith(("http://", "https://")) else ""
    url = _resolve(base, address)
    if url is None:
        return None
    tags = item.get("tags")
    return FeedEntry(
        url=url,
        title=clean_field(_get_string(item.get("title")), _LONGEST_TITLE),
        published_at=parse_time(_get_string(item.get("date_published")) or _get_string(item.get("date_modified")), time_zone),
        modified_at=parse_time(_get_string(item.get("date_modified")), time_zone),
        author=", ".join(_read_json_authors(item)),
        summary=clean_field(
            _get_string(item.get("summary")) or _get_string(item.get("content_text")) or _get_string(item.get("content_html")),
            _LONGEST_SUMMARY,
        ),
        categories=tuple(clean_field(tag, 100) for tag in tags if isinstance(tag, str)) if isinstance(tags, list) else (),
    )


def _read_json_authors(item: dict[str, Any]) -> Iterator[str]:
    authors = item.get("authors")
    for author in authors if isinstance(authors, list) else [item.get("author")]:
        if isinstance(author, dict) and (name := clean_field(_get_string(author.get("name")), 200)):
            yield name


def _get_string(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


class FeedSource(Source):
    """The feeds of start pages and of sections with few links, and their entries."""

    priority = PRIORITY["feed"]

    def __init__(self) -> None:
        self._of_starts: set[str] = set()
        self._of_sections: set[str] = set()

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the entries of a feed, or the feeds that a page leads to."""
        if answer.kind == "feed" and answer.why is None:
            feed = read_feed(answer.body, answer.url, content_type=answer.content_type, time_zone=answer.portal.time_zone)
            answer.problem = feed.problem
            if feed.entries:
                answer.portal.lists.add("feed")
            for entry in feed.entries:
                yield Lead(
                    entry.url, LeadKind.ENTRY, PRIORITY["article"], title=entry.title, published_at=entry.published_at,
                    changed_at=entry.modified_at,
                )  # fmt: skip
        elif answer.page is not None:
            urls = self._list_start_feeds(answer) if answer.kind == "start" else self._list_section_feeds(answer, answer.page)
            yield from (Lead(url, LeadKind.FEED, depth=0) for url in urls)

    def _list_start_feeds(self, answer: SourceResponse) -> Sequence[str]:
        """Return the feeds that a start page names, without those of comments."""
        self._of_starts.update(url for url, _ in answer.head.feeds)
        if not answer.head.feeds:
            return list_usual_feeds(answer.requested_url)[:MOST_USUAL]
        return _list_wanted(answer)[:MOST_FEEDS]

    def _list_section_feeds(self, answer: SourceResponse, page: Document) -> Sequence[str]:
        """Return the feed of a section that links to few articles: named by its page, or usual for its publishing system."""
        is_section = answer.kind == "section" and answer.why is None
        if not is_section or "sitemap" in answer.portal.lists:
            return ()
        if sum(each.kind == "article" for each in answer.found) >= FEW_ARTICLES:
            return ()
        named = [url for url in _list_wanted(answer) if url not in self._of_starts]
        urls = (named or [url for url in find_section_feeds(page) if answer.portal.scope.allows(url)])[:1]
        fresh = [url for url in urls if url in self._of_sections or len(self._of_sections) < MOST_SECTION_FEEDS]
        self._of_sections.update(fresh)
        return fresh


def _list_wanted(answer: SourceResponse) -> list[str]:
    allows = answer.portal.scope.allows
    return [url for url, title in answer.head.feeds if allows(url) and not _COMMENTS.search(f"{url} {title}")]
