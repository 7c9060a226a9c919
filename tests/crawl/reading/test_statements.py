"""What publishers say in 2026, each way on a real server, over two nights: stored, asked for, exported, withdrawn and removed."""

from __future__ import annotations

import contextlib
import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import warm_command
from click.testing import CliRunner, Result
from crawling import a_day_passes, articles, command
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.cli import main
from newscrawler.config import Configuration
from newscrawler.politeness.rights import Purpose
from newscrawler.store import open_store
from newscrawler.store.archive import PageSelection
from newscrawler.store.articles import Selection
from newscrawler.store.tables import FRONTIER

LICENSE = "/license.xml"
TDM = "/.well-known/tdmrep.json"
OTHER_ADDRESS = "/zpravy/jina-adresa-teze-zpravy-o-moste-2999.html"
#: Each is a host of its own: one that asks for money is left alone.
SERVERS = ("says", "withdraws", "unreadable", "paid", "removed", "changes")


def invoke(folder: Path, *arguments: str) -> Result:
    with contextlib.chdir(folder):
        return CliRunner().invoke(main, list(arguments))


def rsl(content: str) -> Answer:
    return Answer(f'<rsl xmlns="https://rslstandard.org/rsl">{content}</rsl>', kind="application/rsl+xml")


def with_head(number: int, head: str) -> str:
    return story(number).replace("</head>", f"{head}</head>")


@dataclass
class Night:
    """What one crawl of all portals did."""

    done: subprocess.CompletedProcess[str]
    summaries: dict[str, dict[str, Any]]
    asked: dict[str, list[str]]
    stored: dict[str, set[int]]


@dataclass
class Nights:
    folder: Path
    servers: dict[str, PortalServer]
    nights: list[Night] = field(default_factory=list)

    def name(self, server: str) -> str:
        return f"{self.servers[server].host}-{self.servers[server].server_port}"

    def crawl(self) -> None:
        for server in self.servers.values():
            server.asked.clear()
        urls = [server.url for server in self.servers.values()]
        done = warm_command.run(
            command("crawl", *urls, "--delay", "0", "--json"),
            cwd=self.folder, capture_output=True, text=True, timeout=280, check=False,
        )  # fmt: skip
        summaries = {summary["portal"]: summary for summary in map(json.loads, done.stdout.splitlines())}
        found: dict[str, set[int]] = {name: set() for name in self.servers}
        for stored in articles(self.folder):
            (name,) = (each for each in self.servers if self.name(each) == stored.article.portal)
            found[name].add(int(stored.article.title.split()[2]))
        self.nights.append(
            Night(
                done=done,
                summaries={name: summaries[self.name(name)] for name in self.servers},
                asked={name: [asked.path for asked in server.asked] for name, server in self.servers.items()},
                stored=found,
            )
        )

    def exported(self, purpose: str, server: str) -> set[int]:
        selection = Selection(portal=self.name(server), **Configuration().reserved_for(Purpose(purpose)))
        with open_store(f"sqlite:///{self.folder}/newscrawler.sqlite", create=False) as store:
            return {int(stored.article.title.split()[2]) for stored in store.articles.stream(selection)}

    def state(self, server: str, path: str) -> tuple[str, str]:
        with open_store(f"sqlite:///{self.folder}/newscrawler.sqlite", create=False) as store, store.engine.connect() as connection:
            url = self.servers[server].url[:-1] + path
            row = connection.execute(FRONTIER.select().where(FRONTIER.c.url == url)).one()
            return row.state, f"{row.reason}: {row.detail}"

    def told(self, *arguments: str) -> Any:
        done = invoke(self.folder, *arguments, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nights]:
    folder = tmp_path_factory.mktemp("statements")
    (folder / "newscrawler.toml").write_text('[crawler]\nwithdrawn = "purge"\n[crawler.defaults]\nlearn = false\n', "utf-8")
    with contextlib.ExitStack() as stack:
        made = Nights(
            folder, {name: stack.enter_context(PortalServer(host=f"127.0.7.{number}")) for number, name in enumerate(SERVERS, 1)}
        )
        _first_night(made.servers)
        made.crawl()
        a_day_passes(folder)
        removed = made.servers["removed"].url
        first = invoke(folder, "rights", "remove", f"{removed[:-1]}{address(1)}", "--because", "letter of 20 November")
        second = invoke(folder, "rights", "remove", f"{removed}zpravy/*-2-se-*", "--because", "the same letter")
        assert [each.stdout.partition(";")[0] for each in (first, second)] == ["1 article removed"] * 2
        _second_night(made.servers)
        made.crawl()
        yield made


