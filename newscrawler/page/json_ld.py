"""JSON-LD of a page, read as leniently as the web writes it.

One script in fifty is not JSON. What is repaired: comment marks around it, control characters and line breaks in strings,
trailing and missing commas, HTML entities for the quotes, wrong escapes, quotes that are not escaped, several objects
in a row, an end that is cut off. A script that resists all of it is passed over.
"""

from __future__ import annotations

import html
import json
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import orjson
from lxml import etree

_OPENING = re.compile(r"^(?:\s|﻿|<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)+")
_CLOSING = re.compile(r"(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>|;|\s)+$")
_TRAILING_COMMA = re.compile(r",(?=\s{0,200}[}\]])")
_DOUBLE_COMMA = re.compile(r",\s{0,200}(?=,)")
_MISSING_COMMA = re.compile(r'([}\]"])(\s{0,200})(?=[{"])')
_WRONG_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_AFTER_STRING = re.compile(r'\s*(?:[}\]:]|,\s*["{\[\]}\d]|,\s*(?:true|false|null)\b|$)')
_ARTICLE = re.compile(r"article|blogposting|report|newsitem|review$|recipe|liveblog|column|interview", re.IGNORECASE)
_MOST_OBJECTS = 2000
_LONGEST_SCRIPT = 2_000_000
_LONGEST_REPAIR = 200_000


class PlacedObject(NamedTuple):
    """An object of the JSON-LD and where in its script it stands."""

    value: Mapping[str, Any]
    #: The keys that lead to it, outermost first; lists and "@graph" leave no trace.
    path: tuple[str, ...]
    #: See `read_types`.
    types: tuple[str, ...]


def read_placed(scripts: Iterable[etree._Element]) -> Sequence[PlacedObject]:
    """Collect every object of the page's JSON-LD with its place, outermost first in each script."""
    found: list[PlacedObject] = []
    for script in scripts:
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        text = script.text or ""
        if text and len(text) <= _LONGEST_SCRIPT:
            for value in load_leniently(text):
                _collect(value, found)
    return found


def load_leniently(text: str) -> list[Any]:
    """Read the values in a script: usually one; none where it is beyond repair."""
    text = text.strip()
    text = _CLOSING.sub("", _OPENING.sub("", text, count=1), count=1) if text[:1] not in "{[" or text[-1:] not in "}]" else text
    if not text:
        return []
    for load in (orjson.loads, partial(json.loads, strict=False)):  # the first is strict, and four times as fast
        try:
            return [load(text)]
        except (ValueError, RecursionError):
            pass
    if len(text) > _LONGEST_REPAIR:
        return []
    for repaired in _try_repairs(text):
        if values := _read_values_in_a_row(repaired):
            return values
    return []


def _try_repairs(text: str) -> Iterator[str]:
    """Yield ever bolder repairs of a script."""
    yield text
    if "&quot;" in text or "&#34;" in text:
        text = html.unescape(text)
        yield text
    text = _WRONG_ESCAPE.sub(r"\\\\", text.replace("\\'", "'"))
    text = _DOUBLE_COMMA.sub("", text)
    text = _TRAILING_COMMA.sub("", text)
    yield text
    parted = _MISSING_COMMA.sub(_put_comma_between, text)
    yield parted
    yield _escape_quotes(text)
    quoted = _escape_quotes(parted)
    yield quoted
    yield _close(quoted)


def _put_comma_between(match: re.Match[str]) -> str:
    """Put a comma where a value ends and the next begins; a quote beside white space only."""
    before, blank = match.groups()
    return f"{before},{blank}" if before in "}]" or "\n" in blank else match.group()


def _read_values_in_a_row(text: str) -> list[Any]:
    decoder = json.JSONDecoder(strict=False)
    values, position = [], 0
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return []
        values.append(value)
        while position < len(text) and text[position] in " \t\r\n,;\ufeff":
            position += 1
    return values


def _escape_quotes(text: str) -> str:
    """Escape the quotes inside strings: a quote ends a string only where JSON can go on behind it."""
    out, position, inside = [], 0, False
    for match in re.finditer(r'\\.|"', text, re.DOTALL):
        if match.group() != '"':
            continue
        out.append(text[position : match.start()])
        position = match.end()
        if inside and not _AFTER_STRING.match(text, position, position + 300):
            out.append('\\"')
            continue
        inside = not inside
        out.append('"')
    out.append(text[position:])
    return "".join(out)


def _close(text: str) -> str:
    """Close what a script that was cut off leaves open."""
    stack: list[str] = []
    inside = False
    for match in re.finditer(r'\\.|["{}\[\]]', text, re.DOTALL):
        sign = match.group()
        if sign == '"':
            inside = not inside
        elif not inside and sign in "{[":
            stack.append("}" if sign == "{" else "]")
        elif not inside and sign in "}]" and stack:
            stack.pop()
    text = text + '"' if inside else re.sub(r'(?:,|"[^"\\]{0,200}"\s*:)\s*$', "", text.rstrip())
    return re.sub(r",\s*$", "", text) + "".join(reversed(stack))


def _collect(value: Any, found: list[PlacedObject]) -> None:
    queue: deque[tuple[Any, tuple[str, ...]]] = deque([(value, ())])
    while queue and len(found) < _MOST_OBJECTS:
        item, path = queue.popleft()
        if isinstance(item, dict):
            found.append(PlacedObject(item, path, read_types(item)))
            for key, inner in item.items():
                if isinstance(inner, (dict, list)):
                    queue.append((inner, path if key == "@graph" else (*path, key)))
        elif isinstance(item, list):
            queue.extend((inner, path) for inner in item if isinstance(inner, (dict, list)))


def read_types(value: Mapping[str, Any]) -> tuple[str, ...]:
    """Name the schema.org types of an object, without the address before them."""
    kinds = value.get("@type") or value.get("type") or ()
    if isinstance(kinds, str):
        return _strip_type(kinds)
    if not isinstance(kinds, (list, tuple)):
        return ()
    return tuple(name for kind in kinds if isinstance(kind, str) for name in _strip_type(kind))


@lru_cache(maxsize=512)
def _strip_type(kind: str) -> tuple[str]:
    return (kind.rsplit("/", 1)[-1].rsplit("#", 1)[-1],)


@lru_cache(maxsize=512)
def is_article(types: tuple[str, ...]) -> bool:
    """Return whether an object of these types is an article of some kind."""
    return any(map(_ARTICLE.search, types))
