"""`newscrawler saved` and `newscrawler entities`, and the options of other commands that take their names."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from kept_pages import NOON, Archive
from portal_server import address, story

from newscrawler.article import Reservation, Reserved
from newscrawler.cli import main
from newscrawler.store import open_store

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a folder with four articles."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "newscrawler.toml").write_text('[[portal]]\nname = "one"\nstart_urls = ["https://one.example/"]\n')
    Archive(tmp_path, portal="one").night([(f"https://one.example{address(n)}", story(n)) for n in range(1, 5)])

    def invoke(*words: str, code: int = 0) -> Result:
        done = CliRunner().invoke(main, words)
        assert done.exit_code == code, done.output
        return done

    return invoke


def list_ids(run: Run, *options: str) -> list[int]:
    return sorted(json.loads(line)["id"] for line in run("articles", "--json", "--limit", "0", *options).stdout.splitlines())


def test_a_saved_selection_narrows_every_command(run: Run, tmp_path: Path) -> None:
    run("saved", "add", "half", "--until", "2026-11-03", "--words", "rada OR most")
    half = list_ids(run, "--saved", "half")

    assert 0 < len(half) < 4
    assert list_ids(run, "--until", "2026-11-03") == half
    assert list_ids(run, "--saved", "local/half", "--words", "quokka") == []
    assert list_ids(run, "--saved", "half", "--until", "2030-01-01") == half
    assert list_ids(run, "--saved", "half", "--until", "2020-01-01") == []
    run("export", "--saved", "half", "--output", "half.csv")
    with Path("half.csv").open(encoding="utf-8-sig") as file:
        assert sorted(int(row["id"]) for row in csv.DictReader(file)) == half
    assert f"{len(half)} article" in run("search", "rada", "--saved", "half").stderr
    whole, part = (run("frequencies", *options, "--json", "--limit", "500").stdout for options in ((), ("--saved", "half")))
    assert part == run("frequencies", "--until", "2026-11-03", "--json", "--limit", "500").stdout != whole
    assert run("keywords", "saved=half", "since=2026-11-04", "--least", "1", "--json").stdout
    run("release", "create", "r", "--creator", "Eva", "--saved", "half", "--output", "r")
    assert len(Path("r/documents.jsonl").read_text().splitlines()) == len(half)
    Path("newscrawler.toml").write_text(
        Path("newscrawler.toml").read_text() + '[[export]]\nname = "half"\npath = "out/half.jsonl"\nsaved = "half"\n'
    )
    run("export", "--named", "half")
    assert sorted(json.loads(line)["id"] for line in Path("out/half.jsonl").read_text().splitlines()) == half


def test_a_fixed_selection_keeps_to_the_articles_of_its_day(run: Run, tmp_path: Path) -> None:
    run("saved", "add", "then", "--portal", "one", "--fixed")
    run("saved", "add", "ever", "--portal", "one")
    Archive(tmp_path, portal="one").night([(f"https://one.example{address(9)}", story(9))])

    assert list_ids(run, "--saved", "then") == [1, 2, 3, 4]
    assert list_ids(run, "--saved", "ever") == [1, 2, 3, 4, 5]
    listed = {row["name"]: row for row in map(json.loads, run("saved", "list", "--json").stdout.splitlines())}
    assert {name: row["articles"] for name, row in listed.items()} == {"then": 4, "ever": 5}
    run("export", "--output", "all.vert")
    heads = [line for line in Path("all.vert").read_text().splitlines() if line.startswith("<doc ")]
    assert ['selection="ever|then"' in head for head in heads] == [True] * 4 + [False]
    run("saved", "remove", "then")
    assert "no saved search is named then; choose among: local/ever" in run("articles", "--saved", "then", code=2).stderr


def test_a_name_of_several_owners_needs_the_owner(run: Run, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        for owner, query in (("anna", "q=rada"), ("karl", "q=nothing+of+the+kind")):
            found = store.runs.latest(limit=1)[0].started_at
            store.saved_searches.save(owner, "mine", query, now=found)

    assert "several people have saved a search mine; choose among: anna/mine, karl/mine" in run(
        "articles", "--saved", "mine", code=2
    ).stderr.replace("\n", " ")
    assert list_ids(run, "--saved", "anna/mine") == [1, 2, 3, 4]
    assert list_ids(run, "--saved", "karl/mine") == []


def test_what_cannot_be_saved_is_not_and_what_cannot_be_read_stops_no_list(run: Run, tmp_path: Path) -> None:
    run("saved", "add", "wrong", "--words", "(((", code=2)
    assert run("saved", "list", "--json").stdout == ""
    run("saved", "add", "a|b", "--portal", "one")
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        store.saved_searches.save("anna", "old", "since=yesterday", now=store.runs.latest(limit=1)[0].started_at)

    listed = run("saved", "list", "--json")

    assert {row["name"]: row["articles"] for row in map(json.loads, listed.stdout.splitlines())} == {"a|b": 4, "anna/old": None}
    assert "remove the saved search anna/old, which cannot be read: yesterday is not a date." in " ".join(listed.stderr.split())
    assert "anna/old, which cannot be read" in " ".join(run("articles", "--saved", "old", code=2).stderr.split())
    run("export", "--output", "all.vert")
    assert Path("all.vert").read_text().count('selection="a/b"') == 4


def test_articles_that_are_withdrawn_do_not_count(run: Run, tmp_path: Path) -> None:
    said = Reservation(word=Reserved.TDM, said="1", place="tdmrep.json")
    run("entities", "find")
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        store.rights.restate(
            "https://one.example", lambda url: (said,) if url.endswith(address(1)) else (), ["robots.txt"], now=NOON
        )

    listed = run("saved", "add", "all")

    assert "all: 3 articles today." in listed.stderr
    assert json.loads(run("saved", "list", "--json").stdout)["articles"] == len(list_ids(run, "--saved", "all")) == 3


def test_a_fixed_selection_is_never_widened(run: Run, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        found = store.runs.latest(limit=1)[0].started_at
        store.saved_searches.save("local", "none", "until_id=0", now=found)
        store.saved_searches.save("local", "two", "until_id=2", now=found)
    run("saved", "add", "again", "--saved", "two", "--fixed")
    Path("newscrawler.toml").write_text(
        Path("newscrawler.toml").read_text() + '[[export]]\nname = "none"\npath = "none.jsonl"\nsaved = "none"\n'
    )

    assert list_ids(run, "--saved", "again") == [1, 2]
    run("export", "--named", "none")
    assert not Path("none.jsonl").read_text()
    run("release", "create", "r", "--creator", "Eva", "--saved", "two", "--output", "r")
    assert len(Path("r/documents.jsonl").read_text().splitlines()) == len(list_ids(run, "--saved", "two"))
    assert "until_id is 9999999999999999" in " ".join(run("articles", "--saved", save_far(tmp_path), code=2).stderr.split())


def save_far(folder: Path) -> str:
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        store.saved_searches.save("local", "far", f"until_id={'9' * 30}", now=store.runs.latest(limit=1)[0].started_at)
    return "far"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "--named", "all", "--entities"), "--entities does not go with --named"),
        (("saved", "add", " "), "the name of a search has 1 to 100 characters; this one has 0"),
        (("saved", "add", "x" * 101), "the name of a search has 1 to 100 characters; this one has 101"),
        (("articles", "--words", '"'), "a quotation mark"),
        (("keywords", "since=soon", "portal=one"), "soon is not a date. Use YYYY-MM-DD"),
        (("keywords", "colour=red", "portal=one"), "colour=red is not a condition; write NAME=VALUE, NAME one of: portal,"),
        (("entities", "forget", "ontea"), "ontea has found nothing here; there are: none"),
        (("export", "--entities", "--output", "a.txt/"), "--entities goes with json, jsonl, csv"),
    ],
)
def test_wrong_input_says_what_to_do(run: Run, words: tuple[str, ...], said: str) -> None:
    assert said in " ".join(run(*words, code=2).stderr.split())


def test_entities_are_found_listed_and_forgotten(run: Run) -> None:
    assert "No recogniser has read the articles yet: `newscrawler entities find`." in run("entities", "list").stderr
    Path("known.tsv").write_text("Rada\tOrganization\n")

    assert "4 articles read by ontea:known.tsv." in run("entities", "find", "--by", "ontea:known.tsv").stderr

    assert "Nothing is new." in run("entities", "find", "--by", "ontea:known.tsv").stderr
    (line,) = map(json.loads, run("entities", "list", "--kind", "organisation", "--json").stdout.splitlines())
    assert line == {"kind": "organisation", "name": "Rada", "articles": 4}
    assert list_ids(run, "--entity", "rada") == [1, 2, 3, 4]
    assert "No article has entity:Nobody; `newscrawler entities list`" in run("trends", "entity:Nobody", "entity:Rada").stderr
    assert "Removed: the entities that ontea:known.tsv found in 4 articles." in run("entities", "forget", "ontea:known.tsv").stderr
    assert list_ids(run, "--entity", "rada") == []