def _first_night(servers: dict[str, PortalServer]) -> None:
    stories = {address(number): story(number) for number in range(1, 5)}
    for name in ("withdraws", "removed", "unreadable"):
        servers[name].routes = {"/": listing(*stories), **stories}
    servers["unreadable"].routes |= {
        "/robots.txt": f"License: {servers['unreadable'].url}license.xml\n",
        LICENSE: Answer(b"<rsl>" + b" " * 3_000_000, kind="application/rsl+xml"),
    }
    paid = Answer("pay", 402, headers={"crawler-price": "USD 0.01"})
    servers["paid"].routes = {"/": listing(*stories), **dict.fromkeys(stories, paid)}
    servers["changes"].routes = {"/": listing(*stories), **stories, "/robots.txt": "User-agent: *\nDisallow: /zpravy/\n"}
    servers["says"].routes = {
        "/": listing(*map(address, range(1, 12))),
        "/robots.txt": f"User-agent: *\nContent-Usage: {address(2)} train-ai=n\nContent-Signal: {address(3)} use=immediate\n",
        address(1): story(1),
        address(2): story(2),
        address(3): story(3),
        address(4): Answer(story(4), headers={"Content-Usage": "train-ai=n, search=y"}),
        address(5): with_head(5, '<meta name="robots" content="noai, noimageai">'),
        address(6): with_head(6, '<meta name="robots" content="nocache">'),
        address(7): with_head(7, f'<link rel="license" type="application/rsl+xml" href="{LICENSE}">'),
        address(8): Answer(story(8), headers={"Link": f'<{LICENSE}>; rel="license"; type="application/rsl+xml"'}),
        address(9): Answer("pay", 402),
        address(10): Answer(story(10), headers={"Content-Usage": "Train-AI"}),
        address(11): Answer(story(11), headers={"Content-Signal": "ai-train=yes, ai-train=no"}),
        LICENSE: rsl('<content url="/"><license><prohibits type="usage">all</prohibits></license></content>'),
    }


def _second_night(servers: dict[str, PortalServer]) -> None:
    gone = {address(number): Answer("gone", 404) for number in range(1, 5)}
    servers["withdraws"].routes |= {
        "/robots.txt": f"License: {servers['withdraws'].url}license.xml\nUser-agent: *\nContent-Signal: ai-train=no\n",
        LICENSE: rsl(f'<content url="{address(2)}"><license><payment type="crawl"/></license></content>'),
        **gone,
    }
    servers["unreadable"].routes[LICENSE] = rsl('<content url="/"><license><permits type="usage">all</permits></license></content>')
    canonical = f'<link rel="canonical" href="{servers["removed"].url[:-1]}{address(1)}">'
    servers["removed"].routes |= {"/": listing(*gone, OTHER_ADDRESS), OTHER_ADDRESS: with_head(1, canonical)}
    servers["changes"].routes["/robots.txt"] = "User-agent: *\nDisallow: /sport/\n"


