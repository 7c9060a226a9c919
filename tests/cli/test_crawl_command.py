from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import warm_command
from click.shell_completion import ShellComplete
from click.testing import Result

from newscrawler.cli import main
from newscrawler.cli.targets import choose_portals
from newscrawler.config import Configuration, build_portal, parse_configuration
from newscrawler.errors import ConfigError

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]

TWO = parse_configuration(
    """
[crawler]
contact = "me@example.org"
[crawler.defaults]
delay = 7
[[portal]]
name = "a"
start_urls = ["https://a.example/"]
[[portal]]
name = "b"
start_urls = ["https://b.example/"]
delay = 9
""",
    Path("newscrawler.toml"),
)


def test_the_two_commands_work_in_an_empty_folder(shell: Shell, site: Any, folder: Path) -> None:
    crawl = shell("crawl", site.url, "--delay", "0")
    export = shell("export", "--format", "jsonl", "--output", "articles.jsonl")

    assert (crawl.returncode, export.returncode) == (0, 0), crawl.stderr + export.stderr
    records = [json.loads(line) for line in (folder / "articles.jsonl").read_text("utf-8").splitlines()]
    assert sorted(record["title"] for record in records) == [f"Žluťoučký kůň číslo {n} úpěl ďábelské ódy" for n in range(1, 5)]
    assert {record["portal"] for record in records} == {f"127.0.0.1-{site.server_port}"}
    assert (folder / "newscrawler.sqlite").exists()


def test_progress_is_plain_lines_where_no_terminal_is(shell: Shell, site: Any) -> None:
    crawl = shell("crawl", site.url, "--delay", "0")

    assert "\x1b" not in crawl.stdout
    assert "+ 2026-02-01  Žluťoučký kůň číslo 1 úpěl ďábelské ódy" in crawl.stdout
    assert "finished; 0:0" in crawl.stdout
    assert "9 pages, 4 articles, 0 in the queue" in crawl.stdout


def test_a_summary_for_scripts_is_json_and_nothing_else(shell: Shell, site: Any) -> None:
    crawl = shell("crawl", site.url, "--delay", "0", "--json")

    summary = json.loads(crawl.stdout)
    assert (summary["new_articles"], summary["ended_because"]) == (4, "finished")


def test_limits_of_the_command_line_hold(shell: Shell, site: Any) -> None:
    crawl = shell("crawl", site.url, "--delay", "0", "--max-articles", "2", "--json")

    summary = json.loads(crawl.stdout)
    assert summary["new_articles"] == 2
    assert summary["ended_because"].startswith("limit")
    assert crawl.returncode == 0


