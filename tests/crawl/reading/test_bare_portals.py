"""Small and old portals of bare HTML: what the address of a page looks like does not overrule what the page is."""

from __future__ import annotations

from pathlib import Path

from bare_portals import PORTALS
from crawling import Crawl, reasons, summary
from odd_sites import crawl_odd_sites
from portal_server import PortalServer

#: Share of the stories of all portals that are found.
LEAST_FOUND = 0.95


def test_stories_of_bare_portals_are_found_and_no_other_pages(tmp_path: Path) -> None:
    # one test, so that the portals are crawled together, and once
    found = crawl_odd_sites(tmp_path, PORTALS, {name: portal.make_site() for name, portal in PORTALS.items()})

    right, missed = (sum(len(getattr(each, name)) for each in found.values()) for name in ("right", "missed"))
    assert right >= LEAST_FOUND * (right + missed), {name: each.missed for name, each in found.items() if each.missed}
    assert {name: each.wrong for name, each in found.items() if each.wrong} == {}
    assert all(each.right for each in found.values())


def test_a_portal_with_one_link_that_leads_to_no_article_says_so(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    server.routes["/"] = "<title>Town</title><h1>Town</h1><a href='/town.html'>Town</a>"
    server.routes["/town.html"] = "<title>Town</title><h1>Town</h1><p>Nothing yet</p><a href='/'>Town</a>"

    done = crawl(server.url)

    assert done.returncode == 1
    assert summary(done)["needs_attention"]
    assert "no article" in done.stderr, reasons(tmp_path)
