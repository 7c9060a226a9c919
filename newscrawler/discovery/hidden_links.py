"""Links outside `a` elements: meta refresh, frames, JSON-LD lists, the state of scripts, `data-href`, "Load more".

Lists and frames are read on any page that may be a listing; the state of scripts and attributes only where a page has few
links in `a` elements, since elsewhere they repeat those, with pictures and services among them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import islice
from typing import Any

from newscrawler.discovery.links import FoundLink, Resolver
from newscrawler.page import Document, extract_visible_text, state_values

#: A page with more links in `a` elements needs no others.
FEW_LINKS = 20
_MOST = 500
#: https://html.spec.whatwg.org/multipage/document-lifecycle.html#shared-declarative-refresh-steps
_REFRESH = re.compile(
    r"\s*(\d{0,4})(?:\.[\d.]*)?(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:'([^']+)|\"([^\"]+)|([^'\"].*))", re.IGNORECASE | re.DOTALL
)
#: A refresh that comes later reloads a ticker; from a page with more words it leads to the next thing to see.
_SOON_SECONDS, _FEW_WORDS = 10, 60
_DATA_KEYS = ("data-href", "data-url", "data-link", "data-permalink")
_LITERAL = re.compile(r"['\"]((?:https?://|/)[^'\"\s<>]+)['\"]")
_MORE = re.compile(r"(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories)", re.IGNORECASE)
#: Keys of a script's state whose values are URLs of pages.
_ADDRESS_KEYS = frozenset({"url", "link", "href", "permalink", "canonical", "canonicalurl", "path", "fullurl", "weburl", "pageurl"})
_TITLE_KEYS = ("title", "headline", "name")
_NEXT_KEYS = frozenset({"next", "next_url", "nexturl", "nextpage", "next_page_url"})
_ASSET = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|css|js|mjs|woff2?|mp[34]|json|xml|ico)(?:[?#]|\Z)", re.IGNORECASE)
_DEEPEST = 12

_Resolve = Callable[[str | None], str | None]


def collect_hidden_links(page: Document, links: tuple[FoundLink, ...]) -> tuple[FoundLink, ...]:
    """Collect the links of a page that no `a` element has; each URL once, those in `links` left out."""
    resolve = Resolver.of(page)
    found = [
        *(FoundLink(url=url, where="menu") for text in _list_refreshes(page) if (url := _read_refresh(text, page))),
        *_read_frames(page, resolve),
        *_read_json_ld(page, resolve),
        *_read_more_buttons(page, resolve),
    ]
    if len(links) < FEW_LINKS:
        found += islice(_read_attributes(page, resolve), _MOST)
        found += islice(_read_states(state_values(page.declarations["script"]), resolve), _MOST)
    known = {link.url for link in links} | {page.url}
    return tuple({link.url: link for link in reversed(found) if link.url not in known}.values())[::-1]


def find_refresh(page: Document, header: str | None) -> str | None:
    """Return where a page without much text leads by its `Refresh` header or meta element; None: it stays, or shows something."""
    target = next((url for text in (header, *_list_refreshes(page)) if (url := _read_refresh(text, page))), None)
    return target if target is not None and len(extract_visible_text(page.body).split()) <= _FEW_WORDS else None


def convert_json_to_html(data: bytes) -> str | None:
    """Write a listing from JSON: its pieces of HTML, and a link for each address; None: there are none."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    parts = list(islice(_write_html(value, 0), 2 * _MOST))
    return f"<html><body><main>{''.join(parts)}</main></body></html>" if parts else None


def _list_refreshes(page: Document) -> Iterator[str]:
    for element in page.declarations["meta"]:
        if (element.get("http-equiv") or "").strip().lower() == "refresh":
            yield element.get("content") or ""


def _read_refresh(text: str | None, page: Document) -> str | None:
    """Return where a refresh leads soon; None: it reloads the page."""
    found = _REFRESH.match(text or "")
    if found is None or int(found[1] or 0) > _SOON_SECONDS:
        return None
    url = Resolver.of(page)(found[2] or found[3] or found[4])
    return url if url != page.url else None


