from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from click.testing import Result
from portal_server import Answer, PortalServer, Route, address, listing, story

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
    "names": ('Název;Adresa\nDeník A;https://a.example/\n"Deník; B";b.example\n;\n', ["a", "b"]),
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
    routes: dict[str, Route] = {"/": listing(address(1)), address(1): story(1)}
    with PortalServer(dict(routes)) as server, PortalServer(routes, host="127.0.0.2") as other:
        (folder / "seeds.csv").write_text(
            f"URL,delay\n{server.url},0\nhttp://nowhere.example/x y,\n{server.url}no-feed.xml,0\n{other.url},0\n", "utf-8"
        )
        run("init")

        report = [json.loads(line) for line in run("portal", "import", "seeds.csv", "--json").stdout.splitlines()]

    assert [(each["outcome"], each["articles"]) for each in report] == [
        ("added", 1), ("refused", ""), ("refused", ""), ("added", 1)
    ]  # fmt: skip
    assert "give this one another name" in report[2]["remark"]


def test_the_error_comes_before_the_usage(run: Run) -> None:
    done = run("portal", "import", "missing.csv")

    assert done.exit_code == 2
    assert done.stderr.splitlines()[0] == "Error: Invalid value for 'FILE': File 'missing.csv' does not exist."
    assert "Usage: newscrawler portal import" in done.stderr


@pytest.fixture
def courier() -> Iterator[PortalServer]:
    """A portal of two articles."""
    with PortalServer({"/": listing(address(0), address(1)), address(0): story(0), address(1): story(1)}) as server:
        yield server


def test_a_portal_that_was_crawled_by_its_address_is_adopted(run: Run, shell: Shell, courier: PortalServer) -> None:
    shell("crawl", courier.url, "--delay", "0")
    stored = run("articles", "--json").output
    added = run("portal", "add", courier.url, "--name", "courier", "--delay", "0", "--no-probe")
    again = shell("crawl", courier.url)
    run("portal", "remove", "courier")
    alone = shell("crawl", courier.url, "--delay", "0")

    assert stored.count("\n") == 2
    assert (added.exit_code, "; its articles and crawls are those of courier now." in added.output) == (0, True)
    assert (again.returncode, alone.returncode) == (0, 0)
    assert {json.loads(line)["portal"] for line in run("articles", "--json").output.splitlines()} == {"courier"}
    assert {json.loads(line)["portal"] for line in run("runs", "--json").output.splitlines()} == {"courier"}
    assert run("articles", "--json").output.count("\n") == 2


@pytest.mark.parametrize("address", ["https://www.example.org/", "https://www.example.org", "http://www.example.org/"])
def test_a_second_name_for_one_site_is_refused(run: Run, folder: Path, address: str) -> None:
    run("portal", "add", "https://www.example.org/", "--name", "first", "--no-probe")
    before = (folder / "newscrawler.toml").read_bytes()

    result = run("portal", "add", address, "--name", "second", "--no-probe")

    assert result.exit_code == 2
    assert "is the portal first already: newscrawler portal show first" in result.stderr
    assert (folder / "newscrawler.toml").read_bytes() == before


def test_the_name_of_another_portal_is_not_given_to_an_address(run: Run, shell: Shell, courier: PortalServer) -> None:
    shell("crawl", courier.url, "--delay", "0")
    with PortalServer({"/": listing(address(0)), address(0): story(0)}) as other:
        run("portal", "add", other.url, "--name", "other", "--delay", "0", "--no-probe")
        shell("crawl", "other")
        run("portal", "remove", "other")

        result = run("portal", "add", courier.url, "--name", "other", "--no-probe")

    assert result.exit_code == 2
    assert "and other is another portal; choose another with --name" in result.stderr


def test_what_a_mistyped_address_left_is_forgotten(run: Run, shell: Shell, courier: PortalServer, folder: Path) -> None:
    shell("crawl", courier.url, "--delay", "0")
    nowhere = "http://127.0.0.1:9/"
    shell("crawl", nowhere)
    run("portal", "add", nowhere, "--name", "typo", "--no-probe")

    forgotten, again = run("portal", "forget", nowhere), run("portal", "forget", nowhere)
    kept = run("portal", "forget", courier.url)

    assert (forgotten.exit_code, again.exit_code, kept.exit_code) == (0, 2, 2)
    assert forgotten.output.startswith("typo is forgotten, with ")
    assert "has 2 articles; only a portal without articles is forgotten" in kept.stderr
    assert "typo" not in (folder / "newscrawler.toml").read_text("utf-8")
    assert nowhere not in run("runs", "--json").output
    assert len(run("runs", "--json").output.splitlines()) == 1
    assert run("db", "check").exit_code == 0


def test_pages_of_a_forgotten_portal_are_removed(run: Run, shell: Shell, folder: Path) -> None:
    (folder / "newscrawler.toml").write_text("[crawler]\n[crawler.defaults]\ndelay = 0\nkeep_pages = true\n", "utf-8")
    with PortalServer({"/": EMPTY_PAGE}) as server:
        shell("crawl", server.url)
        kept = list((folder / "newscrawler-data").rglob("*.warc.gz*"))
        result = run("portal", "forget", server.url)

    assert kept
    assert result.exit_code == 0
    assert [path for path in kept if path.exists()] == []


@pytest.mark.parametrize("has_answered", [False, True], ids=["new host", "host that has answered at another port"])
def test_a_host_that_refuses_connections_is_not_added(
    shell: Shell, folder: Path, courier: PortalServer, *, has_answered: bool
) -> None:
    if has_answered:
        shell("crawl", courier.url, "--delay", "0")
    began = monotonic()
    crawled = shell("crawl", "http://127.0.0.1:9/")
    seconds = monotonic() - began
    added = shell("portal", "add", "http://127.0.0.1:9/", "--name", "nowhere")
    before = (folder / "newscrawler.toml").exists()
    forced = shell("portal", "add", "http://127.0.0.1:9/", "--name", "nowhere", "--force")

    assert (crawled.returncode, added.returncode, before, forced.returncode) == (1, 1, False, 0)
    assert "no page of 127.0.0.1-9 could be fetched (1 × connection refused)" in crawled.stderr
    assert "It is not added; --force adds it all the same" in added.stderr
    assert "Sitemaps: none" in added.stdout
    assert seconds < 30  # 2 on a machine with nothing else to do


def test_a_portal_without_a_contact_is_added_and_said_not_to_be_probed(run: Run) -> None:
    result = run("portal", "add", "https://www.example.org/", "--name", "example")

    assert "example is added to newscrawler.toml and was not probed, as no contact is set; crawl it:" in result.output
    assert "newscrawler crawl example --contact ADDRESS" in result.output
