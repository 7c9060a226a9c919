"""Servers that fail at every page, and answers that say when to come back: how much is asked, and when."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest
import warm_command
from crawling import Crawl, summary
from portal_server import Answer, PortalServer, address, listing
from town import Town, routes

from newscrawler.crawl.hosts.host_slots import MOST_ERRORS_IN_A_ROW, Client, Exchange, HostBackoff, SlotLease
from newscrawler.errors import PageReason
from newscrawler.politeness import FailureScope
from newscrawler.store.hosts import HostRecord


def judged(backoff: HostBackoff, host: HostRecord, answered: Exchange) -> tuple[HostRecord, object]:
    client = Client(
        portal="a", delay_seconds=0.0, timeout_seconds=1.0, run_id=lambda: 1, waits=lambda _, __: None, is_over=lambda: False
    )
    lease = SlotLease(
        client=client, host="a.example", names=("a.example",), holder="h", gap_seconds=0.0, delay_seconds=0.0,
        at=datetime.now(UTC), began=0.0,
    )  # fmt: skip
    return backoff.apply(host, lease, answered)


def answered(number: int, status: int, scope: FailureScope | None) -> Exchange:
    return Exchange(url=f"http://a.example/{number}", kind="page", status=status, size=0, scope=scope, detail=f"answers {status}")


def test_errors_of_the_server_in_a_row_are_trouble_of_the_host_and_it_is_left_alone() -> None:
    backoff, host = HostBackoff(), HostRecord(name="a.example", response_seconds=0.1)
    pauses = []
    for number in range(MOST_ERRORS_IN_A_ROW + 9):
        host, pause = judged(backoff, host, answered(number, 500, FailureScope.PAGE))
        pauses.append(pause)

    assert pauses[:MOST_ERRORS_IN_A_ROW] == [None] * MOST_ERRORS_IN_A_ROW
    assert all(pause is not None for pause in pauses[MOST_ERRORS_IN_A_ROW:])
    assert host.is_suspended


def test_one_page_that_is_served_ends_the_row() -> None:
    backoff, host = HostBackoff(), HostRecord(name="a.example", response_seconds=0.1)
    for number in range(5 * MOST_ERRORS_IN_A_ROW):
        broken = number % MOST_ERRORS_IN_A_ROW
        host, pause = judged(backoff, host, answered(number, *((500, FailureScope.PAGE) if broken else (200, None))))
        assert pause is None


def test_a_portal_that_fails_at_every_page_is_not_asked_for_each(
    server: PortalServer, crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(warm_command.FIRST_PAUSE, "0.01")
    articles = [address(number) for number in range(300)]
    server.routes |= {"/": listing(*articles)} | dict.fromkeys(articles, Answer("", 500))

    result = summary(crawl(server.url))

    assert result["new_articles"] == 0
    assert result["ended_because"].startswith("host suspended")
    assert MOST_ERRORS_IN_A_ROW <= len(server.asked) < 2 * MOST_ERRORS_IN_A_ROW


def test_the_next_crawl_of_a_suspended_host_says_why_nothing_is_requested(crawl: Crawl, server: PortalServer) -> None:
    server.routes = {"/": Answer("", 503, {"Retry-After": "7200"})}
    crawl(server.url)
    requests = len(server.asked)

    ended = summary(crawl(server.url))["ended_because"]

    assert ended.startswith("host suspended: nothing is requested before ")
    assert "answers 503" in ended
    assert len(server.asked) == requests


#: Statuses beside which Retry-After stands, and where a redirect leads.
WITH_RETRY_AFTER = [(302, "/sport/"), (301, "/sport/"), (403, None), (404, None), (500, None)]


def test_retry_after_is_kept_whatever_it_comes_with(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        for status, where in WITH_RETRY_AFTER:
            headers = {"Retry-After": "0000000000002"} | ({"Location": where} if where else {})
            town.add(str(status), routes(3)).routes |= {
                "/": listing("/krimi/", "/kultura/", address(1), address(2)),
                "/krimi/": Answer("", status, headers),
                "/kultura/": listing(address(3), title="Kultura"),
            }
        town.crawl()

        for server in town.servers.values():
            at = next(index for index, item in enumerate(server.asked) if item.path == "/krimi/")
            assert len(server.asked) > at + 1
            assert server.asked[at + 1].at - server.asked[at].at >= 1.9


def test_a_host_that_is_paused_holds_up_no_other_at_its_address(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        start, keys = "http://one.example:{port}/a/", 'networks = ["127.0.1.0/24"]\ndelay = 0.1'
        server = town.add("a", routes(3, "/a") | routes(3, "/b"), start=start, keys=f"{keys}\nmax_minutes = 0.15")
        server.routes["/a/"] = Answer("", 503, {"Retry-After": "600"})
        town.names = {"one.example": [server.host], "other.example": [server.host]}
        town.tables.append(f'[[portal]]\nname = "b"\nstart_urls = ["http://other.example:{server.server_port}/b/"]\n{keys}\n')

        town.crawl()

        assert town.results["b"]["new_articles"] == 3
        assert town.results["a"]["new_articles"] == 0
        paths = [item.path for item in server.asked if item.path.startswith("/a")]
        assert paths == ["/a/"]
        assert all(later.at >= earlier.at for earlier, later in pairwise(server.asked))
        assert PageReason.PAUSED in str(town.outcomes("a"))
