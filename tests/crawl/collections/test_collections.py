"""Collections: news of any host from searches, lists of URLs, feeds and archives, filed under keywords."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
import warm_command
from click.testing import CliRunner
from crawling import articles, command
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.cli.main import main
from newscrawler.config import load_configuration
from newscrawler.service.children import ChildTask

LOOPBACK = ("--network", "127.0.0.0/8", "--delay", "0.01")
PRODUCT = "<html><head><title>Sofa</title></head><body><h1>Sofa</h1><p>199 €</p><button>Add to cart</button></body></html>"


@pytest.fixture
def other() -> Iterator[PortalServer]:
    with PortalServer(host="127.0.0.2") as running:
        yield running


def collect(folder: Path, *arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done: subprocess.CompletedProcess[str] = warm_command.run(
        command("collect", *map(str, arguments)), cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == code, done.stderr
    return done


def outcomes(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """The reason, or the outcome, of every URL."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["url"]: line["reason"] or line["outcome"] for line in lines}


def searx(server: PortalServer, results: list[str], *, of_a_page: int = 10) -> None:
    """Serve a stand-in for SearXNG at /search."""

    def page(number: int) -> Answer:
        some = results[(number - 1) * of_a_page : number * of_a_page]
        return Answer(
            json.dumps({"query": "most", "results": [{"url": url, "title": "Most"} for url in some]}), kind="application/json"
        )

    for number in range(1, 20):
        server.routes[f"/search?q=most&format=json&pageno={number}"] = page(number)


def configure(folder: Path, text: str) -> None:
    defaults = '[crawler.defaults]\nnetworks = ["127.0.0.0/8"]\ndelay = 0.01\n'
    (folder / "newscrawler.toml").write_text(defaults + text, "utf-8")


def test_listed_urls_of_several_hosts_become_articles_or_are_refused_with_a_reason(
    tmp_path: Path, server: PortalServer, other: PortalServer
) -> None:
    server.routes = {
        address(1): story(1),
        "/sofa": PRODUCT,
        "/robots.txt": Answer("User-agent: *\nDisallow: /no/", kind="text/plain"),
    }
    other.routes = {address(2): story(2)}
    first, second, sofa = server.url[:-1] + address(1), other.url[:-1] + address(2), f"{server.url}sofa"
    (tmp_path / "urls.txt").write_text(f"# mine\n{first}\n{second}\n{sofa}\n{server.url}no/1\nno address\n", "utf-8")

    done = collect(tmp_path, "urls.txt", "--json", *LOOPBACK)

    assert outcomes(done) == {
        first: "article", second: "article", sofa: "not a news article", f"{server.url}no/1": "forbidden by robots.txt",
    }  # fmt: skip
    assert "urls.txt, line 6 is not a URL" in done.stderr
    assert {stored.article.url for stored in articles(tmp_path)} == {first, second}


def test_what_was_fetched_is_not_asked_for_again(tmp_path: Path, server: PortalServer) -> None:
    server.routes = {address(1): story(1), address(2): story(2)}
    (tmp_path / "urls.txt").write_text(f"{server.url[:-1]}{address(1)}\n{server.url[:-1]}{address(2)}\n", "utf-8")

    collect(tmp_path, "urls.txt", "--max-pages", "1", *LOOPBACK)
    assert len(articles(tmp_path)) == 1
    collect(tmp_path, "urls.txt", *LOOPBACK)
    done = collect(tmp_path, "urls.txt", *LOOPBACK)

    assert "\n2\tarticle (earlier run)\t" in done.stdout
    assert len(articles(tmp_path)) == 2
    assert [server.times(address(number)) for number in (1, 2)] == [1, 1]


def test_the_first_results_of_a_query_are_collected_page_by_page(tmp_path: Path, server: PortalServer, other: PortalServer) -> None:
    other.routes = {address(number): story(number) for number in range(5)}
    searx(server, [other.url[:-1] + address(number) for number in range(5)], of_a_page=2)
    configure(
        tmp_path,
        f'[[search_service]]\nname = "own"\nurl = "{server.url}search"\n'
        '[[collection]]\nname = "bridges"\nqueries = ["most"]\nresults = 3\n'
        'keywords = ["most přes řeku", "tunel"]\n',
    )

    collect(tmp_path, "--collection", "bridges")

    assert {stored.article.url for stored in articles(tmp_path)} == {other.url[:-1] + address(number) for number in range(3)}
    asked = [parse_qs(urlsplit(each.path).query)["pageno"] for each in server.asked if each.path.startswith("/search")]
    assert asked == [["1"], ["2"]]
    keywords = run(tmp_path, "collection", "show", "bridges")
    assert "most přes řeku\t3\ttopic" in keywords
    assert "tunel" not in keywords
    filed = ("--collection", "bridges", "--keyword", "most přes řeku")
    assert len(run(tmp_path, "articles", *filed).splitlines()) == 1 + 3
    assert len(run(tmp_path, "export", *filed, "--format", "jsonl").splitlines()) == 3
    assert "bridges\t3\t" in run(tmp_path, "collection", "list")


