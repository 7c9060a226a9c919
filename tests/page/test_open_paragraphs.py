"""Paragraphs whose ends are not written, with the markup of lines left open around them, are paragraphs all the same."""

from __future__ import annotations

import pytest

from newscrawler.page import Document


def _blocks(body: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in Document.parse(f"<html><body>{body}</body></html>").layout.blocks]


@pytest.mark.parametrize("mark", ["font face=Arial", "span", "i"])
def test_paragraphs_below_an_open_element_of_a_line_are_parted(mark: str) -> None:
    found = _blocks(f"<p><{mark}>The bridge is closed.<p>The council met.<p>Nobody came.")

    assert found == [("p", "The bridge is closed."), ("p", "The council met."), ("p", "Nobody came.")]


def test_a_heading_within_a_paragraph_is_one() -> None:
    assert _blocks("<p><font>The bridge is closed.<h3>What now</h3>Nobody knows.</font>")[1] == ("h3", "What now")


def test_a_line_in_large_type_is_parted_from_the_text_below_it() -> None:
    found = _blocks("<div><font size=5>The bridge is closed</font><br>The council met.<br>Nobody came.</div>")

    assert found == [("div", "The bridge is closed"), ("div", "The council met. Nobody came.")]
