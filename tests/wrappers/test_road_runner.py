from __future__ import annotations

from newscrawler.page import Document
from newscrawler.wrappers.road_runner import ItemKind, RoadRunner


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
