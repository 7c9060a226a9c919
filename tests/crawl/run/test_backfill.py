"""Backfills of a portal of twelve years: only articles of the range, each once, within the budget, whatever kills the crawl."""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, datetime
from itertools import pairwise
from pathlib import Path

import pytest
import warm_command
from crawling import articles, command
from past_portal import Past, PastServer, draw
from warm_command import CommandProcess

SINCE, UNTIL = date(2018, 1, 1), date(2018, 6, 30)
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return warm_command.run(
            command(*arguments, "--delay", "0", "--json"), cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )

    return call


def read(server: PastServer) -> list[int]:
    """The articles that were requested, in their order."""
    return [number for _, path in server.asked if (number := server.past.number_of(path)) is not None]


def stored(folder: Path, server: PastServer) -> set[int]:
    return {
        number
        for each in articles(folder)
        if (number := server.past.number_of((each.article.url or "")[len(server.url) :])) is not None
    }


@pytest.mark.parametrize(
    "past",
    [
        Past(articles=600, in_sitemap=0.9, in_archive=0.95),
        Past(articles=600, design=3, in_sitemap=0.5, wp_json=True, dated_sitemap=False),
        Past(articles=2_000, design=0, in_sitemap=0.1, past_feeds=True, past_search=True, moved=0.0),
        Past(articles=2_000, design=0, in_sitemap=0.1, past_search=True, moved=0.0),
    ],
    ids=["archive by month", "query and API", "feeds of months", "searches of months"],
)
def test_a_range_is_crawled_by_the_portals_own_lists(run: Run, tmp_path: Path, past: Past) -> None:
    with PastServer(past=past) as server:
        done = run("crawl", f"{server.url}/", "--since", "2018", "--until", "2018-06")
        assert done.returncode == 0, done.stderr
        wanted, got = set(past.live(SINCE, UNTIL)), stored(tmp_path, server)
        assert len(wanted - got) <= 1
        assert not got - wanted
        assert all(SINCE <= past.day_of(number) <= UNTIL for number in read(server))
        assert len(server.asked) <= 1.6 * len(wanted) + 20
    assert any("outside 2018-01-01 to 2018-06-30" in note for note in json.loads(done.stdout)["notes"])


@pytest.mark.parametrize("numbered", [True, False], ids=["by numbers", "by the order of a list"])
def test_addresses_without_days_get_them_from_their_neighbours(run: Run, tmp_path: Path, numbered: bool) -> None:  # noqa: FBT001
    past = Past(
        articles=700, design=0, by_month=False, dated_sitemap=False, in_sitemap=1.0, moved=0.0, relaunch=date(2030, 1, 1), lost=0.1,
        numbered=numbered,
    )  # fmt: skip
    with PastServer(past=past) as server:
        run("crawl", f"{server.url}/", "--since", "2018", "--until", "2018-06")
        wanted = set(past.live(SINCE, UNTIL))
        assert len(wanted - stored(tmp_path, server)) <= 1
        outside = [number for number in read(server) if not SINCE <= past.day_of(number) <= UNTIL]
        assert len(outside) <= 6  # the search for both ends of the range


