"""Thirty mistakes that users make, and the sentence that each gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

MISTAKES = [
    ("serch ferry", 2, "newscrawler has no command serch. Did you mean: newscrawler search"),
    ("list", 2, "newscrawler has no command list. Did you mean: newscrawler articles"),
    ("portal shwo", 2, "newscrawler portal has no command shwo. Did you mean: newscrawler portal show"),
    ("xyzzy", 2, "newscrawler has no command xyzzy. Its commands: init, portal, crawl"),
    ("articles --protal a", 2, "No such option '--protal'. Did you mean '--portal'?"),
    ("show abc", 2, "abc is not a whole number. Use 1 or more."),
    ("show 0", 2, "0 is out of range. Use 1 or more."),
    ("concordance ferry --width 99", 2, "99 is out of range. Use 0 to 50."),
    ("crawl --delay 0,5", 2, "0,5 is not a number. Write decimals with a point: 0.5."),
    ("crawl https://www.example.org/ --delay 0", 2, "Error: --delay is 0, but www.example.org is not this machine"),
    ("collect --query dam --delay 0", 2, "Error: --delay is 0; it must be above 0"),
    ("collect --query dam --max-minutes 0", 2, "Error: --max-minutes is 0.0; it must be a number above 0"),
    ("crawl --delay soon", 2, "soon is not a number. Use digits, for example 2.5."),
    ("crawl --max-articles ten", 2, "ten is not a whole number."),
    ("articles --since 1.2.2026", 2, "1.2.2026 is not a date. Use YYYY-MM-DD, for example 2026-02-01."),
    ("articles --since 2026-02-30", 2, "2026-02-30 is not a date."),
    ("export --format jsnl", 2, "There is no jsnl. Did you mean jsonl? Choose one of: jsonl, json"),
    ("export --output x.docx", 2, "x.docx ends in no format that newscrawler writes"),
    ("articles", 3, "there is no database newscrawler.sqlite yet; run `newscrawler crawl` first"),
    ("articles --database mysql://x", 2, "is not a database URL that newscrawler can use"),
    ("crawl", 2, "there is no portal to crawl: name a URL"),
    ("crawl courier", 2, "there is no portal courier, and none is configured"),
    ("crawl http://", 2, "http:// is not an address to fetch from"),
    ("crawl ftp://example.org", 2, "ftp://example.org is not an address to fetch from"),
    ("crawl https://www.example.org/", 2, "A contact address is required before crawling www.example.org"),
    ("crawl --contact me http://127.0.0.1:1/", 2, "the contact me is neither an e-mail address nor a web address"),
    ("portal add example.org", 2, "example.org is not an address to fetch from"),
    ("portal add", 2, "Missing argument 'URL'"),
    ("portal forget courier", 2, "neither the database nor newscrawler.toml has a portal courier"),
    ("extract settings.toml", 5, "not HTML: settings.toml holds text/plain; name a web page that was saved, or a URL"),
    ("export --delimiter ; --output x.xlsx", 2, "--delimiter goes with csv; xlsx has no use for it"),
    ("extract missing.html", 2, "there is no file missing.html; a URL begins with http:// or https://"),
    ("extract .", 2, "name a folder for many pages: newscrawler extract --output FOLDER"),
    ("extract --time-zone Prague page.html", 2, "Prague is not an IANA time zone, such as Europe/Prague"),
    ("search ferry", 3, "there is no database newscrawler.sqlite yet"),
    ("run", 2, "there is no file newscrawler.toml; `newscrawler init` writes one"),
    ("evaluate missing.jsonl", 2, "there is no file or folder missing.jsonl to evaluate on"),
    ("--version 2", 0, "newscrawler, version"),
]


@pytest.mark.parametrize(("line", "code", "sentence"), MISTAKES, ids=[line for line, _, _ in MISTAKES])
def test_a_mistake_gets_a_sentence_that_says_what_to_do(run: Run, folder: Path, line: str, code: int, sentence: str) -> None:
    (folder / "page.html").write_text("<h1>Ferry</h1>", "utf-8")
    (folder / "settings.toml").write_text('[service]\nweb = "127.0.0.1:8765"\n', "utf-8")

    result = run(*line.split(" "))

    assert result.exit_code == code
    assert sentence in " ".join((result.output + result.stderr).split())
    assert "Traceback" not in result.stderr


def test_a_second_init_changes_nothing(run: Run, folder: Path) -> None:
    run("init")
    before = (folder / "newscrawler.toml").read_bytes()

    result = run("init")

    assert (result.exit_code, result.stderr) == (2, "Error: newscrawler.toml already exists; nothing was changed.\n")
    assert (folder / "newscrawler.toml").read_bytes() == before


def test_a_file_in_the_place_of_the_folder_is_named(run: Run, folder: Path) -> None:
    (folder / "corpus").write_text("", "utf-8")

    result = run("init", "--config", "corpus/newscrawler.toml")

    assert result.exit_code == 2
    assert "corpus/newscrawler.toml" in result.stderr


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("portals = 3", "portals is not known at the top"),
        ('[[portal]]\nnmae = "x"', "(did you mean name?)"),
        ('[[portal]]\nxyzzy = "x"', "portal[1].xyzzy is not a key that is known here; the documentation lists all keys"),
        ('[[portal]]\nname = "x"\nstart_urls = ["http://a.example/"]\ndelay = "0,5"', "portal[1].delay"),
        ("[[portal]\n", "newscrawler.toml is not valid TOML"),
    ],
)
def test_a_mistake_in_the_configuration_is_named_with_its_place(run: Run, folder: Path, text: str, sentence: str) -> None:
    (folder / "newscrawler.toml").write_text(text, "utf-8")

    result = run("crawl")

    assert result.exit_code == 2
    assert sentence in result.stderr
    assert max(map(len, result.stderr.splitlines())) < 200


def test_an_empty_address_is_named_as_such(run: Run, folder: Path) -> None:
    result = run("portal", "add", "")

    assert (result.exit_code, list(folder.iterdir())) == (2, [])
    assert "the address is empty; name the front page of the portal" in result.stderr


def test_json_of_a_page_without_an_article_is_its_reason(run: Run, folder: Path) -> None:
    (folder / "page.html").write_text("", "utf-8")

    result = run("extract", "page.html", "--json")

    assert result.exit_code == 5
    assert json.loads(result.stdout) == {"article": False, "reason": "empty page", "url": None}


def test_a_broken_file_in_the_folder_does_not_stop_a_command_with_its_own(run: Run, folder: Path) -> None:
    (folder / "newscrawler.toml").write_text("[[portal]\n", "utf-8")
    (folder / "other.toml").write_text('[crawler]\ndatabase = "sqlite:///other.sqlite"\n', "utf-8")

    answer = run("rights", "removals", "--config", "other.toml")

    assert "there is no database other.sqlite yet" in answer.output
