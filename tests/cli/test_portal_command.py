from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from portal_server import Answer, PortalServer, address, listing, story

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


def test_init_writes_a_configuration_that_holds(run: Run, folder: Path) -> None:
    result = run("init", "--contact", "me@example.org")

    assert result.exit_code == 0
    assert 'contact = "me@example.org"' in (folder / "newscrawler.toml").read_text("utf-8")
    assert run("portal", "list", "--json").output == ""


def test_init_overwrites_nothing(run: Run, folder: Path) -> None:
    (folder / "newscrawler.toml").write_text("# mine\n", "utf-8")

    result = run("init")

    assert result.exit_code == 2
    assert "newscrawler.toml already exists; nothing was changed." in result.stderr
    assert (folder / "newscrawler.toml").read_text("utf-8") == "# mine\n"


def test_a_portal_is_added_listed_shown_and_removed(run: Run) -> None:
    run("init", "--contact", "me@example.org")
    added = run(
        "portal",
        "add",
        "https://www.example.org",
        "--name",
        "example",
        "--language",
        "cs",
        "--exclude",
        "/tag/",
        "--delay",
        8,
        "--no-probe",
    )
    _, listed = run("portal", "list").output.splitlines()
    shown = json.loads(run("portal", "show", "example", "--json").output)
    removed = run("portal", "remove", "example")

    assert added.exit_code == removed.exit_code == 0
    assert listed == "example\tcs\tUTC\t8\thttps://www.example.org/"
    assert shown["exclude"] == ["/tag/"]
    assert (shown["delay"], shown["start_urls"]) == (8.0, ["https://www.example.org/"])
    assert run("portal", "list", "--json").output == ""


def test_a_portal_is_also_shown_by_the_address_at_which_it_starts(run: Run) -> None:
    run("portal", "add", "https://www.example.org/", "--name", "example", "--no-probe")
    unknown = run("portal", "show", "http://127.0.0.1:8721/")

    assert json.loads(run("portal", "show", "https://www.example.org", "--json").output)["name"] == "example"
    assert unknown.exit_code == 2
    assert "add one: newscrawler portal add http://127.0.0.1:8721/" in unknown.stderr


def test_a_portal_is_named_after_its_host(run: Run) -> None:
    run("portal", "add", "https://www.example.org/news/")

    assert run("portal", "list").output.splitlines()[1].startswith("www.example.org\t")


