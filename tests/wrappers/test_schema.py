"""The published schema of a template says what the program reads and refuses."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from portal_pages import listing, page

from newscrawler.errors import ConfigError
from newscrawler.page import Document
from newscrawler.wrappers import PortalWrapper, learn
from newscrawler.wrappers.portal.schema import json_schema

TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
}


def fits(value: Any, schema: dict[str, Any]) -> bool:
    """Hold a value against the part of JSON Schema that ours is written in."""
    types = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type", list(TYPES))
    size = len(value) if isinstance(value, str | list | dict) else value if TYPES["number"](value) else 0
    least = max(schema.get(key, float("-inf")) for key in ("minimum", "minLength", "minItems"))
    most = min(schema.get(key, float("inf")) for key in ("maximum", "maxLength", "maxItems", "maxProperties"))
    inner: list[bool] = []
    if isinstance(value, dict):
        known = schema.get("properties", {})
        inner = [fits(item, known.get(key, schema.get("additionalProperties", {}))) for key, item in value.items()]
        inner += [fits(key, schema.get("propertyNames", {})) for key in value] + [
            key in value for key in schema.get("required", ())
        ]
    elif isinstance(value, list):
        firsts = schema.get("prefixItems", [])
        inner = [fits(item, firsts[n] if n < len(firsts) else schema.get("items", {})) for n, item in enumerate(value)]
    named = value in schema.get("enum", [value]) and value == schema.get("const", value)
    return named and any(TYPES[name](value) for name in types) and least <= size <= most and all(inner)


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    pages = [Document.parse(page(number), f"https://valley.example/{number}") for number in range(1, 5)]
    learned = learn([*pages, Document.parse(listing(1), "https://valley.example/news")])
    table: dict[str, Any] = json.loads(learned.to_json())
    return table | {"overrides": {"lead": "css: p"}}


def test_what_is_learned_fits_the_schema(stored: dict[str, Any]) -> None:
    assert fits(stored, json_schema())
    assert set(stored) == set(json_schema()["properties"])


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("method",), "trinity"),
        (("version",), 1),
        (("overrides",), {"price": "p"}),
        (("overrides", "lead"), "p" * 999),
        (("layouts", 0, "pages"), 0),
        (("layouts", 0, "is_listing"), "no"),
        (("layouts", 0, "name"), ""),
        (("layouts", 0, "places"), {"p|p": [0.5, 1]}),
        (("layouts", 0, "places"), {"p|p": [1.5, 1, 1]}),
        (("layouts",), [{}] * 99),
        (("lines",), [["text", 0]]),
        (("lines",), [["x" * 999, 2]]),
        (("inline",), [["where", "", 2]]),
        (("fields", "dated"), 2),
        (("fields", "dates"), {"a": [1]}),
        (("provenance", "portal"), 7),
        (("provenance", "urls"), "all"),
    ],
)
def test_schema_and_program_refuse_the_same(stored: dict[str, Any], keys: tuple[str | int, ...], value: object) -> None:
    changed: Any = copy.deepcopy(stored)
    where = changed
    for key in keys[:-1]:
        where = where[key]
    where[keys[-1]] = value

    assert not fits(changed, json_schema())
    with pytest.raises(ConfigError):
        PortalWrapper.from_json(json.dumps(changed))
