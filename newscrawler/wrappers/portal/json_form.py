"""A wrapper as JSON: a schema that people can review and edit, read with suspicion, since files are passed on.

Everything is bounded before it is used: characters of the file, depth, layouts, places, lines, selectors. What is wrong is named
with its key and value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from newscrawler.errors import ConfigError
from newscrawler.wrappers.portal.learn import MOST_LAYOUTS, MOST_PLACES
from newscrawler.wrappers.portal.lines import LONGEST_LINE, MOST_LINES
from newscrawler.wrappers.portal.model import (
    Evidence,
    FieldPlaces,
    InlineText,
    Layout,
    Line,
    Place,
    Provenance,
)

METHOD, VERSION = "portal_wrapper", 2
#: Characters of a file.
LARGEST_FILE = 4_000_000
LONGEST_NAME, LONGEST_PLACE, LONGEST_URL = 200, 1000, 2000
MOST_URLS, MOST_SOURCES, MOST_INLINE = 2000, 100, 50
MOST_NUMBER = 1_000_000_000
T = TypeVar("T")


class Node:
    """A value of a JSON file with the keys that lead to it."""

    def __init__(self, value: Any, path: str, source: str) -> None:
        self.value, self.path, self.source = value, path, source

    def fault(self, wanted: str) -> ConfigError:
        """The error that names this value."""
        shown = json.dumps(self.value, ensure_ascii=False, default=str)[:80] if not isinstance(self.value, dict | list) else ""
        what = shown or f"a {'table' if isinstance(self.value, dict) else 'list'} of {len(self.value)}"
        return ConfigError(f"{self.source}: {self.path or 'the file'} is {what}; it must be {wanted}")

    def key(self, name: str) -> Node:
        """The value of a key, None where the table has none."""
        if not isinstance(self.value, dict):
            raise self.fault("a table")
        return Node(self.value.get(name), f"{self.path}.{name}".lstrip("."), self.source)

    def text(self, most: int, *, empty: bool = True) -> str:
        """A string."""
        if not isinstance(self.value, str) or len(self.value) > most or not (empty or self.value):
            raise self.fault(f"a text of at most {most} characters")
        return self.value

    def whole(self, least: int = 0, most: int = MOST_NUMBER) -> int:
        """A whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool) or not least <= self.value <= most:
            raise self.fault(f"a whole number from {least} to {most}")
        return self.value

    def share(self) -> float:
        """A number from 0 to 1."""
        if isinstance(self.value, bool) or not isinstance(self.value, int | float) or not 0 <= self.value <= 1:
            raise self.fault("a number from 0 to 1")
        return float(self.value)

    def boolean(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.fault("true or false")
        return self.value

    def items(self, most: int, read: Callable[[Node], T]) -> tuple[T, ...]:
        """A list."""
        if self.value is None:
            return ()
        if not isinstance(self.value, list) or len(self.value) > most:
            raise self.fault(f"a list of at most {most}")
        return tuple(read(Node(item, f"{self.path}[{number}]", self.source)) for number, item in enumerate(self.value))

    def row(self, length: int) -> list[Node]:
        """A list of this length."""
        if not isinstance(self.value, list) or len(self.value) != length:
            raise self.fault(f"a list of {length}")
        return [Node(item, f"{self.path}[{number}]", self.source) for number, item in enumerate(self.value)]

    def table(self, most: int, read: Callable[[Node], T], longest: int = LONGEST_PLACE) -> dict[str, T]:
        """A table with names for keys."""
        if self.value is None:
            return {}
        if not isinstance(self.value, dict) or len(self.value) > most:
            raise self.fault(f"a table of at most {most} keys")
        if (long := next((name for name in self.value if len(name) > longest), None)) is not None:
            raise Node(long, f"a key of {self.path}", self.source).fault(f"at most {longest} characters long")
        return {name: read(Node(item, f"{self.path}[{name}]", self.source)) for name, item in self.value.items()}


def parsed(text: str, source: str) -> Node:
    """Parse a file, its head checked.

    Raises:
        ConfigError: it is too large, no JSON, no wrapper, or one of another version.
    """
    if len(text) > LARGEST_FILE:
        raise ConfigError(f"{source} has {len(text)} characters; a template of a portal has at most {LARGEST_FILE}")
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source} is no template of a portal: {error or 'nested too deep'}") from error
    root = Node(value, "", source)
    if not isinstance(value, dict):
        raise root.fault("the table of a template")
    if value.get("method") != METHOD:
        raise root.key("method").fault(f'"{METHOD}"; other templates are not applied to portals')
    if value.get("version") != VERSION:
        raise root.key("version").fault(f"{VERSION}, which is what this program reads: learn it again")
    return root


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number that a template may hold")


def read_layouts(node: Node) -> tuple[Layout, ...]:
    """The layouts of a file."""
    return node.items(MOST_LAYOUTS + 1, _layout)


