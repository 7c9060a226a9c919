"""Dates above the headline: a clock in the page's head is none of the article's, the line right above the headline is."""

from __future__ import annotations

import pytest

from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.dates import DateContext, find_dates
from newscrawler.page import Document

_TEXT = "<p>The council approved the plan on Monday, and the people of the town asked many questions about it.</p>" * 3
_MENU = "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(8))


def _day(body: str, url: str | None = None) -> str | None:
    page = Document.parse(f"<html lang=de><head><title>Der Rat tagt heute wieder</title></head><body>{body}</body></html>", url)
    headline = page.view(find_headline).element if page.view(find_headline) else None
    published = find_dates(page, DateContext(), headline_element=headline).published
    return published.value.date().isoformat() if published else None


def test_a_clock_above_the_menu_does_not_date_the_article() -> None:
    head = f"<div id=top><div id=date>13.06.2007 10:34</div><ul>{_MENU}</ul></div>"
    story = "<h2>Der Rat tagt heute wieder</h2><div class=stamp>28.03.2007 9:15</div>"

    assert _day(f"{head}<div>{story}{_TEXT}</div>") == "2007-03-28"


def test_letters_of_readers_date_nothing_where_a_line_above_the_headline_does() -> None:
    line = "<span class=a>18-03-2004 21:14</span><br><span class=headline>Der Rat tagt heute wieder</span><br><br>"
    letters = "".join(
        f"<tr><td><b>Tom</b> | {day}-03-2004 21:14<br>So ist es eben, und wir sehen das alle so.</td></tr>" for day in (19, 20)
    )

    assert _day(f"<div>{line}{_TEXT * 20}</div><table>{letters}</table>") == "2004-03-18"


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/201312/74.htm", "2013-12-01"),
        ("/20131204/74.htm", "2013-12-04"),
        ("/2013/12/4/a.htm", "2013-12-04"),
        ("/2013-1-4-a.htm", "2013-01-04"),
        ("/201374/a.htm", None),
    ],
)
def test_signs_part_days_of_one_digit_in_addresses(path: str, day: str | None) -> None:
    assert _day("<h1>Der Rat tagt heute wieder</h1>", f"http://gazette.example{path}") == day
