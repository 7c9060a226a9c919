from __future__ import annotations

import pytest

from newscrawler.page import Document
from newscrawler.research.methods.baselines import AllVisibleText, LongestParagraph
from newscrawler.research.methods.coherent_texts import TextsMethod
from newscrawler.research.methods.energy_and_links import EnergyAndLinks
from newscrawler.research.methods.link_position import LinkPosition
from newscrawler.research.methods.node_energy import NodeEnergy

LONG = "This sentence is long enough to tell text from everything else that stands on a page of news. " * 2


def outline_text(document: Document) -> str:
    return " ".join(map(str, document.body.itertext()))


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


def test_a_single_text_node_may_be_the_coherent_node_with_the_most_energy() -> None:
    body = NodeEnergy(dissipation=2)(page(f"<div><div><b>coherent</b></div></div><div>{LONG}</div>short"))

    assert body is not None
    assert body.text == LONG.strip()


def test_words_and_words_of_a_dictionary_are_measures_of_energy() -> None:
    known, unknown = "the river and the bridge " * 8, "lorem ipsum dolor sit amet consetetur " * 8
    document = page(wrap(f"<div id=known><p>{known}</p></div><div id=unknown><p>{unknown}</p></div>", 6))

    by_words = NodeEnergy(dissipation=6, measure="words")(document)
    by_dictionary = NodeEnergy(dissipation=6, measure="dictionary words", dictionary=frozenset(["the", "river"]))(document)

    assert by_words is not None
    assert by_dictionary is not None
    assert by_words.text == unknown.strip()
    assert by_dictionary.text == known.strip()


@pytest.mark.parametrize(
    "method", [NodeEnergy(), NodeEnergy(dissipation=99), LinkPosition(), LinkPosition(tolerance=0), EnergyAndLinks()]
)
def test_coherent_texts_are_disjoint_and_cover_the_page(method: TextsMethod) -> None:
    links = "".join(f"<li><a href=/{i}>Link {i}</a></li>" for i in range(5))
    teaser = "<li><a href=/t>Title</a> a short summary</li>"
    document = page(f"<ul>{links}{teaser}{links}</ul>{wrap(f'<div>loose<p>{LONG}</p><p>{LONG}</p></div>', 3)}<i>end</i>")

    found = method.texts(document)

    assert sorted(" ".join(each.text for each in found).split()) == sorted(outline_text(document).split())


def test_each_link_of_a_menu_is_a_text_and_a_teaser_is_one() -> None:
    links = "".join(f"<li><a href=/{i}>Link {i}</a></li>" for i in range(2))
    teaser = "<li><a href=/t>Title</a> a short summary</li>"

    found = LinkPosition().texts(page(f"<ul>{links}{teaser}{links}</ul><p>{LONG}</p>"))

    assert [each.text for each in found] == ["Link 0", "Link 1", "Title a short summary", "Link 0", "Link 1", LONG.strip()]


def test_texts_have_the_kinds_of_the_paper() -> None:
    links = "".join(f"<li><a href=/{i}>Link {i}</a></li>" for i in range(2))
    teaser = "<li><a href=/t>Title</a> a short summary</li>"
    comment = "<div class=comment-list><p>I read this and thought the same for a long while.</p></div>"

    found = EnergyAndLinks().texts(page(f"<ul>{links}{teaser}{links}</ul>{wrap(f'<div><p>{LONG * 4}</p></div>', 6)}{comment}"))

    assert [each.kind for each in found] == ["menu", "menu", "teaser", "menu", "menu", "body", "comment"]


def test_a_title_above_its_summary_is_one_teaser_among_others() -> None:
    teasers = [f"<li><h3><a href=/{i}>A title number {i}</a></h3><p>A summary of a line or so.</p></li>" for i in range(3)]

    several = EnergyAndLinks().texts(page(f"<ul>{''.join(teasers)}</ul>{wrap(f'<div><p>{LONG * 4}</p></div>', 6)}"))
    one = EnergyAndLinks().texts(page(f"<ul>{teasers[0]}</ul>{wrap(f'<div><p>{LONG * 4}</p></div>', 6)}"))

    assert [each.kind for each in several] == ["teaser"] * 3 + ["body"]
    assert several[1].text == "A title number 1\nA summary of a line or so."
    assert [each.kind for each in one][:2] == ["menu", "other"]


def test_the_hybrid_gives_menus_no_energy() -> None:
    links = "".join(f"<li><a href=/{i}>Another long link to another article number {i}</a></li>" for i in range(40))
    document = page(wrap(f"<div>{links}</div><div id=text><p>{LONG}</p><p>{LONG}</p></div>", 4))

    by_energy, by_both = NodeEnergy(dissipation=2)(document), EnergyAndLinks(dissipation=2)(document)

    assert by_energy is not None
    assert by_both is not None
    assert "Another long link" in by_energy.text
    assert by_both.elements[0].get("id") == "text"


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
