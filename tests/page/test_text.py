"""The text of an element as a reader sees it."""

from __future__ import annotations

import pytest
from lxml import html

from newscrawler.page import Document, extract_visible_text, is_template_value, read_caption, read_lines, remove_invisible_signs


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<td>Length<br>in metres</td>", "Length in metres"),
        ("<td><div>Sport</div><div>hall</div></td>", "Sport hall"),
        ("<p>one<b>two</b>three</p>", "onetwothree"),
        ("<p>seen <span hidden>never</span>again</p>", "seen again"),
        ('<p>seen<span class="sr-only"> (external)</span> again</p>', "seen again"),
        ('<p>seen <i style="position:absolute; left:-9999px">never</i>again</p>', "seen again"),
        ('<p>seen <i style="text-align:left">as well</i></p>', "seen as well"),
        ('<p>seen <i class="overflow-hidden">as well</i></p>', "seen as well"),
    ],
)
def test_text_has_what_is_seen_and_its_words_apart(markup: str, text: str) -> None:
    assert extract_visible_text(html.fragment_fromstring(markup)) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<figcaption><span class=n>1 / 3</span> <span class=c>A boat</span></figcaption>", "A boat"),
        ("<figcaption><span class=n>Bild 2 von 3</span><p>Das Becken</p></figcaption>", "Das Becken"),
        ("<figcaption><span class=c>The pier.</span><span class=by>Photo: A. Bell</span></figcaption>", "The pier. Photo: A. Bell"),
        ("<figcaption>24/7 open</figcaption>", "24/7 open"),
        ("<figcaption>3 of 10 voters stayed away</figcaption>", "3 of 10 voters stayed away"),
    ],
)
def test_a_caption_has_no_counter_and_keeps_its_parts_apart(markup: str, text: str) -> None:
    assert read_caption(html.fragment_fromstring(markup)) == text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Ge\u00admein\u200bde\u2060rat\ufeff", "Gemeinderat"),
        ("of&#8203;fice &shy;and&#xAD; &ZeroWidthSpace;more &amp;shyly", "office and more &amp;shyly"),
        ("by \u202egnp.exe\u202c &#8238;&#x2066;Ada\u2069", "by gnp.exe Ada"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
        ("&#1732; &#82031;", "&#1732; &#82031;"),
    ],
)
def test_signs_that_take_no_room_are_removed_and_joiners_kept(text: str, seen: str) -> None:
    assert remove_invisible_signs(text) == seen


def test_lines_stay_as_written() -> None:
    assert read_lines(html.fragment_fromstring("<pre>\nif x:<br>    <b>go</b>()\n\n</pre>")) == ("if x:", "    go()")


@pytest.mark.parametrize("value", ["${author}", "%author_name%", "[category]", "{{ page.title }}", "{author}", "%%title%%"])
def test_a_value_of_a_template_is_recognised(value: str) -> None:
    assert is_template_value(value)


@pytest.mark.parametrize("value", ["Ann Bell", "100 %", "[sic] he said [twice]", "Save 50% now", "#MeToo", "@annbell"])
def test_a_value_that_only_looks_like_one_is_kept(value: str) -> None:
    assert not is_template_value(value)


PAGE = (
    "<html><head><title>Bridge | Post</title><style>.note{{display:none}} @media print {{ .screen {{ display: none }} }}</style>"
    '</head><body><h1>Bridge</h1><p>The report was seen by the Post<span class="{name}"> (external link)</span> on Monday.</p>'
    "</body></html>"
)
TABLE = "<table><tr><td>2020</td><td><ul><li>steel: 5 million</li><li>labour: 6 million</li></ul></td></tr></table>"


@pytest.mark.parametrize(("name", "is_seen"), [("note", False), ("screen", True), ("other", True)])
def test_simple_rules_of_the_page_hide_words_on_every_screen(name: str, is_seen: bool) -> None:  # noqa: FBT001
    texts = [block.text for block in Document.parse(PAGE.format(name=name)).layout.blocks]

    assert any("external link" in text for text in texts) is is_seen
    assert any("Post on Monday" in text for text in texts) is not is_seen


def test_words_of_a_list_in_a_cell_are_apart_in_the_line_of_its_row() -> None:
    (row,) = Document.parse(f"<body>{TABLE}</body>").layout.blocks

    assert (row.kind, row.text) == ("tr", "2020 steel: 5 million labour: 6 million")


@pytest.mark.parametrize("behind", [".", ", and", ")"])
def test_no_blank_is_left_before_a_mark_where_words_are_hidden(behind: str) -> None:
    (block,) = Document.parse(f"<body><p>the mayor said<span class=sr-only> (hidden)</span>{behind}</p></body>").layout.blocks

    assert block.text == f"the mayor said{behind}"
