"""Status, health, digest and runs, after some crawls."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import Result

from newscrawler.store import open_store
from newscrawler.store.vocabularies import FINISHED

Run = Callable[..., Result]
NOW = datetime.now(UTC)


@pytest.fixture
def crawled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve nights of a portal, the last of which was blocked, and a portal that was never crawled."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "newscrawler.toml").write_text(
        '[[portal]]\nname = "one"\nstart_urls = ["http://127.0.0.1/"]\n[[portal]]\nname = "two"\nstart_urls = ["http://127.0.0.2/"]\n'
    )
    with open_store("sqlite:///newscrawler.sqlite") as store:
        for night in range(12, 0, -1):
            began = NOW - timedelta(days=night, hours=-23)
            run, _ = store.runs.begin("one", now=began, version="1")
            counts = {
                "requests": 50,
                "pages": 50,
                "new_articles": 30,
                "statuses": {"200": 50},
                "waited": {"as the server asked": 7},
            }
            if night == 1:
                counts = {
                    "requests": 9,
                    "pages": 0,
                    "new_articles": 0,
                    "statuses": {"403": 9},
                    "refused": {},
                    "failed": {"HTTP 403": 9},
                }
            store.runs.end(run.id, now=began + timedelta(minutes=20), because=FINISHED, counts=counts)
        store.service.record_alerts([("one", "blocked", "9 of 9 requests were answered with HTTP 403")], [], now=NOW)
    return tmp_path


def test_the_status_fits_one_screen(run: Run, crawled: Path) -> None:
    lines = run("status").stdout.splitlines()

    assert lines[0] == "No service runs; `newscrawler run` starts it."
    rows = [line.split("\t") for line in lines[3:]]
    assert [(row[0], row[-1]) for row in rows] == [("one", "blocked"), ("two", "no crawl yet")]
    assert rows[0][3].endswith("0 new")
    assert len(lines) < 24


def test_the_status_as_json_says_what_is_next(run: Run, crawled: Path) -> None:
    record = json.loads(run("status", "--json").stdout)

    assert record["service"] is None
    assert datetime.fromisoformat(record["portals"][1]["next_at"]) > NOW


def test_health_ends_with_1_where_something_is_wrong(run: Run, crawled: Path) -> None:
    ill, well = run("health", "--json"), run("health", "two")

    assert (ill.exit_code, well.exit_code) == (1, 0)
    first = json.loads(ill.stdout.splitlines()[0])
    assert first["findings"] == {"blocked": "9 of 9 requests were answered with HTTP 403"}
    assert first["usual"]["articles"] == 30
    assert "no crawl yet" in well.stdout
    assert "did you mean" in run("health", "twoo").stderr


def test_the_digest_is_text_or_a_page(run: Run, crawled: Path) -> None:
    text, page = run("digest"), run("digest", "--html", "d.html")

    assert text.stdout.splitlines()[0] == "one: blocked: 9 of 9 requests were answered with HTTP 403."
    assert "2 portals, 0 new articles, 1 needs a look, 1 not crawled last night." in text.stdout
    assert page.exit_code == 0
    assert "<svg" in (crawled / "d.html").read_text()
    assert json.loads(run("digest", "--json").stdout)["kind"] == "digest"
    assert run("digest", "--html", "nowhere/d.html").exit_code == 4


def test_a_run_is_shown_and_two_are_compared(run: Run, crawled: Path) -> None:
    shown, compared = run("runs", "show", "11").stdout, run("runs", "compare", "11", "12").stdout

    assert "ended because" in shown
    assert "waited: as the server asked" in shown
    assert "new articles\t30\t0\t-30" in compared
    assert "HTTP status: 403\t0\t9\t+9" in compared
    assert len(run("runs", "--limit", "5").stdout.splitlines()) == 6
    missing = run("runs", "show", "99")
    assert (missing.exit_code, "there is no run 99" in missing.stderr) == (2, True)


def test_a_service_without_portals_or_configuration_does_not_start(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    nothing = run("run")
    (tmp_path / "newscrawler.toml").write_text(
        '[[export]]\nname = "a"\npath = "{when}.csv"\nportals = ["x"]\n[service]\nlisten = "9"\n'
    )
    wrong = run("run")

    assert (nothing.exit_code, "`newscrawler init` writes one" in nothing.stderr) == (2, True)
    assert wrong.exit_code == 2
    assert "{when} is not known" in wrong.stderr
    assert 'service.listen is "9"; it must be an address and port' in wrong.stderr


def test_an_export_by_name_that_is_not_there_is_told(run: Run, crawled: Path) -> None:
    result = run("export", "--named", "weekly")

    assert (result.exit_code, "there is no export weekly" in result.stderr) == (2, True)
