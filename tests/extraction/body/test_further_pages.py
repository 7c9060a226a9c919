"""Articles on several pages."""

from __future__ import annotations

import pytest

from newscrawler.article import Paragraph
from newscrawler.extraction.body.further_pages import first_page, further_pages, join_paragraphs
from newscrawler.page import Document


def page(url: str, body: str, head: str = "") -> Document:
    return Document.parse(f"<html><head>{head}</head><body><h1>Budget</h1><p>Text.</p>{body}</body></html>", url)


WORDPRESS = (
    '<div class="page-links">Pages: <span class="post-page-numbers current">1</span> '
    '<a href="{0}/2/" class="post-page-numbers">2</a> <a href="{0}/3/" class="post-page-numbers">3</a></div>'
)


def test_numbered_links_within_the_article_are_its_pages():
    first = page("https://news.example/2026/09/budget/", WORDPRESS.format("https://news.example/2026/09/budget"))

    assert further_pages(first) == ("https://news.example/2026/09/budget/2/", "https://news.example/2026/09/budget/3/")


def test_numbers_in_the_query_are_pages_too():
    links = '<div class="page-links"><a href="?p=1058&amp;page=2">2</a><a href="/?p=1058&amp;page=3">3</a></div>'

    assert further_pages(page("https://news.example/?p=1058", links)) == (
        "https://news.example/?p=1058&page=2",
        "https://news.example/?p=1058&page=3",
    )


def test_a_page_of_a_query_is_known_however_its_address_is_written():
    links = '<div class="page-links"><a href="/?p=%31058&amp;page=2">2</a><a href="/?p=\n1058&amp;page=3">3</a></div>'

    assert len(further_pages(page("https://news.example/?p=1058", links))) == 2


@pytest.mark.parametrize(
    ("own", "other"),
    [
        ("https://n.example/a/story.html", "https://n.example/a/story,2.html"),
        ("https://n.example/a/story.html", "https://n.example/a/story-2.html"),
        ("https://n.example/a/story.html", "https://n.example/a/story,strana,2.html"),
        ("https://n.example/a/story", "https://n.example/a/story/seite-2"),
        ("https://n.example/a/story", "https://n.example/a/story/page/2/"),
        ("https://n.example/a/story", "https://n.example/a/story?strana=2"),
    ],
)
def test_the_next_page_is_known_by_rel_next(own, other):
    assert further_pages(page(own, "", f'<link rel="next" href="{other}">')) == (other,)


def test_rel_next_to_another_article_is_not_followed():
    assert further_pages(page("https://n.example/a/story", "", '<link rel="next" href="https://n.example/a/other-story">')) == ()


def test_neighbours_with_numbers_in_their_address_are_other_articles():
    links = '<p>See also <a href="https://n.example/match-report-13">Match report 13</a></p>'

    assert further_pages(page("https://n.example/match-report-12", links)) == ()


def test_a_page_that_shows_all_parts_stands_alone():
    links = WORDPRESS.format("/story") + '<div class="pagination"><a href="/story?page=all">View all</a></div>'

    assert further_pages(page("https://n.example/story", links)) == ("https://n.example/story?page=all",)


def test_a_later_part_knows_the_pages_behind_it_and_the_first():
    links = (
        '<div class="page-links"><a href="/story/">1</a> <a href="/story/2/">2</a> <span>3</span> <a href="/story/4/">4</a></div>'
    )
    third = page("https://n.example/story/3/", links)

    assert further_pages(third) == ("https://n.example/story/4/",)
    assert first_page(third) == "https://n.example/story/"


def test_a_single_page_has_no_further_pages():
    single = page("https://n.example/story", '<p>In <a href="/2026/2">February</a></p>')

    assert further_pages(single) == ()
    assert first_page(single) is None


def test_parts_are_joined_in_order_and_what_they_repeat_comes_once():
    parts = [("Lead.", "One."), ("Lead.", "Two."), ("Lead.", "Three.")]

    whole = join_paragraphs([[Paragraph(text=text) for text in texts] for texts in parts])

    assert [paragraph.text for paragraph in whole] == ["Lead.", "One.", "Two.", "Three."]


def test_an_address_that_ends_in_a_number_may_have_pages_of_its_own():
    links = '<p class="post-nav-links">Stránky: <span>1</span> <a href="/protest-62/2/" class="post-page-numbers">Strana 2</a></p>'

    assert further_pages(page("https://n.example/protest-62/", links)) == ("https://n.example/protest-62/2/",)