def _read_frames(page: Document, resolve: _Resolve) -> Iterator[FoundLink]:
    """Yield the frames of a frameset; an `iframe` contains advertisements and players."""
    for element in page.root.iter("frame"):
        url = resolve(element.get("src"))
        yield from [FoundLink(url=url, where="menu")] if url else []


def _read_json_ld(page: Document, resolve: _Resolve) -> Iterator[FoundLink]:
    """Yield the items of JSON-LD lists."""
    for entry in page.json_ld:
        items = entry.get("itemListElement")
        for item in items[:_MOST] if isinstance(items, list) and "BreadcrumbList" not in str(entry.get("@type")) else ():
            inner = item.get("item") if isinstance(item, Mapping) else item
            places = [item.get("url"), inner] if isinstance(item, Mapping) else [inner]
            if isinstance(inner, Mapping):
                places += [inner.get("url"), inner.get("@id")]
            url = next((url for place in places if isinstance(place, str) and (url := resolve(place))), None)
            name = inner.get("name") if isinstance(inner, Mapping) else None
            yield from [FoundLink(url=url, anchor=str(name or "")[:160], where="main")] if url else []


def _read_more_buttons(page: Document, resolve: _Resolve) -> Iterator[FoundLink]:
    """Yield where a button for more of a listing asks."""
    for element in page.body.iter("button", "a", "div", "span"):
        if _MORE.search(f"{element.get('class') or ''} {element.get('id') or ''}"):
            url = next((url for key in _DATA_KEYS if (url := resolve(element.get(key)))), None)
            yield from [FoundLink(url=url, anchor="›", where="pagination", rel=frozenset({"next"}))] if url else []


def _read_attributes(page: Document, resolve: _Resolve) -> Iterator[FoundLink]:
    for element in page.body.iter():
        if not isinstance(element.tag, str) or element.tag == "a" or _MORE.search(element.get("class") or ""):
            continue
        addresses = [element.get(key) for key in _DATA_KEYS]
        addresses += [match[1] for match in [_LITERAL.search(element.get("onclick") or "")] if match]
        for address in addresses:
            if address and not _ASSET.search(address) and (url := resolve(address)):
                yield FoundLink(url=url, anchor=" ".join("".join(map(str, element.itertext())).split())[:160], where="main")


def _read_states(values: Iterable[Any], resolve: _Resolve) -> Iterator[FoundLink]:
    for value in values:
        for address, title in _collect_addresses(value, 0):
            if url := resolve(address):
                yield FoundLink(url=url, anchor=title, where="main")


def _collect_addresses(value: Any, depth: int) -> Iterator[tuple[str, str]]:
    """Yield (address, title) of all pages that a value names."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        title = next((str(value[key]) for key in _TITLE_KEYS if isinstance(value.get(key), str)), "")
        for key, inner in value.items():
            if isinstance(inner, str):
                if str(key).replace("_", "").lower() in _ADDRESS_KEYS and _is_address(inner):
                    yield inner, title[:160]
            else:
                yield from _collect_addresses(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _collect_addresses(inner, depth + 1)


def _is_address(text: str) -> bool:
    return text.startswith(("/", "http://", "https://")) and not text.startswith("//") and not _ASSET.search(text) and len(text) > 1


def _write_html(value: Any, depth: int) -> Iterator[str]:
    """Yield the HTML of a value's strings, links for its addresses, and one for its next page."""
    for address, title in _collect_addresses(value, depth):
        yield f"<li><a href='{escape(address)}'>{escape(title)}</a></li>"
    yield from _collect_html(value, depth)


def _collect_html(value: Any, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        if "<a " in value:
            yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if str(key).lower() in _NEXT_KEYS and isinstance(inner, str) and _is_address(inner):
                yield f"<a rel=next href='{escape(inner)}'>›</a>"
            else:
                yield from _collect_html(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _collect_html(inner, depth + 1)
