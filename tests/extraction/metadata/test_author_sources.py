"""Lines of pages without markup that name who wrote: below the date, behind it, or alone behind the text."""

from __future__ import annotations

import pytest
from kurier import TEXTS, headline, paragraphs, source
from stopwatch import cpu_seconds

from newscrawler import extract
from newscrawler.article import Article
from newscrawler.extraction.body.cues import is_name_alone, signs
from newscrawler.extraction.metadata.authors import find_authors
from newscrawler.extraction.metadata.names import find_shown_names
from newscrawler.page import Document

_HEADLINE = "Council approves new bridge over the river"
_TEXT = "".join(
    f"<p>The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it.</p>"
    for part in range(1, 12)
)


def _read(above: str = "", behind: str = "", headline: str = f"<h1>{_HEADLINE}</h1>") -> Article:
    cell = f"<table><tr><td>{headline}{above}{_TEXT}{behind}</td></tr></table>"
    return extract(f"<html><head><title>{_HEADLINE}</title></head><body>{cell}</body></html>", "https://example.com/news/1")


@pytest.mark.parametrize(
    "lines",
    [
        "<font size=1>3 May 2004</font><br><font size=1>By Eva Novak</font><br>",
        "<font size=1>3.5.2004 10:15</font><br>Von Eva Novak<br>",
        "<small>May 3, 2004 10:15 am by Eva Novak</small>",
        "<small>3 mai 2004 - Par Eva Novak</small>",
    ],
)
def test_who_is_named_below_the_date_or_behind_it_wrote(lines: str) -> None:
    assert _read(above=lines).authors == ("Eva Novak",)


def test_who_is_named_in_the_lines_of_the_headline_wrote() -> None:
    lines = f"<font size=5>{_HEADLINE}</font><br><font size=1>3 May 2004</font><br><font size=1>By Eva Novak</font><br><br>"

    assert _read(headline=lines).authors == ("Eva Novak",)


@pytest.mark.parametrize(
    "line",
    [
        "<p align=right><i>Eva Novak</i></p>",
        "<div style='text-align: right'>Eva Novak</div>",
        "<p>(Eva Novak)</p>",
        "<div><b>Eva Novak</b></div><div><a href=/print>Printer friendly version</a> <a href=/mail>Mail</a></div>",
    ],
)
def test_the_name_alone_behind_the_text_signs_it_and_is_no_text(line: str) -> None:
    article = f"<h1>{headline('en')}</h1><div>{paragraphs('en')}{line}</div>"

    found = extract(source("en", article), "https://kurier.example/en/1")

    assert found.authors == ("Eva Novak",)
    assert [paragraph.text for paragraph in found.paragraphs] == list(TEXTS["en"][1:])


@pytest.mark.parametrize(
    "line",
    [
        "<p><b>Related Stories</b></p><ul><li><a href=/2>Mayor opens a school in the old town</a></li></ul>",
        "<p>Eva Novak said so.</p>",
        "<p><a href=/g>Photo Gallery</a></p>",
    ],
)
def test_what_announces_links_or_is_a_sentence_signs_nothing(line: str) -> None:
    assert _read(behind=line).authors == ()


def test_who_is_spoken_of_has_not_signed() -> None:
    assert _read(above="<p>On Monday Eva Novak and the council met at the hall.</p>", behind="<p>Eva Novak</p>").authors == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Eva Novak", True),
        ("(Jan van der Meer)", True),
        ("– Анна Линова", True),
        ("Read more", False),
        ("COURIER ONLINE", False),
        ("Eva", False),
        ("Eva Novak, Prague", False),
        ("Eva Novak.", False),
        ("On 3 May", False),
    ],
)
def test_names_alone(text: str, name: bool) -> None:  # noqa: FBT001
    assert is_name_alone(text) is name


@pytest.mark.parametrize(
    "line",
    [
        "Soumis par Eva Novak le 3 mai 2004",
        "Contributed by: <a href='/users.php?uid=7'>Eva Novak</a>",
        "Enviado por Eva Novak el 03/05/2004 - 10:20",
        "Опубликовано 03/05/2004 - 10:20 пользователем Ева Новак",
    ],
)
def test_words_of_common_systems_name_who_wrote(line: str) -> None:
    assert _read(above=f"<div>{line}</div>").authors[0].split()[-1] in ("Novak", "Новак")