def test_a_night_has_its_budget_and_the_next_one_goes_on(run: Run, tmp_path: Path) -> None:
    with PastServer(past=Past(articles=600, in_archive=0.95)) as server:
        options = ("backfill", f"{server.url}/", "--since", "2018", "--until", "2018-06", "--order", "spread")
        first = json.loads(run(*options, "--per-night", "30").stdout)
        pages = [path for _, path in server.asked if path not in {"/robots.txt", "/.well-known/tdmrep.json"}]
        assert len(pages) == 30
        assert first["waiting"] > 0
        assert first["done_on"] is not None
        assert all(month["stored"] for month in first["months"])  # as many of each
        again = json.loads(run(*options, "--per-night", "30").stdout)
        assert again["stored"] == first["stored"]  # the night's budget is used up
        last = json.loads(run(*options, "--per-night", "400").stdout)
        assert last["waiting"] == 0
        assert set(Counter(read(server)).values()) == {1}
        live = [len(server.past.live(date(2018, month, 1), date(2018, month, 28))) for month in range(1, 7)]
        assert all(month["stored"] >= number - 2 for month, number in zip(last["months"], live, strict=True))
    create = command("release", "create", "past", "--creator", "Eva Malá", "--output", "out")
    done = warm_command.run(create, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    said = next(path.read_text() for path in (tmp_path / "out").glob("*.md") if "fetched afterwards" in path.read_text())
    for month in last["months"]:  # each with its estimate, or with the reason why there is none
        assert any(month["month"] in line and (month["why_not"] or f"{month['low']} to") in line for line in said.splitlines())


def test_killed_backfills_lose_and_double_nothing(run: Run, tmp_path: Path) -> None:
    with PastServer(past=Past(articles=500, in_archive=1.0)) as server:
        options = ("backfill", f"{server.url}/", "--since", "2018", "--until", "2018-06", "--delay", "0", "--per-night", "5000")
        for requests in (8, 20, 35):
            process = CommandProcess(command(*options), cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(server.asked) < requests:
                time.sleep(0.01)
            process.kill()
            process.wait()
        assert run(*options[:-4], "--per-night", "5000").returncode == 0
        assert stored(tmp_path, server) == set(server.past.live(SINCE, UNTIL))
        assert len(articles(tmp_path)) == len(server.past.live(SINCE, UNTIL))
        assert max(Counter(read(server)).values()) <= 3  # those in hand


def test_an_article_of_a_backfill_is_not_requested_by_the_portals_own_crawl(run: Run, tmp_path: Path) -> None:
    with PastServer(past=Past(articles=300, in_archive=1.0, in_sitemap=1.0, moved=0.0)) as server:
        run("backfill", f"{server.url}/", "--since", "2018", "--until", "2018-06")
        before = set(read(server))
        server.asked.clear()
        run("crawl", f"{server.url}/")
        assert before
        assert not before & set(read(server))
        server.asked.clear()
        run("backfill", f"{server.url}/", "--since", "2017-06", "--until", "2018-06")
        assert not read(server)  # stored by the portal's own crawl


def test_the_nightly_crawl_waits_for_no_backfill_and_both_keep_the_delay(tmp_path: Path) -> None:
    delay, pages = 0.3, 15
    with PastServer(past=Past(articles=600)) as server:
        text = f'[[portal]]\nname = "past"\nstart_urls = ["{server.url}/"]\ndelay = {delay}\nmax_pages = {pages}\n'
        (tmp_path / "newscrawler.toml").write_text(text)
        options = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        past = CommandProcess(command("backfill", "past", "--since", "2018", "--until", "2018-06"), **options)
        wait_for(lambda: len(server.asked) >= 8)
        began, before = time.time(), len(server.asked)
        night = CommandProcess(command("crawl", "past"), **options)
        night.wait()
        ended, between = time.time(), len(server.asked) - before
        wait_for(lambda: len(server.asked) > before + between + 3)  # the backfill goes on
        past.kill()
        past.wait()
    first = next(at for at, path in server.asked[before:] if path == "/")  # the portal's own crawl begins
    pages_of_night = [path for at, path in server.asked if first <= at <= ended and not path.startswith(("/robots", "/.well"))]
    assert len(pages_of_night) <= pages + 2  # those of the backfill that were in hand
    assert ended - first <= delay * (pages + 2) + 10  # seconds to end on a busy machine
    assert began <= first
    times = [at for at, path in server.asked if not path.startswith(("/robots", "/.well"))]
    assert min(later - at for at, later in pairwise(times)) >= 0.9 * delay


def wait_for(is_so: Callable[[], bool], seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def archived(tmp_path: Path) -> Iterator[tuple[PastServer, PastServer]]:
    """A portal that has lost a third of its articles, and an archive with copies; the configuration names it in four formats."""
    past = Past(articles=500, in_archive=1.0, moved=0.0, dead=0.0)
    with PastServer(past=past) as server, PastServer(past=past) as archive:
        archive.origin = server.url
        write_configuration(tmp_path, server, archive)
        yield server, archive


def write_configuration(folder: Path, server: PastServer, archive: PastServer) -> None:
    text = f'[[portal]]\nname = "past"\nstart_urls = ["{server.url}/"]\ndelay = 0\n'
    for name, place in (("wayback", ""), ("pywb", "/library"), ("common-crawl", "")):
        text += f'[[archive]]\nname = "{name}"\nformat = "{name}"\nurl = "{archive.url}{place}"\ndelay = 0\n'
    (folder / "newscrawler.toml").write_text(f'{text}[[archive]]\nname = "files"\nformat = "files"\npath = "copies"\n')


def write_files(folder: Path, server: PastServer, archive: PastServer) -> None:
    """Write a WARC file with all copies, and a CDXJ file with their addresses."""
    folder.mkdir()
    records, lines = b"", ""
    for number in filter(archive.has_copy, range(server.past.articles)):
        url, at = server.url + server.past.path_of(number), archive.captured(number)
        lines += f'example,past)/ {at} {{"url": "{url}", "mime": "text/html", "status": "200"}}\n'
        answer = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{server.past.page(number)}".encode()
        captured = f"{datetime.strptime(at, '%Y%m%d%H%M%S').isoformat()}Z"  # noqa: DTZ007  in UTC, as Z says
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {captured}\r\n"
        head += f"WARC-Record-ID: <urn:uuid:{number}>\r\nContent-Type: application/http; msgtype=response\r\n"
        records += f"{head}Content-Length: {len(answer)}\r\n\r\n".encode() + answer + b"\r\n\r\n"
    (folder / "pages.warc").write_bytes(records)
    (folder / "index.cdxj").write_text(lines)


@pytest.mark.parametrize("name", ["wayback", "wayback in text", "pywb", "files"])
def test_what_is_gone_comes_from_an_archive(run: Run, tmp_path: Path, archived: tuple[PastServer, PastServer], name: str) -> None:
    server, archive = archived
    archive.in_text = name.endswith("text")
    if name == "files":
        write_files(tmp_path / "copies", server, archive)
    done = run("backfill", "past", "--since", "2018", "--until", "2018-06", "--archives", name.split()[0])
    assert done.returncode == 0, done.stderr
    got, gone = stored(tmp_path, server), server.past.gone(SINCE, UNTIL)
    assert set(server.past.live(SINCE, UNTIL)) <= got
    assert gone
    listed = {number for number in gone if archive.has_copy(number) and draw(number, "index") < server.past.in_index}
    assert listed <= got
    copies = [each.article for each in articles(tmp_path) if each.article.source == "archive"]
    for copy in copies:
        number = server.past.number_of((copy.url or "")[len(server.url) :])
        assert number is not None
        assert copy.date == server.past.day_of(number)  # not that of the capture
        assert copy.fetched_at is not None
        assert copy.fetched_at.strftime("%Y%m%d%H%M%S") == archive.captured(number)
        assert "toolbar" not in copy.body
    allowed = ("/robots.txt", "/.well-known/", "/cdx/", "/web/", "/library/")
    assert all(path.startswith(allowed) for _, path in archive.asked)
    assert not (name == "files" and archive.asked)


def test_common_crawl_names_addresses_that_the_portal_does_not(run: Run, tmp_path: Path) -> None:
    past = Past(articles=4_000, design=0, in_sitemap=0.3, moved=0.0, dead=0.0)
    with PastServer(past=past) as server, PastServer(past=past, origin=server.url) as archive:
        write_configuration(tmp_path, server, archive)
        done = run("backfill", "past", "--since", "2018-03", "--until", "2018-03", "--archives", "common-crawl")
        assert done.returncode == 0, done.stderr
        days = date(2018, 3, 1), date(2018, 3, 31)
        known = {n for n in past.live(*days) if past.is_listed(n) or (archive.has_copy(n) and draw(n, "index") < past.in_index)}
        assert known <= stored(tmp_path, server)
        indexes = [path for _, path in archive.asked if path.startswith("/CC-MAIN-")]
    assert {path[9:16] for path in indexes} == {"2018-51", "2019-51"}  # the last one of each year
    assert sum("page=2" in path for path in indexes) == 2


@pytest.mark.parametrize(("name", "status"), [("wayback", 403), ("pywb", 451)])
def test_a_portal_that_has_left_the_archive_is_respected(
    run: Run, tmp_path: Path, archived: tuple[PastServer, PastServer], name: str, status: int
) -> None:
    server, archive = archived
    archive.excluded = status
    done = run("backfill", "past", "--since", "2018", "--until", "2018-06", "--archives", name)
    assert 1 <= sum(path.startswith(("/web/", "/library/2")) for _, path in archive.asked) <= 4  # those that were in hand
    assert "does not show this portal" in done.stderr
    assert stored(tmp_path, server) >= set(server.past.live(SINCE, UNTIL))


def test_requests_for_removal_of_today_count_for_copies(run: Run, tmp_path: Path, archived: tuple[PastServer, PastServer]) -> None:
    server, archive = archived
    run("backfill", "past", "--since", "2018-03", "--until", "2018-03")
    done = warm_command.run(
        command("rights", "remove", f"{server.url}/news/*", "--because", "letter of today"), cwd=tmp_path, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run("backfill", "past", "--since", "2018", "--until", "2018-06", "--archives", "wayback")
    assert not stored(tmp_path, server)
    assert not [path for _, path in archive.asked if path.startswith("/web/")]


def test_an_archive_needs_to_be_in_the_configuration(run: Run) -> None:
    done = run("backfill", "http://127.0.0.1:9/", "--since", "2018", "--archives", "wayback")
    assert done.returncode == 2
    assert "There is no archive wayback. Add it as [[archive]]" in done.stderr
