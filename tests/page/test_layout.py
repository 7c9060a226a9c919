"""What parts the blocks of a page: line breaks, the rows of tables, and paragraphs whose ends are not written."""

from __future__ import annotations

import pytest
from stopwatch import cpu_seconds

from newscrawler.page import Document

_LONG = "The council approved the plan on Monday, and the people of the town asked many questions about it and its cost."
_OTHER = "Nobody of those who had come to the hall was able to say how much of the money would be left for the old school."


def _blocks(body: str) -> list[str]:
    return [block.text for block in Document.parse(f"<html><body>{body}</body></html>").layout.blocks]


@pytest.mark.parametrize("blank", ["&nbsp;&nbsp;&nbsp;", "&nbsp; &nbsp; ", "\u3000\u3000", "&emsp;"])
def test_a_line_that_is_set_in_begins_a_paragraph(blank: str) -> None:
    assert _blocks(f"<td>{blank}One.<br>\n{blank}Two.<br>{blank}Three.</td>") == ["One.", "Two.", "Three."]


def test_one_blank_that_does_not_break_is_none() -> None:
    assert _blocks("<p>One<br>&nbsp;two.</p>") == ["One two."]


def test_long_lines_that_end_as_sentences_do_are_paragraphs() -> None:
    assert _blocks(f"<div>{_LONG}<br>{_OTHER}<br>\n{_LONG}</div>") == [_LONG, _OTHER, _LONG]


@pytest.mark.parametrize(
    "text",
    [
        "Roses are red,<br>violets are blue.<br>Sugar is sweet.",
        f"{_LONG}<br>Jane Doe",
        f"{_LONG[:-1]}<br>{_OTHER}",
        f"12 Main Street.<br>{_LONG}",
    ],
)
def test_other_lines_stay_together(text: str) -> None:
    assert len(_blocks(f"<div>{text}</div>")) == 1


@pytest.mark.parametrize("between", ["\n\n", "\n   "])
def test_prose_that_is_shown_as_it_is_written_has_paragraphs(between: str) -> None:
    wrapped = _LONG.replace(" on ", "\non ").replace(" asked ", "\nasked ")

    assert _blocks(f"<pre>{wrapped}{between}{wrapped}{between}{wrapped}</pre>") == [_LONG] * 3


def test_a_program_that_is_shown_as_it_is_written_is_one_block() -> None:
    assert len(_blocks("<pre>def run():\n    go()\n\n    return 1\n\n\nrun()</pre>")) == 1


@pytest.mark.parametrize("line", ["<b>a short line</b><br>", "<b>a short line</b> {}<br>", "a <font size=5>line</font> {}<br>"])
def test_six_thousand_bold_lines_in_one_box_are_read_within_half_a_second(line: str) -> None:
    page = Document.parse(f"<body><div>x {''.join(line.format(number) for number in range(6_000))}</div>")

    assert cpu_seconds(lambda: page.layout) < 0.5
    assert len(page.layout.blocks) == 1


@pytest.mark.parametrize("kind", ["em", "i", "small", "cite"])
def test_a_line_of_another_type_below_a_picture_is_a_block_of_its_own(kind: str) -> None:
    caption = f"<img src=a.jpg><br><{kind}>The bridge in spring</{kind}><br>"

    assert _blocks(f"<p>{caption}The council met.</p>") == ["The bridge in spring", "The council met."]
    assert len(_blocks(f"<p>{caption.replace('<img src=a.jpg>', 'x')}The council met.</p>")) == 1


_SENTENCE = "The council approved the plan on Monday, and the people of the town asked many questions about it."


def _blocks_of_table(rows: str) -> list[str]:
    page = Document.parse(f"<html><body><table>{rows}</table></body></html>")
    return [block.text for block in page.layout.blocks]


def test_words_in_a_row_stand_in_the_order_of_the_page() -> None:
    rows = "<tr><td><a href=/a><b>Jane</b></a> Doe</td><td><i><b>3</b></i> goals<script>x()</script> each</td></tr>"

    assert _blocks_of_table(rows) == ["Jane Doe 3 goals each"]


def test_a_row_of_short_cells_is_one_line() -> None:
    assert _blocks_of_table("<tr><td>Harwood<br>United</td><td>17</td><td><a href=/r>46:31</a></td></tr>") == [
        "Harwood United 17 46:31"
    ]


def test_paragraphs_parted_by_blank_lines_are_not_run_together_with_the_menu_beside_them() -> None:
    found = _blocks_of_table(f"<tr><td>Home</td><td>{_SENTENCE}<br><br>{_SENTENCE}</td></tr>")

    assert found == ["Home", _SENTENCE, _SENTENCE]


def test_stories_side_by_side_are_no_line() -> None:
    cell = f"<td><a href=/a>A bridge</a><br>{_SENTENCE} <a href=/a>More</a></td>"

    assert len(_blocks_of_table(f"<tr>{cell * 3}</tr>")) == 3


def test_a_menu_of_links_is_no_part_of_the_line_beside_it() -> None:
    menu = "<br>".join(f"<a href=/{word}>{word}</a>" for word in ("News", "Sport", "Weather"))

    assert _blocks_of_table(f"<tr><td>{menu}</td><td>{_SENTENCE}</td></tr>")[-1] == _SENTENCE


def test_paragraphs_side_by_side_are_no_line() -> None:
    assert len(_blocks_of_table(f"<tr><td><p>{_SENTENCE}</p></td><td><p>{_SENTENCE}</p></td></tr>")) == 2


def test_a_paragraph_beside_an_empty_cell_is_no_row() -> None:
    page = Document.parse(f"<table><tr><td><img src=s.gif></td><td>{_SENTENCE}</td></tr><tr><td></td><td>17</td></tr></table>")

    assert [(block.kind, block.text) for block in page.layout.blocks] == [("div", _SENTENCE), ("tr", "17")]


def _kinds_and_texts(body: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in Document.parse(f"<html><body>{body}</body></html>").layout.blocks]


@pytest.mark.parametrize("mark", ["font face=Arial", "span", "i"])
def test_paragraphs_below_an_open_element_of_a_line_are_parted(mark: str) -> None:
    found = _kinds_and_texts(f"<p><{mark}>The bridge is closed.<p>The council met.<p>Nobody came.")

    assert found == [("p", "The bridge is closed."), ("p", "The council met."), ("p", "Nobody came.")]


def test_a_heading_within_a_paragraph_is_one() -> None:
    assert _kinds_and_texts("<p><font>The bridge is closed.<h3>What now</h3>Nobody knows.</font>")[1] == ("h3", "What now")


def test_a_line_in_large_type_is_parted_from_the_text_below_it() -> None:
    found = _kinds_and_texts("<div><font size=5>The bridge is closed</font><br>The council met.<br>Nobody came.</div>")

    assert found == [("div", "The bridge is closed"), ("div", "The council met. Nobody came.")]
