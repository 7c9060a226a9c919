from __future__ import annotations

from newscrawler.methods.baselines import AllVisibleText, LongestParagraph
from newscrawler.methods.link_position import LinkPosition
from newscrawler.methods.node_energy import NodeEnergy
from newscrawler.page import Document

LONG = "This sentence is long enough to tell text from everything else that stands on a page of news. " * 2


def page(inner: str) -> Document:
    return Document.parse(f"<html><body>{inner}</body></html>")


def wrap(inner: str, times: int) -> str:
    return "<div>" * times + inner + "</div>" * times


def test_energy_peaks_where_paragraphs_come_together() -> None:
    article = f"<div id=text>{f'<p>{LONG}</p>' * 5}</div>"

    body = NodeEnergy()(page(wrap(wrap(article, 5) + wrap("<p>short</p>", 5), 5)))

    assert body is not None
    assert body.elements[0].get("id") == "text"


def test_as_much_dissipation_as_height_is_no_error_but_no_article() -> None:
    assert NodeEnergy(dissipation=5)(page("<p>flat</p>")) is None
    assert NodeEnergy(dissipation=3)(page("<p>flat</p>")) is None


def test_less_dissipation_takes_in_more() -> None:
    document = page(wrap(f"<div>{f'<p>{LONG}</p>' * 4}</div><div><p>{LONG}</p></div>", 8))

    narrow, wide = NodeEnergy(dissipation=4)(document), NodeEnergy(dissipation=1)(document)

    assert narrow is not None
    assert wide is not None
    assert len(narrow.paragraphs) == 4
    assert len(wide.paragraphs) == 5


def test_a_single_text_node_is_the_article_where_no_element_is_coherent() -> None:
    body = NodeEnergy(dissipation=1)(page(f"<div>{LONG}</div>short"))

    assert body is not None
    assert body.text == LONG.strip()


def test_links_higher_up_bound_a_text_from_above() -> None:
    links = "".join(f"<li><a href=/{i}>Another long link to another article {i}</a></li>" for i in range(9))

    body = LinkPosition()(page(f"<div><ul>{links}</ul><div id=text><p>{LONG}</p><p>{LONG}</p></div></div>"))

    assert body is not None
    assert body.elements[0].get("id") == "text"


def test_links_inside_running_text_belong_to_it() -> None:
    linked = f"<p>{LONG}<a href=/1>{LONG}</a>{LONG}</p>"

    body = LinkPosition(tolerance=0)(page(f"<div id=text>{linked * 3}</div><ul><li><a href=/2>Menu</a></li></ul>"))

    assert body is not None
    assert body.elements[0].get("id") == "text"
    assert len(body.paragraphs) == 3


def test_a_short_text_between_links_is_a_teaser() -> None:
    teasers = "".join(f"<li><a href=/{i}>Title of an article {i}</a><p>A short summary of it</p></li>" for i in range(9))

    body = LinkPosition()(page(f"<div><div><ul>{teasers}</ul></div><div id=text><p>{LONG}</p></div></div>"))

    assert body is not None
    assert body.elements[0].get("id") == "text"


def test_a_page_of_links_holds_no_article() -> None:
    assert LinkPosition()(page("<ul><li><a href=/1>One</a></li><li><a href=/2>Two</a></li></ul>")) is None


def test_all_visible_text_is_every_line_in_order() -> None:
    body = AllVisibleText()(page("<ul><li>one</li></ul><p>two <b>three</b></p><script>four</script>"))

    assert body is not None
    assert body.text == "one\ntwo three"


def test_the_longest_paragraph_is_one_line() -> None:
    body = LongestParagraph()(page(f"<p>short</p><p>{LONG}</p><p>short</p>"))

    assert body is not None
    assert body.text == LONG.strip()
