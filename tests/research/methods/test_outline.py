from __future__ import annotations

from newscrawler.page import Document
from newscrawler.research.methods.outline import Outline, outline


def flat(inner: str) -> Outline:
    return outline(Document.parse(f"<html><body>{inner}</body></html>").body)


def lines(tree: Outline) -> list[str]:
    found: dict[int, str] = {}
    for node in tree.texts:
        found[node.line] = found.get(node.line, "") + node.text
    return [" ".join(line.split()) for line in found.values()]


def test_what_lies_below_an_element_is_a_range_of_numbers() -> None:
    tree = flat("<div><p>a</p><p>b</p></div><p>c</p>")

    assert tree.tags == ["body", "div", "p", "p", "p"]
    assert tree.last == [4, 3, 2, 3, 4]
    assert [tree.texts[n].text for n in tree.within(1)] == ["a", "b"]


def test_text_after_an_element_belongs_to_its_parent() -> None:
    tree = flat("<div>a<b>b</b>c</div>")

    assert [(node.text, tree.tags[node.owner]) for node in tree.texts] == [("a", "div"), ("b", "b"), ("c", "div")]


def test_inline_elements_do_not_break_a_line_and_blocks_do() -> None:
    assert lines(flat("<div>one <b>two</b> three<p>four</p>five<br>six</div>")) == ["one two three", "four", "five", "six"]


def test_white_space_between_inline_elements_is_kept() -> None:
    assert lines(flat("<p><b>one</b> <i>two</i></p>")) == ["one two"]


def test_cells_of_a_table_row_are_one_line() -> None:
    assert lines(flat("<table><tr><td>one</td><td>two</td></tr><tr><td>three</td></tr></table>")) == ["one two", "three"]


def test_scripts_and_other_unseen_text_are_left_out_with_their_elements_but_not_what_follows() -> None:
    tree = flat("<div>a<script>x<b>y</b></script>b<noscript><p>z</p></noscript><style>q</style>c</div>")

    assert "".join(node.text for node in tree.texts) == "abc"
    assert tree.tags == ["body", "div"]


def test_tags_between_texts_are_counted_line_by_line_of_the_source() -> None:
    tree = flat("<p>a</p>\n<div><br>\n<p>b")

    assert [node.gap for node in tree.texts] == [(2,), (1, 2, 1)]


def test_totals_add_up_subtrees() -> None:
    tree = flat("<div>ab<p>cde</p></div>f")

    assert tree.totals(tree.own_characters()) == [6, 5, 3]


def test_nesting_of_any_depth_is_walked() -> None:
    tree = flat("<div>" * 1000 + "deep" + "</div>" * 1000)

    assert tree.depths[-1] == 1000
    assert tree.texts[0].text == "deep"
