from __future__ import annotations

import re

from newscrawler.page import Document
from newscrawler.research.methods.outline import outline
from newscrawler.research.site_methods.dom_comparison import DomComparison
from newscrawler.research.site_methods.fivatech import FiVaTech, align, mine
from newscrawler.research.site_methods.modified_ttr_wrapper import ModifiedTextToTagRatioWrapper
from newscrawler.research.site_methods.tokens import TEXT_MARK, tokens_of

LONG = "This sentence is long enough to tell text from everything else that stands on a page of news. "


def page(inner: str) -> Document:
    return Document.parse(f"<html><body>{inner}</body></html>")


def test_the_same_text_at_the_same_path_is_the_sites() -> None:
    template = DomComparison().learn([page("<p>Same</p><p>one</p>"), page("<p>Same</p><p>two</p>")])

    body = template(page("<p>Same</p><p>three</p>"))

    assert body is not None
    assert body.text == "three"


def test_the_same_text_at_another_path_is_not() -> None:
    template = DomComparison().learn([page("<p>Same</p><p>one</p>"), page("<p>Same</p><p>two</p>")])

    body = template(page("<p>three</p><p>Same</p>"))

    assert body is not None
    assert body.text == "three\nSame"


def test_a_page_that_does_not_differ_holds_no_article() -> None:
    pages = [page("<p>Same</p>"), page("<p>Same</p>")]

    assert DomComparison().learn(pages)(page("<p>Same</p>")) is None


def test_an_id_is_learned_without_its_digits() -> None:
    samples = [page(f"<div id=print-{number}><p>{LONG}</p></div>") for number in (1864515, 1864516)]

    template = ModifiedTextToTagRatioWrapper(single_classes=True).learn(samples)

    assert template.names[0] == "#print-"
    body = template(page(f"<div id=print-99><p>short</p></div><div id=other><p>{LONG}</p></div>"))
    assert body is not None
    assert body.text == "short"


def test_the_name_that_most_samples_agree_on_comes_first() -> None:
    samples = [page(f"<div class='{name} wide'><p>{LONG}</p></div>") for name in ("story", "story", "opinion")]

    template = ModifiedTextToTagRatioWrapper(most_names=2, single_classes=True).learn(samples)

    assert template.names == (".wide", ".story")


def test_the_documents_wrapper_learns_the_whole_id_or_else_the_whole_class() -> None:
    with_id = ModifiedTextToTagRatioWrapper().learn([page(f"<div id=print-1864515 class=a><p>{LONG}</p></div>")])
    without = ModifiedTextToTagRatioWrapper().learn([page(f"<div class='story wide'><p>{LONG}</p></div>")])

    assert with_id.names == ("#print-1864515",)
    assert without.names == (".story wide",)
    assert with_id(page(f"<div id=print-99><p>{LONG}</p></div>")) is None
    assert without(page(f"<div class='story  wide'><p>{LONG}</p></div>")) is not None


def test_a_page_without_the_name_holds_no_article() -> None:
    template = ModifiedTextToTagRatioWrapper().learn([page(f"<div id=story><p>{LONG}</p></div>")])

    assert template(page(f"<div id=list><p>{LONG}</p></div>")) is None


def test_columns_are_aligned_by_shifting_symbols_down() -> None:
    columns = [[0, 1, 2], [0, 2], [0, 3, 2]]

    rows = align(columns, [[(c, place) for place in range(len(column))] for c, column in enumerate(columns)])

    assert rows[0].symbol == 0
    assert rows[-1].symbol == 2
    assert rows[-1].columns == {0, 1, 2}
    assert sorted(row.symbol for row in rows) == [0, 1, 2, 3]


def test_rows_that_follow_themselves_become_a_set() -> None:
    rows = align([[0, 1, 1, 1, 2]], [[(0, place) for place in range(5)]])

    merged = mine(rows, 1)

    assert [(row.symbol, row.repeated, len(row.members)) for row in merged] == [(0, False, 1), (1, True, 3), (2, False, 1)]


def test_units_of_several_rows_repeat_too() -> None:
    rows = align([[0, 1, 0, 1, 0, 1]], [[(0, place) for place in range(6)]])

    assert [(row.symbol, len(row.members)) for row in mine(rows, 2)] == [(0, 3), (1, 3)]


def test_the_merged_tree_knows_what_is_fixed_optional_and_repeated() -> None:
    template = FiVaTech().learn([page("<h2>News</h2><p>a</p><p>b</p><hr>"), page("<h2>News</h2><p>c</p>")])

    by_tag = {node.tag: node for node in template.nodes}
    assert by_tag["h2"].fixed == {"News"}
    assert by_tag["p"].repeated
    assert by_tag["hr"].optional
    assert not by_tag["h2"].optional


def test_what_is_not_fixed_is_data() -> None:
    template = FiVaTech().learn([page("<h2>News</h2><p>a</p>"), page("<h2>News</h2><p>c</p>")])

    body = template(page("<h2>News</h2><p>new</p><table><tr><td>News</td></tr></table>"))

    assert body is not None
    assert body.text == "new\nNews"


def test_the_merged_tree_reads_as_a_regular_expression_that_the_pages_match() -> None:
    pages = [page("<h2>News</h2><p>a</p><p>b</p><hr>"), page("<h2>News</h2><p>c</p>")]

    expression = re.compile(FiVaTech().learn(pages).expression())

    for one in pages:
        written = "".join(name.removeprefix(TEXT_MARK) for name in tokens_of(outline(one.body)).names)
        found = expression.fullmatch(written)
        assert found is not None
        assert "News" not in found.groups()
    assert expression.fullmatch("<body><h3>News</h3></body>") is None
