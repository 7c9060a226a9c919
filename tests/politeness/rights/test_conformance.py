"""Each rule and example of the specifications, as data with its section; what differs is listed there with the reason."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from newscrawler.politeness import parse_robots
from newscrawler.politeness.rights.rsl import read_rsl
from newscrawler.politeness.rights.tdm import read_policy
from newscrawler.politeness.rights.usage import UsageRule, match_usage, read_usage_headers

FOLDER = Path(__file__).parent / "conformance"
SITE = "https://example.org"


def cases(name: str) -> list[Any]:
    read = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["case"]
    return [pytest.param(case, id=f"{case['section']}: {case['about']}") for case in read]


@pytest.mark.parametrize("case", cases("robots"))
def test_robots_txt_allows_what_rfc_9309_allows(case: dict[str, Any]) -> None:
    rules = parse_robots(case["robots"].encode())

    assert {path: rules.allows(f"{SITE}{path}") for path in case["allowed"]} == case["allowed"]


@pytest.mark.parametrize("case", cases("usage"))
def test_preferences_say_what_their_drafts_say(case: dict[str, Any]) -> None:
    if "header" in case:
        found = read_usage_headers({case["field"].lower(): [case["header"]]})
    else:
        rules = parse_robots(case["robots"].encode()).usage
        found = match_usage(case["url"], [UsageRule.parse(name, value) for name, value in rules])

    assert {str(item.word): item.said for item in found} == case["says"]
    assert [str(item.word) for item in found if item.note] == case.get("unreadable", [])


@pytest.mark.parametrize("case", cases("rsl"))
def test_a_licence_reserves_what_rsl_says(case: dict[str, Any]) -> None:
    body = f'<?xml version="1.0"?><rsl xmlns="https://rslstandard.org/rsl">{case["xml"]}</rsl>'.encode()

    found = read_rsl(body, f"{SITE}/license.xml")

    assert found.unreadable is None
    assert [str(item.word) for item in found.list_reservations(case["url"])] == case["reserves"]


@pytest.mark.parametrize("case", cases("policies"))
def test_a_policy_frees_whom_it_says(case: dict[str, Any]) -> None:
    found = read_policy(case["policy"].encode(), f"{SITE}/policy")

    assert (found.permits_mining(research=False), found.permits_mining(research=True)) == (case["frees"], case["frees_research"])
    assert list(found.conditions) == case["conditions"]
