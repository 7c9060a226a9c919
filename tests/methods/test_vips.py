from __future__ import annotations

from newscrawler.methods.css import computed_styles
from newscrawler.methods.outline import outline
from newscrawler.methods.vips import VisionBasedSegmentation
from newscrawler.page import Document

LONG = "This sentence is long enough to tell text from everything else that stands on a page of news. "


def styles_of(html: str) -> dict[str, object]:
    page = Document.parse(html)
    tree = outline(page.body)
    return dict(zip((element.get("id") for element in tree.elements), computed_styles(page, tree), strict=True))


def test_styles_come_from_style_elements_by_specificity_and_from_attributes_and_are_inherited() -> None:
    found = styles_of(
        "<style>p {font-size: 20px} .lead {font-size: 1.5em; font-weight: bold} #last {background: #eee} "
        "@media print {p {display: none}}</style>"
        "<body><p id=a>a</p><p id=b class=lead>b</p><div id=last style='font-size:10px'><span id=c>c</span></div>"
    )

    assert [found[name].font_size for name in "abc"] == [20, 24, 10]
    assert [found[name].is_bold for name in "abc"] == [False, True, False]
    assert [found[name].background for name in "abc"] == ["", "", "#eee"]
    assert all(found[name].is_visible for name in "abc")


def test_what_styles_hide_is_in_no_block() -> None:
    page = Document.parse(
        f"<style>.off {{display:none}}</style><div><p>{LONG}</p></div><div class=off><p>{LONG * 3} hidden</p></div>"
    )

    body = VisionBasedSegmentation()(page)

    assert body is not None
    assert "hidden" not in body.text


def test_another_background_and_a_rule_part_blocks_that_look_alike_otherwise() -> None:
    text = f"<p>{LONG}</p><p>{LONG}</p>"
    plain = f"<div>{text}</div><div>{text}</div>"
    coloured = f"<div>{text}</div><div style='background-color:#123'>{text}</div>"
    ruled = f"<div>{text}</div><hr><div>{text}</div>"

    joined, by_colour, by_rule = (len(VisionBasedSegmentation().texts(Document.parse(html))) for html in (plain, coloured, ruled))

    assert (joined, by_colour, by_rule) == (1, 2, 2)


def test_a_greater_permitted_degree_of_coherence_gives_finer_blocks() -> None:
    page = Document.parse(f"<div><h2>Title</h2><p>{LONG}</p><p>{LONG}</p></div><div><div><p>{LONG}</p></div></div>")

    counts = [len(VisionBasedSegmentation(permitted_coherence=pdoc).texts(page)) for pdoc in (1, 6, 10)]

    assert counts == sorted(counts)
    assert counts[0] == 1
    assert counts[2] > 1
