"""Who wrote the article: JSON-LD, meta elements, microdata, bylines.

A person beats an organisation, whatever the kind of evidence; among persons JSON-LD goes first. An organisation is
given where nobody else is named ("DER SPIEGEL").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lxml import etree

from newscrawler.metadata.names import is_agency, merge, names_in
from newscrawler.page import Document
from newscrawler.page.document import visible_text
from newscrawler.page.json_ld import PlacedObject, types_of

_ARTICLE = re.compile(r"article|blogposting|report|newsitem|review$|recipe|liveblog|column|interview|webpage|videoobject|creativework", re.IGNORECASE)
_ELSEWHERE = frozenset({
    "comment", "comments", "mentions", "relatedlink", "itemlistelement", "haspart", "ispartof", "citation", "review", "associatedmedia", "publisher",
    "author", "about", "subjectof", "isbasedon", "image", "logo", "video", "liveblogupdate", "itemreviewed", "sponsor", "hasofferc", "reviewrating",
})  # fmt: skip
_META_NAMES = (
    "author", "article:author_name", "articleauthor", "parsely-author", "mrf:authors", "sailthru.author", "byl", "dc.creator", "dcterms.creator", "dc.contributor",
    "article:author", "og:article:author", "author_name", "authors", "cxenseparse:author", "cxenseparse:recs:authors", "dcsext.author", "citation_author",
    "bt:author", "rbauthors", "creator", "byline", "news_author", "article.author", "vr:author", "shareaholic:article_author_name",
)  # fmt: skip
_BYLINE_NAME = re.compile(r"(?:^|[\s_-])(?:by-?line|author|autor(?:en|ka|e|zy)?|writer|journalist|redakteur|reporter|kirjoittaja|auteur|autore|skribent)s?(?:$|[\s_-])|author(?:__|-|_)?name|article-?_?author|post-?_?author|entry-?author|byline|(?:^|\s)vcard(?:$|\s)", re.IGNORECASE)
_BESIDE = re.compile(r"comment|related|recommend|sidebar|teaser|reply|more-?(?:from|news)", re.IGNORECASE)
_HINTS = ("autor", "author", "byline", "by-line", "writer", "journalist", "redakt", "reporter", "kirjoittaja", "auteur", "skribent", "vcard")
_MOST_NAMES, _LONGEST_BYLINE, _DEEPEST = 12, 160, 30
_NEVER_NAME = re.compile(r"comment|related|recommend|sidebar|widget|teaser|footer|bio\b|about-?author|author-?(?:bio|box|info|description|card)|avatar|image|photo|follow|social|share|more-from|other", re.IGNORECASE)


def find_authors(page: Document, headline: etree._Element | None, body: Sequence[etree._Element]) -> tuple[str, ...]:
    """Name the authors in the page's order; empty where nobody is named."""
    site = _site_names(page)
    weak: tuple[str, ...] = ()
    for source in (json_ld_authors, meta_authors):
        names = source(page)
        if any(_is_person(name, site) for name in names):
            return names
        weak = weak or names
    shown = shown_authors(page, headline, body)
    if shown and (not weak or any(_is_person(name, site) for name in shown)):
        return shown
    return weak or shown


def _is_person(name: str, site: frozenset[str]) -> bool:
    folded = name.casefold()
    return not is_agency(name) and folded not in site and " " in name.strip() and not re.search(r"redaktion|redak[ct]j?[aeo]|newsroom|editorial|staff|desk|news|online|team\b|agency|press\b", folded)


def _site_names(page: Document) -> frozenset[str]:
    """The names by which the page calls its publisher."""
    names = [page.first_meta("og:site_name"), page.first_meta("application-name"), page.first_meta("publisher", "dc.publisher")]
    for placed in page.placed_json_ld:
        if placed.path[-1:] == ("publisher",) or any("organization" in kind.lower() or kind == "WebSite" for kind in types_of(placed.value)):
            name = placed.value.get("name")
            names.append(name if isinstance(name, str) else None)
    return frozenset(name.casefold() for name in names if name)


