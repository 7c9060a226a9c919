"""What a wrapper decided about a page is told in words."""

from __future__ import annotations

from portal_pages import PROMOTION, listing, page

from newscrawler.explain import explain_page
from newscrawler.page import Document
from newscrawler.wrappers import PortalWrapper, learn


def wrapper() -> PortalWrapper:
    return learn([Document.parse(page(number), f"https://valley.example/{number}") for number in range(1, 6)])


def test_the_answer_that_was_used_the_places_and_the_furniture_are_told() -> None:
    told = explain_page(Document.parse(page(9), "https://valley.example/9"), wrapper=wrapper()).as_text(width=200)

    assert "the wrapper's answer is used: it explains the page" in told
    assert "it knows the page as layout 1; 100% of the text" in told
    assert "p|p<div.story-text" in told
    assert "on 5 pages" in told
    assert "Furniture" in told
    assert PROMOTION[:60] in told.split("Furniture")[1]


def test_a_page_laid_out_like_none_is_told_to_be_read_alone() -> None:
    told = explain_page(Document.parse(listing(3), "https://valley.example/news"), wrapper=wrapper()).as_text()

    assert "the page-level answer is used" in told


def test_an_empty_page_is_told() -> None:
    assert "the page holds no text" in explain_page(Document.parse(""), wrapper=wrapper()).as_text()
