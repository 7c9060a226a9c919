"""Reads the files, and joins what the languages say of a topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

#: The key of a file that holds the tables from CLDR.
CLDR = "cldr"
_FOLDER = Path(__file__).parent / "data"

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The words of one language."""

    #: BCP 47 primary code.
    code: str
    lists: Mapping[str, Words]
    tables: Mapping[str, Mapping[str, Words]]


def read(path: Path) -> Language:
    """Read the file of one language.

    Raises:
        ValueError: the file is not JSON.
    """
    topics: dict[str, Any] = orjson.loads(path.read_bytes())
    lists: dict[str, Words] = {}
    tables: dict[str, dict[str, Words]] = {}
    for topic, value in (*topics.pop(CLDR, {}).items(), *topics.items()):
        if isinstance(value, list):
            lists[topic] = (*lists.get(topic, ()), *value)
            continue
        joined = tables.setdefault(topic, {})
        for key, phrases in value.items():
            joined[key] = (*joined.get(key, ()), *phrases)
    return Language(code=path.stem, lists=lists, tables=tables)


@cache
def languages() -> Mapping[str, Language]:
    """Return the languages by code, in the order of their codes."""
    return {path.stem: read(path) for path in sorted(_FOLDER.glob("*.json"))}


def _choose_languages(language: str | None) -> Iterator[Language]:
    if language is None:
        yield from languages().values()
    elif language in languages():
        yield languages()[language]


@cache
def words(topic: str, language: str | None = None) -> frozenset[str]:
    """Return the phrases of a topic, of one language or of all.

    Of a table, these are the phrases under all of its keys, or, asked for as "units/day", those under one.
    """
    name, _, key = topic.partition("/")
    if key:
        return table(name, language).get(key, frozenset())
    found: set[str] = set()
    for each in _choose_languages(language):
        found.update(each.lists.get(topic, ()))
        for phrases in each.tables.get(topic, {}).values():
            found.update(phrases)
    return frozenset(found)


@cache
def table(topic: str, language: str | None = None) -> Mapping[str, frozenset[str]]:
    """Return the phrases of a topic by key, of one language or of all."""
    found: dict[str, set[str]] = {}
    for each in _choose_languages(language):
        for key, phrases in each.tables.get(topic, {}).items():
            found.setdefault(key, set()).update(phrases)
    return {key: frozenset(phrases) for key, phrases in found.items()}


def load_class_names() -> Mapping[str, frozenset[str]]:
    """Return the words of class names and ids by what they mark: "navigation", "footer", "comment" ..."""
    return table("class_names")