def json_ld_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the first article in the JSON-LD that names any."""
    objects = page.placed_json_ld
    for placed in objects:
        if any(key.lower() in _ELSEWHERE for key in placed.path) or not _is_article(placed):
            continue
        for key in ("author", "creator"):
            value = placed.value.get(key)
            if value and (names := merge(_ld_names(value, objects))):
                return names
    return ()


def _is_article(placed: PlacedObject) -> bool:
    return any(_ARTICLE.search(kind) for kind in types_of(placed.value))


def _ld_names(value: Any, objects: Sequence[PlacedObject], depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield from names_in(value)
    elif isinstance(value, list) and depth < 3:
        for item in value[:40]:
            yield from _ld_names(item, objects, depth + 1)
    elif isinstance(value, Mapping):
        name = value.get("name")
        if not name and (value.get("givenName") or value.get("familyName")):
            name = f"{value.get('givenName') or ''} {value.get('familyName') or ''}"
        if not name and isinstance(value.get("@id"), str) and depth < 3:
            for placed in objects:
                if placed.value.get("@id") == value["@id"] and placed.value.get("name"):
                    name = placed.value["name"]
                    break
        if isinstance(name, list):
            yield from _ld_names(name, objects, depth + 1)
        elif isinstance(name, str):
            whole = any("organization" in kind.lower() for kind in types_of(value))
            yield from names_in(name, split=not whole)


def meta_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the first meta element that names any."""
    for name in _META_NAMES:
        for_all = page.meta.get(name, ())
        names = merge(found for content in for_all[:20] for found in names_in(content))
        if names:
            return names
    return ()


def shown_authors(page: Document, headline: etree._Element | None, body: Sequence[etree._Element]) -> tuple[str, ...]:
    """Give the authors that the page shows its readers: microdata, rel=author, elements named byline or author."""
    own = _own_boxes(headline, body)
    marked: list[str] = []
    named: list[str] = []
    known: dict[str, bool] = {}
    for element in page.body.iter(etree.Element):
        attributes = element.attrib
        if not attributes:
            continue
        prop = (attributes.get("itemprop") or attributes.get("rel") or attributes.get("property") or "").lower()
        if "author" in prop:
            if "dc:" not in prop and len(marked) < _MOST_NAMES and not _beside(element, own):
                inner = element.find(".//*[@itemprop='name']")
                marked.extend(names_in(_short(inner if inner is not None else element)))
            continue
        name = f"{attributes.get('class', '')} {attributes.get('id', '')}"
        if len(name) == 1 or len(named) >= _MOST_NAMES:
            continue
        fits = known.get(name)
        if fits is None:
            fits = known[name] = _speaks_of_authors(name)
        if fits and not _beside(element, own):
            named.extend(names_in(_short(element)))
    site = _site_names(page)
    found = [merge(names) for names in (marked, named[:6])]
    for names in found:
        if people := tuple(name for name in names if name.casefold() not in site):
            return people
    return found[0] or found[1]


def _speaks_of_authors(name: str) -> bool:
    lower = name.lower()
    return any(hint in lower for hint in _HINTS) and _BYLINE_NAME.search(lower) is not None and _NEVER_NAME.search(lower) is None


def _own_boxes(headline: etree._Element | None, body: Sequence[etree._Element]) -> frozenset[etree._Element]:
    """The boxes that hold the headline or the body: what stands in them is the article's, whatever they are called."""
    own: set[etree._Element] = set()
    if headline is not None:
        own.update(headline.iterancestors())
    if body:
        own.update((body[0], *body[0].iterancestors()))
    return frozenset(own)


def _short(element: etree._Element) -> str | None:
    if element.tag == "meta":
        return element.get("content")
    text = visible_text(element)
    return text if len(text) <= _LONGEST_BYLINE else None


def _beside(element: etree._Element, own: frozenset[etree._Element]) -> bool:
    """Tell whether an element stands in a comment, a side column, the page's foot or another article's teaser."""
    for depth, ancestor in enumerate(element.iterancestors()):
        if ancestor in own or depth > _DEEPEST:
            return False
        parent = ancestor.getparent()
        if ancestor.tag == "footer" and parent is not None and parent in own and parent.tag != "body":
            return False
        if ancestor.tag in {"aside", "footer", "nav"}:
            return True
        name = f"{ancestor.get('class', '')} {ancestor.get('id', '')}"
        if len(name) > 1 and _BESIDE.search(name):
            return True
    return False
