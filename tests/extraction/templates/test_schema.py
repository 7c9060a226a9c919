"""The published schema of a template is made from the types that read it."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from portal_pages import page

from newscrawler.errors import ConfigError
from newscrawler.extraction.templates import PortalTemplate, learn_template, make_schema
from newscrawler.page import Document


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    pages = [Document.parse(page(number), f"https://valley.example/{number}") for number in range(1, 5)]
    table: dict[str, Any] = json.loads(learn_template(pages).to_json())
    return table | {"overrides": {"lead": "css: p"}}


def test_the_schema_names_every_key_that_a_template_has(stored: dict[str, Any]) -> None:
    schema = make_schema()

    assert list(stored) == list(schema["properties"])
    assert {"method", "version"} <= set(schema["required"])
    assert set(stored["layouts"][0]) == set(schema["$defs"]["LearnedLayout"]["properties"])
    assert schema["$defs"]["LearnedLayout"]["properties"]["places"]["maxProperties"] >= len(stored["layouts"][0]["places"])


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("method",), "trinity"),
        (("version",), 1),
        (("overrides",), {"price": "p"}),
        (("layuots",), []),
        (("layouts", 0, "pages"), "3"),
        (("overrides", "lead"), "p" * 999),
        (("layouts", 0, "pages"), 0),
        (("layouts", 0, "labelled"), "no"),
        (("layouts", 0, "name"), ""),
        (("layouts", 0, "places"), {"p|p": [0.5]}),
        (("layouts", 0, "places"), {"p|p": [-1.5, 1]}),
        (("layouts",), [{}] * 99),
        (("lines",), [["text", 0]]),
        (("lines",), [["x" * 999, 2]]),
        (("labels", "places"), {"p|p": ["much", 1]}),
        (("inline",), [["where", "", 2]]),
        (("fields", "title"), [[1]]),
        (("provenance", "portal"), 7),
        (("provenance", "urls"), "all"),
    ],
)
def test_what_the_schema_does_not_allow_is_refused(stored: dict[str, Any], keys: tuple[str | int, ...], value: object) -> None:
    changed: Any = copy.deepcopy(stored)
    where = changed
    for key in keys[:-1]:
        where = where[key]
    where[keys[-1]] = value

    with pytest.raises(ConfigError):
        PortalTemplate.from_json(json.dumps(changed))