@pytest.mark.usefixtures("folder")
def test_a_reader_that_leaves_ends_the_crawl(site: Any) -> None:
    arguments = [sys.executable, "-m", "newscrawler", "crawl", site.url, "--delay", "0.3"]
    with warm_command.CommandProcess(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout
        assert child.stderr
        child.stdout.readline()
        child.stdout.close()

        assert child.wait(40) == 141
        assert child.stderr.read() == b""


def test_a_portal_that_does_not_answer_is_trouble(shell: Shell, site: Any) -> None:
    port = site.server_port
    site.shutdown()
    site.server_close()

    crawl = shell("crawl", f"http://127.0.0.1:{port}/", "--delay", "0", "--max-minutes", "0.2", "--json")

    assert crawl.returncode == 1, crawl.stdout + crawl.stderr
    assert "connection refused" in json.loads(crawl.stdout)["failed"]
    assert "Traceback" not in crawl.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there is no portal to crawl: name a URL"),
        (["sme"], "there is no portal sme, and none is configured"),
        (["sme.sk"], "an address begins with https://, as in https://sme.sk/"),
        (["http://"], "http:// is not an address to fetch from"),
        (["https://example.org/"], "A contact address is required before crawling example.org"),
        (
            ["https://example.org/", "--contact", "me@example.org", "--delay", "0"],
            "delay is 0, but example.org is not this machine",
        ),
        (["http://127.0.0.1:1/", "--max-pages", "0"], "0 is out of range. Use 1 or more."),
        (["http://127.0.0.1:1/", "--delay", "nan"], "delay is nan"),
        (["http://127.0.0.1:1/", "--method", "magic"], "There is no magic. Choose one of: default"),
        (["http://127.0.0.1:1/", "--config", "absent.toml"], "there is no file absent.toml"),
        (["http://127.0.0.1:1/", "--database", "mysql://x/y"], "is not a database URL that newscrawler can use"),
    ],
)
def test_wrong_use_starts_nothing(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    result = run("crawl", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert list(folder.iterdir()) == []


def test_without_targets_all_portals_are_crawled() -> None:
    assert [portal.name for portal in choose_portals(TWO, [])] == ["a", "b"]


def test_options_stand_in_place_of_the_configuration() -> None:
    first, second = choose_portals(TWO, ["b", "a"], delay=3.0, max_pages=None)

    assert (first.name, second.name) == ("b", "a")
    assert first.delay_seconds == second.delay_seconds == 3


def test_the_url_of_a_configured_portal_is_that_portal() -> None:
    (portal,) = choose_portals(TWO, ["https://b.example"])

    assert (portal.name, portal.delay_seconds) == ("b", 9)


def test_defaults_hold_for_a_bare_url() -> None:
    (portal,) = choose_portals(TWO, ["https://c.example/"])

    assert (portal.name, portal.delay_seconds) == ("c.example", 7)


def test_a_portal_that_is_named_twice_is_crawled_once() -> None:
    assert [portal.name for portal in choose_portals(TWO, ["a", "a", "https://a.example/"])] == ["a"]


def test_two_portals_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"https://c\.example/x and https://c\.example/y would both be named c\.example"):
        choose_portals(TWO, ["https://c.example/x", "https://c.example/y"])


def test_no_contact_no_crawl() -> None:
    with pytest.raises(ConfigError, match=r"before crawling c\.example"):
        choose_portals(Configuration(), ["https://c.example/"])


def test_completion_offers_portals_methods_and_formats(folder: Path) -> None:
    (folder / "newscrawler.toml").write_text('[[portal]]\nname = "example"\nstart_urls = ["https://example.org/"]\n', "utf-8")

    assert completed("newscrawler crawl ex") == ["example"]
    assert "pagelet" in completed("newscrawler extract --method pag")
    assert completed("newscrawler export --format js") == ["jsonl", "json"]
    assert "articles" in completed("newscrawler ar")


def completed(line: str) -> list[str]:
    words = line.split()
    complete = ShellComplete(main, {}, "newscrawler", "_NEWSCRAWLER_COMPLETE")
    return [item.value for item in complete.get_completions(words[1:-1], words[-1])]


def test_a_shell_gets_its_completions(folder: Path) -> None:
    variables = {"_NEWSCRAWLER_COMPLETE": "bash_complete", "COMP_WORDS": "newscrawler ar", "COMP_CWORD": "1"}
    code = "from newscrawler.cli import main; main(prog_name='newscrawler')"

    child = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env=os.environ | variables, capture_output=True, text=True, check=False
    )

    assert "plain,articles" in child.stdout.splitlines()


@pytest.mark.parametrize("shell_name", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion_script(run: Run, shell_name: str) -> None:
    assert "_NEWSCRAWLER_COMPLETE" in run("completion", shell_name).output


def test_a_portal_of_a_url_is_what_its_name_says() -> None:
    changes: dict[str, Any] = {"language": "cs", "time_zone": "Europe/Prague", "method": "pagelet", "classifier": "documents"}

    (portal,) = choose_portals(Configuration(), ["http://127.0.0.1:9/"], delay=0.0, **changes)

    assert portal == build_portal("http://127.0.0.1:9/", delay=0, **changes)
