"""What `explain` says is what the detector did."""

from __future__ import annotations

import pytest
from lxml.html import fromstring

from newscrawler.errors import ConfigError
from newscrawler.explain import Role, explain_page
from newscrawler.page import Document

TEXT = "The council approved the new bridge over the river on Tuesday evening after a long debate, and work begins in spring."
PAGE = (
    "<html><head><title>Council approves the new bridge | The Daily</title><script src='https://cdn.example/a.js'></script>"
    "<link rel=stylesheet href='https://cdn.example/a.css'></head><body><ul class=menu><li><a href=/s>Section</a></li></ul>"
    f"<article><h1>Council approves the new bridge</h1><p>{TEXT}</p><div class=newsletter><p>Subscribe to our letter now.</p></div>"
    f"<p>{TEXT} It was built in 1931.</p><p>{TEXT} The mayor agreed.</p></article></body></html>"
)


def test_each_piece_has_its_role_and_weighed_ones_their_chance_and_evidence():
    explanation = explain_page(Document.parse(PAGE, "https://n.example/bridge"))
    roles = {piece.block.text[:20]: piece for piece in explanation.pieces}

    assert roles["Council approves the"].role is Role.HEADLINE
    assert roles["Subscribe to our let"].role is Role.LEFT_OUT
    assert roles["Subscribe to our let"].reasons
    assert [piece.role for piece in explanation.pieces].count(Role.BODY) >= 2
    assert explanation.refusal is None


def test_the_text_for_the_terminal_names_verdict_headline_and_what_was_left_out():
    text = explain_page(Document.parse(PAGE, "https://n.example/bridge")).as_text()

    assert "verdict   article" in text
    assert "headline  Council approves the new bridge" in text
    assert any(line.startswith("- ") and "Subscribe" in line for line in text.splitlines())


def test_the_marked_page_shows_all_text_and_loads_nothing():
    page = Document.parse(PAGE, "https://n.example/bridge")
    html = explain_page(page).as_html()

    assert html.count('data-role="body"') + html.count('data-role="lead"') == 3
    assert "cdn.example" not in html
    assert "default-src 'none'" in html
    assert "Subscribe to our letter now." in html
    assert page.root.find(".//script") is not None, "the page itself is left as it was"


def test_the_marked_page_leads_to_the_first_piece_of_each_kind():
    root = fromstring(explain_page(Document.parse(PAGE, "https://n.example/bridge")).as_html())

    links = {link.text: link.get("href", "").removeprefix("#") for link in root.iterfind("body/div[1]/a")}

    assert {"headline", "body", "left out"} <= links.keys()
    for kind, target in links.items():
        (element,) = root.xpath("//*[@id=$target]", target=target)
        assert element is next(e for e in root.iter() if e.get("data-role") == kind)


def test_a_refused_page_is_explained_with_the_reason():
    links = "".join(f"<h2><a href=/a{i}>Story number {i} of this day</a></h2><p>{TEXT}</p>" for i in range(8))
    explanation = explain_page(
        Document.parse(f"<html><head><title>News</title></head><body>{links}</body></html>", "https://n.example/")
    )

    assert explanation.refusal is not None
    assert "listing" in explanation.refusal


def test_other_methods_are_explained_by_what_they_took():
    explanation = explain_page(Document.parse(PAGE), method="pagelet")

    assert any(piece.role in (Role.BODY, Role.LEAD) for piece in explanation.pieces)


def test_an_unknown_method_is_named_in_the_error():
    with pytest.raises(ConfigError, match="'magic'"):
        explain_page(Document.parse(PAGE), method="magic")


def test_what_a_rule_leaves_out_is_shown_with_the_rule():
    form = "<div><div>Our best stories every morning.</div><form><input type=email><button>OK</button></form></div>"
    letters = "<div class=letters><h3>Comments (2)</h3><p>I have never seen anything like it in thirty years.</p></div>"
    page = PAGE.replace("<p>", "<p>By Jane Roe, 3 February 2026</p><p>", 1).replace("</article>", f"</article>{form}{letters}")

    text = explain_page(Document.parse(page, "https://n.example/bridge")).as_text()

    for rule in ("a line of author and date", "beside a form that asks for an address", "letters of readers"):
        assert f"left out: {rule}" in text


def test_a_body_from_json_ld_is_said_to_be_from_there():
    data = '{"@type": "NewsArticle", "headline": "Council approves the new bridge", "articleBody": "' + TEXT * 4 + '"}'
    page = f"<html><head><title>Council approves the new bridge</title><script type='application/ld+json'>{data}</script></head>"

    explanation = explain_page(Document.parse(f"{page}<body><h1>Council approves the new bridge</h1><p>Loading</p></body></html>"))

    assert explanation.refusal is None
    assert explanation.from_json_ld == 1
    assert "1 paragraphs from the page's JSON-LD" in explanation.as_text()
