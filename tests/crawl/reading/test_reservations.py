"""What publishers reserve, on a real server: what is stored, what is asked for, what is kept of it, what is purged later."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import warm_command
from crawling import Crawl, articles, command, reasons, summary
from portal_server import Answer, PortalServer, address, listing, story

TDM = "/.well-known/tdmrep.json"
POLICY = "https://example.org/licence.json"
PAST, FUTURE = "2020-01-01T00:00:00Z", "2999-01-01"


def said(number: int, *, head: str = "", links: str = "", headers: dict[str, str] | None = None) -> Answer:
    page = story(number, links=links).replace("</head>", f"{head}</head>")
    return Answer(page, headers=headers or {})


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


def newscrawler(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return warm_command.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def told(folder: Path, *arguments: str) -> dict[str, Any]:
    done = newscrawler(folder, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def numbers(folder: Path) -> set[int]:
    return {int(stored.article.title.split()[2]) for stored in articles(folder)}


def publisher(server: PortalServer) -> None:
    """A portal that reserves something else on each page."""
    reserved = "/archiv/most-cislo-30-se-letos-docka-opravy-1030.html"
    server.routes = {
        "/": listing(*(address(number) for number in range(1, 14)), reserved, "/sekce/"),
        "/sekce/": listing(address(20)).replace("<head>", f"<head>{meta('robots', 'noindex')}"),
        address(1): said(1),
        address(2): said(2, head=meta("robots", "noindex")),
        address(3): said(3, headers={"X-Robots-Tag": "noindex"}),
        address(4): said(4, headers={"X-Robots-Tag": "googlebot: noindex, nofollow"}),
        address(5): said(5, head=meta("newscrawler", "none"), links=f"<a href='{address(50)}'>Most 50 se dočká opravy</a>"),
        address(6): said(6, head=meta("robots", f"unavailable_after: {PAST}")),
        address(7): said(7, head=meta("robots", f"unavailable_after: {FUTURE}")),
        address(8): said(8, head=meta("robots", "noarchive")),
        address(9): said(9, headers={"tdm-reservation": "1", "tdm-policy": POLICY}),
        address(10): said(10, head=meta("tdm-reservation", "1")),
        address(11): said(11, head=meta("robots", "nofollow"), links=f"<a href='{address(51)}'>Most 51 se dočká opravy</a>"),
        address(12): said(12, links=f"<a rel='nofollow' href='{address(52)}'>Most 52 se dočká opravy</a>"),
        address(13): said(13, links=f"<div class=page-links><a href='{address(13)}?page=2'>2</a></div>"),
        f"{address(13)}?page=2": said(14, head=meta("robots", "noindex")),
        address(20): story(20),
        **{address(number): story(number) for number in (50, 51, 52)},
        reserved: story(30),
        TDM: Answer(json.dumps([{"location": "/archiv/", "tdm-reservation": 1, "tdm-policy": POLICY}]), kind="application/json"),
    }


def test_what_is_reserved_is_not_stored_and_what_was_said_is_kept(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    publisher(server)

    first = summary(crawl(server.url))
    second = summary(crawl(server.url))

    assert numbers(tmp_path) == {1, 4, 7, 8, 11, 12, 13, 20}
    assert server.times(f"{address(13)}?page=2") == 1  # read with the first, and found to be reserved
    assert not [stored.id for stored in articles(tmp_path) if "14-0. Rada" in stored.article.body]
    states = reasons(tmp_path)
    assert states[address(2)] == ("done", "noindex: noindex (meta robots)")
    assert states[address(3)] == ("done", "noindex: noindex (X-Robots-Tag)")
    assert states[address(5)] == ("done", "noindex: none (meta newscrawler)")
    assert states[address(6)][1] == f"unavailable_after has passed: unavailable_after: {PAST} (meta robots)"
    assert states[address(9)] == ("done", "text mining reserved: 1 (tdm-reservation header)")
    assert states[address(10)] == ("done", "text mining reserved: 1 (meta tdm-reservation)")
    assert first["refused"] == {"noindex": 3, "text mining reserved": 2, "unavailable_after has passed": 1}
    assert first["unfollowed"] >= 3
    assert not [asked.path for asked in server.asked if "/archiv/" in asked.path or asked.path in map(address, (50, 51, 52))]
    assert first["skipped"]["text mining reserved"] == 1
    assert second["new_articles"] == 0
    assert server.times(TDM) == 1  # not once more for the second crawl

    found = told(tmp_path, "rights")
    counts = {each["word"]: (each["pages"], each["articles"], each["honoured"]) for each in found["reserved"]}
    assert counts["noindex"][1:] == (0, True)
    assert counts["noarchive"] == (1, 1, True)
    assert counts["tdm"] == (3, 0, True)
    assert found["tdmrep"][0]["rules"] == [{"location": "/archiv/", "reserved": True, "policy": POLICY}]
    assert not found["withdrawn"]
    (seven,) = (stored for stored in articles(tmp_path) if "číslo 7 " in stored.article.title)
    (record,) = told(tmp_path, "show", str(seven.id))["rights"]
    assert (record["word"], record["place"], record["from_at"]) == ("unavailable_after", "meta robots", "2999-01-01T00:00:00+00:00")
    kept = {json.loads(line)["url"] for line in newscrawler(tmp_path, "pages", "list", "--json").stdout.splitlines()}
    assert server.url[:-1] + address(1) in kept
    assert not {server.url[:-1] + address(number) for number in (2, 3, 5, 6, 8, 9, 10)} & kept


def test_each_reservation_has_a_setting_and_its_record_stays(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    publisher(server)
    words = ["noindex", "nofollow", "noarchive", "unavailable_after", "tdm", "nofollow-links"]
    (tmp_path / "newscrawler.toml").write_text(
        f'[[portal]]\nname = "p"\nstart_urls = ["{server.url}"]\ndelay = 0\ndisregard = {json.dumps(words)}\n', "utf-8"
    )

    done = summary(crawl("p"))

    assert numbers(tmp_path) == {*range(1, 14), 20, 30, 50, 51, 52}
    assert [stored.id for stored in articles(tmp_path) if "14-0. Rada" in stored.article.body]
    assert done["unfollowed"] == 0
    found = told(tmp_path, "rights")
    assert {each["word"]: each["articles"] for each in found["reserved"]} == {
        "noindex": 3, "nofollow": 2, "noarchive": 1, "unavailable_after": 2, "tdm": 3,
    }  # fmt: skip
    assert not any(each["honoured"] for each in found["reserved"])
    assert not found["withdrawn"]


def test_what_is_withdrawn_later_is_reported_and_purged(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    database = tmp_path / "newscrawler.sqlite"
    archived = "/archiv/most-cislo-9-se-letos-docka-opravy-1009.html"
    # what is learned of a portal quotes what its pages have in common, which is nearly everything here
    (tmp_path / "newscrawler.toml").write_text("[crawler.defaults]\nlearn = false\n", "utf-8")
    stories: dict[str, Any] = {address(number): story(number) for number in range(1, 6)}
    server.routes = {"/": listing(*stories, archived), **stories, archived: story(9)}
    summary(crawl(server.url))
    assert numbers(tmp_path) == {1, 2, 3, 4, 5, 9}
    server.routes |= {
        address(1): said(1, head=meta("robots", "noindex")),
        address(2): Answer("gone", 410),
        address(3): said(3, headers={"X-Robots-Tag": f"unavailable_after: {PAST}"}),
        TDM: json.dumps([{"location": "/archiv/", "tdm-reservation": 1}]),
    }
    a_day_later(database)

    summary(crawl(server.url))
    before = told(tmp_path, "rights")
    dry = newscrawler(tmp_path, "rights", "purge", "--dry-run")
    unchanged = numbers(tmp_path)
    purged = newscrawler(tmp_path, "rights", "purge")

    withdrawn = {each["url"].removeprefix(server.url[:-1]): (each["word"], each["place"]) for each in before["withdrawn"]}
    assert withdrawn == {
        address(1): ("noindex", "meta robots"),
        address(3): ("unavailable_after", "X-Robots-Tag"),
        archived: ("tdm", "tdmrep.json"),
    }
    assert [(each["status"], each["url"].endswith(address(2))) for each in before["gone"]] == [(410, True)]
    assert (dry.returncode, dry.stderr) == (0, "3 articles would be removed; nothing was changed\n")
    assert len(dry.stdout.splitlines()) == 4
    assert unchanged == {1, 2, 3, 4, 5, 9}
    assert purged.stdout == "3 articles removed\n"
    assert numbers(tmp_path) == {2, 4, 5}
    after = told(tmp_path, "rights")
    assert not after["withdrawn"]
    assert {each["word"] for each in after["reserved"]} == {"noindex", "unavailable_after", "tdm"}
    left = [path for path in [*tmp_path.glob("newscrawler.sqlite*"), *tmp_path.rglob("*.warc.gz")] if path.is_file()]
    assert not [path for path in left if b"most-cislo-1-se" in path.read_bytes() and path.suffix == ".gz"]
    assert not [path for path in left if "1-0. Rada města".encode() in path.read_bytes()]
    assert summary(crawl(server.url))["new_articles"] == 0
    assert numbers(tmp_path) == {2, 4, 5}


def a_day_later(database: Path) -> None:
    """Let everything that was kept be a day older, so that articles are due for another look and tdmrep.json is asked again."""
    day = timedelta(days=1)
    connection = sqlite3.connect(database)
    for table, columns in {
        "frontier": ("found_at", "fetched_at", "revisit_at"), "run": ("started_at", "heartbeat_at", "ended_at"),
        "origin_file": ("fetched_at", "expires_at", "unchanged_since"), "request": ("sent_at",),
    }.items():  # fmt: skip
        for column in columns:
            for key, value in connection.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall():
                earlier = datetime.fromisoformat(value) - day
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (earlier.strftime("%Y-%m-%d %H:%M:%S.%f"), key)
                )
    published = (datetime.now(UTC) - 2 * day).strftime("%Y-%m-%d %H:%M:%S.%f")
    connection.execute("UPDATE article SET published_at = ?", (published,))
    connection.commit()
    connection.close()


def test_an_origin_that_reserves_everything_is_left_alone_until_it_says_otherwise(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    server.routes = {"/": listing(address(1)), address(1): story(1), TDM: json.dumps([{"location": "/", "tdm-reservation": "1"}])}

    done = crawl(server.url)

    assert {asked.path for asked in server.asked} == {"/robots.txt", TDM}
    assert done.returncode == 1
    assert "its publisher reserves text mining: ask for a licence" in done.stderr

    server.routes[TDM] = json.dumps([{"location": "/", "tdm-reservation": "0"}])
    a_day_later(tmp_path / "newscrawler.sqlite")
    assert summary(crawl(server.url))["new_articles"] == 1


def test_what_stands_for_tdmrep_json_by_mistake_reserves_nothing(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    server.routes = {"/": listing(address(1)), address(1): story(1), TDM: "<!doctype html><title>Nic tu není</title>"}

    summary(crawl(server.url))

    assert numbers(tmp_path) == {1}
    assert told(tmp_path, "rights")["tdmrep"][0]["because"] == "it holds no rules"


def test_robots_txt_holds_for_tdmrep_json_too(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    server.routes = {
        "/": listing(address(1)), address(1): story(1), TDM: json.dumps([{"location": "/", "tdm-reservation": 1}]),
        "/robots.txt": "User-agent: *\nDisallow: /.well-known/\n",
    }  # fmt: skip

    summary(crawl(server.url))

    assert server.times(TDM) == 0
    assert numbers(tmp_path) == {1}
