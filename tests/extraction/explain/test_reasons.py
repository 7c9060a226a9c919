"""Every candidate for title, date, authors and section is told with the reason why the decision took it or not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from own_pages import pages_of

from newscrawler import extract
from newscrawler.article import Judgement
from newscrawler.extraction import Details, build_options, read_record
from newscrawler.extraction.explain import explain_page, render_html, render_text
from newscrawler.extraction.metadata import authors, section
from newscrawler.extraction.reasons import AGAINST
from newscrawler.page import Document

TEXT = "".join(
    f"<p>The council approved part {number} of the new bridge over the river after a debate that went on for a long evening.</p>"
    for number in range(4)
)
SPOKEN = "<p>On 3 May 1998 the old bridge was opened by a mayor who had not slept, as the papers of that week said.</p>"
URL = "https://n.example/2026/bridge"
LAYOUTS = ("demo-classic", "demo-modern", "wp-plain", "casper", "joomla")


def page(head: str = "", above: str = "", below: str = "") -> str:
    return (
        f"<html><head><title>Council approves the new bridge</title>{head}</head><body><article>"
        f"<h1>Council approves the new bridge</h1>{above}{TEXT}{below}</article></body></html>"
    )


def other(**fields: object) -> str:
    """Return the JSON-LD of an article about something else."""
    said = {"@type": "NewsArticle", "url": "https://n.example/2020/storm", "headline": "Storm destroys a harbour in Kent"} | fields
    return f'<script type="application/ld+json">{json.dumps(said)}</script>'


def reasons_of(html: str, url: str = URL) -> tuple[Judgement, ...]:
    found = extract(html, url, reasons=True, fetched_at=datetime(2026, 5, 1, tzinfo=UTC)).reasons
    assert found is not None
    return found


def lost(found: Sequence[Judgement], field: str, text: str) -> str:
    """Return why a text was not chosen."""
    (reason, *_) = [each.reason for each in found if each.field == field and each.text == text and not each.is_chosen]
    return reason


def lack(found: Sequence[Judgement], field: str) -> str:
    (reason,) = [each.reason for each in found if each.field == field and each.text is None]
    return reason


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_chosen_candidates_are_the_fields_of_the_record_which_is_the_same_without_them(layout: str) -> None:
    for each in pages_of(layout):
        plain = read_record(each.html, each.given_url, fetched_at=each.when)
        options = build_options(details=Details(reasons=True))
        record = read_record(each.html, each.given_url, fetched_at=each.when, reading=options)
        reasons = record.pop("reasons")
        chosen = [(one["field"], one["role"], one["text"], one["value"]) for one in reasons if one["chosen"]]

        assert record == plain
        assert "reasons" not in plain
        assert [text for field, _, text, _ in chosen if field == "title"] == ([record["title"]] if record["title"] else [])
        assert [text for field, _, text, _ in chosen if field == "authors"] == record["authors"]
        assert [text for field, _, text, _ in chosen if field == "section"] == ([record["section"]] if record["section"] else [])
        published = [value for field, role, _, value in chosen if (field, role) == ("date", "published")]
        assert all(str(record["date"]).startswith(value[:10]) for value in published)
        assert len(published) == bool(record["date"])
        assert all(one["reason"] for one in reasons)
        assert {one["field"] for one in reasons} == {"title", "date", "authors", "section"}


@pytest.mark.parametrize(
    ("html", "text", "reason"),
    [
        (page(other(datePublished="2020-01-02"), "<time>3 February 2026</time>"), "2020-01-02", "another article's JSON-LD"),
        (page('<meta name="date" content="1970-01-01">', "<time>3 February 2026</time>"), "1970-01-01", "zero date of a database"),
        (page('<meta name="date" content="1900-01-01T00:00:00Z">'), "1900-01-01T00:00:00Z", "zero date of a database"),
        (page('<meta name="pubdate" content="{{ date }}">', "<time>3 February 2026</time>"), "{{ date }}", "not written as a date"),
        (page("", "<time>3 February 2031</time>"), "3 February 2031", "lies in the future"),
        (page('<meta property="article:modified_time" content="2026-03-01">', "<time>3 February 2026</time>"), "3 February 2026",
         "states the same day"),
        (page("", "<p class=date>3 February 2026</p>", SPOKEN), "3 May 1998", "part of a sentence: of an event"),
    ],
)  # fmt: skip
def test_a_date_that_is_not_chosen_has_its_reason(html: str, text: str, reason: str) -> None:
    assert lost(reasons_of(html), "date", text) == reason


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ("Published March 5", "a day or a number, no name"), ("25 de febrero", "a day or a number, no name"),
        ("12:45", "a day or a number, no name"), ("By:", "a label, no name"),
        ("${author}", "a variable of a template that nothing was put in for"),
        ("{{ author }}", "a variable of a template that nothing was put in for"),
        ("Senior reporter", "a role or a label, no name"), ("https://n.example/staff/jane", "an address, no name"),
        ("Everything that you always wanted to know about bridges", "a sentence, no name"),
    ],
)  # fmt: skip
def test_a_declared_author_that_is_not_a_name_has_its_reason(declared: str, reason: str) -> None:
    found = reasons_of(page(f'<meta name="author" content="{declared}">'))

    assert lost(found, "authors", declared) == reason
    assert lack(found, "authors") == f"1 text: {reason}"


def test_names_that_are_not_chosen_have_their_probability_and_reason() -> None:
    foreign = other(author={"@type": "Person", "name": "Max Power"})
    found = reasons_of(page(foreign + '<meta name="author" content="Admin">', "<p class=byline>By Jane Roe</p>"))
    (jane,) = [each for each in found if each.field == "authors" and each.is_chosen]

    assert (jane.text, jane.source, jane.reason) == ("Jane Roe", "byline", "probable enough, and the most probable")
    assert jane.probability is not None
    assert jane.probability > 0.5
    assert lost(found, "authors", "Max Power") == "another article's JSON-LD"
    assert lost(found, "authors", "Admin") == "a role or a label, no name"


def test_the_name_of_the_site_that_gives_way_to_a_person_is_told_to_do_so() -> None:
    head = (
        '<meta property="og:site_name" content="Border Courier"><meta property="og:title" content="Council approves a bridge">'
        '<meta property="article:author" content="Border Courier"><meta name="author" content="Border Courier">'
    )
    signed = (
        "<footer class=post-footer><ul><li class=post-copyright-author><strong>Post author: </strong>Jane Doe</li></ul></footer>"
    )
    found = reasons_of(page(head, "<span hidden itemprop=author><meta itemprop=name content='Border Courier'></span>", signed))

    assert [each.text for each in found if each.field == "authors" and each.is_chosen] == ["Jane Doe"]
    assert lost(found, "authors", "Border Courier") == "the name of the site, a section or an organization; a person goes first"


def test_an_ignored_author_is_told_to_be_ignored() -> None:
    html = page('<meta name="author" content="Jane Roe">')
    found = extract(html, URL, ignore_authors=["Jane Roe"], reasons=True).reasons or ()

    assert (
        lost(found, "authors", "Jane Roe")
        == lack(found, "authors").removeprefix("1 name: ")
        == "ignored, as the configuration says"
    )


def test_a_section_that_is_not_chosen_has_its_reason() -> None:
    found = reasons_of(page(other(articleSection="Weather")).replace("<h1>", "<p><a href='/in'>Log in</a></p><h1>"))

    assert lost(found, "section", "Weather") == "another article's JSON-LD"
    assert lost(found, "section", "Log in") == "only near the headline, and in no menu"
    assert "only near the headline, and in no menu" in lack(found, "section")


def test_a_wording_that_is_not_chosen_has_its_reason() -> None:
    head = '<meta property="og:site_name" content="The Daily"><meta property="og:title" content="The Daily">'
    html = page(head + other()).replace("bridge</title>", "bridge | The Daily</title>")
    found = reasons_of(html.replace("<article>", "<h1>The Daily</h1><article>"))

    assert lost(found, "title", "Storm destroys a harbour in Kent") == "another article's JSON-LD"
    assert lost(found, "title", "Council approves the new bridge | The Daily") == "the same with the site's name"
    assert {each.reason for each in found if (each.field, each.text) == ("title", "The Daily")} == {
        "differs from the heading", "agrees less with the titles in the page's head, or is of a lower rank",
    }  # fmt: skip


def test_an_empty_date_says_why_it_is_empty() -> None:
    prose = SPOKEN + SPOKEN.replace("1998", "1987")

    assert lack(reasons_of(page()), "date") == "no date on the page"
    assert lack(reasons_of(page("", "", prose)), "date") == "2 dates, none of publication (2: part of a sentence: of an event)"
    assert lack(reasons_of(page(other(datePublished="2020-01-02"))), "date") == "1 date: another article's JSON-LD"


def test_a_page_without_an_article_has_reasons_too() -> None:
    record = read_record("<title>News</title><p>x", URL, reading=build_options(details=Details(reasons=True)))

    assert record["article"] is False
    assert {(one["field"], one["reason"]) for one in record["reasons"] if one["text"] is None} >= {("date", "no date on the page")}


def test_reasons_are_only_given_on_request() -> None:
    assert extract(page(), URL).reasons is None
    assert "reasons" not in extract(page(), URL).as_dict()


def test_phrases_are_those_of_features() -> None:
    assert AGAINST.keys() <= {*authors.FEATURES, *section.FEATURES}


def test_the_explanation_shows_every_candidate_and_dates_that_need_not_be_weighed() -> None:
    head = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Council approves the new bridge", '
        '"datePublished": "2026-02-03T10:00:00+01:00"}</script>'
    )
    html = page(head, "<p>Log in</p>", "<footer><time>9 January 2024</time></footer>")
    explanation = explain_page(Document.parse(html, URL))
    text = render_text(explanation)

    assert "section   none: " in text
    assert "title    chosen      json-ld (headline)" in text
    assert "9 January 2024: not weighed: a declared day is sure enough" in text
    assert "Candidates for these fields" in render_html(explanation)
    assert text.partition("Of each block")[0].count("9 January 2024") == 1
    assert json.loads(json.dumps(explanation.as_dict()))["reasons"] == [each.as_dict() for each in explanation.reasons]


def note_on(html: str, text: str) -> str:
    (note,) = [piece.note for piece in explain_page(Document.parse(html, URL)).pieces if piece.block.text.startswith(text)]
    return note


@pytest.mark.parametrize(
    "hiding",
    ["hidden", "style='display:none'", "style='visibility: hidden'", "class=sr-only", "style='position:absolute;left:-9999px'"],
)
def test_hidden_text_on_a_lone_page_is_told_to_be_hidden(hiding: str) -> None:
    hidden = f"<p {hiding}>Secret words of the council on the bridge over the river, which nobody can see, were written here.</p>"
    parts = TEXT.partition("</p>")

    assert note_on(page("", f"{parts[0]}</p>{hidden}{parts[2]}"), "Secret") == "it is hidden"
