"""Portals of odd makes: all articles are found with few requests; where none can be read, the user is told why."""

from __future__ import annotations

import pytest
from odd_sites import SITES, Found, crawl_odd_sites

#: Sites that show a mechanism; the others are crawled by `tools/write_odd_sites_page.py`.
SHOWN = (
    "meta-refresh", "frameset", "next-data", "initial-state", "item-list", "data-href", "onclick", "load-more", "wordpress",
    "ghost", "ghost-disallowed", "section-feeds", "wordpress-feeds",
    "hash-bang", "one-page", "calendar",
    "calendar-of-months", "two-parts", "misjudged", "facets", "random-session", "endless-pages", "folder-loop",
)  # fmt: skip
#: Of these the address alone tells that there is no end.
TRAPS = ("facets", "random-session", "endless-pages", "folder-loop")
TOLD = tuple(name for name, site in SITES.items() if site.told and not name.startswith("http-4"))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    return crawl_odd_sites(tmp_path_factory.mktemp("odd"), [*SHOWN, *TOLD, "http-403"])


@pytest.mark.parametrize("name", SHOWN)
def test_all_articles_are_found_and_nothing_else(found: dict[str, Found], name: str) -> None:
    assert (found[name].missed, found[name].wrong) == (frozenset(), frozenset())


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_costs_two_requests_an_article_at_most(found: dict[str, Found], name: str) -> None:
    assert found[name].requests_an_article <= 2.0


def test_months_that_have_pages_spare_their_days(found: dict[str, Found]) -> None:
    assert found["calendar-of-months"].requests_an_article <= 3.5 < found["calendar"].requests_an_article


@pytest.mark.parametrize("name", [*TOLD, "http-403"])
def test_a_first_crawl_that_finds_nothing_says_why(found: dict[str, Found], name: str) -> None:
    assert SITES[name].told in found[name].told