def test_each_way_of_saying_it_keeps_texts_from_being_stored_or_exported(nights: Nights) -> None:
    first = nights.nights[0]

    assert first.stored["says"] == {1, 2, 4, 5, 6, 10, 11}
    assert nights.exported("text-analysis", "says") == {1, 2, 4, 5, 6, 10, 11}
    assert nights.exported("ai-train", "says") == {1, 6}
    assert nights.exported("archive", "says") == {1, 2, 4, 5, 10, 11}
    assert nights.exported("search", "says") == {1, 2, 4, 5, 6, 11}
    assert nights.state("says", address(3)) == (
        "skipped",
        "use reserved by the publisher: robots.txt Content-Signal use=immediate",
    )
    reserved = ("done", "use reserved by the publisher: text-analysis not permitted (RSL licence)")
    assert nights.state("says", address(7)) == nights.state("says", address(8)) == reserved
    assert nights.state("says", address(9)) == ("done", "payment required: no price is named")
    assert address(3) not in first.asked["says"]
    assert first.summaries["says"]["refused"]["use reserved by the publisher"] == 2
    written = invoke(nights.folder, "export", "--purpose", "ai-train", "--portal", nights.name("says"))
    assert {json.loads(line)["title"].split()[2] for line in written.stdout.splitlines()} == {"1", "6"}
    assert "Left out: 5 articles reserved from ai-train by their publishers." in written.stderr


def test_a_decision_is_explained_in_a_sentence(nights: Nights) -> None:
    (four,) = (
        stored
        for stored in articles(nights.folder)
        if "číslo 4 " in stored.article.title and stored.article.portal == nights.name("says")
    )

    (record,) = nights.told("show", str(four.id))["rights"]

    assert record["explanation"].startswith(
        "The publisher says 'train-ai=n' in Content-Usage header, which reserves training of AI models; "
        "the text is stored, and left out of exports for ai-train."
    )


def test_an_origin_is_asked_for_one_file_more_a_night_at_most(nights: Nights) -> None:
    extra = {LICENSE, "/ai.txt", "/trust.txt"}
    for night in nights.nights:
        for server, asked in night.asked.items():
            assert sum(path in extra for path in asked) <= 1, server
            assert asked.count(TDM) <= 1
            assert asked.count("/robots.txt") == 1 or server == "paid"
    assert not any(path in {"/ai.txt", "/trust.txt"} for asked in nights.nights[0].asked.values() for path in asked)
    assert "/ai.txt" in nights.nights[1].asked["changes"]


def test_what_an_origin_withdraws_is_purged_without_asking_for_its_pages(nights: Nights) -> None:
    second = nights.nights[1]

    assert nights.nights[0].stored["withdraws"] == {1, 2, 3, 4}
    assert second.stored["withdraws"] == {1, 3, 4}
    assert "1 stored article removed, as the publisher has withdrawn what it published" in second.summaries["withdraws"]["notes"]
    assert nights.exported("ai-train", "withdraws") == set()
    assert nights.exported("text-analysis", "withdraws") == {1, 3, 4}
    said = [each for each in nights.told("rights")["statements"] if each["origin"] == nights.servers["withdraws"].url[:-1]]
    assert [(each["place"], each["ended_at"]) for each in said] == [("RSL licence", None), ("robots.txt Content-Signal", None)]


def test_a_licence_that_cannot_be_read_counts_as_a_reservation_until_it_can(nights: Nights) -> None:
    first, second = nights.nights

    assert set(first.asked["unreadable"]) == {"/robots.txt", TDM, LICENSE}
    assert first.stored["unreadable"] == set()
    assert second.stored["unreadable"] == {1, 2, 3, 4}
    said = [each for each in nights.told("rights")["statements"] if each["origin"] == nights.servers["unreadable"].url[:-1]]
    assert "too large" in said[0]["said"]
    assert said[0]["ended_at"] is not None
    assert said[1]["said"] == "/: permits all"


def test_a_host_that_asks_for_money_is_asked_for_nothing_more_that_night(nights: Nights) -> None:
    first = nights.nights[0]

    pages = [path for path in first.asked["paid"] if path.startswith("/zpravy/")]
    assert 1 <= len(pages) <= 4  # what was in hand already
    assert "crawler-price: USD 0.01" in first.summaries["paid"]["ended_because"]
    assert nights.nights[1].asked["paid"].count("/") == 1  # another night


