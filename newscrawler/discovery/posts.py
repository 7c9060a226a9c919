"""Lists of posts for programs: WordPress's REST API, Ghost's content API, feeds of sections; and lists of slugs in scripts.

No page names the addresses of these lists, so their APIs' documentation does: of the two systems' portals without feed and sitemap
in tests, 20 of 20 articles are found by them, and 5 of 20 by links and the reader of hidden links. Feeds of sections likewise.

Articles that a page names only by slug, number or date get their addresses by the pattern of one whose address is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urljoin

from newscrawler.discovery.hidden_links import FEW_LINKS, find_title, has_address, read_values
from newscrawler.discovery.links import FoundLink
from newscrawler.discovery.source import PRIORITY, Lead, LeadKind, Source, SourceResponse
from newscrawler.discovery.urls.canonical import canonicalize_or_none
from newscrawler.limits import POST_DEPTH
from newscrawler.page import Document

#: Both systems show so many posts at most.
POSTS_A_PAGE = 100
_WORDPRESS = f"wp/v2/posts?per_page={POSTS_A_PAGE}&page=1"
_GHOST = "ghost/api/content/"
#: Name in the generator element → a section's address, and the suffix of the section's feed.
_SECTION_FEEDS = (
    ("wordpress", re.compile(r"[^?]*/[^/?.]+/?\Z"), "/feed/"),
    ("drupal", re.compile(r"[^?]*/taxonomy/term/\d+/?\Z"), "/feed"),
    ("joomla", re.compile(r"[^?]*\Z"), "?format=feed&type=rss"),
)

Item = Mapping[str, str]
#: Groups of siblings that are remembered, their items, and the depth at which they are looked for.
_MOST_GROUPS, _MOST_ITEMS, _MOST_KNOWN = 50, 500, 1_000
_SLUG = re.compile(r"[^\W_]+(?:[-_][^\W_]+)+")
_SHORTEST_SLUG = 8
#: A number that, beside a title, may be an article's in its address.
_NUMBER = re.compile(r"\d{4,}")
#: Fewer are likely pages of a menu.
_LEAST_MISSING = 5
_DAY = re.compile(r"((?:19|20)\d\d)-(\d\d)-(\d\d)(?:\D|\Z)")
#: Under this key, the title of an item.
_TITLE = " title"


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


def find_section_feeds(page: Document) -> tuple[str, ...]:
    """Return where the system of a page offers the feed of a section; empty: the page does not name a known one."""
    system, here = (page.get_first_meta("generator") or "").lower(), page.url or ""
    known = [suffix for name, address, suffix in _SECTION_FEEDS if system.startswith(name) and address.match(here)]
    return tuple(url for suffix in known if (url := canonicalize_or_none(here.rstrip("/") + suffix)))


class PostSource(Source):
    """The lists of posts that publishing systems offer; read only where neither feed nor sitemap has named articles."""

    priority = PRIORITY["pagination"]

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the list that a page declares; its answers name the next pages of it."""
        if answer.page is not None and not answer.portal.lists and answer.kind not in {"start", "other"}:
            allows = answer.portal.scope.allows
            yield from (Lead(url, LeadKind.SECTION) for url in find_posts(answer.page) if allows(url))


class SlugSource(Source):
    """Articles that the scripts of listings name without an address; other sources lead to one of them, whose pattern counts."""

    def __init__(self) -> None:
        #: Each with the values by which an address may name one of its items.
        self._groups: list[tuple[list[Item], frozenset[str]]] = []
        #: Addresses of articles, the latest last.
        self._known: dict[str, None] = {}

    def read(self, answer: SourceResponse) -> Iterator[FoundLink]:
        """Yield the articles of a group as soon as the address of one of them is known."""
        is_listing = answer.kind in {"start", "section"} and len(answer.links) < FEW_LINKS
        before = len(self._groups)
        if answer.page is not None and is_listing and before < _MOST_GROUPS:
            self._groups += [(items, _list_names(items)) for items in answer.page.view(list_groups)]
        named = [answer.url] if answer.kind == "article" else []
        named += [each.url for each in answer.found if each.kind == "article"]
        named += [link.url for link in answer.links] if self._groups else []
        fresh = [url for url in dict.fromkeys(named) if url not in self._known]
        self._known |= dict.fromkeys(named)
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        for place, (items, names) in enumerate(list(self._groups)):
            tried = fresh if place < before else self._known  # a group has tried those known before
            urls = sorted(url for url in tried if any(name in url for name in names))
            if built := next(filter(None, (build_addresses(items, url) for url in urls)), None):
                self._groups.remove((items, names))
                yield from built

    def get_notes(self) -> Iterator[str]:
        """Yield how many articles are known without an address."""
        missing = sum(any(map(_is_slug, item.values())) for items, _ in self._groups for item in items)
        if missing >= _LEAST_MISSING:
            yield (
                f"its lists come by script: about {missing} more articles have no address; name a feed or sitemap in `feeds` or "
                '`sitemaps`, or set `render = "auto"`'
            )


