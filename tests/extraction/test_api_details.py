"""Links, emphasis, images, tables and comments of an article, and the formats that it is written in."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from lxml import etree

from newscrawler import Article, ConfigError, extract
from newscrawler.article import Paragraph, ParagraphKind

URL = "https://courier.example/2026/ferry.html"
FIRST = "The ferry came back on Monday after two months in dock, and hundreds of people waited for it at the pier in Příbram."
LAST = "It will sail every hour from nine until six, and a ticket costs four pounds, a pound less than it did last year."
COMMENT = "What a waste of money, we have waited far too long for this old boat to come back and nobody said sorry."
MARKED = FIRST.replace("Monday", "<a href='../days/monday'>Monday</a>")
MARKED = MARKED.replace("hundreds of people", "<b>hundreds <i>of</i> people</b>")
HTML = f"""<html lang="en"><head><meta charset="utf-8"><title>Ferry returns to the harbour</title></head><body>
<nav><a href="/"><img src="/logo.png" alt="Courier"></a> <a href="/news">News</a> <a href="/sport">Sport</a></nav>
<main><article><h1>Ferry returns to the harbour</h1>
<figure><img data-src="/img/ferry.jpg" src="data:image/gif;base64,R0" alt="The ferry">
<figcaption>The ferry at the pier.</figcaption></figure>
<p>{MARKED}</p>
<p>On a good day, day after day, the <a href="https://tide.example/t">day</a>
of the captain begins long before the tide does, he says.</p>
<img src="https://pixel.example/count.gif" width="1" height="1">
<table><tr><th>Pier</th><th>Passengers</th></tr><tr><td>North</td><td>1,200 a day</td></tr>
<tr><td>South</td><td>340 a day</td></tr></table>
<p>{LAST}</p></article>
<section id="comments" class="comments"><h3>Comments</h3>
<div class="comment"><span class="author">jim42</span><p class="comment-body">{COMMENT}</p></div></section></main>
<aside class="related"><a href="/other"><img src="/other.jpg" alt="Other"></a></aside></body></html>"""


@pytest.fixture(scope="module", name="article")
def article_fixture() -> Article:
    return extract(HTML, URL, links=True, images=True, comments=True)


def test_links_and_emphasis_are_places_in_the_text(article: Article) -> None:
    marked = [(str(span.kind), each.text[span.start : span.end], span.url) for each in article.paragraphs for span in each.spans]

    assert marked == [
        ("link", "Monday", "https://courier.example/days/monday"),
        ("strong", "hundreds of people", None),
        ("emphasis", "of", None),
        ("link", "day", "https://tide.example/t"),
    ]
    second = next(each for each in article.paragraphs if each.text.startswith("On a good"))
    assert second.text[: second.spans[0].start] == "On a good day, day after day, the "


def test_the_images_of_the_article_have_captions_and_those_beside_it_are_left_out(article: Article) -> None:
    assert article.images is not None
    assert [(each.url, each.alt, each.caption, each.position) for each in article.images] == [
        ("https://courier.example/img/ferry.jpg", "The ferry", "The ferry at the pier.", 0)
    ]


def test_tables_have_cells_and_can_be_left_out(article: Article) -> None:
    assert [each.cells for each in article.paragraphs if each.cells] == [
        ("Pier", "Passengers"), ("North", "1,200 a day"), ("South", "340 a day"),
    ]  # fmt: skip
    without = extract(HTML, URL, tables=False)
    assert [each.text for each in without.paragraphs] == [each.text for each in article.paragraphs if not each.cells]


def details(inner: str) -> list[Paragraph]:
    """The paragraphs that are neither the first two nor the last of an article."""
    html = f"<html><body><article><h1>Ferry</h1><p>{FIRST}</p><p>{LAST} {FIRST}</p>{inner}<p>{LAST}</p></article></body></html>"
    return [*extract(html, URL).paragraphs][2:-1]


@pytest.mark.parametrize(
    ("rows", "cells"),
    [
        (
            "<tr><th>Pier<th>Ship<th>Time<tr><td rowspan=2>North<td>Anna<td>8:00<tr><td>Berta<td>9:00<tr><td>East<td>Clara<td>9:30",
            [("Pier", "Ship", "Time"), ("North", "Anna", "8:00"), ("", "Berta", "9:00"), ("East", "Clara", "9:30")],
        ),
        (
            "<tr><th>Day<th>Event<tr><td rowspan=3>Monday<td>Opening of the fair<tr><td>Concert on the square<tr><td>Fireworks",
            [("Day", "Event"), ("Monday", "Opening of the fair"), ("", "Concert on the square"), ("", "Fireworks")],
        ),
        ("<tr><th rowspan=0>2024<td>Gold<tr><td>Silver<tr><td>Bronze", [("2024", "Gold"), ("", "Silver"), ("", "Bronze")]),
        (
            "<tr><th colspan=2>Ships<th>Time<tr><td>Anna of Dover<td>a big ship<td>8:00 in the morning",
            [("Ships", "", "Time"), ("Anna of Dover", "a big ship", "8:00 in the morning")],
        ),
        (
            "<tr><th>Team<th>Points<tr><td>Reds<td><table><tr><td>home<td>3<tr><td>away<td>1</table><tr><td>Blues<td>5",
            [("Team", "Points"), ("Reds", "home 3 away 1"), ("Blues", "5")],
        ),
    ],
)
def test_rows_behind_a_cell_of_several_rows_keep_their_cells_and_places(rows: str, cells: list[tuple[str, ...]]) -> None:
    found = details(f"<table>{rows}</table>")

    assert [each.cells for each in found] == cells
    assert [each.text for each in found] == [" ".join(filter(None, row)) for row in cells]


MAY, JUNE = "The first pier will be built in May.", "The second pier will follow it in June."


@pytest.mark.parametrize(
    ("items", "numbers"),
    [
        (f"<ol><li>{MAY}<li>{JUNE}</ol>", [1, 2]),
        (f'<ol start="4"><li>{MAY}<li>{JUNE}</ol>', [4, 5]),
        (f'<ol><li value="7">{MAY}<li>{JUNE}</ol>', [7, 8]),
        (f"<ol start=x><li>{MAY}<li value=9>{JUNE}</ol>", [1, 9]),
        (f"<ol reversed><li>{MAY}<li>{JUNE}</ol>", [2, 1]),
        (f"<ol start=-1><li>{MAY}<li>{JUNE}</ol>", [-1, 0]),
        (f"<ol><li><p>{MAY}<p>{JUNE}<li><p>{MAY} {JUNE}</ol>", [1, 1, 2]),
        (f"<ul><li>{MAY}<li>{JUNE}</ul>", [None, None]),
    ],
)
def test_items_have_the_numbers_that_readers_see(items: str, numbers: list[int | None]) -> None:
    assert [each.number for each in details(items)] == numbers


def test_a_list_around_an_article_is_no_level_of_its_lists() -> None:
    html = f"<ul class='posts'><li><article><h1>Ferry</h1><p>{FIRST}</p><p>{LAST}</p><ul><li>{MAY}<li>{JUNE}</ul></article></ul>"
    found = extract(f"<html><body>{html}</body></html>", URL)

    assert [each.level for each in found.paragraphs if each.kind is ParagraphKind.LIST_ITEM] == [1, 1]


def test_comments_stand_apart_from_the_body(article: Article) -> None:
    assert article.comments is not None
    assert any(COMMENT in each for each in article.comments)
    assert COMMENT not in article.body


def test_nothing_is_added_that_was_not_asked_for() -> None:
    plain = extract(HTML, URL)

    assert (plain.images, plain.comments) == (None, None)
    assert not any(each.spans for each in plain.paragraphs)
    assert not {"images", "comments"} & plain.as_dict().keys()


def test_every_format_holds_the_article(article: Article) -> None:
    tei = etree.fromstring(article.to("tei").encode())
    space = {"t": "http://www.tei-c.org/ns/1.0"}
    markdown = article.to("markdown")

    assert article.to("text").split("\n\n") == [article.title, *(each.text for each in article.paragraphs[:-1]), LAST + "\n"]
    assert json.loads(article.to("json")) == json.loads(json.dumps(article.as_dict()))
    assert "on [Monday](<https://courier.example/days/monday>) after" in markdown
    assert "**hundreds *of* people**" in markdown
    assert "| Pier | Passengers |\n| --- | --- |\n| North | 1,200 a day |" in markdown
    assert "![The ferry](<https://courier.example/img/ferry.jpg>)\n*The ferry at the pier.*" in markdown
    assert "<strong>hundreds <em>of</em> people</strong>" in article.to("html")
    assert tei.xpath("string(//t:text//t:ref/@target)", namespaces=space) == "https://courier.example/days/monday"
    assert tei.xpath("count(//t:cell)", namespaces=space) == 6
    assert COMMENT in tei.xpath("string(//t:back)", namespaces=space)


def test_what_reads_the_html_finds_the_same_article_again(article: Article) -> None:
    again = extract(article.to("html"), URL)

    assert (again.title, again.body) == (article.title, article.body)


@pytest.mark.parametrize("form", ["pdf", "", "Text"])
def test_an_unknown_format_is_named(article: Article, form: str) -> None:
    with pytest.raises(ConfigError, match="Choose among: text, markdown, html, json, tei"):
        article.to(form)


@pytest.mark.parametrize("option", ["links", "images", "comments"])
def test_a_page_without_them_gives_none(option: str) -> None:
    options: dict[str, Any] = {option: True}
    found = extract(f"<html><body><h1>Ferry</h1><p>{FIRST}</p><p>{LAST}</p></body></html>", **options)

    assert not any(each.spans for each in found.paragraphs)
    assert not found.images
    assert not found.comments


THREAD = """<html><body><article><h1>The bridge reopens</h1><p>{text}</p><p>{text}</p><p>{text}</p></article>
<div id="comments" class="comments-area"><h2>3 comments</h2><ol class="comment-list">
<li class="comment"><article class="comment-body"><footer class="comment-meta"><div class="comment-author vcard"><b class="fn">Peter
Pan</b> <span class="says">says:</span></div><time datetime="2026-03-04T12:00:00+00:00">March 4</time></footer>
<div class="comment-content"><p>About time! I have waited for this for two years.</p>
<p style="display:none">Buy cheap watches.</p></div>
</article><ol class="children"><li class="comment"><article class="comment-body"><footer class="comment-meta"><div
class="comment-author vcard"><b class="fn">Wendy</b> <span class="says">says:</span></div><time
datetime="2026-03-04T13:00:00+00:00">March 4</time></footer><div class="comment-content"><p>Me too, and the ferry was so
expensive.</p></div></article></li></ol></li></ol></div></body></html>"""


def test_comments_come_one_by_one_with_author_and_time_and_answers_apart() -> None:
    text = "The harbour bridge reopened to traffic on Wednesday morning after two years of repairs, the mayor said."
    article = extract(THREAD.format(text=text), "https://www.example.org/2026/03/04/bridge/", comments=True)

    assert article.comment_details is not None
    assert [(each.author, each.time, each.text) for each in article.comment_details] == [
        ("Peter Pan", "2026-03-04T12:00:00+00:00", "About time! I have waited for this for two years."),
        ("Wendy", "2026-03-04T13:00:00+00:00", "Me too, and the ferry was so expensive."),
    ]


WRITTEN = HTML.replace("</h1>", '</h1><p class="byline">By <span class="author">Jane Doe</span></p>')


@pytest.mark.parametrize("ignored", ["NOC Admin", "noc admin", " Noc  ADMIN", "NOCADMIN"])
@pytest.mark.parametrize(
    "head",
    [
        '<meta name="author" content="NOC Admin">',
        '<script type="application/ld+json">{"@type":"NewsArticle","author":{"@type":"Person","name":"Noc Admin"}}</script>',
    ],
)
def test_an_ignored_author_gives_way_to_the_byline(ignored: str, head: str) -> None:
    page = WRITTEN.replace("</head>", f"{head}</head>")

    assert extract(page, URL, ignore_authors=[ignored]).authors == ("Jane Doe",)
    assert extract(page.replace("Jane Doe", "NOC Admin"), URL, ignore_authors=[ignored]).authors == ()
    assert extract(page.replace("Jane Doe", "NOC Admin"), URL, ignore_authors=["NOC"]).authors != ()


@pytest.mark.parametrize("names", [3, None, "NOC Admin", b"NOC Admin", [5], ["Jane Doe", None]])
def test_names_to_ignore_are_a_list_of_texts(names: Any) -> None:
    with pytest.raises(ConfigError, match=r"ignore_authors has .*Use a list of names"):
        extract(HTML, URL, ignore_authors=names)


def test_thousands_of_comments_are_read_in_seconds() -> None:
    (one,) = (line for line in HTML.splitlines() if line.startswith('<div class="comment">'))
    one = one.removesuffix("</section></main>")
    html = HTML.replace(one, "".join(one.replace("jim42", f"Wendy{number}") for number in range(3_000)))
    began = time.process_time()

    comments = extract(html, comments=True).comment_details or ()

    assert (len(comments), comments[-1].author) == (3_000, "Wendy2999")
    assert time.process_time() - began < 4
