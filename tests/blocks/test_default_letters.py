"""Letters of readers under an article, and lines of author and date, are no text of it."""

from __future__ import annotations

import pytest

from newscrawler import extract
from newscrawler.page import Document

ARTICLE = "".join(
    f"<p>The council of the {n} harbour towns voted on Tuesday to keep the ferry, which had lost money for years.</p>"
    for n in ("six", "seven")
)
LETTER = "I have lived here for thirty years and have never seen anything like it, so please come and ask us next time."


def page(letters: str, before: str = "") -> str:
    return (
        "<html><head><title>Ferry stays</title></head><body><div><h1>Ferry between the islands stays</h1>"
        f"{before}<div>{ARTICLE}</div>{letters}</div></body></html>"
    )


@pytest.mark.parametrize(
    "word",
    [
        "Comments (12)", "Komentarze (3)", "Diskuse", "תגובות (3)", "Коментарі: 4", "12 Kommentare", "Réagir (30)",
        "Join the conversation",
    ],
)  # fmt: skip
def test_letters_under_a_heading_that_says_so_are_left_out_however_many_they_are(word: str) -> None:
    letters = f"<div class='x1'><div class='x2'>{word}</div>" + f"<div class='x3'><div>someone</div><div>{LETTER}</div></div>" * 12

    body = extract(page(letters + "</div>")).body

    assert [paragraph.text[:11] for paragraph in body] == ["The council", "The council"]


def test_letters_in_a_box_named_so_are_left_out_however_many_they_are() -> None:
    letters = "<ol class='comment-list'>" + "".join(f"<li><p>{n}: {LETTER}</p></li>" for n in range(30)) + "</ol>"

    body = extract(page(letters)).body

    assert [paragraph.text[:11] for paragraph in body] == ["The council", "The council"]


def test_a_page_whose_text_stands_in_a_box_named_comment_keeps_it() -> None:
    html = page("").replace("<div><p>", "<div class='comment'><p>")

    assert len(extract(html).body) == 2


def test_a_number_of_comments_above_the_text_ends_nothing() -> None:
    before = "<p>Nobody had expected it any more after all these years of talks.</p><p>3 comments</p>"

    assert len(extract(page("", before=before)).body) >= 2


def test_a_line_named_byline_with_date_and_time_is_left_out() -> None:
    line = "<p class='byline'>Autor: Elżbieta Nowak · 3 listopada 2026, 19:14 · Aktualizacja: 3 listopada 2026, 20:05</p>"

    assert "Aktualizacja" not in extract(page("", before=line)).text


def test_a_kicker_inside_the_heading_is_no_part_of_the_headline() -> None:
    html = (
        "<html><head><title>War: The truce holds for a third day - Site</title>"
        "<meta property='og:title' content='Talks in Geneva: The truce holds for a third day'></head><body>"
        f"<h1><span>War in the east</span> <span>The truce holds for a third day</span></h1>{ARTICLE}</body></html>"
    )

    headline = Document.parse(html).headline

    assert headline is not None
    assert headline.text == "The truce holds for a third day"
