"""`newscrawler pages`: what is kept is listed, shown and taken out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from kept_pages import NOON, Archive
from portal_server import address, listing, story

Run = Callable[..., Result]
BASE = "https://example.org"


@pytest.fixture
def archive(folder: Path) -> Archive:
    """Two articles and a listing of one night, and the first article again of the next."""
    made = Archive(folder)
    made.night([(BASE + address(number), story(number)) for number in (1, 2)] + [(BASE + "/zpravy/", listing(address(1)))])
    made.night([(BASE + address(3), story(3))], at=NOON + timedelta(days=1))
    return made


def lines(result: Result) -> list[dict[str, object]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_pages_are_listed_newest_first_and_chosen(run: Run, archive: Archive) -> None:
    assert archive
    found = lines(run("pages", "list", "--json"))
    assert found[0]["url"] == BASE + address(3)
    assert len(found) == 4
    assert [item["taken_for"] for item in lines(run("pages", "list", "--json", "--outcome", "listing"))] == ["listing"]
    assert len(lines(run("pages", "list", "--json", "--until", "2026-11-20"))) == 3
    assert len(lines(run("pages", "list", "--json", "--since", "2026-11-21"))) == 1
    assert len(lines(run("pages", "list", "--json", "--article", 2))) == 1
    assert run("pages", "list", "--limit", 1).stdout.count("\n") == 2  # with the heading


@pytest.mark.parametrize("what", ["1", BASE + address(1)])
def test_a_page_is_found_from_its_article_and_from_its_address(run: Run, archive: Archive, what: str) -> None:
    assert archive
    assert run("pages", "show", what, "--body").stdout_bytes == story(1).encode()
    told = run("pages", "show", what).stdout
    assert BASE + address(1) in told
    assert "Content-Type: text/html; charset=utf-8" in told
    assert json.loads(run("pages", "show", what, "--json").stdout)["status"] == 200


def test_a_page_is_shown_with_its_parts_marked(run: Run, archive: Archive, folder: Path) -> None:
    assert archive
    run("pages", "show", 1, "--html", "marked.html")
    assert 'data-role="headline"' in (folder / "marked.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["pages", "show", "77"], 2, "no article 77"),
        (["pages", "show", "first"], 2, "neither the number of an article nor an address"),
        (["pages", "show", "https://example.org/none"], 5, "not kept"),
        (["pages", "show", "77", "--page"], 2, "no page 77"),
        (["pages", "list", "--portal", "other"], 2, "the database has no portal other; it has: portal"),
    ],
)
def test_what_is_not_there_is_told(run: Run, archive: Archive, arguments: list[str], code: int, said: str) -> None:
    assert archive
    result = run(*arguments)
    assert result.exit_code == code
    assert said in result.stderr


def test_exported_lines_are_what_extract_reads(run: Run, archive: Archive) -> None:
    assert archive
    pages = run("pages", "export", "--outcome", "article").stdout
    records = lines(run("extract", "--jsonl", stdin=pages))

    assert [record["title"] for record in records] == [f"Most číslo {number} se letos dočká opravy" for number in (1, 2, 3)]


def test_an_exported_warc_file_is_whole(run: Run, archive: Archive, folder: Path) -> None:
    assert archive
    result = run("pages", "export", "--output", "all.warc.gz")

    assert "4 pages written to all.warc.gz" in result.stderr
    assert subprocess.run([sys.executable, "-m", "warcio.cli", "check", folder / "all.warc.gz"], check=False).returncode == 0


def test_a_page_that_is_gone_is_named_and_gone_past(run: Run, archive: Archive) -> None:
    next(archive.pages.rglob("*2026-11-20*")).unlink()
    result = run("pages", "export")

    assert len(lines(result)) == 1
    assert result.stderr.count("page is not kept") == 3
    assert run("pages", "show", 1).exit_code == 5


def test_the_files_are_listed(run: Run, archive: Archive) -> None:
    files = lines(run("pages", "files", "--json"))

    assert [file["pages"] for file in files] == [3, 1]
    assert all(Path(str(file["path"])).stat().st_size >= int(str(file["bytes"])) for file in files)
    assert archive.portal in run("pages", "files").stdout


def test_the_texts_of_all_kept_pages_are_a_corpus_with_kinds(run: Run, archive: Archive) -> None:
    found = lines(run("texts", f"portal:{archive.portal}"))

    assert found[0].keys() == {"portal", "url", "fetched_at", "number", "kind", "text"}
    assert {line["url"] for line in found} == {BASE + address(number) for number in (1, 2, 3)} | {BASE + "/zpravy/"}
    bodies = lines(run("texts", f"portal:{archive.portal}", "--kind", "body"))
    assert bodies
    assert [line for line in found if line["kind"] == "body"] == bodies
