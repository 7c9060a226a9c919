"""What else a page says of its article: description, keywords, picture, canonical URL, each from a table of sources."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from newscrawler.extraction.body.site_names import registered_part
from newscrawler.page import Document
from newscrawler.page.document import squeeze
from newscrawler.page.names import short_text

#: Where a property is stated, the best first: names of meta elements, "json-ld:FIELD" of the article, "link:REL".
_DESCRIPTION = ("description", "json-ld:description", "og:description", "twitter:description", "dc.description")
_KEYWORDS = (("json-ld:keywords",), ("news_keywords",), ("parsely-tags",))
_PICTURE = (
    "og:image", "og:image:url", "og:image:secure_url", "json-ld:image", "twitter:image", "twitter:image:src", "parsely-image-url",
    "thumbnail", "image", "link:image_src",
)  # fmt: skip
_CANONICAL = ("link:canonical", "og:url")
#: What of an object in JSON-LD is its text, or its address.
_OF_OBJECT = ("url", "contentUrl", "name")
_TAGS = re.compile(r"<[^<>]{0,300}>")
_SHORTEST_DESCRIPTION, _LONGEST_DESCRIPTION = 12, 3000
_MOST_STATED, _LONGEST_KEYWORD = 40, 80
_KEYWORD_MARKS = re.compile(r"\s*[;|,،、，\n]\s*")
#: What newsrooms write into their keywords for their own machines: "Section: Sport", UUIDs, paths.
_MACHINE_WORD = re.compile(r":|^_|^https?|\w/\w+/|^[0-9a-f]{8}-[0-9a-f]{4}-|^\d+$|^[a-z]+/[\w-]")
_NO_PICTURE = re.compile(
    r"logo|placeholder|default[-_.]|fallback|favicon|sprite|spacer|blank\.|avatar|/icons?/|apple-touch|1x1|pixel", re.IGNORECASE
)


def clean_text(text: Any) -> str | None:
    """Take tags, entities and surplus blanks out of a text that was written for machines."""
    if not isinstance(text, str) or not text.strip():
        return None
    for _ in range(2):  # some sites escape twice
        if "&" in text:
            text = html.unescape(text)
    return squeeze(_TAGS.sub(" ", text)) or None


def find_stated(page: Document, sources: Iterable[str], of_object: Sequence[str] = _OF_OBJECT) -> Iterator[str]:
    """Yield what the sources of a table state, in their order."""
    for source in sources:
        kind, _, name = source.partition(":")
        if kind == "json-ld":
            for value in page.article_json_ld:
                yield from extract_texts(value.get(name), of_object)
        elif kind == "link":
            links = (link for link in page.declarations["link"] if name in (link.get("rel") or "").lower().split())
            yield from (href for link in links if (href := link.get("href")))
        else:
            yield from page.meta.get(source, ())[:_MOST_STATED]


def extract_texts(value: Any, of_object: Sequence[str]) -> Iterator[str]:
    """Yield the texts of a value of JSON-LD; that of an object is its first field among some."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from extract_texts(next(filter(None, map(value.get, of_object)), None), of_object)
    elif isinstance(value, list):
        for item in value[:_MOST_STATED]:
            yield from extract_texts(item, of_object)


def find_description(page: Document) -> str | None:
    """Give the page's own summary of its article."""
    said = (text for candidate in find_stated(page, _DESCRIPTION) if (text := clean_text(candidate)) and text != page.title)
    fits = (text for text in said if _SHORTEST_DESCRIPTION <= len(text) <= _LONGEST_DESCRIPTION)
    return next((text for text in fits if not text.startswith(("http://", "https://"))), None)


def find_keywords(page: Document) -> tuple[str, ...]:
    """Give the article's keywords, in the page's order, from the first place that has any."""
    places = [(page.meta.get("article:tag", ()), False), *((find_stated(page, each, ("name",)), True) for each in _KEYWORDS)]
    places += [(_find_linked_tags(page), False), (page.meta.get("keywords", ()), True)]
    return next(filter(None, (_split_keywords(texts, split=split) for texts, split in places)), ())


def _split_keywords(texts: Iterable[str], *, split: bool) -> tuple[str, ...]:
    parts = (part for text in texts for part in (_KEYWORD_MARKS.split(text) if split else (text,)))
    words = (word for part in parts if 1 < len(word := (clean_text(part) or "").strip("#\"' ")) <= _LONGEST_KEYWORD)
    found: dict[str, str] = {}
    for word in words:
        if not _MACHINE_WORD.search(word):
            found.setdefault(word.casefold(), word)
    return tuple(found.values())[:_MOST_STATED]


def _find_linked_tags(page: Document) -> Iterator[str]:
    for link, rel in page.related:
        parent = link.getparent()
        if (
            "tag" in rel.split()
            and "category" not in rel
            and "categor" not in ((parent.get("class") or "").lower() if parent is not None else "")
        ):  # WordPress writes rel="tag" for categories, too
            yield short_text(link, 120) or ""


def find_picture(page: Document) -> str | None:
    """Give the address of the article's picture; the logo of the site is none."""
    addresses = (each for each in find_stated(page, _PICTURE) if not _NO_PICTURE.search(each.rsplit("/", 1)[-1]))
    return next(_resolve(page, addresses), None)


def find_canonical(page: Document) -> str | None:
    """Give the address that the page calls its own; None where that can't be true.

    A canonical link to another site, or from an article to the front page, is a fault of the template.
    """
    plausible = (each for each in _resolve(page, find_stated(page, _CANONICAL)) if is_plausible(each, page.url))
    return next((each.split("#", 1)[0] for each in plausible), None)


def _resolve(page: Document, addresses: Iterable[str]) -> Iterator[str]:
    found = (page.resolve(address) for address in addresses if address.strip())
    return (each for each in found if each and each.startswith(("http://", "https://")))


def is_plausible(canonical: str, url: str | None) -> bool:
    """Return whether an address can be another way to write that of the page."""
    try:
        one, other = urlsplit(canonical), urlsplit(url or canonical)
        _ = one.port  # raises where it is no number
    except ValueError:
        return False
    if not one.hostname or (url and other.hostname and registered_part(one.hostname) != registered_part(other.hostname)):
        return False
    to_front = one.path in {"", "/"} and not one.query
    return not (url and to_front and (other.path not in {"", "/"} or other.query))
