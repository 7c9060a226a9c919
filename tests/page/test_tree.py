"""Trees are those that a browser builds: no word is lost or doubled, each stands in the boxes in which an HTML5 parser puts it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from selectolax.lexbor import LexborHTMLParser
from stopwatch import cpu_seconds

from newscrawler.page.tree import parse_tree

BOXES = frozenset({"a", "article", "aside", "button", "footer", "form", "header", "li", "main", "nav", "section"})
#: libxml2 ignores the end tag, so that pages which begin with it are parsed as written anew.
FLAGGED = "<!DOCTYPE html><body><header><div></header>"
NAMES = (
    *BOXES,
    "div",
    "div",
    "p",
    "span",
    "ul",
    "h2",
    "h3",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "caption",
    "dl",
    "dd",
    "dt",
    "label",
)
OTHER_NAMES = (
    "b",
    "i",
    "font",
    "svg",
    "path",
    "center",
    "pre",
    "fieldset",
    "option",
    "address",
    "object",
    "noscript",
    "template",
    "g",
)
Where = Counter[tuple[str, frozenset[str]]]


def start_tags(names: tuple[str, ...]) -> list[str]:
    return [f"<{name} href=x>" if name == "a" else f"<{name}>" for name in names]


def soup(names: tuple[str, ...], *more: str) -> st.SearchStrategy[str]:
    """Tags in any order, with numbered words between them."""
    pieces = st.sampled_from([*start_tags(names), *(f"</{name}>" for name in names), *["w "] * len(names), *more])
    return st.lists(pieces, max_size=40).map(numbered)


def numbered(pieces: list[str]) -> str:
    return "".join(f"w{n} " if piece == "w " else piece for n, piece in enumerate([*pieces, "w "]))


def words_in_boxes(html: str) -> Where:
    found: Where = Counter()
    for text, ancestors in texts_of(parse_tree(html), frozenset()):
        found.update((word, ancestors) for word in text.split())
    return found


def texts_of(element: etree._Element, around: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    inside = around | ({str(element.tag)} & BOXES)
    yield element.text or "", inside
    for child in element:
        yield from texts_of(child, inside)
        yield child.tail or "", inside


def words_in_boxes_by_html5(html: str) -> Where:
    found: Where = Counter()
    for node in LexborHTMLParser(html).root.traverse(include_text=True):
        if node.tag == "-text":
            around: set[str] = set()
            above = node.parent
            while above is not None:
                around.add(above.tag)
                above = above.parent
            found.update((word, frozenset(around & BOXES)) for word in node.text_content.split())
    return found


@given(soup(NAMES, "<br>", "<!-- <p> -->", "<script>'<div>'</script>", "</body>", "</html>"))
@settings(deadline=None, max_examples=400)
@example("<button><div>w1</button>w2")
@example("<ul><li><div>w1<li>w2</ul>w3")
@example("<a href=x>w1<div>w2</a>w3</div>w4")
@example("<a href=x>w1<section>w2<a href=y>w3</a>w4</section>w5")
@example("<p><a href=x>w1</p>w2<p>w3</a>w4")
@example("<form><div></form>w1</div>w2<form>w3<form>w4</form>w5")
@example("<a href=x><table><tr><td>w1</table>w2</a>w3")
@example("<article>w1</body></html><p>w2")
@example("<nav><table><tr><td><div></nav>w1</td></tr></table></nav>w2")
def test_each_word_stands_in_the_boxes_in_which_an_html5_parser_puts_it(source: str) -> None:
    assert words_in_boxes(FLAGGED + source) == words_in_boxes_by_html5(FLAGGED + source)


@pytest.mark.parametrize("name", sorted(BOXES - {"form"}))
def test_an_end_tag_ends_its_element_whatever_is_open_inside(name: str) -> None:
    html = f"<!DOCTYPE html><body><{name}><div><span>w1</{name}>w2<p>w3</p>"

    assert words_in_boxes(html) == words_in_boxes_by_html5(html)
    assert ("w3", frozenset()) in words_in_boxes(html)


@pytest.mark.parametrize(
    "head", ["<title>t</title>", "<html lang=cs><meta charset=utf-8><title>t</title>", "<link rel=x href=y><style>a{}</style>"]
)
@pytest.mark.parametrize("name", [*sorted(BOXES), "figure", "x-app", "svg", "picture", "search", "hgroup", "video"])
def test_a_page_that_leaves_out_the_tags_of_head_and_body_has_a_body(head: str, name: str) -> None:
    html = f"<!DOCTYPE html>{head}<{name}>w1</{name}><nav><a href=/>w2</a></nav><article><h1>w3</h1><p>w4<p>w5"
    root = parse_tree(html)

    assert words_in_boxes(html) - Counter({("t", frozenset()): 1}) == words_in_boxes_by_html5(html) - Counter(
        {("t", frozenset()): 1}
    )
    assert "".join("".join(map(str, body.itertext())) for body in root.iterchildren("body")) == "w1w2w3w4w5"
    assert [link.get("href") for link in root.iter("a") if link.text == "w2"] == ["/"]


@given(st.sampled_from(("", FLAGGED)), soup(NAMES + OTHER_NAMES, "<br>", "<!-- x -->", "<![CDATA[", "<br/>", "</p>", "<div/>"))
@settings(deadline=None, max_examples=400)
def test_no_word_is_lost_or_doubled(before: str, source: str) -> None:
    source = source.replace("<![CDATA[", "<![CDATA[]]>")
    given_words = Counter(
        word for word in source.replace("<", " <").replace(">", "> ").split() if word[0] == "w" and word[1:].isdigit()
    )

    assert Counter("".join(f"{text} " for text, _ in texts_of(parse_tree(before + source), frozenset())).split()) == given_words


@given(
    soup(
        NAMES + OTHER_NAMES,
        "<a href='",
        '"',
        "<script>",
        "<!--",
        "<textarea>",
        "<plaintext>",
        "<frameset>",
        "<select>",
        "\x00",
        "\ud800",
    )
)
@settings(deadline=None, max_examples=200)
def test_the_same_page_gives_the_same_tree(source: str) -> None:
    assert etree.tostring(parse_tree(FLAGGED + source)) == etree.tostring(parse_tree(FLAGGED + source))


def test_what_stands_behind_the_end_of_the_body_is_in_the_body() -> None:
    root = parse_tree("<html><body><div>one</div></body></html><p>two</p><div>three</div>")

    assert ["".join(map(str, body.itertext())) for body in root.iter("body")] == ["onetwothree"]


def test_deep_nesting_behind_the_end_of_the_body_is_read() -> None:
    root = parse_tree("<html><body>one</body></html>" + "<div>" * 1_900 + "two")

    assert "".join(map(str, root.find("body").itertext())).split() == ["one", "two"]


def test_a_script_behind_the_end_of_the_body_is_no_reason_to_parse_twice() -> None:
    root = parse_tree("<html><body><div/>one</body><script>1</script>")

    assert root.findtext("body") == "one" or root.find("body/div").tail == "one"


@pytest.mark.parametrize(
    "source", ["", " \n", "\x00", "<", "</p>", "<!-- ", "<?xml version='1.0'?>", "\ufeff", "<!DOCTYPE html>", "\ud800"]
)
def test_a_page_without_content_gives_a_tree_without_words(source: str) -> None:
    assert "".join(map(str, parse_tree(source).itertext())).strip("\ufeff?<") == ""


@pytest.mark.parametrize(
    "source",
    [
        "<?xml version='1.0' encoding='latin-1'?><p>wörd",
        "\ufeff<p>wörd",
        "<p>w\x00örd",
        "<header><div></header><noscript><div></noscript><p>wörd",
        "<header><div></header><plaintext>wörd",
        "<frameset><frame><noframes>wörd",
        "<p>wörd\ud800"[:-1],
        "<template><div></template><p>wörd",
    ],
)
def test_unusual_pages_keep_their_words(source: str) -> None:
    assert "wörd" in "".join(map(str, parse_tree(source).itertext()))


def test_a_tag_keeps_its_first_attributes_only() -> None:
    attributes = " ".join(f'a{n}="{n}>"' for n in range(40_000))

    trees: list[etree._Element] = []
    seconds = cpu_seconds(
        lambda: trees.append(parse_tree(f"<p>one<p id=x {attributes}>two</p><script>'<p {attributes}>'</script>"))
    )

    assert [paragraph.text for paragraph in trees[0].iter("p")] == ["one", "two"]
    assert 100 < len(trees[0].findall(".//p")[1].attrib) < 1_000
    assert "39999" in trees[0].findtext(".//script")
    assert seconds < 1


SHAPES = {
    "nested": lambda n: "<div>" * n + "x" + "</div>" * n,
    "stray end tags": lambda n: "<section><table><tr><td>" + "<div>" * 300 + "</section>" * n,
    "unclosed": lambda n: "<ul><li>x<a href=x>y<div><p>z" * n,
    "links around boxes": lambda n: "<a href=x>" + "<span><div>" * n + "</a>" + "</div>" * n,
    "one link reopened": lambda n: f"<a href={'x' * 1_500}>" + "<p>y" * n,
    "buttons": lambda n: "<button><div>x" * n,
    "forms": lambda n: "<form><div></form>x" * n,
    "cells": lambda n: "<table><tr><td>x" * n,
    "attributes": lambda n: "<p " + " ".join(f"a{number}" for number in range(n)),
    "open tags": lambda n: "<a <b " * n,
    "open quotes": lambda n: '<p a="b' * n,
    "comments": lambda n: "<!-- <p> -->" * n + "<!--" * n,
    "scripts": lambda n: "<script><!-- <script> </script>" * n,
    "less-than signs": lambda n: "< << " * n,
    "ends of the body": lambda n: "<body>x</body></html>y" * n,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_grows_with_the_length_of_a_page_not_with_its_square(shape: str) -> None:
    """Eight times the length takes up to 16 times the time: a square law would take 64 times."""
    small, large = (FLAGGED + SHAPES[shape](n) for n in (2_000, 16_000))

    at_small = min(cpu_seconds(lambda: parse_tree(small)) for _ in range(3))
    at_large = min(cpu_seconds(lambda: parse_tree(large)) for _ in range(2))

    assert at_large < 16 * max(at_small, 0.002)


def test_mutated_pages_give_the_same_tree_twice() -> None:
    rng = random.Random(1)
    page = FLAGGED + "<main><article><h1>a</h1><p>b <a href=c>d</a></p></main><footer><ul><li>e</footer>" * 20

    for _ in range(50):
        cut = sorted(rng.sample(range(len(page)), 4))
        mutated = page[: cut[0]] + page[cut[1] : cut[2]] * 2 + page[cut[3] :]
        assert etree.tostring(parse_tree(mutated)) == etree.tostring(parse_tree(mutated))


def test_a_table_within_a_row_of_a_template_is_read() -> None:
    root = parse_tree("<!DOCTYPE html><body><header><div></header><template><tr><table>w3 ")

    assert "w3" in "".join(root.itertext())
