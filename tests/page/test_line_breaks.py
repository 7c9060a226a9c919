"""Where one line break, or only the lines of a text shown as it is written, part paragraphs."""

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