def test_the_label_of_hexo_in_bengali_names_who_wrote() -> None:
    assert _read(behind="<ul><li><strong>রচনা করেছেনঃ </strong>Eva Novak</li><li>CC BY-SA</li></ul>").authors == ("Eva Novak",)


def test_one_of_the_labels_in_the_last_line_names_who_wrote() -> None:
    line = "<div>Category: <a href=/c>News</a> | Views: 712 | Added by: <a href='javascript:'>Eva Novak</a> | 03.05.2004</div>"

    assert _read(behind=line).authors == ("Eva Novak",)


HEADLINE = "Harbour ferry returns after two years in dry dock"
TEXT = "".join(
    f"<div class=p>{part}</div>"
    for part in (
        "The last wooden ferry of the bay will carry passengers again from Saturday, the harbour board announced.",
        "The vessel was taken out of service when inspectors found rot in the keel, and repairs took longer than planned.",
        "The board spent 1.2 million on the refit in 2025, half of it raised by residents of the island.",
    )
)


def authors_of(above: str, *, lead: str = "", behind: str = "") -> tuple[str, ...]:
    body = f"<div class=a><h1>{HEADLINE}</h1>{lead}{above}<div class=b>{TEXT}{behind}</div></div>"
    html = f"<html><head><title>{HEADLINE} | Courier</title></head><body>{body}</body></html>"
    return extract(html, "https://courier.example/harbour-ferry-returns").authors


@pytest.mark.parametrize(
    "line",
    [
        "<div><span>By</span><span><a href=/staff/x1>Ann Lee</a></span></div>",
        "<div><div>By</div><div>Ann Lee</div></div>",
        "<div><div>Autor:</div><div><div>Ann Lee</div></div><div>2 March 2026</div></div>",
        "<div><span>文・</span><span>Ann Lee</span><span>2026年3月2日</span></div>",
        "<div><span>Von</span><b>Ann Lee</b></div><div>2. März 2026</div>",
    ],
)
def test_by_may_be_parted_from_the_name_by_elements(line: str) -> None:
    assert authors_of(line) == ("Ann Lee",)


def test_by_and_the_name_may_end_the_text() -> None:
    assert authors_of("<div>2 March 2026</div>", behind="<div class=n><div>By</div><div>Ann Lee</div></div>") == ("Ann Lee",)


def test_by_and_a_name_in_what_announces_another_article_name_nobody() -> None:
    card = "<a href=/t-1>Bridge works close the northern bypass for a week</a><div><div>By</div><div>Ann Lee</div></div>"

    assert authors_of("<div>2 March 2026</div>", behind=f"{TEXT.replace('a', 'e') * 4}</div><div class=c>{card}") == ()


def test_the_kind_of_a_text_above_a_name_does_not_say_who_wrote() -> None:
    assert authors_of("<div><div>Interview</div><div>Ann Lee</div></div>") == ()


def test_a_time_elsewhere_in_the_box_does_not_date_a_line() -> None:
    assert authors_of("Marlow Bay <div class=x>Ann Lee</div> <div><p>Boats</p><time>3 hours ago</time></div>") == ()


def test_a_name_beside_a_time_that_is_worded_is_the_authors() -> None:
    time = "<time datetime=2026-03-02T09:00Z>3 hours ago</time>"

    assert authors_of(f"<div><img src=a.png alt=''><div><div>Ann Lee</div><div>{time}</div></div></div>") == ("Ann Lee",)


def test_a_year_in_the_lead_is_not_the_line_of_the_date() -> None:
    lead = "<div>It is the first crossing since 2024, the board announced on its evening at the pier.</div>"

    assert authors_of("<div>Ann Lee</div><div>2 March 2026, 14:05</div>", lead=lead) == ("Ann Lee",)


def test_what_a_caption_beside_the_date_begins_with_is_no_name() -> None:
    caption = "<div><div><img src=a.jpg></div><div>Marlow Bay on a Thursday with fresh paint and new railings for all</div></div>"

    assert authors_of(f"<div>2 March 2026</div>{caption}") == ()


