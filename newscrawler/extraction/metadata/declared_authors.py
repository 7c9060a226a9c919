"""Authors that a page declares to machines: in JSON-LD, meta elements and the state that it carries for its scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from newscrawler.extraction.body.state import read_state
from newscrawler.extraction.metadata.candidates import Candidates
from newscrawler.extraction.metadata.names import behind_label, marked_names, names_in
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
    "twitter:data1",
)  # fmt: skip
#: What a label beside it says of: the author, on many systems, elsewhere the time that a text takes to read.
_WRITTEN_BY = "twitter:data1"


def note_declared(page: Document, found: Candidates) -> None:
    """Add the names that JSON-LD, meta elements and the page's state declare to the candidates."""
    given = _json_ld_authors(page)
    for name, kind in given:
        values = found.of(name).values
        if not values:
            values |= {"json-ld": 1.0, f"json-ld {kind}": 1.0, "json-ld names": float(len(given))}
    for rank, family in enumerate(_META_NAMES):
        given_here = page.meta.get(family, ())[:20] if family != _WRITTEN_BY else _written_by(page)
        for name in (name for content in given_here for name in names_in(content)):
            found.of(name).values.setdefault("meta", float(rank + 1))
    if given:
        return
    state = page.view(read_state)
    for said in state.writers if state else ():
        for name in marked_names(said):
            found.of(name).values["state"] = 1.0


def _written_by(page: Document) -> Sequence[str]:
    label, said = page.first_meta("twitter:label1"), page.first_meta(_WRITTEN_BY)
    return [said] if label and said and behind_label(label) == "" else []


def _json_ld_authors(page: Document) -> list[tuple[str, str]]:
    """Return names and kinds of the authors of the first article in the JSON-LD that names any."""
    objects = page.placed_json_ld
    for placed in objects:
        given = [value for key in ("author", "creator") if (value := placed.value.get(key))]
        if not given or not _is_article(placed.types) or any(key.lower() in _ELSEWHERE for key in placed.path):
            continue
        for value in given:
            if names := list(_ld_names(value, objects)):
                return names
    return []


@lru_cache(maxsize=512)
def _is_article(types: tuple[str, ...]) -> bool:
    return any(map(_ARTICLE.search, types))


def _ld_names(value: Any, objects: Sequence[PlacedObject], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Yield the names in the value of a JSON-LD field, each with what it is the name of: "person", "organization" or ""."""
    if isinstance(value, str):
        yield from ((name, "") for name in names_in(value))
    elif isinstance(value, list) and depth < 3:
        for item in value[:40]:
            yield from _ld_names(item, objects, depth + 1)
    elif isinstance(value, Mapping):
        kinds = " ".join(types_of(value)).lower()
        kind = "organization" if "organization" in kinds else "person" if "person" in kinds else ""
        name = value.get("name") or f"{value.get('givenName') or ''} {value.get('familyName') or ''}".strip()
        if not name and isinstance(identity := value.get("@id"), str) and depth < 3:
            name = next(
                (each.value["name"] for each in objects if each.value.get("@id") == identity and each.value.get("name")), ""
            )
        for text in name[:40] if isinstance(name, list) else [name]:
            if isinstance(text, str):
                yield from ((found, kind) for found in names_in(text, split=kind != "organization"))