def test_only_what_was_given_is_written(run: Run, folder: Path) -> None:
    run("portal", "add", "https://www.example.org/")

    text = (folder / "newscrawler.toml").read_text("utf-8")
    assert text == '[[portal]]\nname = "www.example.org"\nstart_urls = ["https://www.example.org/"]\n'


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["add", "example.org"], "example.org is not an address to fetch from"),
        (["add", "https://example.org/", "--delay", "0"], "delay is 0, but example.org is not this machine"),
        (["add", "https://example.org/", "--include", "("], "include[1] is"),
        (["add", "https://example.org/", "--language", "Czech"], 'language is "Czech"'),
        (["show", "nothing"], "there is no portal nothing, and none is configured"),
        (["remove", "nothing"], "there is no file newscrawler.toml"),
        (["rename"], "newscrawler portal has no command rename"),
    ],
)
def test_wrong_use_changes_nothing(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    result = run("portal", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert list(folder.iterdir()) == []


def test_a_name_with_a_slip_is_answered_with_the_nearest(run: Run) -> None:
    run("portal", "add", "https://example.org/", "--name", "example")

    assert "there is no portal exampel (did you mean example?); there are: example" in run("portal", "show", "exampel").stderr


def test_a_broken_configuration_is_told_with_every_mistake(run: Run, folder: Path) -> None:
    (folder / "newscrawler.toml").write_text("[crawler]\ncontact = 3\nspeed = 1\n", "utf-8")

    result = run("portal", "list")

    assert result.exit_code == 2
    assert "crawler.contact is 3" in result.stderr
    assert "crawler.speed is not a key" in result.stderr


EMPTY_PAGE = "<html><head><title>Portal</title></head><body><h1>Portal</h1></body></html>"


@pytest.mark.parametrize(
    ("routes", "outcome", "meaning"),
    [
        (
            {"/": EMPTY_PAGE, "/robots.txt": Answer("User-agent: *\nDisallow: /\n", kind="text/plain")},
            "nothing",
            "forbidden by robots.txt",
        ),
        ({"/": EMPTY_PAGE}, "listing", "a page without links to others"),
    ],
)
def test_a_look_names_what_was_found_not_what_was_tried(
    shell: Shell, folder: Path, routes: dict[str, Any], outcome: str, meaning: str
) -> None:
    with PortalServer(routes) as server:
        (folder / "newscrawler.toml").write_text("[crawler]\n[crawler.defaults]\ndelay = 0\n", "utf-8")

        found = json.loads(shell("portal", "probe", server.url, "--json").stdout)

    assert found["front_pages"] == [{"outcome": outcome, "meaning": meaning, "url": server.url}]
    assert (found["sitemaps"], found["feeds"], found["articles"]) == ([], [], [])
    assert found["failure"]


def test_a_look_at_a_portal_of_many_sitemaps_shows_articles(shell: Shell, folder: Path) -> None:
    with PortalServer({"/": listing(*map(address, range(8)))} | {address(number): story(number) for number in range(8)}) as server:
        names = [f"/sitemap-{number}.xml" for number in range(20)]
        lines = "".join(f"Sitemap: {server.url}{name[1:]}\n" for name in names)
        empty = Answer("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'></urlset>", kind="application/xml")
        server.routes |= dict.fromkeys(names, empty)
        server.routes["/robots.txt"] = Answer(f"User-agent: *\nDisallow: /private/\n{lines}", kind="text/plain")
        (folder / "newscrawler.toml").write_text("[crawler]\n[crawler.defaults]\ndelay = 0\n", "utf-8")

        found = json.loads(shell("portal", "probe", server.url, "--json").stdout)

        assert len(found["articles"]) == 3
        assert all(article["body"] for article in found["articles"])
        assert found["front_pages"] == [{"outcome": "listing", "meaning": "a page that leads to others", "url": server.url}]
        assert any("Disallow: /private/" in line for line in found["robots"])
        assert found["failure"] is None
        assert found["sitemaps"]
        assert set(found["sitemaps"]) <= {f"{server.url}{name[1:]}" for name in names}
        assert len(server.asked) <= 13


OPML = """<?xml version="1.0"?><opml version="2.0"><head><title>x</title></head><body><outline text="News">
<outline type="rss" text="A" xmlUrl="https://a.example/rss" htmlUrl="https://a.example/"/>
<outline type="rss" text="A sport" xmlUrl="https://a.example/sport/rss" htmlUrl="https://a.example/"/>
<outline type="rss" text="B" xmlUrl="https://b.example/feed.xml"/></outline></body></opml>"""
SEEDS = {
    "addresses": ("# mine\nhttps://a.example/\n\nb.example  the second\nhttps://c.example/sitemap.xml\n", ["a", "b", "c"]),
    "csv": (
        "url;name;language;feeds\nhttps://a.example/;first;cs;https://a.example/rss https://a.example/atom\nb.example;;;\n",
        None,
    ),
    "opml": (OPML, ["a", "b"]),
}


@pytest.mark.parametrize("form", SEEDS)
def test_a_file_of_portals_is_imported(run: Run, folder: Path, form: str) -> None:
    text, names = SEEDS[form]
    (folder / "seeds").write_text(text, "utf-8")
    run("init")

    report = [json.loads(line) for line in run("portal", "import", "seeds", "--no-probe", "--json").output.splitlines()]
    again = [json.loads(line) for line in run("portal", "import", "seeds", "--no-probe", "--json").output.splitlines()]
    listed = {each["name"]: each for each in map(json.loads, run("portal", "list", "--json").output.splitlines())}

    assert list(listed) == [f"{name}.example" for name in names] if names else list(listed) == ["first", "b.example"]
    assert {each["outcome"] for each in report} == {"added"}
    assert {each["outcome"] for each in again} == {"known"}
    if form == "csv":
        assert (listed["first"]["language"], listed["first"]["feeds"]) == (
            "cs",
            ["https://a.example/rss", "https://a.example/atom"],
        )
    if form == "opml":
        assert listed["a.example"]["feeds"] == ["https://a.example/rss", "https://a.example/sport/rss"]
        assert listed["b.example"]["start_urls"] == ["https://b.example/feed.xml"]


def test_an_import_reports_on_each_portal(run: Run, folder: Path) -> None:
    with PortalServer({"/": listing(address(1)), address(1): story(1)}) as server:
        (folder / "seeds.csv").write_text(
            f"url,delay\n{server.url},0\nhttp://nowhere.example/x y,\n{server.url}no-feed.xml,0\n", "utf-8"
        )
        run("init")

        report = [json.loads(line) for line in run("portal", "import", "seeds.csv", "--json").stdout.splitlines()]

    assert [(each["outcome"], each["articles"]) for each in report] == [("added", 1), ("refused", ""), ("refused", "")]
    assert "give this one another name" in report[2]["remark"]


def test_the_error_comes_before_the_usage(run: Run) -> None:
    done = run("portal", "import", "missing.csv")

    assert done.exit_code == 2
    assert done.stderr.splitlines()[0] == "Error: Invalid value for 'FILE': File 'missing.csv' does not exist."
    assert "Usage: newscrawler portal import" in done.stderr
