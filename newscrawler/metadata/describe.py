"""What else a page says of its article: description, keywords, picture, canonical URL."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from newscrawler.extraction.site_names import registered_part
from newscrawler.page import Document
from newscrawler.page.document import squeeze
from newscrawler.page.named import short_text

_TAGS = re.compile(r"<[^<>]{0,300}>")
_SHORTEST_DESCRIPTION, _LONGEST_DESCRIPTION = 12, 3000
_MOST_KEYWORDS, _LONGEST_KEYWORD = 40, 80
_KEYWORD_MARKS = re.compile(r"\s*[;|,،、，\n]\s*")
#: What newsrooms write into their keywords for their own machines: "Section: Sport", UUIDs, paths.
_MACHINE_WORD = re.compile(r":|^_|^https?|\w/\w+/|^[0-9a-f]{8}-[0-9a-f]{4}-|^\d+$|^[a-z]+/[\w-]")
_NO_PICTURE = re.compile(
    r"logo|placeholder|default[-_.]|fallback|favicon|sprite|spacer|blank\.|avatar|/icons?/|apple-touch|1x1|pixel", re.IGNORECASE
)


def clean(text: Any) -> str | None:
    """Take tags, entities and surplus blanks out of a text that was written for machines."""
    if not isinstance(text, str) or not text.strip():
        return None
    for _ in range(2):  # some sites escape twice
        if "&" in text:
            text = html.unescape(text)
    return squeeze(_TAGS.sub(" ", text)) or None


def find_description(page: Document) -> str | None:
    """Give the page's own summary of its article."""
    candidates: list[Any] = [
        page.first_meta(name) for name in ("description", "og:description", "twitter:description", "dc.description")
    ]
    candidates[1:1] = [value.get("description") for value in page.article_json_ld]
    for candidate in candidates:
        text = clean(candidate)
        if (
            text
            and _SHORTEST_DESCRIPTION <= len(text) <= _LONGEST_DESCRIPTION
            and text != page.title
            and not text.startswith(("http://", "https://"))
        ):
            return text
    return None


def find_keywords(page: Document) -> tuple[str, ...]:
    """Give the article's keywords, in the page's order, from the first place that has any."""
    return (
        _keywords(page.meta.get("article:tag", ()), split=False)
        or _keywords(word for value in page.article_json_ld for word in _strings(value.get("keywords")))
        or _keywords(page.meta.get("news_keywords", ()))
        or _keywords(page.meta.get("parsely-tags", ()))
        or _keywords(_linked_tags(page), split=False)
        or _keywords(page.meta.get("keywords", ()))
    )


def _keywords(texts: Iterable[str], *, split: bool = True) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for text in texts:
        for part in _KEYWORD_MARKS.split(text) if split else (text,):
            word = (clean(part) or "").strip("#\"' ")
            if 1 < len(word) <= _LONGEST_KEYWORD and not _MACHINE_WORD.search(word):
                found.setdefault(word.casefold(), word)
    return tuple(found.values())[:_MOST_KEYWORDS]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value[:_MOST_KEYWORDS]:
            yield from _strings(item.get("name") if isinstance(item, Mapping) else item)


def _linked_tags(page: Document) -> Iterator[str]:
    for link, rel in page.related:
        if "tag" not in rel or "tag" not in rel.split() or "category" in rel:
            continue
        parent = link.getparent()
        if parent is None or "categor" not in (parent.get("class") or "").lower():  # WordPress writes rel="tag" for categories, too
            yield (short_text(link, 120) or "")


def find_picture(page: Document) -> str | None:
    """Give the address of the article's picture; the logo of the site is none."""
    candidates: list[Any] = [page.first_meta("og:image", "og:image:url", "og:image:secure_url")]
    candidates += [address for value in page.article_json_ld for address in _pictures(value.get("image"))]
    candidates += [page.first_meta("twitter:image", "twitter:image:src", "parsely-image-url", "thumbnail", "image")]
    candidates += [link.get("href") for link in page.declarations["link"] if (link.get("rel") or "").lower() == "image_src"]
    for candidate in candidates:
        if isinstance(candidate, str) and candidate.strip() and not _NO_PICTURE.search(candidate.rsplit("/", 1)[-1]):
            resolved = page.resolve(candidate)
            if resolved and resolved.startswith(("http://", "https://")):
                return resolved
    return None


def _pictures(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _pictures(value.get("url") or value.get("contentUrl"))
    elif isinstance(value, list):
        for item in value[:5]:
            yield from _pictures(item)


def find_canonical(page: Document) -> str | None:
    """Give the address that the page calls its own; None where that can't be true.

    A canonical link to another site, or from an article to the front page, is a fault of the template.
    """
    for candidate in _canonicals(page):
        resolved = page.resolve(candidate)
        if resolved and resolved.startswith(("http://", "https://")) and is_plausible(resolved, page.url):
            return resolved.split("#", 1)[0]
    return None


def _canonicals(page: Document) -> Iterator[str]:
    for link in page.declarations["link"]:
        if "canonical" in (link.get("rel") or "").lower().split() and (href := link.get("href")):
            yield href
    if og := page.first_meta("og:url"):
        yield og


def is_plausible(canonical: str, url: str | None) -> bool:
    """Tell whether an address can be another way to write that of the page."""
    try:
        one, other = urlsplit(canonical), urlsplit(url or canonical)
    except ValueError:
        return False
    if not one.hostname or (url and other.hostname and registered_part(one.hostname) != registered_part(other.hostname)):
        return False
    to_front = one.path in {"", "/"} and not one.query
    return not (url and to_front and (other.path not in {"", "/"} or other.query))