def _list_names(items: Iterable[Item]) -> frozenset[str]:
    return frozenset(value for item in items for value in item.values() if _is_slug(value) or _NUMBER.fullmatch(value))


def list_groups(page: Document) -> list[list[Item]]:
    """Return the lists of objects with slugs, and without addresses, that a page's scripts and attributes carry."""
    return [group for value in page.view(read_values) for group in _find_groups(value, 0)]


def _find_groups(value: Any, depth: int) -> Iterator[list[Item]]:
    if depth > POST_DEPTH:
        return
    if isinstance(value, list):
        items = [item for each in value[:_MOST_ITEMS] if isinstance(each, Mapping) and (item := _read_item(each))]
        if len(items) > 1:
            yield items
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _find_groups(inner, depth + 1)


def _read_item(value: Mapping[str, Any]) -> Item | None:
    """Return an object's short values by name, those of inner objects and parts of dates too; None: no slug and no number."""
    if has_address(value):
        return None
    inner = [(f"{name}.{key}", each) for name, part in value.items() if isinstance(part, Mapping) for key, each in part.items()]
    found: dict[str, str] = {}
    for name, each in [*value.items(), *inner]:
        if isinstance(each, (str, int)) and not isinstance(each, bool) and 0 < len(str(each)) <= 200:
            found[name] = str(each)
            if day := _DAY.match(str(each)):
                found |= {f"{name} year": day[1], f"{name} month": day[2], f"{name} day": day[3]}
    title = find_title(value)
    is_named = any(_is_slug(each) or (title and _NUMBER.fullmatch(each)) for each in found.values())
    return found | {_TITLE: title} if is_named else None


def _is_slug(text: str) -> bool:
    return len(text) >= _SHORTEST_SLUG and _SLUG.fullmatch(text) is not None


def build_addresses(items: Iterable[Item], url: str) -> tuple[FoundLink, ...]:
    """Return the articles of a group by the address of one of them; empty: it is not of this group."""
    items = list(items)
    pattern = next(filter(None, (_make_pattern(item, url) for item in items)), None)
    if pattern is None:
        return ()
    names = re.findall(r"\{([^{}]*)\}", pattern)
    built = [_fill(pattern, names, item) for item in items if all(name in item for name in names)]
    return tuple(built) if len({link.url for link in built}) == len(built) > 1 else ()


def _make_pattern(item: Item, url: str) -> str | None:
    """Return an address with the names of an item's values in their places; None: neither its slug nor its number is in it."""
    start = url.find("/", 8)
    path, is_named = url[start:], False
    for name, value in sorted(item.items(), key=lambda each: -len(each[1])):
        if len(value) < 2 or name == _TITLE or "{" in url or value not in path:
            continue
        changed = re.sub(rf"(?<![\w{{]){re.escape(value)}(?![\w}}])", f"{{{name}}}", path, count=1)
        is_named = is_named or (changed != path and (_is_slug(value) or _NUMBER.fullmatch(value) is not None))
        path = changed
    return url[:start] + path if is_named else None


def _fill(pattern: str, names: Iterable[str], item: Item) -> FoundLink:
    url = pattern
    for name in names:
        url = url.replace(f"{{{name}}}", item[name])
    return FoundLink(url=url, anchor=item[_TITLE][:160], where="main")
