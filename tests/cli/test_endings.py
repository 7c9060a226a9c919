"""How commands end when their output, their arguments or we ourselves fail: a sentence and an exit code, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from newscrawler.article import Article, Paragraph
from newscrawler.errors import NewscrawlerError
from newscrawler.store import open_store

Run = Callable[..., Result]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]
MANY = "9" * 30
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")


def through_a_shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "NEWSCRAWLER_TRACEBACK"} | variables
    command = ["sh", "-c", line.replace("newscrawler", f"{sys.executable} -m newscrawler", 1)]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", errors="replace", env=environment, check=False, timeout=60
    )


@FULL
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["--help", "portal list --json", "crawl {url} --delay 0", "crawl {url} --json"])
def test_a_full_disk_below_the_output_is_told_in_a_sentence(site: Any, folder: Path, command: str) -> None:
    (folder / "newscrawler.toml").write_text(f'[[portal]]\nname = "a"\nstart_urls = ["{site.url}"]\ndelay = 0\n', "utf-8")

    done = through_a_shell(f"newscrawler {command.format(url=site.url)} > /dev/full")

    assert done.returncode == 4
    assert done.stderr.startswith("Error: Cannot write the output")
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@FULL
def test_a_crawl_whose_output_fails_still_brings_home_its_articles(site: Any, folder: Path) -> None:
    through_a_shell(f"newscrawler crawl {site.url} --delay 0 > /dev/full")

    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}", create=False) as store:
        assert store.runs.latest()[0].counts["new_articles"] == 4


@pytest.mark.usefixtures("folder")
def test_a_closed_output_is_no_fault(site: Any) -> None:
    done = through_a_shell(f"newscrawler crawl {site.url} --delay 0 >&-")

    assert (done.returncode, done.stderr) == (0, "")


@FULL
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("to", ["2> /dev/full", "2>&-"])
def test_the_exit_code_tells_where_standard_error_cannot(to: str) -> None:
    assert through_a_shell(f"newscrawler crawl nowhere {to}").returncode == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", ["crawl --max-pages none", "no-such-command", "crawl nowhere"])
def test_a_reader_that_closes_the_pipe_before_an_error_does_not_change_its_exit_code(command: str) -> None:
    done = through_a_shell(f"{{ newscrawler {command} 2>&1; echo $? >&2; }} | true")

    assert done.stderr == "2\n"


def test_letters_that_the_terminal_lacks_end_nothing(site: Any, folder: Path) -> None:
    crawl = through_a_shell(f"newscrawler crawl {site.url} --delay 0", PYTHONIOENCODING="ascii")
    listed = through_a_shell("newscrawler articles", PYTHONIOENCODING="ascii")
    runs = through_a_shell("newscrawler runs --json", PYTHONIOENCODING="ascii")

    assert (crawl.returncode, listed.returncode) == (0, 0), crawl.stderr + listed.stderr
    assert len(listed.stdout.splitlines()) == 5
    assert json.loads(runs.stdout)["ended_because"] == "finished"
    assert (folder / "newscrawler.sqlite").exists()


@pytest.mark.parametrize("name", ["newscrawler.sqlite", "./newscrawler.sqlite", "newscrawler.toml", "link.csv"])
def test_an_export_never_takes_the_place_of_what_it_comes_from(run: Run, folder: Path, name: str) -> None:
    run("init")
    run("db", "upgrade")
    (folder / "link.csv").symlink_to("newscrawler.sqlite")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    result = run("export", "--output", name)

    assert result.exit_code == 4
    assert "is in use by newscrawler itself" in result.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name in before} == before


def test_a_name_that_is_too_long_for_a_file_is_told(run: Run) -> None:
    run("db", "upgrade")
    with open_store("sqlite:///newscrawler.sqlite") as store:
        body, now = (Paragraph(text="It sails."),), datetime.now(UTC)
        article = Article(title="Ferry", paragraphs=body, url="https://a.example/1", fetched_at=now, method="default", confidence=1)
        store.articles.add("courier", article)

    result = run("export", "--output", "x" * 300)

    assert result.exit_code == 4
    assert "File name too long" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["show", MANY], ["articles", "--limit", MANY], ["runs", "--limit", MANY], ["export", "--output", ""], ["crawl", ""]],
)
def test_values_beyond_all_measure_are_wrong_use(run: Run, arguments: list[str]) -> None:
    run("db", "upgrade")

    assert run(*arguments).exit_code == 2


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("days", [["--until", "9999-12-31"], ["--since", "0001-01-01"]])
def test_the_first_and_the_last_day_of_the_calendar_are_days(run: Run, days: list[str]) -> None:
    run("db", "upgrade")

    assert run("articles", *days).exit_code == 0


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("status/404", "1 × HTTP 404); its server refuses the address: check"),
        ("picture/", "not HTML); the address is not a web page"),
    ],
)
def test_a_portal_of_which_nothing_can_be_had_is_a_sentence_with_the_way_out(shell: Shell, site: Any, path: str, told: str) -> None:
    site.routes["/robots.txt"] = ""
    only = ["--delay", "0", "--max-pages", "1"]

    done = shell("crawl", f"{site.url}{path}", *only)

    assert done.returncode == 1, done.stdout
    assert told in done.stderr


def test_an_address_with_a_password_is_refused_without_repeating_it(run: Run) -> None:
    result = run("crawl", "http://me:secret@127.0.0.1/")

    assert result.exit_code == 2
    assert "secret" not in result.output


def test_an_impossible_port_is_named(run: Run) -> None:
    assert "Port out of range" in run("crawl", "http://127.0.0.1:99999/").stderr


def test_a_fault_of_ours_is_one_sentence_with_a_code_of_its_own(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fault(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by\nzero")

    monkeypatch.delenv("NEWSCRAWLER_TRACEBACK")
    monkeypatch.setattr("newscrawler.cli.setup.create_configuration", fault)

    result = run("init")

    assert result.exit_code == 70
    assert result.stderr.startswith("Error: newscrawler failed unexpectedly: ZeroDivisionError: by zero.")
    assert not issubclass(ZeroDivisionError, NewscrawlerError)


def test_what_is_logged_during_a_crawl_is_a_line_without_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    import logging

    from newscrawler.cli.crawl_progress import report_faults

    with report_faults():
        try:
            int("bad\npage")
        except ValueError:
            logging.getLogger("newscrawler.crawl").exception("fault while reading %s", "http://127.0.0.1/\x1b[2J")

    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("Warning: fault while reading http://127.0.0.1/[2J: ValueError: invalid literal")
