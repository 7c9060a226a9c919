"""Indexes of web archives: CDX as text, as a JSON array (Wayback), as JSON lines (pywb, Common Crawl), and CDXJ.

Lines that cannot be read are left out; none raises.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from newscrawler.discovery.urls import canonicalize_or_none

#: Fields of text lines without a heading, as Wayback's server has them; and the letters of a heading (CDX N b a m s k …).
USUAL = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
#: Those that are requested of Wayback's server, which may answer in text all the same.
NARROW = ("original", "timestamp", "statuscode", "mimetype")
_LETTERS = {"N": "urlkey", "b": "timestamp", "a": "original", "m": "mimetype", "s": "statuscode"}
_NAMES: Mapping[str, str] = {"url": "original", "mime": "mimetype", "status": "statuscode"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A page that a web archive has."""

    #: Canonical.
    url: str
    captured_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """A page of an index."""

    captures: tuple[Capture, ...]
    #: Where the next page begins; "": this is the last one.
    resume_key: str = ""


def read_index(body: bytes) -> IndexPage:
    """Return the HTML pages of an index that were answered with 200, each URL once, with its earliest capture."""
    text = body.decode("utf-8", "replace")
    resume_key, rows = _read_array(text) if text.lstrip().startswith("[") else ("", list(read_lines(text.splitlines())))
    if not resume_key and len(lines := text.rstrip("\n").splitlines()) > 2 and not lines[-2].strip() and "[" not in text[:2]:
        resume_key = lines[-1].strip()  # Wayback's text has it behind an empty line
    found: dict[str, Capture] = {}
    for capture in filter(None, map(_make_capture, rows)):
        known = found.get(capture.url)
        if known is None or capture.captured_at < known.captured_at:
            found[capture.url] = capture
    return IndexPage(captures=tuple(found.values()), resume_key=resume_key)


def read_lines(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of an index of lines; those without their fields are left out."""
    names: tuple[str, ...] = USUAL
    for line in lines:
        text = line.strip()
        if text.startswith("CDX "):
            names = tuple(_LETTERS.get(letter, letter) for letter in text.split()[1:])
        elif text.startswith("{"):
            yield from _read_object(text, {})
        elif "{" in text and len(parts := text.split(" ", 2)) == 3 and parts[2].startswith("{"):
            yield from _read_object(parts[2], {"urlkey": parts[0], "timestamp": parts[1]})
        elif len(values := text.split()) >= 3:
            yield dict(zip(NARROW if "://" in values[0] and names is USUAL else names, values, strict=False))


def _read_object(text: str, more: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        yield {**more, **{_NAMES.get(str(name), str(name)): value for name, value in found.items()}}


def _read_array(text: str) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the resume key and the rows of Wayback's JSON: names come first, the key last, behind an empty row."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return "", []
    rows = [row for row in rows if isinstance(row, list)] if isinstance(rows, list) else []
    names = [str(name) for name in rows[0]] if rows else []
    key = str(rows[-1][0]) if len(rows) > 2 and len(rows[-1]) == 1 and not rows[-2] else ""
    return key, [dict(zip(names, row, strict=True)) for row in rows[1:] if len(row) == len(names)]


def _make_capture(row: Mapping[str, Any]) -> Capture | None:
    is_page = str(row.get("statuscode", "200")) in {"200", "-"} and "html" in str(row.get("mimetype", "html"))
    url = canonicalize_or_none(str(row.get("original", ""))) if is_page else None
    captured_at = read_timestamp(str(row.get("timestamp", "")))
    return Capture(url=url, captured_at=captured_at) if url is not None and captured_at is not None else None


def read_timestamp(text: str) -> datetime | None:
    """Return a time of up to 14 digits, in UTC; None: it is not one."""
    if not (text.isdigit() and 4 <= len(text) <= 14):
        return None
    whole = text + "00000101000000"[len(text) :]
    try:
        return datetime.strptime(whole, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None
