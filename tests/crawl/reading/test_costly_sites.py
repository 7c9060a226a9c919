"""Portals that cost more requests than articles, or hide the news in an archive; the tables are in `costly_sites.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from costly_sites import NEWS, SKIPPED, TWINS
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
