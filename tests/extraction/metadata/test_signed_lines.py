"""Lines of pages without markup that name who wrote: below the date, behind it, or alone behind the text."""

from __future__ import annotations

import pytest
from kurier import TEXTS, headline, paragraphs, source

from newscrawler import extract
from newscrawler.article import Article
from newscrawler.extraction.body.cues import is_name_alone

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
