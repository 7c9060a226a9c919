"""The section that an article stands in: as declared, by the breadcrumb, by the menu entry that its address begins with."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from newscrawler.languages import one_of, words
from newscrawler.metadata.describe import clean
from newscrawler.page import Document
from newscrawler.page.document import squeeze
from newscrawler.page.named import short_text

_META_NAMES = (
    "article:section",
    "og:section",
    "parsely-section",
    "cxenseparse:section",
    "section",
    "article.section",
    "rbsection",
    "news_section",
    "category",
)
#: A shorter entry that stands in the title is a section all the same.
_LONGEST, _LONGEST_SURELY = 60, 20
_HOME = words("home")
_CRUMBS = tuple(sorted(words("element_names/breadcrumb")))
_HOLDS_BREADCRUMB = frozenset({"nav", "ol", "ul", "div", "p", "section", "span"})
#: Names of an element that shows the section; each holds one of the words.
_CATEGORY_WORDS = tuple(sorted(words("element_names/section")))
_CATEGORY = re.compile(rf"(?:^|[\s_-]){one_of(_CATEGORY_WORDS)}(?:$|[\s_-])", re.IGNORECASE)
_NO_SECTION = words("no_sections")
_ACTIVE_WORDS = tuple(sorted(words("element_names/active")))
_ACTIVE = re.compile(rf"(?:^|[\s_-]){one_of(_ACTIVE_WORDS)}(?:$|\s)", re.IGNORECASE)
#: Menu entries that lead to lists of everything, or of no section.
_NO_LISTING = words("no_listings")
_IN_BRACKETS = re.compile(r"\s*\([^()]{0,30}\)")
_SEGMENT = re.compile(r"[^\W\d_][\w-]{1,40}$")


def find_section(page: Document) -> tuple[str | None, str | None]:
    """Name the section, and the evidence that tells it; None where nothing does."""
    for source, find in _EVIDENCE:
        for text in find(page):
            if name := section_name(text):
                return name, source
    return None, None


def _declared(page: Document) -> Iterator[Any]:
    for value in page.article_json_ld:
        section = value.get("articleSection")
        yield section[0] if isinstance(section, list) and section else section


def _in_meta(page: Document) -> Iterator[str | None]:
    for name in _META_NAMES:
        yield page.first_meta(name)


def section_name(text: Any) -> str | None:
    """Return a text as the name of a section; None where it is none."""
    name = _clean(text)
    return name if name and name.casefold() not in _HOME else None


def _clean(text: Any) -> str | None:
    name = (clean(text) or "").strip(" /›»>|:-#")
    return name if 1 < len(name) <= _LONGEST and not name.startswith("http") else None


def _declared_breadcrumb(page: Document) -> Iterator[str]:
    """Yield the entries of a BreadcrumbList, deepest section first; the article itself, at its end, is left out."""
    for placed in page.placed_json_ld:
        if "BreadcrumbList" not in placed.types:
            continue
        entries = placed.value.get("itemListElement")
        found = [_entry_name(entry) for entry in entries] if isinstance(entries, list) else []
        names = [name for name in found if name and name.casefold() not in _HOME]
        title = page.title.casefold()
        if names and (len(names) > 1 or names[-1].casefold()[:30] in title):
            last = names[-1].casefold()
            names = names[:-1] if last[:30] in title or len(last) > 30 else names
        # the first entry may be the name of the site
        yield from reversed(names[1:] if len(names) > 1 and names[0].casefold() in title else names)


def _entry_name(entry: Any) -> str | None:
    if not isinstance(entry, Mapping):
        return None
    item = entry.get("item")
    name = entry.get("name") or (item.get("name") if isinstance(item, Mapping) else None)
    return squeeze(name) if isinstance(name, str) else None


def _shown_breadcrumb(page: Document) -> Iterator[str]:
    boxes = [nav for nav in page.tagged("nav") if _is_breadcrumb(nav.get("aria-label") or "")]
    if any(map(page.may_be_called, _CRUMBS)):
        boxes += [each.element for each in page.named_with(_CRUMBS) if each.tag in _HOLDS_BREADCRUMB]
    title = page.title.casefold()
    for box in boxes:
        links = [(short_text(link, 120) or "") for link in box.iter("a")]
        links = [text for text in links if text and text.casefold() not in _HOME and len(text) <= _LONGEST]
        # the last may be the article itself
        if links := [text for text in links if len(text) < _LONGEST_SURELY or text.casefold() not in title]:
            yield from reversed(links)
            return


def _is_breadcrumb(name: str) -> bool:
    lower = name.lower()
    return any(hint in lower for hint in _CRUMBS)


def _category_links(page: Document) -> Iterator[str]:
    """Yield what links call the article's category: rel="category", or a class that says so."""
    said = {link for link, rel in page.related if "category" in rel.split()}
    called: set[etree._Element] = set()
    if any(map(_CATEGORY.search, page.names_with(_CATEGORY_WORDS))):
        called.update(each.element for each in page.named_with(_CATEGORY_WORDS) if _CATEGORY.search(each.name))
    for link in page.tagged("a") if said or called else ():
        if link in said or (called and (link in called or _stands_in(link, called)) and not _in_menu(link)):
            yield (short_text(link, 120) or "")


