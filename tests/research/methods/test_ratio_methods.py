from __future__ import annotations

import pytest

from newscrawler.page import Document
from newscrawler.research.methods.modified_ttr import ModifiedTextToTagRatio
from newscrawler.research.methods.ttr_lines import (
    SMOOTHED,
    Clustering,
    TextToTagRatio,
    expectation_maximisation,
    farthest_first,
    k_means,
    longest_common_subsequence,
    smooth,
)

LONG = "This sentence is long enough to tell text from everything else that stands on a page of news. " * 3


def page(inner: str) -> Document:
    return Document.parse(f"<html><body>{inner}</body></html>")


def test_modified_ratio_takes_the_named_element_whose_paragraphs_hold_most() -> None:
    body = ModifiedTextToTagRatio()(page(f"<div id=a><p>short</p></div><div id=b><p>{LONG}</p></div><div><p>{LONG * 2}</p></div>"))

    assert body is not None
    assert body.elements[0].get("id") == "b"


def test_modified_ratio_looks_at_grandchildren_but_no_deeper() -> None:
    two_levels = f"<div id=two><div><span>{LONG}</span></div></div>"
    three_levels = f"<div id=three><div><div><span>{LONG * 3}</span></div></div></div>"

    body = ModifiedTextToTagRatio()(page(two_levels + three_levels))

    assert body is not None
    assert body.elements[0].get("id") == "two"


def test_modified_ratio_counts_text_nodes_among_the_children_of_a_child_but_not_of_the_element_itself() -> None:
    body = ModifiedTextToTagRatio()(page(f"<div id=own>{LONG * 2}</div><div id=child><div>{LONG}</div></div>"))

    assert body is not None
    assert body.elements[0].get("id") == "child"


def test_modified_ratio_counts_all_text_of_a_paragraph() -> None:
    body = ModifiedTextToTagRatio()(
        page(f"<div class=a><p>{LONG}</p></div><div class=b><p><a><b><i>{LONG * 2}</i></b></a></p></div>")
    )

    assert body is not None
    assert body.elements[0].get("class") == "b"


def test_without_an_id_or_class_the_modified_ratio_finds_nothing() -> None:
    assert ModifiedTextToTagRatio()(page(f"<div><p>{LONG}</p></div>")) is None


@pytest.mark.parametrize("clustering", ["threshold", "k-means", "farthest-first", "lcs"])
def test_lines_rich_in_text_are_told_from_lines_rich_in_tags(clustering: Clustering) -> None:
    method = TextToTagRatio(clustering=clustering)
    menu = "".join(f"<li><a href=/{i}>Section</a></li>\n" for i in range(30))

    body = method(page(f"<ul>\n{menu}</ul>\n<div>\n{f'<p>{LONG}</p>' + chr(10)}<p>{LONG}</p>\n</div>\n<ul>\n{menu}</ul>\n"))

    assert body is not None
    assert body.text.count("This sentence") == 6
    assert body.text.count("Section") <= 4


def test_a_page_written_on_one_line_is_divided_as_a_reader_sees_it() -> None:
    menu = "".join(f"<li><a href=/{i}>Section</a></li>" for i in range(30))

    body = SMOOTHED(page(f"<ul>{menu}</ul><p>{LONG}</p><p>{LONG}</p><ul>{menu}</ul>"))

    assert body is not None
    assert body.text.count("Section") <= 4


def test_a_page_written_on_one_line_is_one_line_of_the_source() -> None:
    body = TextToTagRatio()(page(f"<ul><li>Menu</ul><p>{LONG}</p>"))

    assert body is not None
    assert body.text.startswith("Menu")


def test_two_lines_to_either_side_of_much_text_are_taken_unless_they_hold_a_few_characters() -> None:
    lines = ["<b>Fourth</b>", "<b>Third</b>", "<b>Title</b>", "<b>|</b>", LONG, "<b>Author</b>", "<b>Date</b>", "<b>Far</b>"]

    body = TextToTagRatio()(page("\n".join(lines)))

    assert body is not None
    assert body.text == f"Title {LONG.strip()} Author Date"


def test_smoothing_averages_over_the_neighbourhood() -> None:
    assert smooth([0, 0, 10, 0, 0], 1) == [0, 10 / 3, 10 / 3, 10 / 3, 0]


def test_k_means_parts_the_low_values_from_the_rest() -> None:
    assert k_means([1, 2, 1, 2, 50, 55, 100, 102], 3, 50) == {0, 1, 2, 3}


def test_farthest_first_parts_them_by_the_values_farthest_apart() -> None:
    assert farthest_first([1, 2, 9, 50, 52, 100], 3) == {0, 1, 2}


def test_expectation_maximisation_parts_a_narrow_distribution_from_a_wide_one() -> None:
    assert expectation_maximisation([1, 2, 3, 2, 1, 2, 60, 90, 140, 200], 2, 50) == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize(("one", "other", "length"), [("ABCBDAB", "BDCABA", 4), ("", "AB", 0), ("AB", "AB", 2), ("AB", "BA", 1)])
def test_the_longest_common_subsequence_is_that_of_the_textbook(one: str, other: str, length: int) -> None:
    assert longest_common_subsequence(one, other) == length
