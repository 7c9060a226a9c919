"""Where a page has no headings and names only the site, the only element called the title of an article is its headline."""

from __future__ import annotations

import pytest

from newscrawler import extract

_HEADLINE = "Council approves new bridge over the river"
_TEXT = "".join(
    f"<p>The council approved part {part} of the plan on Monday, and the people of the town asked many questions about it.</p>"
    for part in range(1, 6)
)


def _read(shown: str, *, more: str = "") -> str:
    html = f"<html><head><title>The Harbour Courier</title></head><body><div>{shown}</div><div>{_TEXT}</div>{more}</body></html>"
    return extract(html, "https://courier.example/Detail.aspx?ArticleID=9003").title


@pytest.mark.parametrize(
    "name",
    ["id=ctl00_cph_lblTitle", "class=ArticleTitle", "class=news-title", "class=headline", "class=nadpis", "class=article_title"],
)
def test_the_only_element_called_so_is_the_headline(name: str) -> None:
    assert _read(f"<span>Politics</span><br><span {name}>{_HEADLINE}</span><br><span>Monday, May 4, 2026</span>") == _HEADLINE


@pytest.mark.parametrize("name", ["class=site-title", "class=widget-title", "class=subtitle", "class=entitled"])
def test_what_is_called_the_title_of_something_else_is_none(name: str) -> None:
    assert _read(f"<span {name}>{_HEADLINE}</span>") == "The Harbour Courier"


def test_one_of_several_is_none() -> None:
    others = "<div><span class=title>Museum opens a new wing for its guests</span></div>"

    assert _read(f"<span class=title>{_HEADLINE}</span>", more=others) == "The Harbour Courier"


def test_a_title_that_tells_something_else_is_believed() -> None:
    shown = f"<span class=title>All our letters and answers to them</span><div>{_TEXT}</div>"
    html = f"<html><head><title>Courier - {_HEADLINE}</title></head><body>{shown}</body></html>"

    assert _HEADLINE in extract(html, "https://courier.example/Detail.aspx?ArticleID=9003").title