def _stands_in(link: etree._Element, called: Collection[etree._Element]) -> bool:
    parent = link.getparent()
    return parent is not None and parent in called and _CATEGORY.search(parent.get("class") or "") is not None


def _active_entry(page: Document) -> Iterator[str]:
    """Yield the entry that a menu shows as the one where the reader is."""
    called = any(map(_ACTIVE.search, page.names_with(_ACTIVE_WORDS)))
    for menu in page.tagged("nav"):
        for element in menu.iter("a", "li"):
            if (called and _ACTIVE.search(element.get("class") or "")) or element.get("aria-current"):
                yield (short_text(element, 120) or "")


def section_of_listing(page: Document) -> str | None:
    """Name the section whose listing a page is: the entry of the menu where the reader is, or that leads to the page."""
    here = (page.url or "").split("#", 1)[0].rstrip("/")
    leading = (
        short_text(link, 120) or ""
        for nav in page.tagged("nav")
        for link in nav.iter("a")
        if (href := link.get("href")) and (page.resolve(href) or "").split("#", 1)[0].rstrip("/") == here
    )
    for text in (*leading, *_active_entry(page)):
        name = _clean(_IN_BRACKETS.sub("", text))
        if name and not any(word in _NO_SECTION or word in _HOME or word in _NO_LISTING for word in name.casefold().split()):
            return name
    return None


def _in_menu(element: etree._Element) -> bool:
    return any(a.tag in {"nav", "aside", "footer"} for a in element.iterancestors())


def _from_address(page: Document) -> Iterator[str]:
    """Yield the first part of the address, in the words of the menu where the menu links to it."""
    if not page.url:
        return
    try:
        parts = [unquote(part) for part in urlsplit(page.url).path.split("/") if part]
    except ValueError:
        return
    dated = next((number for number, part in enumerate(parts) if part.isdigit()), len(parts))
    # behind a year stand a month and a day; a section stands before it, or not in the address at all
    first = next(
        (part for part in parts[: min(dated, len(parts) - 1)] if part.lower() not in _NO_SECTION and _SEGMENT.match(part)), None
    )
    if first is None:
        return
    ending = f"/{first.lower()}"
    for link in page.tagged("a"):
        href = (link.get("href") or "").lower()
        if ending in href and href.split("?", 1)[0].rstrip("/").endswith(ending) and (text := short_text(link, 40)):
            yield text
            return
    yield first.replace("-", " ")


#: The first that names one goes.
_EVIDENCE = (
    ("json-ld", _declared),
    ("meta", _in_meta),
    ("breadcrumb", _declared_breadcrumb),
    ("breadcrumb", _shown_breadcrumb),
    ("category link", _category_links),
    ("menu", _active_entry),
    ("address", _from_address),
)
