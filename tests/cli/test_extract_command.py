from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from host_states import put_host
from portal_server import Answer

from newscrawler import __version__
from newscrawler.crawl.components import resolver
from newscrawler.crawl.process import single_page
from newscrawler.store import open_store
from newscrawler.store.hosts import HostRecord

Run = Callable[..., Result]
Story = Callable[[int], str]

PROMISED = {"id", "url", "title", "lead", "body", "published_at", "date", "authors"}


def record(result: Result) -> dict[str, Any]:
    return json.loads(result.stdout)


def test_a_line_is_answered_with_the_promised_fields(run: Run, story: Story) -> None:
    question = {"id": 7, "url": "https://example.org/2026/02/01/zprava", "html": story(1)}

    result = run("extract", "--jsonl", stdin=json.dumps(question) + "\n")

    answer = record(result)
    assert answer.keys() >= PROMISED
    assert (answer["id"], answer["url"], answer["date"]) == (7, question["url"], "2026-02-01")
    assert answer["title"] == "Žluťoučký kůň číslo 1 úpěl ďábelské ódy"
    assert answer["body"].count("\n") == 4
    assert answer["article"] is True


def test_a_page_without_an_article_is_answered_with_the_reason(run: Run) -> None:
    answer = record(run("extract", "--jsonl", stdin='{"id": 1, "html": ""}\n'))

    assert (answer["article"], answer["body"]) == (False, None)
    assert answer["reason"]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"id": 1}', '"html" is missing or not a string'),
        ('{"id": 1, "html": 3}', '"html" is missing or not a string'),
        ('{"id": 1, "html": "", "url": 3}', '"url" is not a string'),
        ('{"id": 1, "html": "", "fetched_at": "yesterday"}', '"fetched_at" is not an ISO 8601 time: yesterday'),
        ('{"id": 1, "html": "", "fetched_at": "2026-02-05T10:00"}', '"fetched_at" has no offset: 2026-02-05T10:00'),
    ],
)
def test_a_question_that_lacks_something_is_told_so(run: Run, line: str, error: str) -> None:
    assert record(run("extract", "--jsonl", stdin=line + "\n")) == {"id": 1, "error": error}


def test_the_extractor_loads_no_crawler_database_or_checker(story: Story) -> None:
    code = (
        "import sys\n"
        "from newscrawler.cli import main\n"
        "main(['extract', '--jsonl'], standalone_mode=False)\n"
        "heavy = {'scrapy', 'twisted', 'sqlalchemy', 'alembic', 'pydantic', 'rich', 'tldextract', 'dateparser', 'tomlkit'}\n"
        "sys.stderr.write(', '.join(heavy & sys.modules.keys()))\n"
    )
    line = json.dumps({"id": 1, "url": "https://example.org/a", "html": story(1)}) + "\n"

    child = subprocess.run([sys.executable, "-c", code], input=line, capture_output=True, text=True, encoding="utf-8", check=False)

    assert child.stderr == ""
    assert json.loads(child.stdout)["article"] is True


def test_a_file_is_read_in_its_own_encoding(run: Run, folder: Path, story: Story) -> None:
    html = story(1).replace("utf-8", "windows-1250")
    (folder / "page.html").write_bytes(html.encode("windows-1250"))

    result = run("extract", "page.html", "--json", "--url", "https://example.org/a")

    assert result.exit_code == 0
    assert record(result)["title"] == "Žluťoučký kůň číslo 1 úpěl ďábelské ódy"
    assert record(result)["url"] == "https://example.org/a"


def test_the_record_is_shown_to_be_read(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1), "utf-8")

    lines = run("extract", "page.html").output.splitlines()

    assert lines[0] == "Žluťoučký kůň číslo 1 úpěl ďábelské ódy"
    assert any(line.startswith("published   2026-02-01T10:00:00+01:00") for line in lines)
    assert any(line.startswith("Odstavec 4 zprávy 1.") for line in lines)


def test_what_a_terminal_would_obey_is_not_printed(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1).replace("kůň", "kůň\x1b]0;owned\x07\x9b31m"), "utf-8")

    output = run("extract", "page.html").output

    assert not {"\x1b", "\x07", "\x9b"} & set(output)


def test_a_page_without_an_article_has_an_exit_code_of_its_own(run: Run, folder: Path) -> None:
    (folder / "page.html").write_text("<title>Nothing</title><p>Nothing.</p>", "utf-8")

    result = run("extract", "page.html")

    assert result.exit_code == 5
    assert "Error: page.html holds no article: " in result.stderr
    assert not result.stdout


