"""JSON-LD of a page, read as leniently as the web writes it.

One script in fifty is not JSON. What is repaired: comments, an assignment and tags around it, control characters and line breaks in
strings, trailing and missing commas, missing values, literals of JavaScript, HTML entities or typographic quotes for the quotes,
tags, wrong escapes, quotes that are not escaped, several objects in a row, an end that is cut off or closed too often. A script
that resists all of it is passed over.
"""

from __future__ import annotations

import html
import json
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

import orjson
from lxml import etree

from newscrawler.limits import JSON_LD_CHARACTERS, JSON_LD_OBJECTS, JSON_LD_REPAIRED
from newscrawler.page.state_scripts import convert_literals
from newscrawler.page.text import remove_escaped_signs

_OPENING = re.compile(r"^(?:\s|﻿|<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)+")
_CLOSING = re.compile(r"(?:-->|//\s*\]\]>|/\*\s*\]\]>\s*\*/|\]\]>|;|\s)+$")
_AFTER_STRING = re.compile(r'\s*(?:[}\]:]|,\s*["{\[\]}\d]|,\s*(?:true|false|null)\b|$)')
_STRING_OR_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*+")|/\*(?:.*?\*/)|(?:#|//)[^\n]*', re.DOTALL)
#: A text with its type or language: `{"@type": "Date", "@value": "2024-03-05"}`.
_VALUE_OBJECT = re.compile(r'\{[^{}]{0,200}"@value"\s*:\s*("(?:[^"\\]|\\.)*+")[^{}]{0,200}\}')
_ARTICLE = re.compile(r"article|blogposting|report|newsitem|review$|recipe|liveblog|column|interview", re.IGNORECASE)
#: Keys that lead to the description of the page itself.
PLACES_OF_ARTICLE = frozenset({(), ("mainEntity",), ("mainEntityOfPage",)})
#: Keys of lists of articles, one of which may be the page's.
_LISTS = frozenset({"blogPost", "blogPosts", "hasPart", "item", "itemListElement", "mainEntity"})


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
        text = remove_escaped_signs(script.text or "").replace('"schema:', '"')
        if text and len(text) <= JSON_LD_CHARACTERS:
            text = _VALUE_OBJECT.sub(r"\1", text) if '"@value"' in text else text
            for value in load_leniently(text):
                _collect(value, found)
    return found


def find_own(placed: Sequence[PlacedObject], is_own: Callable[[Mapping[str, Any]], bool]) -> Sequence[PlacedObject]:
    """Return the objects, with the page's article out of the list of articles in which it is, if any."""
    listed = next(
        (each for each in placed if each.path[-1:] and each.path[-1] in _LISTS and is_article(each.types) and is_own(each.value)),
        None,
    )
    if listed is None:
        return placed
    own = _collect(listed.value, [])
    inside = {id(each.value) for each in own}
    return [*own, *(each for each in placed if id(each.value) not in inside)]


def remove_foreign(
    placed: Sequence[PlacedObject], is_foreign: Callable[[Mapping[str, Any]], bool | None]
) -> Sequence[PlacedObject]:
    """Remove the articles that are not the page's, with all that they contain.

    Args:
        placed: the objects of the page.
        is_foreign: whether an article is about something else; None: it says neither its address nor anything known, and
            goes where another one belongs to the page.
    """
    answers = {
        id(each.value): is_foreign(each.value) for each in placed if each.path in PLACES_OF_ARTICLE and is_article(each.types)
    }
    if not any(answers.values()) and not (None in answers.values() and False in answers.values()):
        return placed
    belongs = False in answers.values()
    wrong = {key for key, answer in answers.items() if answer or (answer is None and belongs)}
    foreign = {id(inner.value) for each in placed if id(each.value) in wrong for inner in _collect(each.value, [])}
    return [each for each in placed if id(each.value) not in foreign]


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
    if len(text) > JSON_LD_REPAIRED:
        return []
    for repaired in _try_repairs(text):
        if values := _read_values_in_a_row(repaired):
            return values
    return []


def _try_repairs(text: str) -> Iterator[str]:
    """Yield ever bolder repairs of a script."""
    text = re.sub(r"(?<=[:\[,\s])-?\d{300,}(?=\s*[,}\]])", "0", text)  # which no reader of JSON takes
    text = re.sub(r"^[^{\[]{1,200}(?=[{\[])", "", text).replace("\xa0", " ")  # an assignment, or tags
    yield text
    if "/*" in text or "//" in text or "#" in text:
        # comments on their own lines, or anywhere but in strings
        text = re.sub(r"^[ \t]*(?://[^\n]*|/\*.*?\*/[ \t]*)$", "", text, flags=re.MULTILINE | re.DOTALL)
        yield text
        yield _STRING_OR_COMMENT.sub(lambda found: found[1] or " ", text)
    if "&quot;" in text or "&#34;" in text:
        text = html.unescape(text)
        yield text
    if not text.isascii():
        text = re.sub(r"(?<=[{\[:,])(\s{0,200})[“”„″]|[“”″](?=\s{0,200}[:,}\]])", r'\1"', text)
    text = re.sub(r'(?<=":)\s{0,200}(?=[,}\]])', " null", re.sub(r"<br\s?/?>", "\n", text, flags=re.IGNORECASE))
    yield convert_literals(text)
    text = re.sub(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})', r"\\\\", text.replace("\\'", "'"))
    text = re.sub(r",\s{0,200}(?=,)", "", text)
    text = re.sub(r",(?=\s{0,200}[}\]])", "", text)
    yield text
    parted = re.sub(r'([}\]"])(\s{0,200})(?=[{"])', _put_comma_between, text)
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
    values: list[Any] = []
    position = 0
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return values if text[position:].isascii() and not re.search(r"[{\[\"]", text[position:]) else []
        values.append(value)
        while position < len(text) and text[position] in " \t\r\n,;}]\ufeff":
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


def _collect(value: Any, found: list[PlacedObject]) -> list[PlacedObject]:
    """Add the objects in a value to those found before, outermost first, up to a limit; return them all."""
    queue: deque[tuple[Any, tuple[str, ...]]] = deque([(value, ())])
    while queue and len(found) < JSON_LD_OBJECTS:
        item, path = queue.popleft()
        if isinstance(item, dict):
            found.append(PlacedObject(item, path, read_types(item)))
            for key, inner in item.items():
                if isinstance(inner, (dict, list)):
                    queue.append((inner, path if key == "@graph" else (*path, key)))
        elif isinstance(item, list):
            queue.extend((inner, path) for inner in item if isinstance(inner, (dict, list)))
    return found


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
