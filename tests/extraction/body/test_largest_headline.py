"""Where a page has no headings, no names, and says nothing in its title, the line set in the largest type is its headline."""

from __future__ import annotations

import pytest

from newscrawler import extract

_HEADLINE = "Council approves new bridge over the river"
_TEXT = "<br><br>".join(
    f"The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it."
    for part in range(1, 6)
)


def _read(shown: str, *, title: str = "Untitled Document", menu: str = "") -> str:
    rows = f"<tr><td>{menu}</td><td>{shown}<font size=3>{_TEXT}</font></td></tr>"
    html = f"<html><head><title>{title}</title></head><body><table><tr><td><img src=top.gif></td></tr>{rows}</table></body></html>"
    return extract(html, "http://www.courier.example/article.php?id=9003").title


@pytest.mark.parametrize(
    "line",
    [
        f'<font size="5" color="#990000"><b>{_HEADLINE}</b></font><br>',
        f'<FONT SIZE="+2">{_HEADLINE}</FONT><BR>',
        f'<p><font size=2><b>3 May 2004</b></font></p><div style="font-size: 18pt">{_HEADLINE}</div>',
        f"<p><big>{_HEADLINE}</big></p><p><b>By Jane Doe</b></p>",
        f"<p><b>Sunday, 2 May 2004</b></p><p><b>{_HEADLINE}</b></p>",
        f"<font size=1>3 May 2004</font><br><font size=4>{_HEADLINE}</font><br><font size=1>By Jane Doe</font><br><br>",
    ],
)
@pytest.mark.parametrize("title", ["Untitled Document", "Courier Online", "News"])
def test_the_line_in_the_largest_type_is_the_headline(line: str, title: str) -> None:
    assert _read(line, title=title) == _HEADLINE


def test_the_logo_of_the_site_is_none() -> None:
    logo = "<font size=6>Valley Mirror</font><br>"

    assert _read(f"{logo}<font size=5>{_HEADLINE}</font><br>", title="Valley Mirror") == _HEADLINE


def test_a_bold_line_is_none_beside_a_title_that_tells_something() -> None:
    assert _read(f"<p><b>{_HEADLINE}</b></p>", title="Bridge to cost more") == "Bridge to cost more"


def test_a_large_line_is_none_beside_a_title_that_tells_more() -> None:
    title = "Bridge will cost three times as much as planned"

    assert _read(f"<p><font size=5>{_HEADLINE}</font></p>", title=title) == title


def test_large_words_within_a_paragraph_are_none() -> None:
    assert _read(f"<p><font size=5>The council of the town</font> {_TEXT[12:300]}</p>", title="News") == "News"


def test_the_heading_right_above_the_text_is_one_where_the_title_names_a_section() -> None:
    side = "<div><h2>Opinion of the week</h2></div>"

    assert _read(f"{side}<h2>{_HEADLINE}</h2>", title="Obituaries | Courier") == _HEADLINE
    assert _read(f"<h2>{_HEADLINE}</h2>", title="Obituary: Jane Doe of Millbrook | Courier") == "Obituary: Jane Doe of Millbrook"


@pytest.mark.parametrize("day", ["Friday, 18 April 2014", "18. září 2007", "2014-04-18"])
def test_the_day_behind_the_headline_in_the_title_is_none_of_it(day: str) -> None:
    line = f"<div><div style='float: right'>10:15</div>{_HEADLINE}</div>"

    assert _read(line, title=f"{_HEADLINE} - {day} - News - courier.example") == _HEADLINE


def test_the_line_that_ends_with_the_title_is_the_headline_behind_a_rubric() -> None:
    line = f"<div><span><a href=/t>News</a> : {_HEADLINE}</span></div>"
    html = (
        f"<html><title>The Harbour - {_HEADLINE} - News</title><body>{line}<div>By Jane Doe</div><div>{_TEXT}</div></body></html>"
    )

    found = extract(html, "http://courier.example/article.php?storyid=7")

    assert found.title == _HEADLINE
    assert found.authors == ("Jane Doe",)
