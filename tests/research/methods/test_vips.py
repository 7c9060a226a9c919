from __future__ import annotations

import pytest
from portal_server import PortalServer

from newscrawler.page import Document
from newscrawler.research.methods.chromium_layout import is_available
from newscrawler.research.methods.css import computed_styles
from newscrawler.research.methods.outline import outline
from newscrawler.research.methods.vips import VisionBasedSegmentation

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


needs_chromium = pytest.mark.skipif(not is_available(), reason="no playwright or no Chromium here")
BESIDE = VisionBasedSegmentation(layout="chromium")


@needs_chromium
def test_chromium_parts_columns_and_blocks_far_apart_that_the_tree_joins() -> None:
    text = f"<p>{LONG}</p><p>{LONG}</p>"
    far = f"<div>{text}</div><div style='margin-top:300px'>{text}</div>"
    columns = f"<div style='float:left;width:40%'>{text}</div><div style='margin-left:50%'>{text}</div>"

    found = [[len(method.texts(Document.parse(html))) for html in (far, columns)] for method in (VisionBasedSegmentation(), BESIDE)]

    assert found == [[1, 1], [2, 2]]


@needs_chromium
def test_chromium_runs_no_script_and_fetches_nothing() -> None:
    with PortalServer({"/a.css": "p {display: none}", "/a.png": "", "/a.js": ""}) as server:
        page = Document.parse(
            f"<link rel=stylesheet href='{server.url}a.css'><script src='{server.url}a.js'></script>"
            f"<img src='{server.url}a.png'><p>{LONG}</p><script>document.body.textContent = ''</script>"
        )
        body = BESIDE(page)

    assert body is not None
    assert body.text == LONG.strip()
    assert not server.asked


@needs_chromium
def test_chromium_knows_styles_of_media_queries_and_elements_that_its_own_parser_moves() -> None:
    page = Document.parse(
        "<style>@media screen { .off {display: none} }</style>"
        f"<p>{LONG}</p><p class=off>{LONG} hidden</p><table><p>{LONG}</table>"
    )

    body = BESIDE(page)

    assert body is not None
    assert "hidden" not in body.text
