"""`newscrawler politeness`: what is in force, why, and what was kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from click.testing import Result
from host_states import put_host

from newscrawler.politeness import measure_gaps
from newscrawler.store import open_store
from newscrawler.store.hosts import FetchRecord, HostRecord, OriginFile
from newscrawler.store.vocabularies import FINISHED, OriginFileKind

CONFIGURATION = """\
[crawler]
contact = "you@your.domain"

[[portal]]
name = "example"
start_urls = ["https://www.example.org/"]
time_zone = "Europe/Prague"
window = "22:00-06:00"
night_pages = 500
disregard = ["noarchive"]
"""
ROBOTS = b"User-agent: newscrawler\nCrawl-delay: 200\nDisallow: /private/\nAllow: /private/open\n"


def prepared(folder: Path) -> None:
    (folder / "newscrawler.toml").write_text(CONFIGURATION, "utf-8")
    now = datetime.now(UTC)
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite") as store:
        run, _ = store.runs.begin("example", now=now, version="1")
        store.runs.end(run.id, now=now, because=FINISHED, counts={})
        for path, kind, body in (
            ("/robots.txt", OriginFileKind.ROBOTS, ROBOTS),
            ("/.well-known/tdmrep.json", OriginFileKind.TDM, b'[{"location": "/archive/", "tdm-reservation": 1}]'),
        ):
            store.hosts.save_file(
                OriginFile(
                    url=f"https://www.example.org{path}", origin="https://www.example.org", kind=kind, status=200, body=body,
                    asked_at=now, expires_at=now + timedelta(days=1), said_since=now,
                )
            )  # fmt: skip
        log = [
            FetchRecord(at=now + timedelta(seconds=seconds - 3600), host="www.example.org", portal="example")
            for seconds in (0, 121, 260, 500)
        ]
        paused = HostRecord(
            name="www.example.org", slowdown=2.0, response_seconds=4.5, failures=2, pause_reason="answers 503",
            paused_until=now + timedelta(hours=1),
        )  # fmt: skip
        put_host(store.hosts, paused, log)


def test_everything_in_force_is_told_with_its_reason(folder: Path, run: Callable[..., Result]) -> None:
    prepared(folder)

    told = run("politeness", "example").stdout

    for line in (
        "our name     newscrawler/",
        "(+you@your.domain)",
        "window       22:00-06:00 Europe/Prague; ",
        "budget       500 pages a night (`night_pages`); ",
        "all honoured but noarchive (`disregard`)",
        "https://www.example.org: 2 rules of our own group",
        "Disallow: /private/",
        "robots.txt asks for 200 s between requests; 120 s are kept",
        "delay        120 s, robots.txt asks for it; configured are 5 s",
        "gap now      240 s, × 2 to protect the host, which answers in 4.5 s",
        ": answers 503",
        "tdmrep.json  https://www.example.org: /archive/ reserved",
        "kept         smallest gap 121.00 s, median 139.00 s, 4 requests since ",
    ):
        assert line in told, told


def test_the_same_comes_as_json(folder: Path, run: Callable[..., Result]) -> None:
    prepared(folder)

    told: dict[str, Any] = json.loads(run("politeness", "example", "--json").stdout)

    (host,) = told["hosts"]
    assert told["budgets"][0]["most"] == 500
    assert host["kept"] == {"requests": 4, "since": host["kept"]["since"], "smallest_seconds": 121.0, "median_seconds": 139.0}
    assert host["delay"]["robots_seconds"] == 200
    assert host["pause"]["because"] == "answers 503"


def test_the_pause_of_an_address_is_told_and_pauses_are_forgotten_when_the_user_says_so(
    folder: Path, run: Callable[..., Result]
) -> None:
    prepared(folder)
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        until = datetime.now(UTC) + timedelta(minutes=5)
        put_host(store.hosts, HostRecord(name="192.0.2.1", paused_until=until, pause_reason="b.example answers 429"))
        store.hosts.forgive(["www.example.org"])
        log = [FetchRecord(at=datetime.now(UTC), host="www.example.org", address="192.0.2.1", portal="example")]
        put_host(store.hosts, store.hosts.of("www.example.org"), log)

    before = run("politeness", "example").stdout
    after = run("politeness", "example", "--forget-pauses").stdout

    assert "b.example answers 429, at the same address 192.0.2.1" in before
    assert "b.example" not in after
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        assert store.hosts.of("192.0.2.1").paused_until is None


def test_before_the_first_crawl_the_configuration_is_told(folder: Path, run: Callable[..., Result]) -> None:
    (folder / "newscrawler.toml").write_text(CONFIGURATION, "utf-8")

    told = run("politeness", "example")
    unknown = run("politeness", "exampel")

    assert told.exit_code == 0
    assert "window       22:00-06:00 Europe/Prague; " in told.stdout
    assert "robots.txt   not requested yet" in told.stdout
    assert "so nothing was requested" in told.stderr
    assert not (folder / "newscrawler.sqlite").exists()
    assert (unknown.exit_code, "did you mean example?" in unknown.stderr) == (2, True)


def test_a_portal_that_is_not_known_is_told(folder: Path, run: Callable[..., Result]) -> None:
    prepared(folder)

    done = run("politeness", "exampel")

    assert done.exit_code == 2
    assert "did you mean example?" in done.stderr


def test_gaps_need_two_requests() -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)

    assert measure_gaps([]).since is None
    assert measure_gaps([now]).smallest_seconds is None
    assert measure_gaps([now + timedelta(seconds=9), now, now + timedelta(seconds=4)]).smallest_seconds == 4
