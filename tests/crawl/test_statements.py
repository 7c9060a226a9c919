"""What publishers say in 2026, each way on a real server: what is stored, asked for, exported and kept as a record."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from crawling import Crawl, a_day_passes, articles, command, reasons, summary
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.config import Configuration
from newscrawler.config.load import load_configuration
from newscrawler.rights import Purpose
from newscrawler.store import Selection, open_store

LICENSE = "/license.xml"


def newscrawler(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def told(folder: Path, *arguments: str) -> dict[str, Any]:
    done = newscrawler(folder, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def numbers(folder: Path) -> set[int]:
    return {int(stored.article.headline.split()[2]) for stored in articles(folder)}


def exported(folder: Path, purpose: str) -> set[int]:
    file = folder / "newscrawler.toml"
    configuration = load_configuration(file) if file.exists() else Configuration()
    selection = Selection(**configuration.reserved_for(Purpose(purpose)))
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite", create=False) as store:
        return {int(stored.article.headline.split()[2]) for stored in store.articles.stream(selection)}


def rsl(content: str) -> Answer:
    return Answer(f'<rsl xmlns="https://rslstandard.org/rsl">{content}</rsl>', kind="application/rsl+xml")


def with_head(number: int, head: str) -> str:
    return story(number).replace("</head>", f"{head}</head>")


def test_every_way_of_saying_it_is_honoured_and_explained(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    license_link = f'<link rel="license" type="application/rsl+xml" href="{LICENSE}">'
    server.routes = {
        "/": listing(*map(address, range(1, 11))),
        "/robots.txt": f"User-agent: *\nContent-Usage: {address(2)} train-ai=n\nContent-Signal: {address(3)} use=immediate\n",
        address(1): story(1),
        address(2): story(2),
        address(3): story(3),
        address(4): Answer(story(4), headers={"Content-Usage": "train-ai=n, search=y"}),
        address(5): with_head(5, '<meta name="robots" content="noai, noimageai">'),
        address(6): with_head(6, '<meta name="robots" content="nocache">'),
        address(7): with_head(7, license_link),
        address(8): Answer(story(8), headers={"Link": f'<{LICENSE}>; rel="license"; type="application/rsl+xml"'}),
        address(9): Answer("pay", 402),
        address(10): Answer(story(10), headers={"Content-Usage": "Train-AI"}),
        LICENSE: rsl('<content url="/"><license><prohibits type="usage">all</prohibits></license></content>'),
    }

    done = summary(crawl(server.url))

    assert numbers(tmp_path) == {1, 2, 4, 5, 6, 10}
    assert exported(tmp_path, "text-analysis") == {1, 2, 4, 5, 6, 10}
    written = newscrawler(tmp_path, "export", "--purpose", "ai-train")
    assert {json.loads(line)["title"].split()[2] for line in written.stdout.splitlines()} == {"1", "6"}
    assert written.stderr == "4 left out, as their publishers reserve them for ai-train\n"
    assert exported(tmp_path, "archive") == {1, 2, 4, 5, 10}
    assert exported(tmp_path, "search") == {1, 2, 4, 5, 6}
    states = reasons(tmp_path)
    assert states[address(3)] == ("skipped", "use reserved by the publisher: robots.txt Content-Signal use=immediate")
    assert states[address(7)] == ("done", "use reserved by the publisher: text-analysis not permitted (RSL licence)")
    assert states[address(8)] == states[address(7)]
    assert states[address(9)] == ("done", "payment required: no price is named")
    assert not [asked for asked in server.asked if asked.path == address(3)]
    assert server.times(LICENSE) == 1
    assert done["refused"]["use reserved by the publisher"] == 2
    (four,) = (stored for stored in articles(tmp_path) if "číslo 4 " in stored.article.headline)
    (record,) = told(tmp_path, "show", str(four.id))["rights"]
    assert record["explanation"].startswith(
        "The publisher says 'train-ai=n' in Content-Usage header, which reserves training of AI models; "
        "the text is stored, and left out of exports for ai-train."
    )
    statements = {(each["place"], each["said"]) for each in told(tmp_path, "rights")["statements"]}
    assert ("robots.txt Content-Signal", f"{address(3)} use=immediate") in statements


def test_an_origin_is_asked_for_one_file_more_a_night_and_what_it_withdraws_is_known_by_that(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    server.routes = {"/": listing(*map(address, range(1, 4))), **{address(number): story(number) for number in range(1, 4)}}
    summary(crawl(server.url))
    assert not [asked for asked in server.asked if asked.path in {"/ai.txt", "/trust.txt", LICENSE}]
    a_day_passes(tmp_path)
    server.routes |= {
        "/robots.txt": f"License: {server.url}license.xml\nUser-agent: *\nContent-Signal: ai-train=no\n",
        LICENSE: rsl(f'<content url="{address(2)}"><license><payment type="crawl"/></license></content>'),
        **{address(number): Answer("gone", 404) for number in range(1, 4)},
    }

    summary(crawl(server.url))

    assert server.times("/ai.txt") == server.times("/trust.txt") == 0
    assert server.times(LICENSE) == 1
    found = told(tmp_path, "rights")
    assert [(each["word"], each["url"].endswith(address(2))) for each in found["withdrawn"]] == [("text-analysis", True)]
    assert exported(tmp_path, "ai-train") == set()
    assert exported(tmp_path, "text-analysis") == {1, 3}
    assert newscrawler(tmp_path, "rights", "purge").stdout == "1 article removed\n"
    assert numbers(tmp_path) == {1, 3}


def test_a_licence_that_cannot_be_read_counts_as_a_reservation(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    server.routes = {
        "/": listing(address(1)),
        address(1): story(1),
        "/robots.txt": f"License: {server.url}license.xml\n",
        LICENSE: Answer(b"<rsl>" + b" " * 3_000_000, kind="application/rsl+xml"),
    }

    done = crawl(server.url)

    assert done.returncode == 1
    assert {asked.path for asked in server.asked} == {"/robots.txt", "/.well-known/tdmrep.json", LICENSE}
    (said,) = (each["said"] for each in told(tmp_path, "rights")["statements"])
    assert "too large" in said or "larger than" in said
    server.routes[LICENSE] = rsl('<content url="/"><license><permits type="usage">all</permits></license></content>')
    a_day_passes(tmp_path)
    assert summary(crawl(server.url))["new_articles"] == 1


def test_a_host_that_asks_for_money_is_asked_for_nothing_more_that_night(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    paid = Answer("pay", 402, headers={"crawler-price": "USD 0.01"})
    server.routes = {"/": listing(*map(address, range(1, 6))), **{address(number): paid for number in range(1, 6)}}

    done = crawl(server.url)

    assert len([asked for asked in server.asked if asked.status == 402]) == 1
    assert "crawler-price: USD 0.01" in done.stdout
    asked = len(server.asked)
    crawl(server.url)
    assert len(server.asked) == asked


def test_a_corpus_for_research_and_a_corpus_for_models_are_told_apart(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    server.routes = {
        "/": listing(address(1), address(2)),
        address(1): Answer(story(1), headers={"tdm-reservation": "1"}),
        address(2): Answer(story(2), headers={"Content-Signal": "ai-train=no"}),
    }
    portal = f'[[portal]]\nname = "p"\nstart_urls = ["{server.url}"]\ndelay = 0\n'
    configuration = tmp_path / "newscrawler.toml"
    configuration.write_text(f'[crawler]\nresearch = true\nlegal_basis = "§ 60d UrhG"\n{portal}', "utf-8")

    research = summary(crawl("p"))

    assert numbers(tmp_path) == {1, 2}
    assert any("§ 60d UrhG" in note for note in research["notes"])
    assert exported(tmp_path, "ai-train") == set()
    configuration.write_text(f'[crawler]\npurpose = ["ai-train"]\n{portal}', "utf-8")
    assert {each["word"] for each in told(tmp_path, "rights")["withdrawn"]} == {"tdm", "ai-train"}
    configuration.write_text(f"[crawler]\nresearch = true\n{portal}", "utf-8")
    refused = newscrawler(tmp_path, "rights")
    assert refused.returncode == 2
    assert "legal_basis" in refused.stderr