def test_a_file_that_is_no_page_is_told_so(run: Run, folder: Path) -> None:
    (folder / "paper.html").write_bytes(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj")

    result = run("extract", "paper.html")

    assert result.exit_code == 5
    assert "not HTML: paper.html holds application/pdf" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["absent.html"], "there is no file absent.html"),
        (["."], "name a folder for many pages: newscrawler extract --output FOLDER"),
        ([], "give a URL, a FILE or a FOLDER, or --jsonl"),
        (["--jsonl", "page.html"], "give no URL or FILE"),
        (["page.html", "--json", "--format", "tei"], "--json and --format tei are two forms; give one of them"),
        (["page.html", "--reasons"], "--reasons goes with --json, --jsonl or --output; `newscrawler explain`"),
        (["page.html", "--url", "example"], "example is not an address; it must begin with http:// or https://"),
        (["ftp://example.org/"], "must begin with http:// or https://"),
        (["page.html", "--method", "magic"], "There is no magic. Choose one of: default"),
        (["page.html", "--method", "mss[tag_cost=much]"], "mss: tag_cost is a number of 0 or more, not much."),
        (["page.html", "--time-zone", "Mars/Olympus"], "Mars/Olympus is not an IANA time zone"),
        (["https://example.org/"], "A contact address is required before crawling example.org"),
        (["https://example.org/", "--contact", "nobody"], "the contact nobody is neither"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(run: Run, arguments: list[str], message: str) -> None:
    result = run("extract", *arguments)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_page_is_fetched_with_our_name_after_asking_robots_txt(run: Run, site: Any) -> None:
    result = run("extract", f"{site.url}2026/02/01/zprava-1.html", "--json", "--contact", "me@example.org")

    assert record(result)["title"] == "Žluťoučký kůň číslo 1 úpěl ďábelské ódy"
    agent = f"newscrawler/{__version__} (+me@example.org)"
    assert [(item.path, item.agent) for item in site.asked] == [("/robots.txt", agent), ("/2026/02/01/zprava-1.html", agent)]


@pytest.mark.parametrize(("path", "number"), [("latin", 1), ("gzip", 2), ("moved", 3)])
def test_charset_compression_and_redirects_are_followed(run: Run, site: Any, path: str, number: int) -> None:
    found = record(run("extract", f"{site.url}{path}", "--json"))

    assert found["title"] == f"Žluťoučký kůň číslo {number} úpěl ďábelské ódy"


def test_the_record_names_the_address_at_the_end_of_the_redirects(run: Run, site: Any) -> None:
    assert record(run("extract", f"{site.url}moved", "--json"))["url"] == f"{site.url}2026/02/03/zprava-3.html"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("private/a", "forbidden by robots.txt"),
        ("to-private", "forbidden by robots.txt"),
        ("status/404", "HTTP status: 404"),
        ("status/503", "HTTP status: 503"),
        ("picture", "not HTML: image/png"),
        ("loop", "too many redirects"),
        ("broken", "connection lost"),
    ],
)
def test_a_page_that_cannot_be_had_is_told_with_the_reason(run: Run, site: Any, path: str, message: str) -> None:
    result = run("extract", f"{site.url}{path}")

    assert result.exit_code == 5
    assert f"Error: {message}" in result.stderr
    assert result.stdout == ""


def test_a_forbidden_page_is_not_asked_for(run: Run, site: Any) -> None:
    run("extract", f"{site.url}private/a")

    assert [item.path for item in site.asked] == ["/robots.txt"]


def test_robots_txt_that_fails_forbids_and_one_that_is_absent_allows(run: Run, site: Any) -> None:
    site.routes["/robots.txt"] = Answer("", 503)
    assert "whether" in run("extract", f"{site.url}gzip").stderr

    site.routes["/robots.txt"] = Answer("User-agent: *\nDisallow: /\n", 404)
    assert run("extract", f"{site.url}gzip").exit_code == 0


def test_a_redirect_to_another_machine_needs_a_contact(run: Run, site: Any) -> None:
    result = run("extract", f"{site.url}away")

    assert result.exit_code == 2
    assert "A contact address is required before crawling example.org" in result.stderr


