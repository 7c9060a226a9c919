"""The values in the scripts from which a page builds itself: JSON islands, and JSON assigned to a property of the window.

What is read: scripts of the type application/json, `window.NAME = {...}`, and `window.NAME = JSON.parse("...")`. `undefined` and
`new Date("...")`, which some serialisers write into JSON, are read too; what is a program and not data is passed over.
Lists whose values refer to each other by number (the form in which devalue flattens a state) are put together again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote

import orjson
from lxml import etree

from newscrawler.page.text import remove_escaped_signs

_ASSIGNED = re.compile(
    r"""(?:window|self|globalThis)\s*(?:\.\s*[\w$]{1,80}|\[\s*["'][^"'\]]{1,80}["']\s*\])\s*=\s*"""
    r"""(?P<parse>JSON\.parse\(\s*(?P<uri>decodeURIComponent\(\s*)?(?=["']))?(?=[{\["'])"""
)
_IN_A_STRING_OR_NO_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|\bundefined\b|\bnew Date\(("[^"\\]*")\)|\bvoid 0\b|!([01])\b')
_STRING = re.compile(r"""(?P<sign>["'])(?P<text>(?:[^"'\\]|\\.|(?!(?P=sign))["'])*+)(?P=sign)""", re.DOTALL)
_ESCAPED = re.compile(r"\\x([0-9a-fA-F]{2})|\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
#: Characters; a page's state may have megabytes, which take a tenth of a second each to read.
_SHORTEST, _LONGEST, _LONGEST_TOGETHER = 200, 4_000_000, 6_000_000
_MOST_ASSIGNMENTS, _MOST_SCRIPTS = 12, 60
_SCRIPT_TYPES = frozenset({"", "text/javascript", "application/javascript", "module"})
#: What devalue sets before the number of a value that is more than it looks.
_WRAPPERS = frozenset({"Reactive", "ShallowReactive", "Ref", "ShallowRef", "Date", "Object"})
_DEEPEST_REFERENCE = 60


def state_values(scripts: Iterable[etree._Element]) -> Iterator[Any]:
    """Yield the values that the scripts of a page carry, in their order; objects and lists only."""
    total = 0
    for _, script in zip(range(_MOST_SCRIPTS), scripts, strict=False):
        text, kind = remove_escaped_signs(script.text or ""), (script.get("type") or "").lower()
        if not _SHORTEST <= len(text) <= _LONGEST or "ld+json" in kind:
            continue
        total += len(text)
        if total > _LONGEST_TOGETHER:
            return
        if kind == "application/json":
            found = _load_json(text)
            yield from (_put_together(value) for value in found)
        elif kind in _SCRIPT_TYPES:
            yield from _find_assigned(text)


def _load_json(text: str) -> list[Any]:
    try:
        return [orjson.loads(text)]
    except ValueError:
        return []


def _find_assigned(text: str) -> Iterator[Any]:
    """Yield what a script assigns to properties of the window."""
    position = 0
    for _ in range(_MOST_ASSIGNMENTS):
        match = _ASSIGNED.search(text, position)
        if match is None:
            return
        position = match.end()
        if text[position] in "\"'":
            literal = _STRING.match(text, position)
            if literal is None:
                return
            position = literal.end()
            if match["parse"]:
                said = _unescape(literal["text"])
                yield from _load_json(unquote(said) if match["uri"] else said)
            continue
        value, position = _decode_script(text, position)
        if value is not None:
            yield value


def _decode_script(text: str, start: int) -> tuple[Any, int]:
    """Read the value that begins at a place: it, and where to look for the next."""
    rest = text[start:].rstrip("; \n\r\t")
    try:
        return orjson.loads(rest), len(text)
    except ValueError:
        pass
    decoder = json.JSONDecoder(strict=False)
    try:
        return decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        pass
    try:
        return decoder.raw_decode(_IN_A_STRING_OR_NO_JSON.sub(_convert_to_json, rest))[0], start + 1
    except (ValueError, RecursionError):
        return None, start + 1


def _convert_to_json(match: re.Match[str]) -> str:
    said = match.group()
    if said[0] == '"':
        return said
    if match[2]:
        return "true" if match[2] == "0" else "false"
    return match[1] or "null"


def _unescape(text: str) -> str:
    """What a string literal of a script stands for."""
    return _ESCAPED.sub(_sign, text) if "\\" in text else text


def _sign(match: re.Match[str]) -> str:
    code, said = match.groups()
    if code:
        return chr(int(code, 16))
    if len(said) == 5:
        return chr(int(said[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}.get(said, said)


def _put_together(value: Any) -> Any:
    """Replace the numbers by the values that they refer to, in a list that is a flattened object; else the value itself."""
    return _Flattened(value).value(0, 0) if _is_flattened(value) else value


def _is_flattened(value: Any) -> bool:
    if not isinstance(value, list) or len(value) < 3:
        return False
    first = value[0]
    if isinstance(first, dict):
        numbers = list(first.values())
    elif isinstance(first, list) and first and isinstance(first[0], str):
        numbers = first[1:] if first[0] in _WRAPPERS else []
    else:
        return False
    return bool(numbers) and all(type(number) is int and number < len(value) for number in numbers)


class _Flattened:
    """A flattened object; what several refer to is put together once."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values
        self.known: dict[int, Any] = {}

    def value(self, number: Any, depth: int) -> Any:
        """The value with a number; None for what is not there, or refers to itself."""
        if type(number) is not int or not 0 <= number < len(self.values) or depth > _DEEPEST_REFERENCE:
            return None
        if number not in self.known:
            self.known[number] = None
            self.known[number] = self._make_value(self.values[number], depth)
        return self.known[number]

    def _make_value(self, value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            return {key: self.value(inner, depth + 1) for key, inner in value.items()}
        if not isinstance(value, list):
            return value
        if value and isinstance(value[0], str):
            said = value[1] if len(value) > 1 else None
            return said if value[0] == "Date" else self.value(said, depth + 1)
        return [self.value(inner, depth + 1) for inner in value]
