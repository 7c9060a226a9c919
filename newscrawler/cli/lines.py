"""Read JSON lines and answer each at once with a JSON line; an invalid line gets an error and does not end the loop."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, is_dataclass
from typing import Any, BinaryIO

import orjson

from newscrawler.limits import LINE_BYTES as LONGEST_LINE_BYTES

#: Large enough to read a page from the pipe in a few steps.
_BUFFER_BYTES = 256 * 1024

Answer = Callable[[dict[str, Any]], dict[str, Any]]


class LineError(Exception):
    """This line cannot be answered; the next one can."""


def answer_lines(answer: Answer, source: BinaryIO | None = None, target: BinaryIO | None = None) -> None:
    """Write one line to `target` for each line of `source`, flushed, with the same `id`.

    The answer to a line that is not a JSON object, or on which `answer` fails, is an `error`.
    """
    if source is None:
        given = sys.stdin.buffer  # with a larger buffer where it is a pipe or a file
        source = os.fdopen(given.fileno(), "rb", _BUFFER_BYTES, closefd=False) if hasattr(given, "raw") else given
    target = target or sys.stdout.buffer
    for line in _read_lines(source):
        target.write(encode(_reply(line, answer)))
        target.flush()


def encode(value: Any) -> bytes:
    """Return one JSON line; records become objects. A lone surrogate, which UTF-8 cannot encode, becomes its JSON escape."""
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_simplify)
        return text.encode("utf-8", "backslashreplace") + b"\n"


def _simplify(value: Any) -> Any:
    """Return a record or a time as JSON has it, as orjson does."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value.isoformat()


def _read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the non-empty lines, and None for one that is too long."""
    while line := source.readline(LONGEST_LINE_BYTES):
        if len(line) == LONGEST_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := source.readline(LONGEST_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line


def _reply(line: bytes | None, answer: Answer) -> dict[str, Any]:
    key: Any = None
    try:
        question = _parse_question(line)
        key = question.get("id")
        return {"id": key, **answer(question)}
    except Exception as error:  # noqa: BLE001  one page's fault must not end the others
        detail = str(error)[:300]
        text = detail if isinstance(error, LineError) else f"{type(error).__name__}: {detail}".removesuffix(": ")
        return {"id": key, "error": text}


def _parse_question(line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise LineError(f"the line is longer than {LONGEST_LINE_BYTES} bytes")
    try:
        value = _parse_value(line)
    except (ValueError, RecursionError) as error:
        raise LineError(f"not a line of JSON: {error}") from error
    if not isinstance(value, dict):
        raise LineError("the line holds no JSON object")
    return value


def _parse_value(line: bytes) -> Any:
    """Read JSON and the extensions that Python and JavaScript write: lone surrogates, NaN, integers of any length."""
    try:
        value = orjson.loads(line)
    except ValueError:
        return json.loads(line)
    plain = not isinstance(value, dict) or isinstance(value.get("id"), str | int | None)
    return value if plain else json.loads(line)
