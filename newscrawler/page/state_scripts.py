"""The values from which a page builds itself in the browser: data in scripts, whole or in pieces, and in attributes.

What is read: scripts of data, objects and lists that programs assign or pass, `JSON.parse("...")`, strings that are pushed piece by
piece (the rows of React's Flight format, too), and attributes that contain JSON (islands). Literals of JavaScript are read as JSON:
bare names, single quotes, `undefined`, `new Date("...")`; the rest of a program is passed over. Lists whose values refer to each
other by number (devalue, turbo-stream) are put together again, and so are pairs of type and value (Astro).
"""

from __future__ import annotations

import contextlib
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from itertools import islice
from typing import Any
from urllib.parse import unquote

import orjson
from lxml import etree

from newscrawler.limits import STATE_ATTRIBUTES, STATE_CHARACTERS, STATE_CHARACTERS_OF_PAGE, STATE_DEPTH, STATE_SCRIPTS
from newscrawler.page.text import remove_escaped_signs

#: Where a value may begin in a program.
_BEGINS = re.compile(
    r"(?:[=(,:\[]|\breturn)\s*(?P<parse>JSON\.parse\(\s*(?P<calls>(?:[\w.]{1,30}\(\s*){0,3})(?=\"))?(?=[{\[]|(?<=\()\")"
)
#: Strings that a program collects: `x.push([1,"..."])`, `x.enqueue("...")`.
_PIECE = re.compile(r"([\w$\])]{1,40})\.(?:push|enqueue|write|append)\(\s*(?:\[\s*\d+\s*,\s*)?(?=\")")
_NO_JSON = re.compile(
    r"""(?P<double>"(?:[^"\\]|\\.)*+")|'(?P<single>(?:[^'\\\n]|\\.)*+)'|`(?P<back>(?:[^`\\$]|\\.|\$(?!\{))*+)`"""
    r"""|(?<=[{,])(?P<space>\s*)(?P<name>[A-Za-z_$][\w$]*+)\s*:|\bnew Date\((?P<date>"[^"\\]*"|\d*)\)|!(?P<bit>[01])\b"""
    r"""|\b(?P<python>True|False)\b|\b(?:undefined|void 0|None)\b|,(?=\s*[}\]])""",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\x([0-9a-fA-F]{2})|\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
#: A row of Flight: its number, and the length of its text in bytes, or its value.
_ROW = re.compile(rb"([0-9a-f]{1,6}):(?:T([0-9a-f]{1,6}),|[A-Z]?(?=[\[{\"]))")
_REFERENCE = re.compile(r"\$[L@]?([0-9a-f]{1,6})\Z")
_DATA = re.compile(r"\s*(?:[\[{]|%7B|%5B)", re.IGNORECASE)
#: Objects and lists in base64.
_BASE64 = re.compile(r"(?:ey|W[3y])[\w+/=-]{40,}\Z")
#: Characters; a page's state may have megabytes, which take a tenth of a second each to read.
_SHORTEST = 30


def state_values(root: etree._Element) -> Iterator[Any]:
    """Yield the values that the scripts and attributes of a page carry, in their order; objects and lists only."""
    total = 0
    pieces: dict[str, list[str]] = {}
    for script in islice(root.iter("script"), STATE_SCRIPTS):
        text, kind = remove_escaped_signs(script.text or ""), (script.get("type") or "").lower()
        total += len(text)
        if total > STATE_CHARACTERS_OF_PAGE:
            break
        if not _SHORTEST <= len(text) <= STATE_CHARACTERS or "ld+json" in kind:
            continue
        if kind in {"", "text/javascript", "application/javascript", "module"}:
            yield from _read_program(text, pieces)
        elif _DATA.match(text):
            yield from map(_put_together, _load_json(text))
    for collected in pieces.values():
        yield from _join_pieces(collected)
    for element in islice(root.iter("textarea", "code", "data", "template"), STATE_SCRIPTS):
        if _SHORTEST <= len(element.text or "") <= STATE_CHARACTERS and _DATA.match(element.text or ""):
            yield from map(_put_together, _load_json(element.text or ""))
    yield from _read_attributes(root)


def _load_json(text: str) -> list[Any]:
    try:
        value = orjson.loads(text.replace("&q;", '"'))  # as Angular writes quotes
    except ValueError:
        return []
    return [value] if isinstance(value, (dict, list)) else []


def convert_literals(program: str) -> str:
    """Write the literals of JavaScript, and of Python, in a program as JSON has them."""
    return _NO_JSON.sub(_convert_to_json, program)


def _read_program(text: str, pieces: dict[str, list[str]]) -> Iterator[Any]:
    """Yield the objects and lists in a program; strings that it collects are added to the `pieces` of their collection."""
    written = convert_literals(text)
    decoder = json.JSONDecoder(strict=False)
    for piece in _PIECE.finditer(written):
        pieces.setdefault(piece[1], []).append(_decode(decoder, written, piece.end())[0] or "")
    position = 0
    for _ in range(60):
        match = _BEGINS.search(written, position)
        if match is None:
            return
        value, position = _decode(decoder, written, match.end())
        if match["parse"] and isinstance(value, str):
            yield from map(_put_together, _load_json(_decode_string(value, match["calls"])))
        elif isinstance(value, (dict, list)) and position - match.end() >= _SHORTEST and not _is_piece(value):
            yield _put_together(value)


def _decode_string(text: str, calls: str) -> str:
    """Return a string as the functions return it that a program calls with it: `atob`, `decodeURIComponent`."""
    if "atob" in calls:
        with contextlib.suppress(ValueError):
            text = b64decode(text).decode("utf-8" if "escape" in calls or "URI" in calls else "latin-1")
    return unquote(text) if "URI" in calls and "%" in text else text


def _is_piece(value: Any) -> bool:
    """Return whether a value is the argument of a push: a number and a string."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], int) and isinstance(value[1], str)


def _decode(decoder: json.JSONDecoder, text: str, start: int) -> tuple[Any, int]:
    """Read the value that begins at a place: it, and where to look for the next."""
    try:
        return decoder.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start + 1


def _convert_to_json(match: re.Match[str]) -> str:
    """Write a token of JavaScript as JSON has it."""
    if match["double"] is not None:
        return match["double"].replace("\\x", "\\u00") if "\\x" in match["double"] else match["double"]
    for quoted in ("single", "back"):
        if match[quoted] is not None:
            return json.dumps(_ESCAPED.sub(_unescape, match[quoted]), ensure_ascii=False)
    if match["name"] is not None:
        return f'{match["space"]}"{match["name"]}":'
    if match["bit"] is not None:
        return "true" if match["bit"] == "0" else "false"
    return match["date"] or (match["python"] or "").lower() or ("" if match.group() == "," else "null")


def _unescape(match: re.Match[str]) -> str:
    code, said = match.groups()
    if code:
        return chr(int(code, 16))
    if len(said) == 5:
        return chr(int(said[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": ""}.get(said, said)


def _join_pieces(pieces: list[str]) -> Iterator[Any]:
    """Yield the values of a text that came in pieces: JSON, a list of it, or rows of Flight."""
    text = "".join(piece for piece in pieces if isinstance(piece, str))
    found = _load_json(text) or [value for piece in pieces if isinstance(piece, str) for value in _load_json(piece)]
    yield from map(_put_together, found or list(_read_rows(text.encode("utf-8", "replace"))))


def _read_rows(data: bytes) -> Iterator[Any]:
    rows: dict[str, Any] = {}
    position = 0
    while 0 <= position < len(data):
        row = _ROW.match(data, position)
        end = data.find(b"\n", position)
        if row is not None and row[2]:
            end = row.end() + int(row[2], 16)
            rows[row[1].decode()] = data[row.end() : end].decode("utf-8", "replace")
            position = end
            continue
        if row is not None:
            rows[row[1].decode()] = next(iter(_load_json(data[row.end() : end if end >= 0 else None].decode())), None)
        position = end + 1 if end >= 0 else len(data)
    texts = {number: value for number, value in rows.items() if isinstance(value, str)}
    yield from (_insert_texts(value, texts, 0) for value in rows.values() if isinstance(value, (dict, list)))


def _insert_texts(value: Any, texts: dict[str, str], depth: int) -> Any:
    """Replace references to rows of text by their texts."""
    if isinstance(value, str):
        found = _REFERENCE.match(value) if len(value) < 10 else None
        return texts.get(found[1], value) if found else value
    if depth > STATE_DEPTH:
        return value
    if isinstance(value, dict):
        return {key: _insert_texts(inner, texts, depth + 1) for key, inner in value.items()}
    return [_insert_texts(inner, texts, depth + 1) for inner in value] if isinstance(value, list) else value


def _read_attributes(root: etree._Element) -> Iterator[Any]:
    """Yield the objects and lists in attributes, whatever their names."""
    values = (value for element in root.iter(etree.Element) for value in element.attrib.values())
    for value in islice(values, STATE_ATTRIBUTES):
        if len(value) >= _SHORTEST and (_DATA.match(str(value)) or _BASE64.match(str(value))):
            text = str(value).strip()
            text = text if text[0] in "[{%" else _decode_string(text, "atob URI")
            yield from map(_unwrap, _load_json(unquote(text) if text[0] == "%" else text))


def _unwrap(value: Any) -> Any:
    """Take the types off an object each of whose values is a pair of a type and a value; else return it unchanged."""
    if isinstance(value, dict) and value and all(map(_is_pair, value.values())):
        return {key: _unwrap_pair(inner, 0) for key, inner in value.items()}
    return value


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and type(value[0]) is int and 0 <= value[0] < 12


def _unwrap_pair(pair: Any, depth: int) -> Any:
    if not _is_pair(pair) or depth > STATE_DEPTH:
        return pair
    value = pair[1]
    if isinstance(value, dict):
        return {key: _unwrap_pair(inner, depth + 1) for key, inner in value.items()}
    if pair[0] == 1 and isinstance(value, str):
        value = next(iter(_load_json(value)), value)
    return [_unwrap_pair(inner, depth + 1) for inner in value] if isinstance(value, list) else value


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
        # what devalue sets before the number of a value that is more than it looks
        numbers = first[1:] if first[0] in {"Reactive", "ShallowReactive", "Ref", "ShallowRef", "Date", "Object"} else []
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
        if type(number) is not int or not 0 <= number < len(self.values) or depth > STATE_DEPTH:
            return None
        if number not in self.known:
            self.known[number] = None
            self.known[number] = self._make_value(self.values[number], depth)
        return self.known[number]

    def _make_value(self, value: Any, depth: int) -> Any:
        if isinstance(value, dict):
            return {self._find_name(key): self.value(inner, depth + 1) for key, inner in value.items()}
        if not isinstance(value, list):
            return value
        if value and isinstance(value[0], str):
            said = value[1] if len(value) > 1 else None
            return said if value[0] == "Date" else self.value(said, depth + 1)
        return [self.value(inner, depth + 1) for inner in value]

    def _find_name(self, key: str) -> str:
        """Return the name of a property, which turbo-stream keeps among the values."""
        number = int(key[1:]) if key[:1] == "_" and key[1:].isdigit() else -1
        name = self.values[number] if 0 <= number < len(self.values) else None
        return name if isinstance(name, str) else key
