"""The texts around a headline are read from it on, in both directions."""

from __future__ import annotations

from newscrawler.dates.around import texts_around
from newscrawler.page import Document


def texts(body: str, most_behind: int = 60) -> list[str]:
    page = Document.parse(f"<html><body>{body}</body></html>")
    return [text for _, text in texts_around(next(page.body.iter("h1")), most_behind)]


def test_what_stands_behind_comes_first_and_what_stands_before_from_the_nearest_on() -> None:
    body = "<header><p>one</p><div>two<ul><li><b>three</b></li></ul>four</div></header><h1>five</h1>six<div><p>seven</p></div>"

    assert texts(body) == ["six", "seven", "four", "three", "two", "one", "five"]


def test_a_menu_however_long_leaves_the_lines_above_the_headline_in_reach() -> None:
    menu = "".join(f"<li><a href=/{n}><span>Section {n}</span></a></li>" for n in range(80))

    found = texts(f"<header><nav><ul>{menu}</ul></nav><p>3 May 2024</p></header><h1>Headline</h1>")

    assert found[0] == "3 May 2024"
    assert len(found) == 13


def test_a_small_element_is_one_text_and_what_is_not_shown_is_none() -> None:
    body = "<h1>Headline</h1><p>Published <b>3 May</b> 2024</p><div><script>4 May 2024</script></div><p>Text.</p>"

    assert texts(body) == ["Published 3 May 2024", "Text.", "Headline"]


def test_no_more_is_read_behind_than_is_asked_for() -> None:
    assert texts("<h1>Headline</h1>" + "<p>Text.</p>" * 9, most_behind=3) == ["Text."] * 3 + ["Headline"]
