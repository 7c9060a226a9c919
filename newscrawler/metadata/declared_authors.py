"""Authors that a page declares to machines: in JSON-LD, meta elements and the state that it carries for its scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from newscrawler.extraction.state import read_state
from newscrawler.metadata.bylines import shown_names
from newscrawler.metadata.names import merge, names_in
from newscrawler.page import Document
from newscrawler.page.json_ld import PlacedObject, types_of

_ARTICLE = re.compile(
    r"article|blogposting|report|newsitem|review$|recipe|liveblog|column|interview|webpage|videoobject|creativework", re.IGNORECASE
)
_ELSEWHERE = frozenset({
    "comment", "comments", "mentions", "relatedlink", "itemlistelement", "haspart", "ispartof", "citation", "review",
    "associatedmedia", "publisher",
    "author", "about", "subjectof", "isbasedon", "image", "logo", "video", "liveblogupdate", "itemreviewed", "sponsor",
    "hasoffer", "reviewrating",
})  # fmt: skip
_META_NAMES = (
    "author", "article:author_name", "articleauthor", "parsely-author", "mrf:authors", "sailthru.author", "byl",
    "dc.creator", "dcterms.creator", "dc.contributor",
    "article:author", "og:article:author", "author_name", "authors", "cxenseparse:author", "cxenseparse:recs:authors",
    "dcsext.author", "citation_author",
    "bt:author", "rbauthors", "creator", "byline", "news_author", "article.author", "vr:author", "shareaholic:article_author_name",
)  # fmt: skip


def json_ld_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the first article in the JSON-LD that names any."""
    objects = page.placed_json_ld
    for placed in objects:
        given = [value for key in ("author", "creator") if (value := placed.value.get(key))]
        if not given or not _is_article(placed.types) or any(key.lower() in _ELSEWHERE for key in placed.path):
            continue
        for value in given:
            if names := merge(_ld_names(value, objects)):
                return names
    return ()


@lru_cache(maxsize=512)
def _is_article(types: tuple[str, ...]) -> bool:
    return any(map(_ARTICLE.search, types))


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
        if (given := page.meta.get(name)) and (names := merge(found for content in given[:20] for found in names_in(content))):
            return names
    return ()


def state_authors(page: Document) -> tuple[str, ...]:
    """Give the authors of the article in the page's state, where the page itself shows no text."""
    state = page.view(read_state)
    return merge(name for said in (state.writers if state else ()) for name in shown_names(said, single=True) or names_in(said))
