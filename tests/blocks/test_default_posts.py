"""Live blogs: the introduction and each post are told apart, in any language; a timetable and plain news have no posts."""

from __future__ import annotations

import json

import pytest

from newscrawler.article import Paragraph
from newscrawler.extract import extract
from newscrawler.page.parts import join_paragraphs

ENGLISH = (
    "Storm reaches the coast",
    "A storm with gusts of more than a hundred kilometres an hour has reached the coast; we report through the night.",
    "The harbour of Wexley has been closed, and all ferries stay in port until further notice.",
    "Firefighters were called out forty times within an hour, a spokesman told the Courier.",
    "Trains between Wexley and Harrow stand still because trees lie across both tracks.",
    "The mayor asks people to stay at home and to leave the lifts of tall houses alone.",
)
CZECH = (
    "Bouře dorazila na pobřeží",
    "Na pobřeží dorazila bouře, jejíž nárazy překročily sto kilometrů v hodině; celou noc ji sledujeme.",
    "Přístav ve Vlkově zůstává uzavřený a všechny trajekty čekají v docích až do odvolání.",
    "Hasiči během jediné hodiny vyjížděli čtyřicetkrát, řekl deníku jejich mluvčí Karel Dobiáš.",
    "Vlaky mezi Vlkovem a Hradcem stojí, protože na obou kolejích leží popadané stromy.",
    "Starosta lidi vyzývá, aby zůstali doma a nepoužívali výtahy ve vysokých domech.",
)


def page(language: str, texts: tuple[str, ...], posts: str, head: str = "") -> str:
    return (
        f"<html lang={language}><head><title>{texts[0]}</title>{head}</head><body><article><h1>{texts[0]}</h1>"
        f"<p class=perex>{texts[1]}</p>{posts}</article></body></html>"
    )


def told(html: str) -> list[tuple[int | None, str]]:
    return [(paragraph.post, paragraph.text) for paragraph in extract(html, "https://courier.example/a/storm").body]


@pytest.mark.parametrize(("language", "texts"), [("en", ENGLISH), ("cs", CZECH)])
@pytest.mark.parametrize(
    "form",
    [
        "<div class=item><time datetime='2026-02-05T1{n}:05'>1{n}:05</time><p>{text}</p></div>",
        "<li><div><span>1{n}:05</span></div><div><p>{text}</p></div></li>",
        "<h3>1{n}:05 – {short}</h3><p>{text}</p>",
        "<p><b>1{n}.05</b></p><p>{text}</p>",
    ],
    ids=["boxes with time elements", "boxes with clocks", "headings that begin with a clock", "clocks in lines of their own"],
)
def test_introduction_and_posts_of_a_live_blog_are_told_apart(language, texts, form):
    posts = "".join(form.format(n=n, text=text, short=text[:20]) for n, text in enumerate(texts[2:]))

    found = {text: post for post, text in told(page(language, texts, f"<div class=feed>{posts}</div>"))}

    assert [found[text] for text in texts[1:]] == [None, 1, 2, 3, 4]


def test_lines_that_begin_with_a_clock_are_posts_where_the_page_says_that_it_is_a_live_blog():
    lines = "".join(f"<p>1{n}:05 {text}</p>" for n, text in enumerate(ENGLISH[2:]))
    kind = json.dumps({"@type": "LiveBlogPosting", "headline": ENGLISH[0]})

    declared = told(page("en", ENGLISH, lines, f'<script type="application/ld+json">{kind}</script>'))
    silent = told(page("en", ENGLISH, lines))

    assert [post for post, _ in declared] == [None, 1, 2, 3, 4]
    assert {post for post, _ in silent} == {None}


def test_a_page_with_posts_is_live_coverage_and_its_record_tells_the_posts():
    posts = "".join(f"<section><time>1{n}:05</time><p>{text}</p></section>" for n, text in enumerate(ENGLISH[2:]))

    article = extract(page("en", ENGLISH, posts), "https://courier.example/a/storm")

    assert article.genre == "live"
    assert [paragraph.get("post") for paragraph in article.as_dict()["paragraphs"]] == [None, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "form",
    ["<p>{text}</p>", "<li>1{n}:05 {short}</li>", "<p>1{n}:05 {short}</p>", "<div class=part><h3>{short}</h3><p>{text}</p></div>"],
    ids=["news", "a timetable as a list", "a timetable in paragraphs", "chapters without times"],
)
def test_news_and_timetables_have_no_posts(form):
    rest = "".join(form.format(n=n, text=text, short=text[:20]) for n, text in enumerate(ENGLISH[2:]))
    text = "".join(f"<p>{text}</p>" for text in ENGLISH[2:])

    article = extract(page("en", ENGLISH, text + rest), "https://courier.example/a/storm")

    assert {paragraph.post for paragraph in article.body} == {None}
    assert article.genre == "news"


def test_answers_of_a_forum_with_the_time_below_them_are_no_posts():
    form = "<div class=answer><p>{text}</p><p>{rest}</p><p>Is that so?</p><div>answered <time>Feb {n} at 1{n}:05</time></div></div>"
    answers = "".join(form.format(text=text, rest=ENGLISH[5], n=n) for n, text in enumerate(ENGLISH[2:], 2))

    assert {post for post, _ in told(page("en", ENGLISH, answers))} == {None}


def test_posts_of_a_second_page_go_on_counting():
    first = [Paragraph(text="Introduction."), Paragraph(text="One.", post=1), Paragraph(text="Two.", post=2)]
    second = [Paragraph(text="Introduction."), Paragraph(text="Three.", post=1)]

    assert [paragraph.post for paragraph in join_paragraphs([first, second])] == [None, 1, 2, 3]
