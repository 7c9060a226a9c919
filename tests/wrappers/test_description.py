"""A template says in words how it read a page."""

from __future__ import annotations

from portal_pages import PROMOTION, listing, page

from newscrawler.page import Document
from newscrawler.wrappers import PortalWrapper, learn


def wrapper() -> PortalWrapper:
    return learn([Document.parse(page(number), f"https://valley.example/{number}") for number in range(1, 6)])


def described(html: str, url: str | None = None) -> str:
    return "\n".join(wrapper().describe(Document.parse(html, url))[1])


def test_how_the_body_was_found_the_places_and_the_boilerplate_are_described() -> None:
    lines = described(page(9), "https://valley.example/9")

    assert "lines that recur on other pages were left out" in lines
    assert "the page fits layout 1; 100% of the text" in lines
    assert "changed or given by the template: body" in lines
    assert "p|p<div.story-text" in lines
    assert "on 5 pages" in lines
    assert PROMOTION[:60] in lines.split("Boilerplate")[1]


def test_a_page_in_which_nothing_recurs_is_described_as_read_by_itself() -> None:
    assert "the page was read by itself" in described(listing(3), "https://valley.example/news")


def test_an_empty_page_is_described() -> None:
    assert "no learned layout fits the page; 0% of the text" in described("")
