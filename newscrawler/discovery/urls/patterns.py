"""Patterns of URLs: `/{section}/{slug}-{id}`, `/{year}/{month}/{slug}/`, `?p={id}`.

Parts that vary from page to page become names in braces. Parts that distinguish kinds of page stay: words of the vocabulary for
kinds of page (`/video/…`, `/clanek/…`), parts of up to three letters (`/cl/…`, `/a/…`), endings, names of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from newscrawler.discovery.urls.canonical import split_address
from newscrawler.discovery.urls.vocabulary import IDENTIFIER_PARAMETERS, KIND_PARAMETERS, PAGE_PARAMETERS, find_category
from newscrawler.languages import alternatives, words

#: A part of the path with this many words names a page, not a section.
SLUG_WORDS = 3
_SHORT = 3
_LONG_NUMBER = 4

_ENDING = re.compile(r"\.[a-z]{2,5}\d?\Z")
_YEAR = re.compile(r"(?:19[89]\d|20[0-4]\d)\Z")
_MONTH = re.compile(rf"(?:0?[1-9]|1[0-2]|{alternatives('url_months')})\Z")
_DAY = re.compile(r"(?:0?[1-9]|[12]\d|3[01])\Z")
_DATE = re.compile(r"(?<!\d)(?:(?:19[89]\d|20[0-4]\d)-?(?:0[1-9]|1[0-2])-?(?:0[1-9]|[12]\d|3[01]))(?!\d)")
_YEAR_MONTH = re.compile(r"(?:19[89]\d|20[0-4]\d)-?(?:0[1-9]|1[0-2])\Z")
_MONTH_DAY = re.compile(r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\Z")
_HEXADECIMAL = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<![0-9a-z])(?=[a-f]*\d)[0-9a-f]{12,40}(?![0-9a-z])"
)
_CODE = re.compile(r"(?:(?<=[-_/~,.])|\A)(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{6,14}\Z")
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+")
_MARK = re.compile(r"\{[a-z]+\}")


@lru_cache(maxsize=2_048)
def make_pattern(url: str, home: str = "") -> str:
    """Return the pattern of a URL; the name of another host than `home` precedes its path (`www.` is ignored).

    Raises:
        ValueError: not an http(s) address.
    """
    parts = split_address(url)
    if parts is None:
        msg = f"{url[:200]!r} is not an http or https address"
        raise ValueError(msg)
    host = parts.netloc.removeprefix("www.")
    prefix = "" if not home or host == home.lower().removeprefix("www.") else f"//{host}"
    pattern = _mark_path(parts.folded)
    query = "&".join(_mark_parameter(pair) for pair in parts.query.split("&")) if parts.query else ""
    if query:
        pattern = f"{'' if pattern == '/' else pattern}?{query}"
    return prefix + pattern


def _mark_path(path: str) -> str:
    inner = path.strip("/")
    if not inner:
        return "/"
    slash = "/" if path.endswith("/") else ""
    folder, _, last = inner.rpartition("/")
    marks = _mark_folders(folder) if folder else ()
    return "/" + "/".join((*marks, _name_date_part(last, marks) or _mark_segment(last, marks, last=True))) + slash


@lru_cache(maxsize=2_048)  # a portal has many pages in few folders
def _mark_folders(path: str) -> tuple[str, ...]:
    marks: list[str] = []
    for segment in path.split("/"):
        marks.append(_name_date_part(segment, marks) or _mark_segment(segment, marks, last=False))
    return tuple(marks)


def _name_date_part(segment: str, before: Sequence[str]) -> str:
    """Return the name of a date folder. Months count only after a year, days only after a month."""
    if _YEAR.match(segment):
        return "{year}"
    if _YEAR_MONTH.match(segment):
        return "{month}"
    previous = before[-1] if before else ""
    if previous == "{year}":
        return "{month}" if _MONTH.match(segment) else "{day}" if _MONTH_DAY.match(segment) else ""
    return "{day}" if previous == "{month}" and _DAY.match(segment) else ""


def _mark_segment(segment: str, before: Sequence[str], *, last: bool) -> str:
    ending = ""
    if last and (found := _ENDING.search(segment)):
        ending = found.group()
        segment = segment[: found.start()]
    if _DATE.fullmatch(segment):
        return "{date}" + ending
    if segment.isdigit():
        return ("{n}" if before and find_category(before[-1]) == "" and before[-1] in words("page") else "{id}") + ending
    plain = segment.strip("-_ ").replace("_", "-")
    category = find_category(plain)
    if (category and category != "topic") or len(segment) <= _SHORT or plain in words("page") or plain == "index":
        return segment + ending
    return _mark_mixed(segment, after_date=bool(before) and before[-1] in {"{year}", "{month}", "{day}"}, last=last) + ending


def _mark_mixed(segment: str, *, after_date: bool, last: bool) -> str:
    """Replace the pieces of a part by names: identifiers, dates, and the words around them."""
    if "{" not in segment and not _NUMBER.search(segment):  # neither identifier nor date
        return _replace_words(segment, long=_count_words(segment) >= SLUG_WORDS or (after_date and last), identified=False)
    marked = _HEXADECIMAL.sub("{id}", segment)
    marked = _DATE.sub("{date}", marked)
    if "{id}" not in marked:
        marked = (
            _CODE.sub("{id}", marked, count=1)
            if _count_words(marked) >= SLUG_WORDS or not _WORD.search(_CODE.sub("", marked))
            else marked
        )
    marked = _NUMBER.sub(lambda found: "{id}" if len(found.group()) >= _LONG_NUMBER else "{n}", marked)
    # Small numbers inside a name belong to it ("in 5 years").
    pieces = [piece for piece in re.split(r"(\{(?:id|date)\})", marked.replace("{n}", "n")) if piece]
    words = sum(_count_words(piece) for piece in pieces if not _MARK.match(piece))
    long = words >= SLUG_WORDS or (after_date and last)
    identified = any(_MARK.match(piece) for piece in pieces)
    return "".join(piece if _MARK.match(piece) else _replace_words(piece, long=long, identified=identified) for piece in pieces)


def _replace_words(piece: str, *, long: bool, identified: bool) -> str:
    """Replace the words of a piece by a name, and keep the punctuation around them."""
    text = piece.strip("-_,.~+ ")
    if not text:
        return piece
    start = piece.index(text)
    if len(text) <= 2 and identified:
        return piece
    name = "{slug}" if long or identified else "{section}"
    return piece[:start] + name + piece[start + len(text) :]


def _count_words(text: str) -> int:
    return len(_WORD.findall(_MARK.sub("", text) if "{" in text else text))


def _mark_parameter(pair: str) -> str:
    name, equals, value = pair.partition("=")
    if not equals:
        return _NUMBER.sub("{id}", pair)
    if not value:
        return pair
    lower = name.lower()
    if lower in KIND_PARAMETERS and _WORD.fullmatch(value):
        return pair
    if lower in PAGE_PARAMETERS and value.isdigit():
        return f"{name}={{n}}"
    return f"{name}={{id}}" if lower in IDENTIFIER_PARAMETERS or value.isdigit() else f"{name}={{value}}"