def test_a_server_that_does_not_answer_is_told(run: Run, site: Any) -> None:
    port = site.server_port
    site.shutdown()
    site.server_close()

    result = run("extract", f"http://127.0.0.1:{port}/")

    assert result.exit_code == 5
    assert f"connection refused: 127.0.0.1:{port}" in result.stderr


def test_a_name_that_leads_nowhere_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolver, "CACHED_SECONDS", 0.0)
    monkeypatch.setattr(resolver.socket, "getaddrinfo", names({}))

    result = run("extract", "http://nowhere.example/", "--contact", "me@example.org")

    assert "host name not found: nowhere.example" in result.stderr


def names(addresses: dict[str, str]) -> Any:
    """A name server of our own."""

    def look_up(host: str, *_: Any, **__: Any) -> list[Any]:
        if host not in addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (addresses[host], 0))]

    return look_up


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.1", "169.254.169.254"])
def test_a_name_that_leads_into_a_private_network_is_not_followed(
    run: Run, site: Any, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(resolver, "CACHED_SECONDS", 0.0)
    monkeypatch.setattr(resolver.socket, "getaddrinfo", names({"evil.example": address}))

    result = run("extract", f"http://evil.example:{site.server_port}/gzip", "--contact", "me@example.org")

    assert result.exit_code == 5
    assert f"address not allowed: evil.example is at {address}" in result.stderr
    assert site.asked == []


def test_a_redirect_into_a_private_network_is_not_followed(run: Run, site: Any) -> None:
    result = run("extract", f"{site.url}inward", "--contact", "me@example.org")

    assert "address not allowed: 169.254.169.254 is not a public address" in result.stderr


def test_a_single_fetch_takes_its_turn_and_keeps_robots_txt_where_there_is_a_database(run: Run, site: Any, folder: Path) -> None:
    (folder / "newscrawler.toml").write_text(f'[[portal]]\nname = "a"\nstart_urls = ["{site.url}"]\ndelay = 0.4\n', "utf-8")
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        for number in (1, 2):
            run("extract", f"{site.url}2026/02/01/zprava-{number}.html", "--json")
        log = store.hosts.fetches(host="127.0.0.1")

    assert [item.path for item in site.asked] == ["/robots.txt", "/2026/02/01/zprava-1.html", "/2026/02/01/zprava-2.html"]
    assert [(record.kind, record.status) for record in log] == [("robots", 200), ("page", 200), ("page", 200)]
    assert min((later.at - earlier.at).total_seconds() for earlier, later in pairwise(log)) >= 0.4


def test_a_host_that_is_paused_or_to_be_left_alone_is_not_asked(run: Run, site: Any, folder: Path) -> None:
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        until = datetime.now(UTC) + timedelta(hours=2)
        put_host(store.hosts, HostRecord(name="127.0.0.1", paused_until=until, pause_reason="answers 503"))
    paused = run("extract", f"{site.url}gzip")
    (folder / "newscrawler.toml").write_text('[crawler]\ndenylist = ["127.0.0.1"]\n', "utf-8")
    listed = run("extract", f"{site.url}gzip")

    assert (paused.exit_code, listed.exit_code) == (5, 5)
    assert "host is paused: no request to 127.0.0.1 before" in paused.stderr
    assert "after errors: answers 503" in paused.stderr
    assert "host on the denylist: 127.0.0.1 is on the denylist" in listed.stderr
    assert site.asked == []


def test_a_page_that_is_too_large_is_not_read_to_its_end(run: Run, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_page, "LARGEST_PAGE_BYTES", 1024 * 1024)

    result = run("extract", f"{site.url}bomb")

    assert result.exit_code == 5
    assert "too large" in result.stderr


def test_a_page_that_drips_in_is_given_up(run: Run, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_page, "LONGEST_SECONDS", 0.5)

    result = run("extract", f"{site.url}drip")

    assert result.exit_code == 5
    assert "too slow" in result.stderr


def test_an_explanation_tells_what_was_taken_and_marks_it_on_the_page(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1), "utf-8")

    result = run("explain", "page.html", "--html", "marked.html")

    assert result.exit_code == 0
    assert "verdict   article" in result.stdout
    assert "Odstavec 4 zprávy 1." in result.stdout
    assert "Odstavec 4 zprávy 1." in (folder / "marked.html").read_text("utf-8")


