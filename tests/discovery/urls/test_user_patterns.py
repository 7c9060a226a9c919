"""Patterns of users cost no more than a moment, whatever they are."""

from __future__ import annotations

from time import process_time

import pytest

from newscrawler.discovery.urls import Scope
from newscrawler.discovery.urls.user_patterns import UserPattern


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("(?:a|aa)+$", "takes over 50 ms"),
        (r"(?:\w|\w\w)+b$", "takes over 50 ms"),
        ("(" * 500, "too many brackets"),
        ("(" * 400 + ")" * 400, "too many brackets"),
        ("a" * 1001, "1,001 characters"),
        ("[a", "does not compile"),
        ("a{2,1}", "does not compile"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_at_once(pattern: str, message: str) -> None:
    began = process_time()
    with pytest.raises(ValueError, match=message):
        UserPattern(pattern)
    assert process_time() - began < 2


def test_a_pattern_that_the_library_re_needs_seconds_for_is_searched_in_milliseconds() -> None:
    pattern = UserPattern(r"(\w+[-/]?)+Z$")
    began = process_time()
    assert not pattern.search(f"https://example.com/{'a' * 26}")
    assert pattern.search("https://example.com/a-b/Z")
    assert process_time() - began < 1


def test_a_pattern_that_takes_too_long_on_an_address_is_left_out_and_named() -> None:
    pattern = "/x(?:é|éé)+Z$"
    scope = Scope.of(["https://example.com/"], exclude=[pattern, "/sport/"])
    slow = f"https://example.com/x{'é' * 40}Zb"
    began = process_time()

    assert all(scope.allows_canonical(f"{slow}{number}") for number in range(200))

    assert process_time() - began < 1
    assert not scope.allows("https://example.com/sport/a")
    (note,) = scope.get_notes()
    assert f"{pattern} took over 50 ms" in note
    assert not Scope.of(["https://example.com/"], exclude=[pattern]).get_notes()
