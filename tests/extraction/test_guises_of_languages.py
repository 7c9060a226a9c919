"""Guises of reported faults in the markup and the words of other languages and portals."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from extraction.test_guises import BYLINE, TEXT, TITLE, URL, make_page, read

from newscrawler import extract
from newscrawler.page import Document

QUESTION, ANSWER = (
    "Who pays for the drivers?",
    "The county pays for half of the drivers, and the towns share the rest between them.",
)
FURTHER = ("And in winter?", "In January and February the trams leave only once an hour, as they did before the closure.")


@pytest.mark.parametrize(
    "item",
    [
        '<button aria-expanded="false">{q}</button><div hidden><p>{a}</p></div>',
        '<button class="tab-title">{q}</button><div class="tab-content" style="display:none"><p>{a}</p></div>',
        '<h4>{q}</h4><div class="answer" style="display:none"><p>{a}</p></div>',
        '<h3><button>{q}</button></h3><div class="faq-answer" aria-hidden="true"><p>{a}</p></div>',
        '<div role="heading" aria-level="3">{q}</div><div class="panel" aria-hidden="true"><p>{a}</p></div>',
        '<h4><a href="#p1" data-toggle="collapse">{q}</a></h4><div id="p1" class="collapse"><p>{a}</p></div>',
    ],
)
@pytest.mark.parametrize("around", ["<div class=q>X</div>", "X"])
def test_a_panel_is_whole_with_the_button_that_opens_it(item: str, around: str) -> None:
    items = "".join(around.replace("X", item.format(q=q, a=a)) for q, a in ((QUESTION, ANSWER), FURTHER))

    body = read(make_page(header=BYLINE, end=f"<div>{items}</div>")).body

    assert [text for text in (QUESTION, ANSWER, *FURTHER) if text not in body] == []


def test_a_button_for_more_is_no_title() -> None:
    rest = f"<button>Read more</button><div style='display:none'><p>{ANSWER}</p><p>{FURTHER[1]}</p></div>"

    body = read(make_page(header=BYLINE, end=rest)).body

    assert ANSWER in body
    assert "Read more" not in body


def test_a_menu_that_a_button_opens_has_no_title() -> None:
    weather = "<h2>Weather</h2><p>The forecast of the next days for the coast.</p>"
    menu = f'<button aria-expanded="false">10°C</button><div hidden>{weather}</div>'

    assert "10°C" not in read(make_page(header=BYLINE).replace("<nav>", f"{menu}<nav>")).body


def test_a_table_by_its_roles_has_cells() -> None:
    rows = [["Westmere", "26"], ["Alderley", "21"]]
    made = "".join(f'<div role="row">{"".join(f"<span role=cell>{cell}</span>" for cell in row)}</div>' for row in rows)
    article = read(make_page(header=BYLINE, within=f'<div role="table"><div role="rowgroup">{made}</div></div>'))

    assert [list(paragraph.cells) for paragraph in article.paragraphs if paragraph.cells] == rows


OTHER_TEXT = "".join(f"<p>{text} It was the third time this year that the bells had to be repaired.</p>" for text in TEXT[::-1])


@pytest.mark.parametrize(
    "below",
    [
        f'<div data-url="/news/bells-81245"><h2>Bells fall silent</h2>{OTHER_TEXT}</div>',
        f"<div><h2>Bells fall silent</h2><div>By Tom Hale</div>{OTHER_TEXT}</div>",
    ],
)
def test_a_heading_with_another_address_or_byline_opens_the_next_article(below: str) -> None:
    assert "bells" not in read(make_page(header=BYLINE, below=below)).body


def test_a_second_headline_in_the_same_box_opens_the_next_article() -> None:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in TEXT)
    page = f"<html lang=en><body><div><h1>{TITLE}</h1>{text}<h1>Bells fall silent</h1>{OTHER_TEXT}</div>"

    assert "bells" not in read(page).body


def test_headings_of_sections_open_no_other_article() -> None:
    sections = "".join(
        f"<section><h2>Part {n}</h2><p>{a}</p><p>{b}</p><p>{a[::-1]}.</p></section>" for n, (a, b) in enumerate(pairwise(TEXT))
    )
    body = read(f"<html lang=en><body><article><h1>{TITLE}</h1><p>{ANSWER}</p>{sections}</article>").body

    assert "Part 2" in body


@pytest.mark.parametrize(
    ("shown", "day"),
    [
        ("26 XI 2024", "2024-11-26"), ("2024. V. 3.", "2024-05-03"), ("26/11 2024", "2024-11-26"),
        ('<span title="2024-11-26 07:15">3 m.</span>', "2024-11-26"),
        ('<span class="js-ago" data-time="1732601700">…</span>', "2024-11-26"),
        ("2 दिन पहले", "2025-02-01"), ("prieš 2 dienas", "2025-02-01"), ("2 дана", None), ("siku 2 zilizopita", None),
    ],
)  # fmt: skip
def test_days_in_further_forms_and_languages_are_read(shown: str, day: str | None) -> None:
    article = read(make_page(header=f"<div>{shown}</div>"), fetched_at=datetime(2025, 2, 3, 12, tzinfo=UTC))

    assert (str(article.date) if article.date else None) == day


@pytest.mark.parametrize("box", ["app-meta", "div class=headline__footer"])
def test_the_only_day_between_headline_and_text_is_that_of_publication(box: str) -> None:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in TEXT)
    line = f"<{box}><span>Nora Quill</span><span>May 3, 2024 9:40 a.m.</span></{box.split()[0]}>"
    page = f"<html lang=en><body><h1>{TITLE}</h1>{line}{text}</body></html>"

    assert str(extract(page, "https://www.courier.example/x").date) == "2024-05-03"


def test_the_number_of_a_document_is_no_day() -> None:
    assert read(make_page(header="<div>By Nora Quill · ID: 20231105-33</div>")).date is None


@pytest.mark.parametrize("label", ["Atnaujinta", "Actualitzat:", "อัปเดต", "განახლდა"])
def test_a_change_is_told_from_the_publication_in_further_languages(label: str) -> None:
    article = read(make_page(header=f"<div>{label} 27.11.2024 09:00</div><div>26.11.2024 07:15</div>"))

    assert str(article.date) == "2024-11-26"


@pytest.mark.parametrize(
    ("byline", "authors"),
    [
        ("Nora Quill / The Courier", ("Nora Quill",)), ("<a href='/n/sport'>Sport</a>", ()), ("Selasa, 26/11/2024", ()),
        ("<button>Distribuie</button> <a href='#c'>Comentarii (12)</a>", ()), ("Bài: Lê Quang Vinh", ("Lê Quang Vinh",)),
        ("Lê Quang Vinh Thứ ba, 26/11/2024", ("Lê Quang Vinh",)), ("Nora Quill, žurnalistė", ("Nora Quill",)),
        ("Nora Quill | Staff Reporter", ("Nora Quill",)), ("文｜沈若溪", ("沈若溪",)),
    ],
)  # fmt: skip
def test_the_name_in_a_byline_is_told_from_site_section_day_and_label(byline: str, authors: tuple[str, ...]) -> None:
    page = make_page(header=f'<div class="author">{byline}</div>').replace(
        "<nav>", '<ul class="menu"><li><a href="/n/sport">Sport</a></li></ul><nav>'
    )

    assert read(page).authors == authors


def test_a_stated_language_without_known_words_is_believed_against_its_relatives() -> None:
    text = (
        "Gamla bryggjan var opna\u00f0 aftur og hátt í tvey hundrað fólk vóru har, tá ið fyrsti báturin legði at á leygardagin. "
        * 4
    )
    page = f"<html lang=fo><body><article><h1>{TITLE}</h1><p>{text}</p><p>{text[60:]}</p></article>"

    assert read(page).language == "fo"


@pytest.mark.parametrize(("line", "name"), [("ავტორი: ნინო ბერიძე", "ნინო ბერიძე"), ("लेखक: स्नेहल कुलकर्णी", "स्नेहल कुलकर्णी")])
def test_names_in_letters_without_capitals_are_read_behind_a_label(line: str, name: str) -> None:
    assert read(make_page(header=f"<div>{line}</div>")).authors == (name,)


def test_the_words_of_a_time_label_no_other_time() -> None:
    times = (
        '<time class="modified" datetime="2024-11-27T08:00">Përditësuar</time><time datetime="2024-11-26T07:15">26.11.2024</time>'
    )

    assert str(read(make_page(header=times)).date) == "2024-11-26"


def test_the_number_of_a_version_is_no_day() -> None:
    assert read(make_page(below="<p>v3.2 build 20230615</p>")).date is None


@pytest.mark.parametrize(
    "picture",
    [
        '<img src="data:image/gif;base64,R0" data-lazy-srcset="/p/q.jpg 300w, /p/q.jpg 900w">',
        '<amp-img src="/p/q.jpg" width="16" height="9" layout="responsive"></amp-img>',
    ],
)
def test_pictures_of_late_sources_and_shapes_are_found(picture: str) -> None:
    images = read(make_page(within=f"<figure>{picture}<figcaption>The depot</figcaption></figure>"), images=True).images

    assert [image.url for image in images or ()] == ["https://www.courier.example/p/q.jpg"]


def test_a_placeholder_before_the_picture_for_readers_without_scripts_is_none() -> None:
    pictures = '<img src="/blank.png" class="lazy"><noscript><img src="/p/q.jpg"></noscript>'
    images = read(make_page(within=f"<figure>{pictures}<figcaption>The depot</figcaption></figure>"), images=True).images

    assert [image.url for image in images or ()] == ["https://www.courier.example/p/q.jpg"]


def test_a_link_behind_words_for_more_is_no_text() -> None:
    line = '<p>Baca juga <a href="/news/9">Jambatan ditutup hingga Mei untuk kerja pembaikan</a></p>'

    assert "Jambatan" not in read(make_page(header=BYLINE, within=line)).body


@pytest.mark.parametrize("line", ["記者張雅筑／溪口報導", "張雅筑／綜合報導"])
def test_the_place_of_a_report_is_no_author(line: str) -> None:
    assert read(make_page(header=f'<div class="author">{line}</div>')).authors == ("張雅筑",)


@pytest.mark.parametrize("sign", "۔॥။។")
def test_sentences_end_in_the_signs_of_their_script(sign: str) -> None:
    page = Document.parse(f"<p>{ANSWER[:-1]}{sign}</p>")

    assert page.layout.blocks[0].is_sentence


def test_a_users_name_goes_behind_the_byline() -> None:
    data = {"@type": "NewsArticle", "headline": TITLE, "author": {"@type": "Person", "name": "editor1"}, "url": URL}
    head = f'<script type="application/ld+json">{json.dumps(data)}</script>'

    assert read(make_page(head=head, header=BYLINE)).authors == ("Nora Quill",)
