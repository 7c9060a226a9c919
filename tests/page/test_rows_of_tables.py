"""A row of a table is one line where it holds figures or words; where it arranges the page, its cells are read one by one."""

from __future__ import annotations

from newscrawler.page import Document

_SENTENCE = "The council approved the plan on Monday, and the people of the town asked many questions about it."


def _blocks(rows: str) -> list[str]:
    page = Document.parse(f"<html><body><table>{rows}</table></body></html>")
    return [block.text for block in page.layout.blocks]


def test_words_in_a_row_stand_in_the_order_of_the_page() -> None:
    rows = "<tr><td><a href=/a><b>Jane</b></a> Doe</td><td><i><b>3</b></i> goals<script>x()</script> each</td></tr>"

    assert _blocks(rows) == ["Jane Doe 3 goals each"]


def test_a_row_of_short_cells_is_one_line() -> None:
    assert _blocks("<tr><td>Harwood<br>United</td><td>17</td><td><a href=/r>46:31</a></td></tr>") == ["Harwood United 17 46:31"]


def test_paragraphs_parted_by_blank_lines_are_not_run_together_with_the_menu_beside_them() -> None:
    found = _blocks(f"<tr><td>Home</td><td>{_SENTENCE}<br><br>{_SENTENCE}</td></tr>")

    assert found == ["Home", _SENTENCE, _SENTENCE]


def test_stories_side_by_side_are_no_line() -> None:
    cell = f"<td><a href=/a>A bridge</a><br>{_SENTENCE} <a href=/a>More</a></td>"

    assert len(_blocks(f"<tr>{cell * 3}</tr>")) == 3


def test_a_menu_of_links_is_no_part_of_the_line_beside_it() -> None:
    menu = "<br>".join(f"<a href=/{word}>{word}</a>" for word in ("News", "Sport", "Weather"))

    assert _blocks(f"<tr><td>{menu}</td><td>{_SENTENCE}</td></tr>")[-1] == _SENTENCE


def test_paragraphs_side_by_side_are_no_line() -> None:
    assert len(_blocks(f"<tr><td><p>{_SENTENCE}</p></td><td><p>{_SENTENCE}</p></td></tr>")) == 2


def test_a_paragraph_beside_an_empty_cell_is_no_row() -> None:
    page = Document.parse(f"<table><tr><td><img src=s.gif></td><td>{_SENTENCE}</td></tr><tr><td></td><td>17</td></tr></table>")

    assert [(block.kind, block.text) for block in page.layout.blocks] == [("div", _SENTENCE), ("tr", "17")]
