from __future__ import annotations

import pytest

from newscrawler.methods.modified_ttr import ModifiedTextToTagRatio
from newscrawler.methods.ttr_lines import TextToTagRatio, lowest_cluster, smooth
from newscrawler.page import Document

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


def test_modified_ratio_counts_all_text_of_a_paragraph() -> None:
    body = ModifiedTextToTagRatio()(
        page(f"<div class=a><p>{LONG}</p></div><div class=b><p><a><b><i>{LONG * 2}</i></b></a></p></div>")
    )

    assert body is not None
    assert body.elements[0].get("class") == "b"


def test_without_an_id_or_class_the_modified_ratio_finds_nothing() -> None:
    assert ModifiedTextToTagRatio()(page(f"<div><p>{LONG}</p></div>")) is None


@pytest.mark.parametrize("method", [TextToTagRatio(), TextToTagRatio(clustering="k-means")])
def test_lines_rich_in_text_are_told_from_lines_rich_in_tags(method: TextToTagRatio) -> None:
    menu = "".join(f"<li><a href=/{i}>Section</a></li>\n" for i in range(30))

    body = method(page(f"<ul>\n{menu}</ul>\n<div>\n{f'<p>{LONG}</p>' + chr(10)}<p>{LONG}</p>\n</div>\n<ul>\n{menu}</ul>\n"))

    assert body is not None
    assert body.text.count("This sentence") == 6
    assert body.text.count("Section") <= 4


def test_a_page_written_on_one_line_is_divided_as_a_reader_sees_it() -> None:
    menu = "".join(f"<li><a href=/{i}>Section</a></li>" for i in range(30))

    body = TextToTagRatio()(page(f"<ul>{menu}</ul><p>{LONG}</p><p>{LONG}</p><ul>{menu}</ul>"))

    assert body is not None
    assert body.text.count("Section") <= 4


def test_smoothing_averages_over_the_neighbourhood() -> None:
    assert smooth([0, 0, 10, 0, 0], 1) == [0, 10 / 3, 10 / 3, 10 / 3, 0]


def test_k_means_parts_the_low_values_from_the_rest() -> None:
    bound = lowest_cluster([1, 2, 1, 2, 50, 55, 100, 102], 3, 50)

    assert 2 < bound < 50