def _layout(node: Node) -> Layout:
    return Layout(
        name=node.key("name").text(LONGEST_NAME, empty=False),
        pages=node.key("pages").whole(1),
        is_listing=node.key("is_listing").boolean(),
        shortest=node.key("shortest").whole(),
        longest=node.key("longest").whole(),
        places=node.key("places").table(MOST_PLACES, _place),
    )


def _place(node: Node) -> Place:
    probability, blocks, pages = node.row(3)
    return Place(probability.share(), blocks.whole(1), pages.whole(1))


def read_lines(node: Node) -> tuple[Line, ...]:
    """The recurring lines of a file."""

    def line(item: Node) -> Line:
        text, pages = item.row(2)
        return Line(text.text(LONGEST_LINE), pages.whole(1))

    return node.items(MOST_LINES, line)


def read_inline(node: Node) -> tuple[InlineText, ...]:
    """The fixed texts within paragraphs."""

    def inline(item: Node) -> InlineText:
        where, text, pages = item.row(3)
        return InlineText(where.text(LONGEST_PLACE), text.text(LONGEST_NAME, empty=False), pages.whole(1))

    return node.items(MOST_INLINE, inline)


def read_fields(node: Node) -> FieldPlaces:
    """The places of the other fields."""

    def evidence(item: Node) -> Evidence:
        right, wrong = item.row(2)
        return Evidence(right.whole(), wrong.whole())

    if node.value is None:
        return FieldPlaces()
    return FieldPlaces(
        dates=node.key("dates").table(MOST_SOURCES, evidence),
        authors=node.key("authors").table(MOST_SOURCES, evidence),
        sections=node.key("sections").table(MOST_SOURCES, evidence),
        dated=node.key("dated").share(),
        signed=node.key("signed").share(),
    )


def read_provenance(node: Node) -> Provenance:
    """Where the file comes from."""
    if node.value is None:
        return Provenance()
    learned_at = node.key("learned_at")
    moment = None
    if learned_at.value is not None:
        try:
            moment = datetime.fromisoformat(learned_at.text(40))
        except ValueError as error:
            raise learned_at.fault("a time by ISO 8601") from error
        if moment.tzinfo is None:
            raise learned_at.fault("a time with its offset, such as 2026-02-01T03:00:00+00:00")
    portal = node.key("portal")
    return Provenance(
        portal=None if portal.value is None else portal.text(LONGEST_NAME),
        learned_at=moment,
        urls=node.key("urls").items(MOST_URLS, lambda item: item.text(LONGEST_URL)),
        left_out=node.key("left_out").items(MOST_URLS, lambda item: item.text(LONGEST_URL + LONGEST_PLACE)),
        note="" if node.key("note").value is None else node.key("note").text(LONGEST_URL),
    )


def written_layout(layout: Layout) -> dict[str, Any]:
    """Return a layout as JSON has it."""
    return {
        "name": layout.name, "pages": layout.pages, "is_listing": layout.is_listing,
        "shortest": layout.shortest, "longest": layout.longest,
        "places": {name: [place.probability, place.blocks, place.pages] for name, place in layout.places.items()},
    }  # fmt: skip


def written_fields(fields: FieldPlaces) -> dict[str, Any]:
    """The places of the other fields as JSON has them."""

    def table(places: Mapping[str, Evidence]) -> dict[str, list[int]]:
        return {place: [evidence.right, evidence.wrong] for place, evidence in places.items()}

    return {
        "dates": table(fields.dates), "authors": table(fields.authors), "sections": table(fields.sections),
        "dated": fields.dated, "signed": fields.signed,
    }  # fmt: skip


def written_provenance(provenance: Provenance) -> dict[str, Any]:
    """Where a wrapper comes from, as JSON has it."""
    return {
        "portal": provenance.portal,
        "learned_at": provenance.learned_at.isoformat() if provenance.learned_at else None,
        "urls": [url[:LONGEST_URL] for url in provenance.urls[:MOST_URLS]],
        "left_out": [text[:LONGEST_URL] for text in provenance.left_out[:MOST_URLS]],
        "note": provenance.note[:LONGEST_URL],
    }


def written(stored: Mapping[str, Any]) -> str:
    """Write a table whose innermost tables and lists take one line a key, so that two versions can be compared line by line."""
    pieces: list[str] = []
    _write(stored, 0, pieces)
    return "".join(pieces) + "\n"


def _write(value: Any, depth: int, pieces: list[str]) -> None:
    indent = "  " * (depth + 1)
    inner = depth >= 2 and not any(isinstance(item, dict | list) for item in _items(value))
    if inner or not value or not isinstance(value, dict | list):
        pieces.append(json.dumps(value, ensure_ascii=False))
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    names = list(value) if isinstance(value, dict) else []
    pieces.append(opening + "\n")
    for number, item in enumerate(_items(value)):
        pieces.append((",\n" if number else "") + indent)
        if isinstance(value, dict):
            pieces.append(json.dumps(names[number], ensure_ascii=False) + ": ")
        _write(item, depth + 1, pieces)
    pieces.append("\n" + indent[2:] + closing)


def _items(value: Any) -> Any:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
