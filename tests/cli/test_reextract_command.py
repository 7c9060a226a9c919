"""`newscrawler reextract`: what would change is told before anything is written, and what was there is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import Result
from kept_pages import NOON, Archive
from portal_server import address, story

from newscrawler import extract
from newscrawler.article import Article, Paragraph

Run = Callable[..., Result]
BASE = "https://example.org"


def url(number: int) -> str:
    return BASE + address(number)


def read_badly(number: int) -> Article:
    """The article as an earlier extractor read it: without its last paragraph, with an advertisement, and another headline."""
    article = extract(story(number), url(number), fetched_at=NOON)
    return replace(
        article, title="Deník", paragraphs=(*article.paragraphs[:-1], Paragraph(text="Kupte si to hned.")), authors=("Reklama",)
    )


@pytest.fixture
def archive(folder: Path) -> Archive:
    """Three articles, the first of which was read badly, and one of the next night."""
    made = Archive(folder)
    made.night([(url(number), story(number)) for number in (1, 2, 3)], changed={url(1): read_badly(1)})
    made.night([(url(4), story(4))], at=NOON + timedelta(days=1))
    return made


def test_what_would_change_is_shown_and_nothing_is_written(run: Run, archive: Archive) -> None:
    result = run("reextract", archive.portal)

    assert "4 articles read again; 1 would change (title 1, body 1, authors 1); 3 unchanged" in result.stdout
    assert "    - Deník\n    + Most číslo 1 se letos dočká opravy" in result.stdout
    assert "    - Kupte si to hned." in result.stdout
    assert "paragraphs the same" in result.stdout
    assert "Nothing has been written" in result.stderr
    assert "Deník" in run("show", 1).stdout
    with archive.open() as store:
        assert store.articles.revisions(1) == []


def test_apply_writes_and_keeps_what_was_there(run: Run, archive: Archive) -> None:
    result = run("reextract", archive.portal, "--apply")

    assert "1 was changed" in result.stdout
    assert run("show", 1).stdout.startswith("Most číslo 1 se letos dočká opravy")
    with archive.open() as store:
        (before,) = store.articles.revisions(1)
    assert before.title == "Deník"
    assert before.paragraphs[-1].text == "Kupte si to hned."
    assert "4 unchanged" in run("reextract", archive.portal).stdout


def test_only_what_was_fetched_since_a_day_is_read(run: Run, archive: Archive) -> None:
    assert "1 article read again" in run("reextract", archive.portal, "--since", "2026-11-21").stdout
    assert run("reextract", archive.portal, "--since", "2027-01-01").exit_code == 2


def test_scripts_get_a_line_for_each_change_and_the_totals(run: Run, archive: Archive) -> None:
    change, totals = map(json.loads, run("reextract", archive.portal, "--json").stdout.splitlines())

    assert change["id"] == 1
    assert change["kind"] == "changed"
    assert change["fields"]["authors"] == {"before": ["Reklama"], "after": []}
    assert totals["totals"] == {"articles": 4, "kinds": {"changed": 1, "same": 3}, "fields": {"title": 1, "body": 1, "authors": 1}}


def test_a_page_that_is_gone_and_one_that_is_no_article_leave_the_article_as_it_is(run: Run, archive: Archive) -> None:
    next(archive.pages.rglob("*2026-11-21*")).unlink()
    made_up = extract(story(9), url(9), fetched_at=NOON)
    archive.night(
        [(url(9), "<html><title>Omlouváme se</title><body><p>Nic tu není.")], at=NOON + timedelta(days=2), changed={url(9): made_up}
    )
    result = run("reextract", archive.portal, "--apply")

    assert "1 no longer recognised as an article, and left as stored" in result.stdout
    assert "1 with a missing or damaged page" in result.stdout
    assert "Most číslo 9" in run("show", 5).stdout


def test_an_article_that_changes_meanwhile_is_left_alone(archive: Archive) -> None:
    with archive.open() as store:
        before = store.articles.get(1)
        assert before is not None
        assert store.articles.revise(before, extract(story(1), url(1), fetched_at=NOON), why="read anew")
        assert not store.articles.revise(before, extract(story(2), url(2), fetched_at=NOON), why="read anew")
        after = store.articles.get(1)
        assert after is not None
        assert after.article.title == "Most číslo 1 se letos dočká opravy"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "the database has no portal nobody"),
        (["portal", "--template", "3"], "portal has no template of version 3"),
        (["portal", "--template", "1", "--no-template"], "not both"),
        (["portal", "--time-zone", "Prague"], "time zone"),
    ],
)
def test_what_cannot_be_is_told(run: Run, archive: Archive, arguments: list[str], said: str) -> None:
    assert archive
    result = run("reextract", *arguments)

    assert result.exit_code == 2
    assert said in result.stderr


def test_what_led_to_a_page_counts_as_in_the_crawl(run: Run, folder: Path) -> None:
    rows = "".join(f"<li><a href=/z/{number}.html>Další zpráva číslo {number} z města</a></li>" for number in range(20))
    page = (
        "<html lang=cs><head><title>Most se letos opraví</title></head><body><h1>Most se letos opraví</h1>"
        "<p>Rada města ve středu rozhodla, že se most přes řeku opraví ještě letos, a uvolnila na to čtyři miliony korun.</p>"
        f"<ul>{rows}</ul></body></html>"
    )
    made, paths = Archive(folder), (url(1), f"{BASE}/kontakt")
    before = {path: extract(story(number), path, fetched_at=NOON) for number, path in enumerate(paths)}
    made.night([(path, page) for path in paths], changed=before)

    lines = [json.loads(line) for line in run("reextract", made.portal, "--json").stdout.splitlines()]

    assert [line["kind"] for line in lines[:-1]] == ["changed", "refused"]
