"""Selections as JSON, for recipes of releases and for jobs."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from newscrawler.store.articles import Selection

_WORDS = ("portal", "section", "author", "language", "genre", "collection", "keyword", "words")
_DAYS = ("since", "until")


def selection_to_dict(selection: Selection) -> dict[str, str]:
    """Return the conditions that users can set as a JSON object."""
    words = {name: value for name in _WORDS if (value := getattr(selection, name)) is not None}
    return words | {name: day.isoformat() for name in _DAYS if (day := getattr(selection, name)) is not None}


def selection_from_dict(said: Mapping[str, str]) -> Selection:
    """Return the selection that `selection_to_dict` wrote."""
    days = {name: date.fromisoformat(said[name]) for name in _DAYS if name in said}
    values: dict[str, Any] = {name: said[name] for name in _WORDS if name in said}
    return Selection(**values | days)
