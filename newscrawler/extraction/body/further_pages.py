"""Articles on several pages: which further pages a page names, and the article made of all of them.

A further page has the address of the first one and a number (`/slug/2/`, `?page=2`, `slug,2.html`), or a word for all pages at
once; a link counts only where its text, its rel or the box around it says the same. Numbers alone mislead: `slug-12` and
`slug-13` may be two articles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, takewhile
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from lxml import etree

from newscrawler.article import Paragraph
from newscrawler.languages import alternatives, words
from newscrawler.page import Document, Mark, find_marks, join_text

_PAGE_WORDS = alternatives("page", "part")
_PARAMETER = re.compile(rf"^(?:{_PAGE_WORDS})$", re.IGNORECASE)
_NUMBERED = re.compile(
    rf"^(?P<stem>.+?)(?:/(?:{_PAGE_WORDS})[/_-]?|[/_,;-](?:(?:{_PAGE_WORDS}|[ps])[_,=-]?)?)(?P<number>\d{{1,2}})"
    r"(?P<extension>\.[a-z]{2,5})?$",
    re.IGNORECASE,
)
_WHOLE = re.compile(rf"(?:^|[/=]){alternatives('all_pages')}$", re.IGNORECASE)
_PAGE_BOX = re.compile(r"page-?(?:links|numbers)|post-page|pagin|pager|multi-?page|article-?pages|wp-pagenavi|pages", re.IGNORECASE)
_COUNTS_PAGES = re.compile(rf"[?&](?:{_PAGE_WORDS})=\d{{1,2}}(?:&|\Z)", re.IGNORECASE)
_NEXT, _PREVIOUS = (frozenset(word.casefold() for word in words(name)) for name in ("next", "previous"))


@dataclass(frozen=True, slots=True)
class _Place:
    """What an address says of its place among the pages of an article."""

    host: str
    stem: str
    query: str
    number: int
    #: The address of all pages at once.
    whole: bool = False


def further_pages(page: Document) -> tuple[str, ...]:
    """Name the pages on which the article goes on, in order, without the page itself.

    The single page that shows all of it stands alone where the page offers one. Empty for a page without an address.
    """
    for own in _find_own_places(page):
        if not own.whole and (found := _find_after(page, own)):
            return found
    return ()


def _find_own_places(page: Document) -> tuple[_Place, ...]:
    """The place of a page, taken literally (`goal-62` is an article) and, failing that, with its number read as a part."""
    literal, read = _find_place(page.url, literal=True), _find_place(page.url)
    if literal is None or read is None:
        return ()
    return (literal,) if literal == read else (literal, read)


def _find_after(page: Document, own: _Place) -> tuple[str, ...]:
    numbered: dict[int, str] = {}
    whole = None
    for url, place, text, named in _find_links(page, own):
        if place.whole and named:
            return (url,)
        if place.whole:
            whole = whole or url
        elif place.number > own.number and (named == "next" or (named and _read_number(text) == place.number)):
            numbered.setdefault(place.number, url)
    following = takewhile(numbered.__contains__, range(own.number + 1, own.number + 60))
    found = tuple(map(numbered.__getitem__, following))
    return (whole,) if whole and found else found


def list_other_pages(page: Document) -> tuple[str, ...]:
    """Name all pages that a page of an article links as further pages of it, in any order; none are articles."""
    own = _find_place(page.url)
    found = (url for url, place, _, named in _find_links(page, own) if named or place.whole) if own is not None else ()
    return tuple(dict.fromkeys(found))


def is_whole(url: str) -> bool:
    """Return whether an address shows all pages of an article at once."""
    place = _find_place(url)
    return place is not None and place.whole


def first_page(page: Document) -> str | None:
    """Name the page on which the article begins; None where this is it, as far as the page says."""
    for own in _find_own_places(page):
        for url, place, text, named in _find_links(page, own) if own.number > 1 else ():
            if place.number == 1 and not place.whole and (named == "prev" or (named and _read_number(text) == 1)):
                return url
    return None


def _read_number(text: str) -> int | None:
    """The number of a link such as "2" or "Page 2"."""
    found = re.fullmatch(r"\D{0,12}?(\d{1,2})\D{0,3}", text)
    return int(found[1]) if found else None


def join_paragraphs(parts: Sequence[Sequence[Paragraph]]) -> tuple[Paragraph, ...]:
    """Put the paragraphs of several pages one behind the other; what a later page repeats is left out."""
    body: list[Paragraph] = []
    seen: set[str] = set()
    for part in parts:
        fresh = [paragraph for paragraph in part if paragraph.text not in seen]
        seen.update(paragraph.text for paragraph in fresh)
        posts = max((paragraph.post or 0 for paragraph in body), default=0)
        body += [replace(p, post=p.post + posts) if p.post and posts else p for p in fresh]
    return tuple(body)


def _find_links(page: Document, own: _Place) -> Iterator[tuple[str, _Place, str, str]]:
    """Yield the links to other pages of the same article: address, place, text and what names them so ("" for nothing)."""
    clue = _find_clue(own)
    for element in chain(page.declarations["link"], page.tagged("a")):
        href = element.get("href")
        if not href or not _may_belong(href, clue):
            continue
        url = page.resolve(href)
        place = _find_place(url.split("#")[0] if url else None)
        if url is None or place is None or (place.host, place.query) != (own.host, own.query):
            continue
        if place.stem != own.stem or place == own:
            continue
        relations = (element.get("rel") or "").lower().split()
        named = next((relation for relation in relations if relation in ("next", "prev")), "")
        text = join_text(element)
        named = named or _is_named_by_text(text, url, page.url or "") or _is_named_by_box(element)
        yield url.split("#")[0], place, text, named or _is_named_by_row(element, text, own)


def _find_clue(own: _Place) -> str:
    """What stands in every link to another page of the article: the end of the path, or else a value of the query."""
    values = (field.partition("=")[2] for field in own.query.split("&"))
    return own.stem.rpartition("/")[2] or max((value for value in values if value.isalnum()), key=len, default="")


def _may_belong(href: str, clue: str) -> bool:
    """Tell from the address alone whether a link can lead to another page of the article."""
    if href.startswith(("/", "http://", "https://")):  # with its whole path; before others goes the folder of the page
        # line breaks and tabs are not read of a link
        return clue in href or re.search(r"[\n\t\r]", href) is not None or ("?" in href and ("%" in href or "+" in href))
    return not href.startswith(("#", "javascript:", "mailto:"))


def _is_named_by_text(text: str, url: str, own_url: str) -> str:
    """Tell by its text what a link is whose address, or that of the page, counts pages by a parameter made for that."""
    if not (_COUNTS_PAGES.search(url) or _COUNTS_PAGES.search(own_url)):
        return ""
    first = text.casefold().split(" ")[0]
    if first in _NEXT:
        return "next"
    return "prev" if first in _PREVIOUS else "number" if _read_number(text) is not None else ""


def _is_named_by_box(link: etree._Element) -> str:
    """Return whether the link or one of the three elements around it is named as a row of page numbers."""
    for each in (link, *islice(link.iterancestors(), 3)):
        name = f"{each.get('class') or ''} {each.get('id') or ''}"
        if _PAGE_BOX.search(name) or find_marks(name) & Mark.NAVIGATION or each.tag == "nav":
            return "box"
    return ""


def _is_named_by_row(element: etree._Element, text: str, own: _Place) -> str:
    """Return whether the link is the number of a page in a row of numbers, with that of the page itself among them."""
    parent = element.getparent()
    row = join_text(parent) if text.isdigit() and parent is not None else ""
    found = list(map(int, re.findall(r"\d+", row))) if len(row) <= 200 else []  # longer ones are text
    is_row = len(found) > 1 and found[0] in {1, 2} and found == list(range(found[0], found[-1] + 1))
    return "row" if is_row and own.number in {1, *found} else ""


def _find_place(url: str | None, *, literal: bool = False) -> _Place | None:
    """Read an address; literally: only a word for all pages and parameters say which page it is, no number in the path."""
    if not url:
        return None
    try:
        parts = urlsplit(url)
        fields = parse_qsl(parts.query, keep_blank_values=True)
    except ValueError:
        return None
    path = parts.path.rstrip("/")
    if _WHOLE.search(path):
        return _locate_page(parts, _WHOLE.sub("", path), fields, 0, whole=True)
    kept = []
    number, whole = 1, False
    for name, value in fields:
        if _PARAMETER.match(name) and value.isdigit() and len(value) <= 2 and (name.lower() != "p" or path):
            number = int(value)
        elif value and _WHOLE.match(name if value.lower() in {"1", "true", "yes", "on"} else value):
            whole = True
        else:
            kept.append((name, value))
    if number == 1 and not whole and not literal and (found := _NUMBERED.match(path)):
        number = int(found["number"])
        path = found["stem"] + (found["extension"] or "")
    return _locate_page(parts, path, kept, number, whole=whole)


def _locate_page(parts: SplitResult, path: str, fields: Sequence[tuple[str, str]], number: int, *, whole: bool) -> _Place:
    stem = re.sub(r"\.[a-z]{2,5}$", "", path, flags=re.IGNORECASE).rstrip("/").removesuffix("/index")
    return _Place(parts.netloc.lower(), stem, urlencode(sorted(fields)), max(number, 1), whole)
