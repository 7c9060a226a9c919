"""Portals of odd makes: all articles are found with few requests; where none can be read, the user is told why."""

from __future__ import annotations

from pathlib import Path

import pytest
import standard_sites
import wide_sites
from odd_sites import SITES, TEN, crawl_odd_sites

#: Sites that show a mechanism; the others are crawled by `tools/write_odd_sites_page.py`.
SHOWN = (
    "meta-refresh", "frameset", "next-data", "initial-state", "item-list", "data-href", "onclick", "load-more", "wordpress",
    "ghost", "ghost-disallowed", "section-feeds", "wordpress-feeds",
    "hash-bang", "one-page", "calendar",
    "calendar-of-months", "two-parts", "misjudged", "facets", "filters", "random-session", "endless-pages", "folder-loop",
)  # fmt: skip
#: Of these the address alone tells that there is no end.
TRAPS = ("facets", "random-session", "endless-pages", "folder-loop")
TOLD = tuple(name for name, site in SITES.items() if site.told and not name.startswith("http-4"))


def test_articles_are_found_with_few_requests_and_the_user_is_told_why_there_are_none(tmp_path: Path) -> None:
    # one test, so that the sites are crawled together, and once
    found = crawl_odd_sites(tmp_path, [*SHOWN, *TOLD, "http-403"])

    assert {name: (found[name].missed, found[name].wrong) for name in SHOWN if found[name].missed or found[name].wrong} == {}
    assert found["filters"].requests_an_article <= 3.5  # which only many pages tell
    assert {name: costs for name in TRAPS if (costs := found[name].requests_an_article) > 2.0} == {}
    # months that have pages spare their days
    assert found["calendar-of-months"].requests_an_article <= 3.5 < found["calendar"].requests_an_article
    assert {name: found[name].told for name in (*TOLD, "http-403") if SITES[name].told not in found[name].told} == {}


@pytest.mark.parametrize("part", range(3))
def test_portals_that_lean_on_standards_are_read_as_browsers_read_them(tmp_path: Path, part: int) -> None:
    found = crawl_odd_sites(tmp_path, list(standard_sites.SITES)[part::3], standard_sites.SITES)

    assert {name: (each.missed, each.wrong) for name, each in found.items() if each.missed or each.wrong} == {}


def test_all_parts_of_a_list_are_found(tmp_path: Path) -> None:
    found = crawl_odd_sites(tmp_path, wide_sites.SITES, wide_sites.SITES)

    assert {name: (each.missed, each.wrong) for name, each in found.items() if each.missed or each.wrong} == {}
    assert {name: each.requests for name, each in found.items() if each.requests > 20} == {}
    assert {name: found[name].told for name, site in wide_sites.SITES.items() if site.told not in found[name].told} == {}


def test_links_without_end_cost_few_requests(tmp_path: Path) -> None:
    found = crawl_odd_sites(tmp_path, wide_sites.ENDLESS, wide_sites.ENDLESS)

    assert found["topics"].missed | found["topics"].wrong == frozenset()
    assert len(found["tokens"].wrong) == len(TEN)  # at whatever addresses
    assert found["topics"].requests <= 150
    assert found["tokens"].requests <= 30