@pytest.mark.parametrize(
    "card",
    [
        "<div><a href=/p/1><img src=a.png alt=大野健太></a><div>大野健太</div></div><div>2026年3月2日</div>",
        "<div><span>文・</span><span>大野健太</span><span>2026年3月2日</span></div>",
        "<div><img src=a.png alt=''><div><div>大野健太</div><div>2026年3月2日 14:05</div></div></div>",
    ],
)
def test_a_name_without_blanks_beside_a_portrait_is_the_authors(card: str) -> None:
    assert authors_of(card) == ("大野健太",)


def test_a_rubric_without_a_portrait_is_no_name() -> None:
    assert authors_of("<div>社会</div><div>2026年3月2日</div>") == ()


def test_the_words_before_a_date_are_no_names() -> None:
    assert find_shown_names("文・\n大野健太\n · 公開 2026年3月2日 · 更新 2026年3月4日") == ["大野健太"]


_HEADLINE_SIGNED = "Council approves new bridge over the river"
_TEXT_SIGNED = "".join(
    f"<p>The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it.</p>"
    for part in range(1, 21)
)


def _authors(above: str = "", behind: str = "") -> tuple[str, ...]:
    page = f"<h1>{_HEADLINE_SIGNED}</h1>{above}<div class='text'>{_TEXT_SIGNED}</div>{behind}<div>All rights reserved</div>"
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
    page = _TEXT_SIGNED.replace("<p>The council approved part 17", "<p>Author: Jane Doe</p><p>The council approved part 17")
    html = f"<html><body><h1>{_HEADLINE_SIGNED}</h1>{page}</body></html>"

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
    page = Document.parse(f"<body><h1>{_HEADLINE_SIGNED}</h1><div class=byline>{lines}<p>More.</p>And more</div>")
    assert page.layout.blocks

    assert cpu_seconds(lambda: find_authors(page, ())) < 1


def test_a_link_to_a_category_is_no_name() -> None:
    line = "<div>Posted by: admin in <a rel='category tag' href=/c/p>Political News</a> 2 March 2026</div>"

    assert authors_of(line) == ()


@pytest.mark.parametrize("team", ["The Ferry Team", "Ferry Staff Writers"])
def test_the_link_to_a_page_of_an_author_is_the_name_whatever_it_is_made_of(team: str) -> None:
    assert authors_of(f"<div><div class=by><a href=/authors/team>{team}</a></div><time>2 March 2026</time></div>") == (team,)


def test_a_label_behind_the_minutes_that_a_text_takes_names_its_author() -> None:
    assert authors_of("<div>March 2, 2026 <b>·</b> 3 min read <b>·</b> By Ann Lee</div>") == ("Ann Lee",)


def test_tags_behind_a_text_are_no_announcement_of_another() -> None:
    tags = "".join(f"<a href=/tag/{word}>{word}</a>" for word in ("ferry", "harbour", "bridge works", "city council", "bypass"))

    behind = f"<p>{tags}</p><p>Written by <a href=/author/ann-lee>Ann Lee</a></p>"

    assert authors_of("<div>2 March 2026</div>", behind=behind) == ("Ann Lee",)


def test_the_line_of_the_author_may_be_below_a_list_of_links_at_the_end_of_the_text() -> None:
    links = "".join(f"<li><a href=/{number}>{TEXTS['en'][number][:60]}</a></li>" for number in range(3))
    article = f"<h1>{headline('en')}</h1><div class=a1>{paragraphs('en')}<div class=b7><ul>{links}</ul></div></div>"
    line = "<p class=c9><span class=d3>Ann Lee</span>, <time datetime=2026-03-02T08:55:40+01:00>2 March 2026 08:55</time></p>"

    found = extract(source("en", f"<article>{article}{line}</article>"), "https://kurier.example/en/1")

    assert found.authors == ("Ann Lee",)


def test_names_that_the_forest_cannot_tell_apart_are_given_together() -> None:
    assert authors_of("<div>Von: <b><a href=/x1>Ann LEE</a></b>, <b><a href=/x2>Tom ROE</a></b></div>") == ("Ann LEE", "Tom ROE")