def test_the_candidates_of_an_explanation_and_of_the_record_are_the_same(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1).replace("<head>", "<head><meta name=author content='Published March 5'>"), "utf-8")

    explained = record(run("explain", "page.html", "--json"))
    extracted = record(run("extract", "page.html", "--json", "--reasons"))

    assert explained["article"] is True
    assert {block["class"] for block in explained["blocks"]} >= {"headline", "body"}
    refused = {"text": "Published March 5", "chosen": False, "reason": "a day or a number, no name"}
    assert any(refused.items() <= each.items() for each in extracted["reasons"])
    assert [each for each in extracted["reasons"] if each not in explained["reasons"]] == []
    assert "reasons" not in record(run("extract", "page.html", "--json"))


def test_the_reasons_of_many_pages_are_in_their_records(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1), "utf-8")

    assert run("extract", "page.html", "--output", "corpus", "--reasons", "--workers", "1").exit_code == 0
    (line,) = (folder / "corpus" / "articles.jsonl").read_text("utf-8").splitlines()
    assert {each["field"] for each in json.loads(line)["reasons"]} == {"title", "date", "authors", "section"}


def test_an_explanation_names_the_class_and_the_cues_of_each_block(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1), "utf-8")

    lines = run("explain", "page.html", "--time-zone", "Europe/Prague").stdout.splitlines()

    assert any(line.startswith("headline ") and "Žluťoučký kůň číslo 1" in line for line in lines)
    place = next(number for number, line in enumerate(lines) if line.startswith("body ") and "Odstavec 4 zprávy 1." in line)
    assert lines[place + 1].lstrip().startswith("for: ")


@pytest.mark.parametrize(
    ("former", "command"), [("--explain", "explain PAGE"), ("--html=a.html", "explain PAGE --html FILE"), ("--texts", "texts PAGE")]
)
def test_a_former_option_names_the_command_that_replaces_it(run: Run, former: str, command: str) -> None:
    result = run("extract", "page.html", former)

    assert result.exit_code == 2
    assert f"There is no option {former.partition('=')[0]}. Use newscrawler {command}." in result.stderr


def test_a_marked_page_that_cannot_be_written_is_told(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1), "utf-8")

    result = run("explain", "page.html", "--html", "absent/marked.html")

    assert result.exit_code == 4
    assert "its folder does not exist" in result.stderr


PORTAL_PAGE = (
    "<body><ul><li><a href=/1>First section</a></li><li><a href=/2>Second section</a></li></ul>"
    "<div><p>One sentence of a long article that hangs together.</p><p>Another sentence of the same article, as long.</p></div>"
)


def test_all_coherent_texts_of_a_page_are_printed_apart(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PORTAL_PAGE, "utf-8")

    result = run("texts", "page.html")

    texts = result.stdout.strip().split("\n\n")
    assert texts[:2] == ["First section", "Second section"]
    assert "One sentence of a long article" in texts[2]
    undivided = run("texts", "page.html", "--method", "node_energy[dissipation=0]")
    assert len(undivided.stdout.strip().split("\n\n")) == 1


def test_lines_are_answered_with_texts_and_a_dictionary_says_what_counts(run: Run, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("sentence\narticle\n", "utf-8")
    question = json.dumps({"id": 3, "url": None, "html": PORTAL_PAGE}) + "\n"

    result = run("texts", "--jsonl", "--method", "node_energy_dictionary", "--dictionary", "words.txt", stdin=question)

    answer = record(result)
    assert answer["id"] == 3
    assert len(answer["kinds"]) == len(answer["texts"])
    assert sorted(" ".join(answer["texts"]).split()) == sorted(re.sub("<[^>]+>", " ", PORTAL_PAGE).split())


def test_texts_of_a_method_that_finds_one_text_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PORTAL_PAGE, "utf-8")

    result = run("texts", "page.html", "--method", "mss")

    assert result.exit_code == 2
    assert "newscrawler texts goes with node_energy" in result.stderr


def test_an_article_is_printed_in_a_format_with_what_is_asked_for(run: Run, folder: Path, story: Story) -> None:
    (folder / "page.html").write_text(story(1).replace("Odstavec 4", "<a href='/o'>Odstavec</a> 4"), "utf-8")

    result = run("extract", "page.html", "--url", "https://x.example/1", "--format", "markdown", "--links")

    assert result.exit_code == 0
    assert result.stdout.startswith("# Žluťoučký kůň číslo 1")
    assert "[Odstavec](<https://x.example/o>) 4" in result.stdout
