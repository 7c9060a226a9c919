"""The time that a page takes grows with its size, whatever it is made of: python tests/page_shapes.py prints it up to 5 MB."""

from __future__ import annotations

import pytest
from page_shapes import SHAPES, URL, page_of, seconds_of
from stopwatch import cpu_seconds

from newscrawler.extraction import read_record

_SMALL, _LARGE = 20_000, 80_000
#: Four times the size takes four times as long; sixteen times as long would be quadratic. The rest is left to the machine.
_MOST_GROWTH, _NOISE_SECONDS = 6.0, 0.015
_ATTEMPTS = 3


@pytest.mark.parametrize("shape", SHAPES)
def test_four_times_the_size_takes_about_four_times_as_long(shape: str) -> None:
    seconds_of(shape, 5_000)  # what is loaded or made once is not counted
    tried = []
    for _ in range(_ATTEMPTS):
        small, large = seconds_of(shape, _SMALL, times=2), seconds_of(shape, _LARGE, times=2)
        tried.append(f"{small:.3f} s, then {large:.3f} s")
        if large <= _MOST_GROWTH * small + _NOISE_SECONDS:
            return
    pytest.fail("; ".join(tried))


@pytest.mark.parametrize("shape", ["comments", "table of data", "text between breaks", "tables nested", "one paragraph"])
def test_a_page_of_a_megabyte_is_read_within_two_seconds(shape: str) -> None:
    html = page_of(shape, 1_000_000)

    assert cpu_seconds(lambda: read_record(html, URL)) < 2


def test_the_article_is_found_in_front_of_whatever_follows() -> None:
    bodies = {shape: read_record(page_of(shape, 20_000), URL)["body"] or "" for shape in SHAPES}

    assert [shape for shape, body in bodies.items() if "The last wooden ferry of the bay" not in body] == []