def test_what_an_operator_asks_to_be_removed_is_gone_and_stays_gone(nights: Nights) -> None:
    first, second = nights.nights

    assert first.stored["removed"] == {1, 2, 3, 4}
    assert second.stored["removed"] == {3, 4}
    assert not {address(1), address(2)} & set(second.asked["removed"])
    url = nights.servers["removed"].url[:-1]
    assert nights.state("removed", OTHER_ADDRESS) == ("done", f"removed at the request of the operator: {url}{address(1)}")
    with open_store(f"sqlite:///{nights.folder}/newscrawler.sqlite", create=False) as store:
        kept = {page.kept.url for page in store.pages.select(PageSelection())}
    assert not {url + path for path in (address(1), address(2), OTHER_ADDRESS)} & kept
    assert [(each["because"], each["articles"]) for each in nights.told("rights", "removals")] == [
        ("letter of 20 November", 1),
        ("the same letter", 1),
    ]
    assert invoke(nights.folder, "rights", "remove", "no address", "--because", "x").exit_code == 2


def test_what_was_removed_stays_out_of_re_extraction_exports_and_releases(nights: Nights) -> None:
    portal, removed = nights.name("removed"), nights.servers["removed"].url[:-1]

    again = invoke(nights.folder, "reextract", portal, "--apply")
    exported = invoke(nights.folder, "export", "--portal", portal, "--format", "jsonl").stdout
    released = invoke(nights.folder, "release", "create", "r1", "--portal", portal, "--creator", "E")

    assert (again.exit_code, released.exit_code) == (0, 0), again.stderr + released.stderr
    documents = (nights.folder / "r1" / "documents.jsonl").read_text("utf-8")
    for written in (exported, documents):
        urls = {json.loads(line)["url"] for line in written.splitlines()}
        assert urls == {removed + address(number) for number in (3, 4)}
    assert {each.article.url for each in articles(nights.folder) if each.article.portal == portal} == urls


def test_pages_that_robots_txt_forbade_are_asked_for_once_it_allows_them(nights: Nights) -> None:
    assert nights.nights[0].stored["changes"] == set()
    assert nights.nights[1].stored["changes"] == {1, 2, 3, 4}


def test_an_operator_can_be_sent_what_was_asked_of_the_portal(nights: Nights) -> None:
    portal = nights.name("says")
    (run,) = (summary["run"] for summary in [nights.nights[0].summaries["says"]])

    found = nights.told("rights", "report", "--portal", portal, "--run", str(run))
    letter = invoke(nights.folder, "rights", "report", "--portal", portal, "--run", str(run)).stdout

    (host,) = found["hosts"]
    asked = nights.nights[0].asked["says"]
    assert host["requests"] == len(asked)
    assert host["kinds"]["robots"] == asked.count("/robots.txt")
    assert host["kinds"]["licence"] == asked.count(LICENSE) == 1
    assert host["answers"]["402"] == asked.count(address(9))
    assert host["bytes"] > 1_000
    assert found["left_out"] == {"use reserved by the publisher": 3, "payment required": 1}
    assert "Left out, payment required: 1" in letter
    assert "gaps between requests: smallest" in letter
    assert invoke(nights.folder, "rights", "report", "--portal", portal, "--run", "99").exit_code == 2


def test_purpose_and_research_are_settings_and_research_needs_its_provision(nights: Nights) -> None:
    path = nights.folder / "other.toml"
    path.write_text('[crawler]\npurpose = ["ai-train"]\n', "utf-8")
    withdrawn = nights.told("rights", "--config", str(path), "--portal", nights.name("says"))["withdrawn"]
    assert {each["word"] for each in withdrawn} == {"ai-train"}
    assert len(withdrawn) == 5

    path.write_text("[crawler]\nresearch = true\n", "utf-8")
    refused = invoke(nights.folder, "rights", "--config", str(path))
    assert refused.exit_code == 2
    assert "legal_basis" in refused.stderr
