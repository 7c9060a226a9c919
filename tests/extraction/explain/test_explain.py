"""What an explanation says is what the extractor did, in words, and the marked page runs and loads nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from lxml.html import HtmlElement, fromstring
from own_pages import pages_of
from portal_pages import PROMOTION
from portal_pages import page as portal_page

from newscrawler import extract
from newscrawler.errors import ConfigError
from newscrawler.extraction.body import features, page_kind
from newscrawler.extraction.body.block_class import BlockClass
from newscrawler.extraction.body.block_classifier import AROUND, LEARNED, NETWORK
from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.extraction.body.forest import Contribution
from newscrawler.extraction.explain import Explanation, explain_page, render_html, render_saved_page, render_text
from newscrawler.extraction.explain.explanation import choose_strongest
from newscrawler.extraction.explain.phrases import BLOCK_PHRASES, PAGE_PHRASES, Phrase, fill_phrase
from newscrawler.extraction.templates import learn_template
from newscrawler.page import Document
from newscrawler.research.evaluation.data import TestPage

TEXT = "The council approved the new bridge over the river on Tuesday evening after a long debate, and work begins in spring."
PAGE = (
    "<html><head><title>Council approves the new bridge | The Daily</title><script src='https://cdn.example/a.js'></script>"
    "<link rel=stylesheet href='https://cdn.example/a.css'></head><body onload='go()'>"
    "<ul class=menu><li><a href=/s>Section</a></li></ul>"
    "<article><h1>Council approves the new bridge</h1><p class=byline>By <span>Jane Roe</span>, <time>3 February 2026</time></p>"
    f"<p>{TEXT}</p><div class=newsletter><p>Subscribe to our letter now.</p></div>"
    f"<p>{TEXT} It was built in 1931.</p><p>{TEXT} The mayor agreed.</p></article></body></html>"
)
LAYOUTS = ("demo-classic", "demo-modern", "wp-plain", "casper", "joomla")


def made(html: str = PAGE, **options: Any) -> Explanation:
    return explain_page(Document.parse(html, "https://n.example/bridge"), **options)


@cache
def real(layout: str) -> tuple[tuple[TestPage, Explanation], ...]:
    """The pages of a layout that hold articles, explained."""
    pages = [page for page in pages_of(layout) if page.gold.article]
    return tuple((page, explain_page(Document.parse(page.html, page.given_url), fetched_at=page.when)) for page in pages)


def classes(explanation: Explanation) -> dict[str, BlockClass]:
    return {piece.block.text: piece.block_class for piece in explanation.pieces}


@pytest.mark.parametrize(
    ("phrases", "names"), [(BLOCK_PHRASES, (*features.NAMES, *LEARNED, *AROUND, NETWORK)), (PAGE_PHRASES, page_kind.NAMES)]
)
def test_a_sentence_is_of_a_feature_and_says_both_directions(phrases: Mapping[str, Phrase], names: Sequence[str]) -> None:
    assert phrases.keys() <= set(names)
    for name in phrases:
        for value in (-30.0, -1.0, 0.0, 0.4, 1.0, 2.0, 7.0, 60.0, 5000.0):
            low, high = (fill_phrase(phrases, name, value, above=above) for above in (False, True))
            assert " " in low
            assert "{" not in low + high
        assert isinstance(phrases[name], str) == (low == high)


def test_a_feature_without_a_sentence_is_named_with_its_weight() -> None:
    moved = {"next density": Contribution(moved=-0.84, above=True), "gap": Contribution(moved=0.5, above=False)}

    found = choose_strongest(moved, {"next density": 0.3, "gap": 0.0}, BLOCK_PHRASES, taken=False)

    assert [cue.phrase for cue in found] == ["next density (-0.8)", "it is in or close to the element with the main text"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lead_and_body_are_the_blocks_that_the_extractor_takes(layout: str) -> None:
    for page, explanation in real(layout):
        found = load_default_extractor().examine(Document.parse(page.html, page.given_url))
        taken = [piece.block.text for piece in explanation.pieces if piece.is_taken]

        assert taken == [block.text for block in found.taken]
        assert all(piece.probability is None or 0 <= piece.probability <= 1 for piece in explanation.pieces)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_headline_date_and_authors_are_those_of_the_record(layout: str) -> None:
    for page, explanation in real(layout):
        if explanation.refusal is not None:
            continue
        article = extract(page.html, page.given_url, fetched_at=page.when)
        date, authors = article.published_at, ", ".join(article.authors)

        assert explanation.headline is not None
        assert explanation.headline.text == article.title
        assert (explanation.date.text[:10] if explanation.date else None) == (str(date.date()) if date else None)
        assert (explanation.authors.text if explanation.authors else "") == authors


def test_headline_date_and_author_are_found_where_the_page_shows_them() -> None:
    explanation = made()

    assert explanation.date is not None
    assert [element.text for element in explanation.date.elements] == ["3 February 2026"]
    assert explanation.authors is not None
    assert [element.tag for element in explanation.authors.elements] == ["span"]
    assert explanation.headline is not None
    assert [element.tag for element in explanation.headline.elements] == ["h1"]


def test_a_date_that_the_head_declares_is_found_where_the_page_shows_it_in_its_own_zone() -> None:
    meta = '<meta property="article:published_time" content="2026-02-03T04:31:13+00:00">'
    explanation = made(PAGE.replace("<head>", f"<head>{meta}").replace("3 February 2026", "Feb 2, 2026, 10:31 pm CST"))

    assert explanation.date is not None
    assert explanation.date.source.startswith("meta, article:published_time")
    assert [element.tag for element in explanation.date.elements] == ["time"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_block_that_the_model_weighs_has_two_or_three_cues_at_most(layout: str) -> None:
    for _, explanation in real(layout):
        weighed = [p for p in explanation.pieces if p.probability is not None and p.block_class is not BlockClass.HEADLINE]

        assert weighed
        assert all(1 <= len(piece.cues) <= 3 for piece in weighed)
        assert all(cue.phrase != cue.feature for piece in weighed for cue in piece.cues)
        assert all(any((cue.moved > 0) == piece.is_taken for cue in piece.cues) for piece in weighed)


def test_a_cue_about_a_name_quotes_the_name() -> None:
    unasked = "Every morning we send you what matters."
    (piece,) = (p for p in made(PAGE.replace("Subscribe to our letter now.", unasked)).pieces if p.block.text == unasked)

    assert any('"advertisement or newsletter" (<div "newsletter">)' in cue.phrase for cue in piece.cues)
    assert piece.block_class not in (BlockClass.BODY, BlockClass.LEAD)


@pytest.mark.parametrize(("layout", "kind"), [("demo-modern", BlockClass.BYLINE), ("demo-modern", BlockClass.CAPTION)])
def test_blocks_that_are_left_out_are_told_apart(layout: str, kind: BlockClass) -> None:
    assert any(piece.block_class is kind for _, explanation in real(layout) for piece in explanation.pieces)


def keys_of(value: object) -> set[str]:
    """Return all keys of JSON values, at every depth."""
    if isinstance(value, dict):
        return {str(key) for key in value} | set().union(*map(keys_of, value.values()))
    return set().union(*map(keys_of, value)) if isinstance(value, list) else set()


def test_the_record_names_its_field_title_at_every_depth_never_headline() -> None:
    keys = keys_of(json.loads(extract(PAGE, "https://www.example.org/2026/02/bridge").to("json")))

    assert "title" in keys
    assert not {key for key in keys if "headline" in key}


def test_the_text_for_the_terminal_shows_verdict_title_date_author_and_every_weighed_block() -> None:
    text = render_text(made())

    assert "verdict   article with probability" in text
    assert "title     Council approves the new bridge   (from: " in text
    assert 'date      2026-02-03   (from: time element, time: "3 February 2026")' in text
    assert re.search(r"authors   Jane Roe   \(from: byline, confidence 0\.[5-9]\d\)", text)
    assert any(
        "against: " in after for line, after in zip(text.splitlines(), text.splitlines()[1:], strict=False) if "Subscribe" in line
    )
    assert "Section" not in text.partition("Of each block")[2]


def test_what_the_model_takes_and_the_decoding_drops_is_shown_with_the_reason() -> None:
    text = render_text(made(PAGE.replace("<div class=newsletter>", f"<p>{TEXT}</p><div class=newsletter>")))

    assert "left out: it repeats an earlier text" in text


def test_a_refused_page_is_explained_with_kind_probability_and_cues() -> None:
    refused = [page for page in pages_of("wp-dated") if not page.gold.article]
    explanation = explain_page(Document.parse(refused[0].html, refused[0].given_url))
    text = render_text(explanation)

    assert "verdict   no article: looks like a page of another kind (listing); an article with probability 0.0" in text
    assert explanation.page_cues
    assert explanation.page_cues[0].moved < 0
    assert f"against: {explanation.page_cues[0].phrase}" in text
    assert "No article: looks like a page of another kind" in render_html(explanation)


def test_a_page_without_text_is_explained() -> None:
    explanation = made("<html><head></head><body></body></html>")

    assert explanation.refusal == "no text"
    assert "no article: no text" in render_text(explanation)
    assert "No article: no text" in render_html(explanation)


def test_other_methods_are_explained_by_what_they_took() -> None:
    explanation = made(method="pagelet")

    assert BlockClass.BODY in classes(explanation).values()
    assert all(piece.probability is None for piece in explanation.pieces)


def test_an_unknown_method_is_named_in_the_error() -> None:
    with pytest.raises(ConfigError, match="'magic'"):
        made(method="magic")


def test_what_a_template_decided_is_told_and_what_it_gives_is_shown() -> None:
    template = learn_template([Document.parse(portal_page(number), f"https://valley.example/{number}") for number in range(1, 6)])
    page = Document.parse(portal_page(9), "https://valley.example/9")

    explanation = explain_page(page, template=template)
    text = render_text(explanation)

    assert PROMOTION in {piece.block.text for piece in explanation.pieces if not piece.is_taken}
    assert "template  the page fits layout 1; 100% of the text is where the learned articles have theirs" in text
    assert "changed or given by the template: body" in text


def test_a_body_from_json_ld_is_said_to_be_from_there() -> None:
    data = '{"@type": "NewsArticle", "headline": "Council approves the new bridge", "articleBody": "' + TEXT * 4 + '"}'
    head = f"<title>Council approves the new bridge</title><script type='application/ld+json'>{data}</script>"
    explanation = made(f"<html><head>{head}</head><body><h1>Council approves the new bridge</h1><p>Loading</p></body></html>")

    assert explanation.refusal is None
    assert explanation.from_data == 1
    assert "paragraphs from the page's own data (JSON-LD or state): 1" in render_text(explanation)


def marked(explanation: Explanation) -> HtmlElement:
    return fromstring(render_html(explanation))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_marked_page_has_no_part_that_only_colour_marks(layout: str) -> None:
    for _, explanation in real(layout):
        root = marked(explanation)
        (style,) = root.xpath("//style")
        lines = [rule.split("outline:")[1].split(" #")[0] for rule in style.text.split("}") if rule.startswith('[data-role="')]

        assert len(set(lines)) >= 7
        for element in root.xpath("//*[@data-role='headline' or @data-role='lead' or @data-role='body' or @data-fact]"):
            assert (element.get("data-fact") or element.get("data-role")).split()[0] in element.get("data-label")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_marked_page_leads_to_the_first_part_of_each_kind(layout: str) -> None:
    for _, explanation in real(layout):
        root = marked(explanation)
        links = {link.text.rpartition(" (")[0]: link.get("href") for link in root.xpath("body/*[1]//a")}

        assert {"headline", "body"} <= links.keys() or explanation.refusal
        assert ("date" in links) == bool(explanation.date and explanation.date.elements)
        assert ("author" in links) == bool(explanation.authors and explanation.authors.elements)
        for name, target in links.items():
            (element,) = root.xpath("//*[@id=$id]", id=target.removeprefix("#"))
            assert name in element.get("data-label")


def test_each_marked_part_can_be_reached_by_keyboard_and_tells_its_cues() -> None:
    (element,) = marked(made()).xpath("//div[@class='newsletter']/p")

    assert element.get("tabindex") == "0"
    assert element.get("data-cues").startswith("against: ")
    assert element.get("data-cues") in element.get("title")


ATTACKS = (
    '<a href="javascript:alert(1)" id=explained>x</a><a href=" JaVaScRiPt:alert(1)">y</a><a href="java&#9;script:alert(1)">z</a>'
    '<a href="data:text/html,hi">d</a><img src="https://cdn.example/p.png" srcset="https://cdn.example/q.png 2x" onerror="go()">'
    '<p onclick="go()" style="background:url(https://cdn.example/b.png)" data-role="body">Click</p>'
    '<svg onload="go()"><script>go()</script></svg>'
    '<form action="https://cdn.example/f"><button formaction="javascript:go()">Go</button></form>'
    '<iframe srcdoc="<p>in</p>"></iframe>'
    '<video poster="https://cdn.example/v.png"></video><object data="https://cdn.example/o"></object><base href="https://n.example/base/">'
    '<math href="javascript:go()"><mi xlink:href="javascript:go()">m</mi></math><meta http-equiv=refresh content="0;url=https://cdn.example/">'
    '<table background="https://cdn.example/t.png"><tr><td>cell</td></tr></table><details ontoggle="go()"><p>inside</p></details>'
)


def test_the_marked_page_runs_and_loads_nothing() -> None:
    page = Document.parse(PAGE.replace("</article>", f"{ATTACKS}</article>"), "https://n.example/bridge")
    html = render_html(explain_page(page))
    root = fromstring(html)

    assert "cdn.example" not in html
    assert not root.xpath("//script|//iframe|//object|//embed|//svg|//base|//link|//video")
    assert [meta.get("http-equiv") for meta in root.iter("meta")] == [None, "Content-Security-Policy"]
    for element in root.iter("*"):
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert name not in {"style", "src", "srcset", "action", "formaction", "background", "poster", "data", "srcdoc"}
            assert "script:" not in value.lower()
            assert name != "href" or value.startswith(("https://n.example/", "#explained-"))
    assert len(root.xpath("//*[@id='explained']")) == 1
    assert "default-src 'none'" in html
    assert "Subscribe to our letter now." in html
    assert page.root.find(".//script") is not None, "the page itself is left as it was"


def test_a_saved_page_keeps_its_style_and_runs_and_loads_nothing() -> None:
    style = "<style>h1{color:green;background:url(https://cdn.example/h.png)}</style><style>a{content:'</x'}</style>"
    source = PAGE.replace("</head>", f"{style}</head>").replace("</article>", f"{ATTACKS}</article>")
    explanation = explain_page(Document.parse(source, "https://n.example/bridge"))
    marked, plain = render_saved_page(explanation.page, explanation), render_saved_page(explanation.page)

    for html in (marked, plain):
        root = fromstring(html)
        assert "h1{color:green;background:none(" in html
        assert "</x" not in html
        assert "url(" not in html
        assert "default-src 'none'" in html
        assert not root.xpath("//script|//iframe|//object|//embed|//svg|//base|//link|//video")
        for element in root.iter("*"):
            for name, value in element.attrib.items():
                assert not name.lower().startswith("on")
                assert name not in {"src", "srcset", "action", "formaction", "background", "poster", "data", "srcdoc"}
                assert "script:" not in value.lower()
    words = [element.get("data-wash") for element in fromstring(marked).xpath("//*[@data-wash]")]
    assert words[:4] == ["headline", "byline", "author", "date"]
    assert words.count("text") + words.count("lead") == 3
    assert "data-wash" not in plain


def test_hidden_text_is_shown_where_it_was_read_and_stays_hidden_elsewhere() -> None:
    hidden = f"<div style='display:none'><p>{TEXT} Hidden.</p></div><div style='display: none'><button>Nothing here</button></div>"
    root = marked(made(PAGE.replace("</article>", f"</article>{hidden}")))

    assert [element.text_content() for element in root.xpath("//*[@hidden]")] == ["Nothing here"]
    assert root.xpath("//p[contains(., 'Hidden.') and @data-label]")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_marked_page_keeps_all_text_that_was_read(layout: str) -> None:
    for _, explanation in real(layout):
        shown = "".join(marked(explanation).text_content().split())

        assert all("".join(piece.block.text.split()) in shown for piece in explanation.pieces if piece.is_taken)
