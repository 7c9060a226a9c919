"""Who signs behind the text, and users of the site beside the date, are authors where nobody else is named."""

from __future__ import annotations

import pytest
from kurier import TEXTS, headline, paragraphs, source
from stopwatch import cpu_seconds

from newscrawler import extract
from newscrawler.extraction.body.cues import signs
from newscrawler.extraction.metadata.authors import find_authors
from newscrawler.page import Document

_HEADLINE = "Council approves new bridge over the river"
_TEXT = "".join(
    f"<p>The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it.</p>"
    for part in range(1, 21)
)


def _authors(above: str = "", behind: str = "") -> tuple[str, ...]:
    page = f"<h1>{_HEADLINE}</h1>{above}<div class='text'>{_TEXT}</div>{behind}<div>All rights reserved</div>"
    return extract(f"<html><body>{page}</body></html>", "https://example.com/news/1").authors


@pytest.mark.parametrize(
    "line",
    [
        'od <span><a href="/user/7" class="username">Eva Nováková</a></span>, Pá, 5 Září, 2026 - 10:05',
        '<b><a href="/user/eva/">Eva Nováková</a></b> от <a href="/2026/09/05/">5-09-2026, 10:05</a>',
    ],
)
def test_who_is_linked_as_a_user_beside_the_date_wrote(line):
    assert _authors(above=f"<div>{line}</div>") == ("Eva Nováková",)
    assert _authors(behind=f"<div>{line}</div>") == ("Eva Nováková",)


def test_a_user_who_commented_did_not_write():
    comment = '<div class="comment"><div><a href="/user/7">Eva Nováková</a>, 5.9.2026 10:05</div><p>I do not agree.</p></div>'

    assert _authors(behind=comment) == ()


@pytest.mark.parametrize("label", ["Автор", "Autor", "Author", "Szerző"])
def test_a_label_behind_a_long_text_names_who_wrote(label):
    assert _authors(behind=f"<p>{label}: Eva Nováková</p>") == ("Eva Nováková",)


@pytest.mark.parametrize(
    "other",
    [
        '<h3><a href="/news/2">Interview: Eva Nováková<br>How the town copes</a></h3>',
        '<div class="related-articles"><p>Interview: Eva Nováková</p><a href="/news/2">How the town copes</a></div>',
    ],
)
def test_a_label_in_the_headline_of_another_article_names_nobody(other):
    assert _authors(behind=other) == ()


def test_the_line_behind_a_name_is_no_part_of_it():
    lines = "<div>Автор:&nbsp;Юлія Чорновіл<br>Кількість показів:&nbsp;93<br>Джерело: сайт</div>"

    assert _authors(behind=lines) == ("Юлія Чорновіл",)


def test_a_label_in_the_midst_of_the_text_names_nobody():
    page = _TEXT.replace("<p>The council approved part 17", "<p>Author: Jane Doe</p><p>The council approved part 17")
    html = f"<html><body><h1>{_HEADLINE}</h1>{page}</body></html>"

    assert extract(html, "https://example.com/news/1").authors == ()


@pytest.mark.parametrize("line", ["文・佐藤英樹", "記者 佐藤英樹", "佐藤英樹 記者", "(取材・文／佐藤英樹)", "记者：佐藤英樹"])
def test_a_signature_in_chinese_or_japanese_ends_the_text_and_names_who_wrote(line):
    article = f"<h1>{headline('ja')}</h1><div>{paragraphs('ja')}<p>{line}</p></div>"

    found = extract(source("ja", article), "https://kurier.example/ja/1")

    assert found.authors == ("佐藤英樹",)
    assert [paragraph.text for paragraph in found.paragraphs] == list(TEXTS["ja"][1:])


@pytest.mark.parametrize("line", ["記者会見", "文化庁", "【写真】", "記者の話"])
def test_what_begins_like_a_signature_is_none(line):
    assert not signs(line)


def test_a_byline_of_twenty_thousand_lines_is_given_up_within_a_second() -> None:
    lines = "<br>".join(f"Photo: the long name of somebody {number} who took it" for number in range(20_000))
    page = Document.parse(f"<body><h1>{_HEADLINE}</h1><div class=byline>{lines}<p>More.</p>And more</div>")
    assert page.layout.blocks

    assert cpu_seconds(lambda: find_authors(page, ())) < 1
