"""Portals that cost more requests than articles, or hide the news in an archive; the tables are in `costly_sites.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from costly_sites import NEWS, OTHERS, SKIPPED, TWINS, WHOLE
from crawling import articles
from odd_sites import crawl_odd_sites


def test_a_limited_crawl_takes_the_newest_articles_whatever_dates_them(tmp_path: Path) -> None:
    found = crawl_odd_sites(tmp_path, NEWS, NEWS)

    assert {name: (sorted(each.missed), sorted(each.wrong)) for name, each in found.items() if each.missed or each.wrong} == {}


def test_addresses_of_an_unproductive_pattern_are_skipped(tmp_path: Path) -> None:
    found = crawl_odd_sites(tmp_path, SKIPPED, SKIPPED)

    assert {name: each.missed | each.wrong for name, each in found.items() if each.missed or each.wrong} == {}
    assert {name: each.requests for name, each in found.items() if each.requests > 40} == {}


@pytest.mark.parametrize("part", range(2))
def test_articles_with_several_addresses_cost_few_requests(tmp_path: Path, part: int) -> None:
    found = crawl_odd_sites(tmp_path, list(TWINS)[part::2], TWINS)

    assert {name: each.missed | each.wrong for name, each in found.items() if each.missed or each.wrong} == {}
    assert {name: each.requests_an_article for name, each in found.items() if each.requests_an_article > 1.5} == {}


def test_articles_of_several_pages_are_read_at_once_where_the_portal_shows_them_so(tmp_path: Path) -> None:
    found = crawl_odd_sites(tmp_path, WHOLE, WHOLE)

    assert {name: each.missed | each.wrong for name, each in found.items() if each.missed or each.wrong} == {}
    assert {name: each.requests_an_article for name, each in found.items() if each.requests_an_article > 1.5} == {}
    assert {len(each.article.paragraphs) for each in articles(tmp_path)} == {9}


def test_pages_of_pictures_and_comments_and_about_the_portal_are_no_articles(tmp_path: Path) -> None:
    found = crawl_odd_sites(tmp_path, OTHERS, OTHERS)

    assert {name: each.missed | each.wrong for name, each in found.items() if each.missed or each.wrong} == {}
    most = {name: 5.2 if name.startswith("pages-") else 2.5 for name in OTHERS}
    assert {name: each.requests_an_article for name, each in found.items() if each.requests_an_article > most[name]} == {}
