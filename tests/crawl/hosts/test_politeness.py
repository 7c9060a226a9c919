"""robots.txt, pauses, lists and networks in a crawl: what is asked, what is not, and what the run says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawl, summary
from host_states import put_host
from portal_server import Answer, PortalServer, address, listing, story
from town import Town, routes

from newscrawler.store.hosts import HostRecord, Hosts
from newscrawler.store.vocabularies import OriginFileKind

RULES = "User-agent: *\nDisallow: /sport"


def text(body: str) -> Answer:
    return Answer(body, kind="text/plain")


def in_turn(*answers: Answer | str, then: Answer | str) -> Any:
    left = iter(answers)
    return lambda _: next(left, then)


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """One crawl of many portals; each test looks at one of them."""
    with Town(tmp_path_factory.mktemp("town")) as made:
        made.crawler = 'denylist = ["127.0.1.1"]'
        made.add("listed")
        made.add("comes-back").routes["/robots.txt"] = in_turn(Answer("", 503), Answer("", 429), then=text("User-agent: *\n"))
        made.add("asks-for-later").routes["/robots.txt"] = Answer("", 503, {"Retry-After": "4000"})
        five = made.add("five-redirects")
        five.routes["/robots.txt"] = Answer("", 302, {"Location": "/r2"})
        five.routes |= {f"/r{hop}": Answer("", 302, {"Location": f"/r{hop + 1}" if hop < 5 else "/rules"}) for hop in range(2, 6)}
        five.routes["/rules"] = text(RULES)
        six = made.add("six-redirects")
        six.routes["/robots.txt"] = Answer("", 302, {"Location": "/r1"})
        six.routes |= {f"/r{hop}": Answer("", 302, {"Location": f"/r{hop + 1}" if hop < 6 else "/rules"}) for hop in range(1, 7)}
        six.routes["/rules"] = text(RULES)
        made.add("html-rules").routes["/robots.txt"] = "<!doctype html><p>User-agent: *<br>\nDisallow: /sport"
        made.add("long-rules").routes["/robots.txt"] = text("User-agent: *\nDisallow: /sport\n" + "#" * 7_000_000)
        made.add("patient", keys="delay = 0\nmax_minutes = 0.15").routes["/robots.txt"] = text("User-agent: *\nCrawl-delay: 999")
        made.add("busy-page").routes[address(2)] = in_turn(Answer("", 429, {"Retry-After": "3"}), then=story(2))
        made.add("picky", keys='delay = 0\nlanguage = "cs"').heads = []
        made.servers["picky"].routes["/"] = Answer(listing("/sport/"), headers={"Set-Cookie": "a=b"})
        for name, inside in (
            ("inward", "http://169.254.169.254/x"),
            ("sideward", "http://127.0.0.2:{port}/"),
            ("number", "http://2130706433:{port}/"),
        ):
            server = made.add(name)
            server.routes["/robots.txt"] = Answer("", 302, {"Location": inside.format(port=server.server_port)})
        made.names = {
            "rebound.example": ["93.184.215.14", "127.0.1.14"],
            "intranet.example": ["127.0.1.15"],
            "plain.example": ["127.0.1.16"],
            "2130706433": ["127.0.0.1"],
        }
        made.add("rebound", start="http://rebound.example:{port}/", keys="delay = 0.1")
        made.add("intranet", start="http://intranet.example:{port}/", keys='delay = 0.1\nnetworks = ["127.0.0.0/8"]')
        made.add("plain", start="http://plain.example:{port}/", keys="delay = 0.1")
        later = datetime.now(UTC) + timedelta(hours=3)
        hours = f"{later:%H%M}-{later + timedelta(hours=1):%H%M}"
        made.add("other-hours").routes["/robots.txt"] = text(f"User-agent: *\nVisit-time: {hours}")
        yield made.crawl()


def test_a_host_on_the_list_is_left_alone(town: Town) -> None:
    assert town.servers["listed"].asked == []
    assert town.outcomes("listed")["/"][0] == "skipped"
    assert town.results["listed"]["skipped"]["host on the denylist"] >= 1


def test_a_robots_txt_that_fails_closes_the_portal_until_it_answers(town: Town) -> None:
    assert town.asked("comes-back")[:4] == ["/robots.txt", "/robots.txt", "/robots.txt", "/"]
    assert town.results["comes-back"]["new_articles"] == 3


def test_a_robots_txt_that_asks_for_time_gets_it(town: Town) -> None:
    assert town.asked("asks-for-later") == ["/robots.txt"]
    state, reason = town.outcomes("asks-for-later")["/"]
    assert reason == f"no answer to robots.txt: {town.servers['asks-for-later'].url}robots.txt answers 503"
    assert state in {"waiting", "failed"}


def test_five_redirects_of_robots_txt_are_followed_and_after_more_there_are_no_rules(town: Town) -> None:
    assert "/rules" in town.asked("five-redirects")
    assert "/sport/" not in town.asked("five-redirects")
    assert "/rules" not in town.asked("six-redirects")
    assert "/sport/" in town.asked("six-redirects")


def test_rules_that_a_page_of_html_shows_are_obeyed(town: Town) -> None:
    assert town.outcomes("html-rules")["/sport/"] == ("skipped", "forbidden by robots.txt")
    assert town.results["html-rules"]["new_articles"] == 1


def test_of_a_robots_txt_without_end_the_beginning_counts(town: Town) -> None:
    assert town.outcomes("long-rules")["/sport/"] == ("skipped", "forbidden by robots.txt")
    town.change(lambda hosts: check_length(hosts, town))


def check_length(hosts: Hosts, town: Town) -> None:
    (record,) = hosts.files(host=town.servers["long-rules"].host, kind=OriginFileKind.ROBOTS)
    assert record.body is not None
    assert len(record.body) < 1_000_000


def test_a_crawl_delay_beyond_the_limit_is_told(town: Town) -> None:
    assert "asks for 999 s between requests; 120 s are kept" in town.results["patient"]["notes"][0]
    assert town.asked("patient") == ["/robots.txt"]


def test_a_host_is_not_visited_outside_the_hours_of_its_robots_txt(town: Town) -> None:
    assert town.asked("other-hours") == ["/robots.txt"]
    assert town.outcomes("other-hours")["/"][0] == "waiting"
    assert town.results["other-hours"]["ended_because"].startswith("window: ")
    assert "robots.txt asks for visits from" in town.results["other-hours"]["ended_because"]


def test_a_host_that_asks_for_a_pause_gets_it(town: Town) -> None:
    log = town.servers["busy-page"].asked
    at = next(index for index, item in enumerate(log) if item.status == 429)

    assert log[at + 1].at - log[at].at >= 2.9
    assert town.results["busy-page"]["new_articles"] == 3


def test_nothing_but_our_own_goes_out(town: Town) -> None:
    heads = town.servers["picky"].heads
    assert heads
    names = {line.partition(":")[0].lower() for head in heads for line in head.splitlines()}
    assert names == {"host", "user-agent", "accept", "accept-encoding", "accept-language", "connection"} & names
    assert {"accept-encoding", "user-agent"} <= names


@pytest.mark.parametrize("name", ["inward", "sideward", "number"])
def test_robots_txt_leads_to_no_address_inside(town: Town, name: str) -> None:
    assert town.asked(name) == ["/robots.txt"]
    assert "public address" in town.outcomes(name)["/"][1]


def test_a_name_that_is_bound_to_this_machine_after_it_was_looked_at_is_not_connected_to(town: Town) -> None:
    assert town.servers["rebound"].asked == []
    assert town.outcomes("rebound")["/"][1].startswith("address not allowed: rebound.example is at 127.0.1.14")


def test_a_name_in_a_private_network_is_crawled_where_the_portal_says_so(town: Town) -> None:
    assert town.results["intranet"]["new_articles"] == 3
    assert town.servers["plain"].asked == []
    assert town.outcomes("plain")["/"][1].startswith("address not allowed: plain.example is at 127.0.1.16")


def test_each_request_stands_in_the_log(town: Town) -> None:
    def check(hosts: Hosts) -> None:
        server: PortalServer = town.servers["html-rules"]
        log = hosts.fetches(portal="html-rules")
        assert [record.status for record in log] == [item.status for item in server.asked]
        assert {(record.host, record.address, record.run_id is None) for record in log} == {(server.host, server.host, False)}
        assert log[0].kind == "robots"
        assert all(record.bytes > 0 for record in log if record.status == 200)

    town.change(check)


def test_the_next_crawl_remembers_pauses_and_robots_txt_and_leaves_alone_who_fails_again_and_again(tmp_path: Path) -> None:
    with Town(tmp_path) as town:
        for name in ("known", "stale", "paused", "failing"):
            town.add(name)
        town.crawl()
        now = datetime.now(UTC)
        host = {name: server.host for name, server in town.servers.items()}

        def meddle(hosts: Hosts) -> None:
            (file,) = [file for file in hosts.files(host=host["stale"]) if file.kind == "robots.txt"]
            hosts.save_file(replace(file, expires_at=now))
            until = now + timedelta(hours=2)
            put_host(hosts, HostRecord(name=host["paused"], paused_until=until, pause_reason="answers 503", response_seconds=0.1))
            put_host(hosts, HostRecord(name=host["failing"], failures=8, response_seconds=0.1))

        town.change(meddle)
        town.servers["stale"].routes["/robots.txt"] = text("User-agent: *\nDisallow: /")
        town.servers["failing"].routes = dict.fromkeys(town.servers["failing"].routes, Answer("", 503))
        for server in town.servers.values():
            server.asked.clear()

        town.crawl()

        assert "/robots.txt" not in town.asked("known")
        assert town.asked("stale") == ["/robots.txt"]
        assert town.asked("paused") == []
        assert len(town.asked("failing")) == 1
        assert town.results["failing"]["ended_because"].startswith(f"host suspended: {host['failing']} until ")
        assert town.outcomes("failing")["/"][0] == "waiting"


def test_the_proxy_of_the_environment_is_used_and_its_credentials_are_not(
    server: PortalServer, crawl: Crawl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\ndefault login me password secret\n", "ascii")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    proxied = {f"{server.url.rstrip('/')}{path}": page for path, page in routes().items()}

    with PortalServer(proxied, host="127.0.0.9") as proxy:
        proxy.heads = []
        monkeypatch.setenv("http_proxy", proxy.url)
        result = summary(crawl(server.url))

    assert result["new_articles"] == 3
    assert proxy.asked
    assert not server.asked
    assert not [head for head in proxy.heads if "authorization" in head.lower()]
