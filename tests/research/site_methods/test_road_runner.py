from __future__ import annotations

import re

from newscrawler.page import Document
from newscrawler.research.methods.outline import outline
from newscrawler.research.site_methods.road_runner import ItemKind, RoadRunner, _item_of, aligned
from newscrawler.research.site_methods.tokens import TEXT_MARK, tokens_of


def page(inner: str) -> Document:
    return Document.parse(f"<html><body>{inner}</body></html>")


def kinds(one: str, two: str) -> list[tuple[ItemKind, tuple[str, ...]]]:
    return [(item.kind, item.tokens) for item in RoadRunner().learn([page(one), page(two)]).items]


def test_texts_that_differ_become_fields_and_equal_ones_stay() -> None:
    found = [kind for kind, _ in kinds("<b>Name:</b><i>John</i>", "<b>Name:</b><i>Paul</i>")]

    assert found.count(ItemKind.TEXT) == 1
    assert found.count(ItemKind.FIELD) == 1


def test_repetitions_collapse_into_an_iterator() -> None:
    found = kinds("<ul><li>a</li><li>b</li></ul>", "<ul><li>c</li><li>d</li><li>e</li><li>f</li></ul>")

    assert (ItemKind.ITERATOR, ("<li>", "", "</li>")) in found


def test_the_wrapper_may_be_the_side_that_repeats() -> None:
    found = kinds("<ul><li>c</li><li>d</li><li>e</li></ul>", "<ul><li>a</li></ul>")

    assert (ItemKind.ITERATOR, ("<li>", "", "</li>")) in found


def test_what_one_page_lacks_becomes_optional() -> None:
    found = kinds("<div>a</div><img><hr>", "<div>b</div><hr>")

    assert (ItemKind.OPTIONAL, ("<img>",)) in found


def test_an_iterator_matches_more_than_was_learned() -> None:
    pages = [page("<ul><li>a</li><li>b</li></ul>"), page("<ul><li>c</li></ul>")]
    template = RoadRunner(strict=True).learn(pages)

    body = template(page("<ul>" + "".join(f"<li>item {i}</li>" for i in range(9)) + "</ul>"))

    assert body is not None
    assert body.text.split("\n") == [f"item {i}" for i in range(9)]


def test_a_strict_wrapper_refuses_other_tags() -> None:
    pages = [page("<p>a</p><hr>"), page("<p>b</p><hr>")]
    other = page("<p>c</p><table><tr><td>d</td></tr></table><hr>")

    assert RoadRunner(strict=True).learn(pages)(other) is None
    assert RoadRunner().learn(pages)(other) is not None


def test_every_page_given_generalises_the_wrapper() -> None:
    pages = [page("<p>a</p><hr>"), page("<p>b</p><hr>"), page("<p>c</p><h2>only here</h2><hr>")]

    template = RoadRunner(strict=True).learn(pages)

    assert template(page("<p>d</p><h2>again</h2><hr>")) is not None
    assert RoadRunner(strict=True).learn(pages[:2])(pages[2]) is None


def test_fixed_text_of_an_optional_part_is_not_extracted() -> None:
    pages = [page("<p>a</p><h2>Read also</h2><hr>"), page("<p>b</p><hr>")]

    body = RoadRunner().learn(pages)(page("<p>c</p><h2>Read also</h2><hr>"))

    assert body is not None
    assert body.text == "c"


def test_an_alignment_that_breaks_goes_back_to_an_earlier_decision() -> None:
    # the first decision, to skip one tag, leads to a tag that the other page lacks
    wrapper, sample = "<b>x</b><i>y</i><u>z</u>", "<i>y</i><b>x</b><s>q</s><u>z</u>"

    found = {returns: breaks(wrapper, sample, returns) for returns in (0, 6)}

    assert found[6] <= found[0]


def breaks(one: str, two: str, returns: int) -> int:
    method = RoadRunner(most_returns=returns, look_ahead=4)
    names = [tokens_of(outline(page(inner).body)).names for inner in (one, two)]
    return aligned(method, [_item_of(name) for name in names[0]], names[1]).breaks


def test_the_wrapper_reads_as_a_regular_expression_that_the_pages_match() -> None:
    pages = [
        page("<h1>News (1+1)</h1><ul><li>a</li><li>b</li></ul><img><hr>"),
        page("<h1>News (1+1)</h1><ul><li>c</li></ul><hr>"),
        page("<h1>News (1+1)</h1><ul><li>d</li><li>e</li><li>f</li></ul><p>x</p><hr>"),
    ]

    expression = re.compile(RoadRunner().learn(pages).expression(), re.DOTALL)

    for one in pages:
        assert expression.fullmatch("".join(name.removeprefix(TEXT_MARK) for name in tokens_of(outline(one.body)).names))
    assert expression.fullmatch("<body><h1>Sport</h1></body>") is None
