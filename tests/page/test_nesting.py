"""Text in or behind elements that are nested more deeply than the parser goes is not lost."""

from __future__ import annotations

import pytest
from lxml import etree
from stopwatch import cpu_seconds

from newscrawler.page import Document, extract_visible_text
from newscrawler.page.tree import parse_tree


@pytest.mark.parametrize("tag", ["div", "span", "font", "section"])
@pytest.mark.parametrize("depth", [290, 2_046, 5_000])
def test_text_inside_and_behind_deep_elements_is_read_once(tag: str, depth: int) -> None:
    html = f"<body><p>before</p> {f'<{tag} class=a>' * depth}<p>inside</p> {f'</{tag}>' * depth}<p>behind</p></body>"

    page = Document.parse(html)

    assert extract_visible_text(page.body).split() == ["before", "inside", "behind"]
    assert " ".join(block.text for block in page.layout.blocks).split() == ["before", "inside", "behind"]


def test_elements_that_are_never_closed_lose_no_text() -> None:
    page = Document.parse("<body>" + "".join(f"<div>word{n} " for n in range(5_000)))

    assert extract_visible_text(page.body).split() == [f"word{n}" for n in range(5_000)]


def test_what_a_script_on_a_deep_page_writes_is_no_tag() -> None:
    html = "<body>" + "<div>" * 3_000 + "<script>document.write('<b><i>')</script>" + "</div>" * 3_000 + "<p>behind</p>"

    assert extract_visible_text(Document.parse(html).body) == "behind"


def test_half_a_million_nested_elements_are_read_within_four_seconds() -> None:
    html = "<body>" + "<div>" * 500_000 + "inside" + "</div>" * 500_000 + "behind"

    texts: list[str] = []
    seconds = cpu_seconds(lambda: texts.append(extract_visible_text(Document.parse(html).body)))

    assert texts[0].split() == ["inside", "behind"]
    assert seconds < 4


@pytest.mark.parametrize(
    "piece",
    ["<font color={n}><p>x", "<b id={n}><i id={n}><p>x", "</b><u id={n}></i><div>x</div>", "<a href=/{n}/" + "y" * 300 + "><p>x"],
    ids=["font", "several", "wrong ends", "links"],
)
def test_elements_that_every_paragraph_opens_again_make_no_page_larger_than_it_may_be(piece: str) -> None:
    """By HTML5's rules alone, 4,000 times `<font><p>x` are 8 million elements."""
    html = "<header><div></header>" + "".join(piece.format(n=n) for n in range(4_000)) + "<p>end"

    trees: list[etree._Element] = []
    seconds = cpu_seconds(lambda: trees.append(parse_tree(html)))

    assert seconds < 3
    assert sum(1 for _ in trees[0].iter()) < 200_000
    assert "".join(map(str, trees[0].itertext())).count("x") >= 4_000
    assert "".join(map(str, trees[0].itertext())).endswith("end")
