"""The TDM Reservation Protocol: which rule counts, and what stands above what."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stopwatch import cpu_seconds

from newscrawler.politeness.rights import TdmRules, read_tdm_file
from newscrawler.politeness.rights.tdm import TdmRule, choose_tdm_reservation

SITE = "https://www.example.org"


def rules(*entries: object) -> TdmRules:
    return read_tdm_file(json.dumps(list(entries)).encode())


def rule(location: str, value: object = 1, **more: object) -> dict[str, object]:
    return {"location": location, "tdm-reservation": value, **more}


@pytest.mark.parametrize(
    ("location", "path", "matches"),
    [
        ("/", "/", True),
        ("/", "/a/b.html", True),
        ("/news/", "/news/a.html", True),
        ("/news/", "/news", False),
        ("/news", "/newsletter", True),
        ("/News/", "/news/a", False),
        ("/news/*.html", "/news/2026/a.html", True),
        ("/news/*.html", "/news/a.html?page=2", True),
        ("/news/*.html$", "/news/a.html?page=2", False),
        ("/news/*.html$", "/news/a.html", True),
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/", False),
        ("/this/*/then", "/this/and/that/then/more", True),
        ("/this/*/then", "/this/then", False),
        ("*", "/a", True),
        ("*.pdf", "/a/b.pdf", True),
        ("/*?id=*", "/a?id=5", True),
        ("/a*b*b$", "/axbyb", True),
        ("/a*b*b$", "/axb", False),
        ("/path/foo-%24", "/path/foo-$", True),
        ("/%7Ejana/", "/~jana/x", True),
        ("/zpr%c3%a1vy/", "/zpr%C3%A1vy/x", True),
        ("/zprávy/", "/zpr%C3%A1vy/x", True),
        ("news/", "/news/a", True),
        ("/a.c", "/abc", False),
    ],
)
def test_a_pattern_fits_as_in_robots_txt(location: str, path: str, *, matches: bool) -> None:
    (read,) = rules(rule(location)).rules

    assert (TdmRules((read,)).find_rule(f"https://www.example.com{path}") is not None) is matches


def test_the_most_specific_rule_counts_wherever_it_stands() -> None:
    found = rules(rule("/"), rule("/free/", 0), rule("/free/not/"), rule("*", 0))

    assert found.find_rule(f"{SITE}/a") == TdmRule(location="/", reserved=True)
    assert found.find_rule(f"{SITE}/free/a") == TdmRule(location="/free/", reserved=False)
    assert found.find_rule(f"{SITE}/free/not/a") == TdmRule(location="/free/not/", reserved=True)
    assert rules(rule("/a/")).find_rule(f"{SITE}/b") is None


@pytest.mark.parametrize(("value", "reserved"), [(1, True), ("1", True), (True, True), (0, False), ("0", False)])
def test_a_value_is_a_number_or_its_text(value: object, *, reserved: bool) -> None:
    assert rules(rule("/", value)).rules == (TdmRule(location="/", reserved=reserved),)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<!doctype html><title>Not found</title>",
        b"null",
        b"1",
        b'"text"',
        b"{}",
        b"[[[[",
        b"[" * 100_000,
        b"\xff\xfe\x00",
        json.dumps([None, 1, {}, {"location": 5, "tdm-reservation": 1}, {"location": "/"}]).encode(),
        json.dumps([rule("/", 2), rule("/", "yes"), rule("/", None), rule("", 1), rule("/", [1])]).encode(),
    ],
)
def test_what_is_no_list_of_rules_reserves_nothing(body: bytes) -> None:
    assert read_tdm_file(body) == TdmRules()


def test_a_rule_without_its_brackets_counts_and_so_does_a_byte_order_mark() -> None:
    assert read_tdm_file(b"\xef\xbb\xbf" + json.dumps(rule("/")).encode()).reserves_everything


@pytest.mark.parametrize(
    ("entries", "everything"),
    [
        ([rule("/")], True),
        ([rule("/*"), rule("/a/")], True),
        ([rule("/"), rule("/free/", 0)], False),
        ([rule("/a/"), rule("/b/")], False),
        ([], False),
    ],
)
def test_an_origin_that_reserves_everything_is_known(entries: list[object], *, everything: bool) -> None:
    assert rules(*entries).reserves_everything is everything


@pytest.mark.parametrize(
    ("file", "header", "meta", "place"),
    [
        (None, None, None, None),
        (1, None, None, "tdmrep.json"),
        (1, "0", None, "not tdm-reservation header"),
        (0, "1", None, "tdm-reservation header"),
        (1, "1", "0", "not meta tdm-reservation"),
        (0, None, None, "not tdmrep.json"),
        (0, "0", "1", "meta tdm-reservation"),
        (1, "2", None, "tdmrep.json"),
        (1, None, "maybe", "tdmrep.json"),
    ],
)
def test_the_page_stands_above_the_header_and_that_above_the_file(
    file: int | None, header: str | None, meta: str | None, place: str | None
) -> None:
    found = choose_tdm_reservation(
        f"{SITE}/a",
        rules() if file is None else rules(rule("/", file)),
        {} if header is None else {"tdm-reservation": [header]},
        {} if meta is None else {"tdm-reservation": [meta]},
    )

    assert (f"{'not ' if found.granted else ''}{found.place}" if found else None) == place


def test_the_policy_is_kept_with_the_reservation_that_it_stands_beside() -> None:
    file = rules(rule("/", 1, **{"tdm-policy": f"{SITE}/file.json"}))
    header = {"tdm-reservation": ["1"], "tdm-policy": [f"{SITE}/header.json"]}

    from_file, from_header = choose_tdm_reservation(SITE, file, {}, {}), choose_tdm_reservation(SITE, file, header, {})
    assert from_file is not None
    assert (from_file.said, from_file.policy) == ("/: 1", f"{SITE}/file.json")
    assert from_header is not None
    assert from_header.policy == f"{SITE}/header.json"


def test_no_pattern_takes_long() -> None:
    hostile = rules(rule("/" + "*a" * 200 + "b"), rule("/" + "*" * 400 + "$"), rule("/" + "a*" * 200 + "b$"))

    assert cpu_seconds(lambda: hostile.find_rule(f"{SITE}/{'a' * 2_000}")) < 1.0


@given(st.binary(max_size=200), st.text(max_size=50))
def test_no_file_and_no_address_raises(body: bytes, path: str) -> None:
    read_tdm_file(body)
    TdmRules((TdmRule(location=f"/{path}", reserved=True),)).find_rule(f"{SITE}/{path}")