def run(folder: Path, *arguments: str) -> str:
    done = warm_command.run(command(*arguments), cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def test_sources_of_an_earlier_run_are_not_asked_when_others_are_given(
    tmp_path: Path, server: PortalServer, other: PortalServer
) -> None:
    other.routes = {address(number): story(number) for number in range(3)}
    searx(server, [other.url[:-1] + address(0)])
    link = f"<item><link>{other.url[:-1]}{address(1)}</link></item>"
    server.routes["/rss"] = Answer(f"<rss version='2.0'><channel>{link}</channel></rss>", kind="application/rss+xml")
    service = f'[[search_service]]\nname = "own"\nurl = "{server.url}search"\n[[collection]]\nname = "bridges"\n'
    configure(tmp_path, f'{service}queries = ["most"]\nfeeds = ["{server.url}rss"]\n')
    collect(tmp_path, "--collection", "bridges")
    asked = len([each for each in server.asked if not each.path.endswith(".txt")])
    (tmp_path / "urls.txt").write_text(f"{other.url[:-1]}{address(2)}\n", "utf-8")

    by_hand = collect(tmp_path, "urls.txt", "--collection", "bridges", "--json")
    configure(tmp_path, f'{service}feeds = ["{server.url}rss"]\n')
    without_the_query = collect(tmp_path, "--collection", "bridges", "--json")

    assert outcomes(by_hand) == {other.url[:-1] + address(2): "article"}
    assert [each.path for each in server.asked if not each.path.endswith(".txt")][asked:] == ["/rss"]
    assert without_the_query.stderr.count("gave no URLs") == 0


def test_a_search_service_that_answers_html_is_named_with_the_way_out(tmp_path: Path, server: PortalServer) -> None:
    server.routes = {"/search?q=most&format=json&pageno=1": listing()}
    configure(tmp_path, f'[[search_service]]\nname = "own"\nurl = "{server.url}search"\n')

    done = collect(tmp_path, "--query", "most", code=1)

    assert "gave no URLs" in done.stderr
    assert "lists json under search.formats" in done.stderr
    assert "what became of them" not in done.stdout, "no table without rows"


@pytest.mark.parametrize(("robots", "asked", "code"), [("true", 0, 1), ("false", 1, 0)])
def test_robots_txt_of_a_search_service_counts_unless_its_operator_allows_us(
    tmp_path: Path, server: PortalServer, robots: str, asked: int, code: int
) -> None:
    searx(server, [])
    server.routes["/robots.txt"] = Answer("User-agent: *\nDisallow: /*?*q=*", kind="text/plain")
    configure(tmp_path, f'[[search_service]]\nname = "own"\nurl = "{server.url}search"\nrobots = {robots}\n')

    collect(tmp_path, "--query", "most", code=code)

    assert server.times("/search?q=most&format=json&pageno=1") == asked


def test_opensearch_results_and_feeds_are_read(tmp_path: Path, server: PortalServer, other: PortalServer) -> None:
    def rss(number: int) -> Answer:
        link = f"<item><link>{other.url[:-1]}{address(number)}</link></item>"
        return Answer(f"<rss version='2.0'><channel>{link}</channel></rss>", kind="application/rss+xml")

    other.routes = {address(1): story(1), address(2): story(2)}
    server.routes = {"/find?q=most&from=1": rss(1), "/rss": rss(2)}
    template = f"{server.url}find?q={{searchTerms}}&from={{startIndex?}}"
    configure(tmp_path, f'[[search_service]]\nname = "own"\nurl = "{template}"\nformat = "opensearch"\n')

    collect(tmp_path, "--query", "most", "--results", "1", "--feed", f"{server.url}rss")

    assert len(articles(tmp_path)) == 2


@pytest.mark.parametrize("of_a_page", [2, 15])
def test_no_result_is_passed_over_where_an_opensearch_page_has_fewer_or_more_than_ten(
    tmp_path: Path, server: PortalServer, other: PortalServer, of_a_page: int
) -> None:
    other.routes = {address(number): story(number) for number in range(20)}
    for first in range(1, 40):
        numbers = range(20)[first - 1 : first - 1 + of_a_page]
        items = "".join(f"<item><link>{other.url[:-1]}{address(number)}</link></item>" for number in numbers)
        answer = Answer(f"<rss version='2.0'><channel><title>Most</title>{items}</channel></rss>", kind="application/rss+xml")
        server.routes[f"/find?q=most&from={first}"] = answer
    template = f"{server.url}find?q={{searchTerms}}&from={{startIndex?}}"
    configure(tmp_path, f'[[search_service]]\nname = "own"\nurl = "{template}"\nformat = "opensearch"\n')

    collect(tmp_path, "--query", "most", "--results", "17")

    assert {stored.article.url for stored in articles(tmp_path)} == {other.url[:-1] + address(number) for number in range(17)}
    asked = [int(parse_qs(urlsplit(each.path).query)["from"][0]) for each in server.asked if each.path.startswith("/find")]
    assert asked == list(range(1, 18, of_a_page))


def test_results_in_private_networks_and_on_the_denylist_are_not_asked_for(
    tmp_path: Path, server: PortalServer, other: PortalServer
) -> None:
    searx(server, [other.url[:-1] + address(1), server.url[:-1] + address(2)])
    configure(tmp_path, f'[[search_service]]\nname = "own"\nurl = "{server.url}search"\n')
    (tmp_path / "newscrawler.toml").write_text(
        (tmp_path / "newscrawler.toml").read_text("utf-8").replace("127.0.0.0/8", "127.0.0.2/32"), "utf-8"
    )

    done = collect(tmp_path, "--query", "most", "--deny", "127.0.0.2", "--json")

    assert outcomes(done) == {
        other.url[:-1] + address(1): "host on the denylist",
        server.url[:-1] + address(2): "address not allowed",
    }
    assert not other.asked
    assert server.times(address(2)) == 0


def collected_by_the_service(folder: Path, name: str) -> subprocess.CompletedProcess[str]:
    path = folder / "newscrawler.toml"
    task = ChildTask(
        kind="crawl", name=name, text=path.read_text("utf-8"), path=str(path), max_memory=500, log="text", parent=os.getpid(),
        database_url=f"sqlite:///{folder}/newscrawler.sqlite",
    )  # fmt: skip
    done: subprocess.CompletedProcess[str] = warm_command.run(
        [sys.executable, "-m", "newscrawler.service.children"], input=task.to_json().decode(), cwd=folder, capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    return done


def test_the_service_collects_a_collection_as_it_crawls_a_portal(tmp_path: Path, server: PortalServer) -> None:
    server.routes = {address(1): story(1)}
    (tmp_path / "urls.txt").write_text(f"{server.url[:-1]}{address(1)}\n", "utf-8")
    configure(tmp_path, '[[collection]]\nname = "bridges"\nurls = "urls.txt"\nkeywords = ["most"]\n')

    turns = {portal.name: portal.schedule for portal in load_configuration(tmp_path / "newscrawler.toml").crawled}
    done = collected_by_the_service(tmp_path, "bridges")

    assert turns == {"bridges": "nightly"}
    assert done.returncode == 0, done.stderr
    assert "bridges\t1\t" in run(tmp_path, "collection", "list")
    assert "collection\tnow\tnext\tlast\thealth" in run(tmp_path, "status")
    (status,) = json.loads(run(tmp_path, "status", "--json"))["collections"]
    assert (status["collection"], status["verdict"], status["night"]["articles"]) == ("bridges", "fine", 1)
    assert "1 collection, 1 new article, all is well." in run(tmp_path, "digest")


def test_the_service_takes_a_collection_of_articles_that_portals_have_for_a_good_one(tmp_path: Path, server: PortalServer) -> None:
    server.routes = {"/": listing(address(1)), address(1): story(1)}
    crawled = warm_command.run(
        command("crawl", server.url, "--delay", "0"), cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert crawled.returncode == 0, crawled.stderr
    (tmp_path / "urls.txt").write_text(f"{server.url[:-1]}{address(1)}\n", "utf-8")
    configure(tmp_path, '[[collection]]\nname = "bridges"\nurls = "urls.txt"\n')

    done = collected_by_the_service(tmp_path, "bridges")

    assert done.returncode == 0, done.stderr
    assert "bridges\t1\t" in run(tmp_path, "collection", "list")


def test_an_article_of_a_portal_is_filed_without_a_request(tmp_path: Path, server: PortalServer) -> None:
    server.routes = {"/": listing(address(1)), address(1): story(1)}
    crawled = warm_command.run(
        command("crawl", server.url, "--delay", "0"), cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert crawled.returncode == 0, crawled.stderr
    (tmp_path / "urls.txt").write_text(f"{server.url[:-1]}{address(1)}\n", "utf-8")

    collect(tmp_path, "urls.txt", "--collection", "bridges", "--keyword", "řeku", *LOOPBACK)

    assert server.times(address(1)) == 1
    assert len(run(tmp_path, "articles", "--collection", "bridges", "--keyword", "řeku").splitlines()) == 1 + 1


def test_the_keyword_detector_collects_keywords_and_reads_pages_again_that_are_known_by_then(
    tmp_path: Path, server: PortalServer
) -> None:
    def page(number: int, keywords: str, more: str = "") -> str:
        head = f"<meta name=keywords content='{keywords}'><meta name=description content='O mostě a o řece.'>"
        return story(number).replace("</head>", head + "</head>").replace("<article", f"<article {more}")

    later = "itemscope itemtype='http://schema.org/NewsArticle'"
    server.routes = {address(1): page(1, "most, řeka, oprava"), address(2): page(2, "most, doprava", later)}
    (tmp_path / "urls.txt").write_text("".join(f"{server.url[:-1]}{address(number)}\n" for number in (1, 2)), "utf-8")

    done = collect(tmp_path, "urls.txt", "--detector", "keywords", "--json", *LOOPBACK)

    assert set(outcomes(done).values()) == {"article"}
    assert server.times(address(1)) == 2
    known = run(tmp_path, "collection", "keywords", "--language", "cs")
    assert "cs\tmost\t2" in known
    run(tmp_path, "collection", "keywords", "--reset")
    assert "most" not in run(tmp_path, "collection", "keywords")


def test_articles_of_portals_are_known_news_whose_keywords_find_more(tmp_path: Path, server: PortalServer) -> None:
    def page(number: int, keywords: str) -> str:
        head = f"<meta name=keywords content='{keywords}'><meta name=description content='O mostě a o řece.'>"
        return story(number).replace("</head>", head + "</head>")

    server.routes = {"/": listing(address(1)), address(1): page(1, "Most, řeka, oprava"), address(2): page(2, "most, doprava")}
    crawled = warm_command.run(
        command("crawl", server.url, "--delay", "0"), cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert crawled.returncode == 0, crawled.stderr
    (tmp_path / "urls.txt").write_text(f"{server.url[:-1]}{address(2)}\n", "utf-8")
    options = ("urls.txt", "--detector", "keywords", "--json", *LOOPBACK)
    before = collect(tmp_path, *options)
    portal = run(tmp_path, "articles").splitlines()[1].split("\t")[2]
    for _ in range(2):  # what was counted is not counted twice
        run(tmp_path, "collection", "keywords", "--learn", portal)
    known = run(tmp_path, "collection", "keywords", "--language", "cs")

    after = collect(tmp_path, *options, "--collection", "again")

    assert set(outcomes(before).values()) == {"not a news article"}
    assert known.splitlines()[1:] == ["cs\tmost\t1", "cs\toprava\t1", "cs\třeka\t1"]
    assert set(outcomes(after).values()) == {"article"}
    unknown = CliRunner().invoke(
        main, ["collection", "keywords", "--learn", "none", "--database", f"sqlite:///{tmp_path}/newscrawler.sqlite"]
    )
    assert (unknown.exit_code, "no portal none; it has: " in unknown.stderr) == (2, True)


def warc_record(url: str, html: str, *headers: str, media_type: str = "text/html; charset=utf-8") -> bytes:
    fields = "".join(f"{header}\r\n" for header in headers)
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\n{fields}\r\n{html}".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid4()}>\r\nWARC-Date: 2026-11-20T10:00:00Z\r\n"
        f"WARC-Target-URI: {url}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n")


def test_pages_of_a_warc_file_are_read_without_asking_anybody(tmp_path: Path, server: PortalServer) -> None:
    pages = ((server.url[:-1] + address(1), story(1)), ("http://shop.test/sofa-1", PRODUCT))
    (tmp_path / "crawl.warc.gz").write_bytes(b"".join(warc_record(url, html) for url, html in pages))

    done = collect(tmp_path, "crawl.warc.gz", "--json", *LOOPBACK)
    without_network = collect(tmp_path, "crawl.warc.gz", "--database", "other.sqlite")

    assert outcomes(done) == {server.url[:-1] + address(1): "article", "http://shop.test/sofa-1": "not a news article"}
    assert "--network NETWORK allows one" in without_network.stderr
    assert not server.asked
    (stored,) = articles(tmp_path)
    assert str(stored.article.fetched_at) == "2026-11-20 10:00:00+00:00"


def test_what_a_warc_file_says_of_rights_holds_for_its_pages(tmp_path: Path) -> None:
    """Header, meta element, and the origin's tdmrep.json and robots.txt; robots.txt forbids nothing that is archived already."""
    free, header, meta, tdm, signal = (f"http://{name}.test{address(1)}" for name in ("free", "header", "meta", "tdm", "signal"))
    rules = '[{"location": "/zpravy/", "tdm-reservation": 1}]'
    records = [
        warc_record("http://free.test/robots.txt", "User-agent: *\nDisallow: /\n", media_type="text/plain"),
        warc_record(free, story(1)),
        warc_record(header, story(2), "X-Robots-Tag: noindex"),
        warc_record(meta, story(3).replace("<head>", "<head><meta name=tdm-reservation content=1>")),
        warc_record(tdm, story(4)),  # the file that reserves it comes later
        warc_record("http://tdm.test/.well-known/tdmrep.json", rules, media_type="application/json"),
        warc_record("http://signal.test/robots.txt", "User-agent: *\nContent-Signal: use=immediate\n", media_type="text/plain"),
        warc_record(signal, story(5)),
    ]
    (tmp_path / "crawl.warc.gz").write_bytes(b"".join(records))

    done = collect(tmp_path, "crawl.warc.gz", "--json", *LOOPBACK)

    found = outcomes(done)
    assert found.pop(free) == "article"
    assert set(found) == {header, meta, tdm, signal}
    assert "article" not in found.values(), found
    assert [stored.article.url for stored in articles(tmp_path)] == [free]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "There is nothing to collect."),
        (("--query", "most"), "add one under [[search_service]]"),
        (("--collection", "bridge"), "There is no collection bridge."),
        (("empty.txt",), "empty.txt lists no URLs."),
        (("http://127.0.0.1/",), "is a URL. Write it into a file"),
        (("urls.txt", "--delay", "0"), "it must be above 0"),
        (("urls.txt",), "A contact address is required before crawling www.example.org"),
        (("missing.warc",), "There is no file missing.warc."),
    ],
)
def test_what_cannot_be_collected_is_told_before_anything_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    (tmp_path / "empty.txt").write_text("# nothing yet\n", "utf-8")
    (tmp_path / "urls.txt").write_text("https://www.example.org/1\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    done = CliRunner().invoke(main, ["collect", *arguments])

    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr


def test_a_roaming_collection_walks_from_news_to_news_on_hosts_it_may_visit(tmp_path: Path, server: PortalServer) -> None:
    with PortalServer(host="127.0.0.2") as second, PortalServer(host="127.0.0.3") as denied:
        there = f"<p><a href='{second.url}'>Jiný deník</a> <a href='{denied.url[:-1]}{address(9)}'>Most číslo 9 se opraví</a></p>"
        server.routes = {address(1): story(1, links=there), "/": listing(address(1), address(2)), address(2): story(2)}
        second.routes = {
            "/": listing(address(3), "/sofa", "/stezka/" * 3),
            address(3): story(3, links=f"<a rel=nofollow href='{address(4)}'>Most číslo 4 se opraví</a>"),
            address(4): story(4),
            address(5): story(5),
            "/sofa": PRODUCT,
        }
        denied.routes = {address(9): story(9)}
        (tmp_path / "urls.txt").write_text(server.url[:-1] + address(1), "utf-8")
        arguments = ("urls.txt", "--roam", "--deny", "127.0.0.3", "--max-pages", "20", *LOOPBACK)
        assert "roam needs max_pages" in collect(tmp_path, *arguments[:4], code=2).stderr
        collect(tmp_path, *arguments)

        wanted = {server.url[:-1] + address(1), server.url[:-1] + address(2), second.url[:-1] + address(3)}
        assert {stored.article.url for stored in articles(tmp_path)} == wanted
        assert not any(each.path != "/robots.txt" for each in denied.asked)
        assert max(server.times(address(number)) for number in (1, 2)) == 1

        second.routes["/"] = listing(address(3), address(5))
        collect(tmp_path, *arguments)

        assert {stored.article.url for stored in articles(tmp_path)} == {*wanted, second.url[:-1] + address(5)}
        assert max(server.times(address(number)) for number in (1, 2)) == 1
