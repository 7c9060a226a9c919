"""Our components in a project of somebody else, and Scrapy's own commands on ours."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
import warm_command
from portal_server import Answer, PortalServer
from scrapy import Request
from sqlalchemy import create_engine, text
from town import routes

from newscrawler.crawl import ProxyMiddleware, RobotsParser
from newscrawler.store import open_store
from newscrawler.store.articles import Selection
from newscrawler.store.database import BASELINE
from newscrawler.store.vocabularies import FINISHED

ROOT = Path(__file__).parents[3]
COUNT = 12


def project(folder: Path, server: PortalServer, **settings: object) -> list[str]:
    """The example of the documentation, for the test's own portal; answers the command that runs it."""
    (code,) = re.findall(r'```python title="news.py"\n(.*?)```', (ROOT / "docs" / "components.md").read_text("utf-8"), re.DOTALL)
    code = code.replace("https://www.example.org/", server.url)
    (folder / "news.py").write_text(code, "utf-8")
    more = {"PRIVATE_HOSTS": server.url, "HOST_DELAY": 0.05, "LOG_LEVEL": "WARNING"} | settings
    options = [part for name, value in more.items() for part in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "runspider", "news.py", *options]


def headlines(folder: Path) -> list[str]:
    with open_store(f"sqlite:///{folder / 'news.sqlite'}", create=False) as store:
        return sorted(item.article.title for item in store.articles.stream(Selection()))


def states(folder: Path) -> dict[str, int]:
    engine = create_engine(f"sqlite:///{folder / 'news.sqlite'}")
    with engine.connect() as connection:
        found = {state: number for state, number in connection.execute(text("SELECT state, count(*) FROM frontier GROUP BY state"))}  # noqa: C416
    engine.dispose()
    return found


def test_the_example_of_the_documentation_crawls_politely_and_stores_articles(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= routes(4) | {"/robots.txt": Answer("User-agent: *\nDisallow: /sport/\nCrawl-delay: 0.3", kind="text/plain")}
    server.routes["/krimi/"] = server.routes["/sport/"]
    server.routes["/"] = "<a href=/krimi/>k</a><a href=/sport/>s</a>"

    done = warm_command.run(project(tmp_path, server), cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    asked = [item.path for item in server.asked]
    assert len(headlines(tmp_path)) == 4, done.stderr
    assert done.stderr == ""  # no component fails while the spider closes
    assert "/sport/" not in asked
    assert asked.count("/robots.txt") == 1
    assert len(asked) == len(set(asked))
    assert min(later.at - earlier.at for earlier, later in pairwise(server.asked[2:])) >= 0.27


SLOW_PIPELINE = """
import asyncio


class SlowPipeline:
    async def process_item(self, item):
        await asyncio.sleep(0.2)
        return item
"""


def test_a_spider_that_is_killed_goes_on_where_it_was(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= routes(COUNT)
    server.routes["/"] = server.routes["/sport/"]
    (tmp_path / "slow.py").write_text(SLOW_PIPELINE, "utf-8")  # items are under way whenever it is killed
    command = project(tmp_path, server, ITEM_PIPELINES='{"slow.SlowPipeline": 1}')
    for asked in (4, 9):
        process = warm_command.CommandProcess(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while len(server.asked) < asked and time.monotonic() < until:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()

    warm_command.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=True)

    assert len(headlines(tmp_path)) == len(set(headlines(tmp_path))) == COUNT
    assert set(states(tmp_path)) == {"done"}
    again = [item.path for item in server.asked if item.path.startswith("/zpravy")]
    assert len(again) <= COUNT + 2 * 6  # at most what was under way: .2 s of the pipeline hold five pages


def test_a_spider_that_is_interrupted_does_not_wait_for_its_slot_and_leaves_the_request_to_the_next_run(
    server: PortalServer, tmp_path: Path
) -> None:
    server.routes |= routes(4)
    server.routes["/"] = server.routes["/sport/"]
    command = project(tmp_path, server, HOST_DELAY=25)
    process = warm_command.CommandProcess(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(server.asked) < 1 and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(1)

    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    process.wait()

    assert time.monotonic() - began < 20
    assert set(states(tmp_path)) == {"waiting"}


def test_nothing_but_this_machine_is_asked_without_a_contact(server: PortalServer, tmp_path: Path) -> None:
    command = project(tmp_path, server, LOG_LEVEL="DEBUG")
    path = tmp_path / "news.py"
    path.write_text(
        path.read_text("utf-8").replace('"CONTACT": "you@your.domain",', "").replace(server.url, "http://www.example.org/")
    )

    warm_command.run(command, cwd=tmp_path, capture_output=True, timeout=60, check=True)

    assert states(tmp_path) == {"failed": 1}
    with open_store(f"sqlite:///{tmp_path / 'news.sqlite'}") as store:
        assert store.hosts.fetches() == []


def scrapy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "scrapy.cfg").write_text((ROOT / "scrapy.cfg").read_text("utf-8"), "utf-8")
    return warm_command.run(
        [sys.executable, "-m", "scrapy", *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def test_scrapys_commands_work_on_portals_and_obey_the_same_rules(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= routes(3) | {"/robots.txt": Answer("User-agent: *\nDisallow: /nic/", kind="text/plain")}
    table = f'[[portal]]\nname = "local"\nstart_urls = ["{server.url}"]\ndelay = 0\n'
    (tmp_path / "newscrawler.toml").write_text(table, "utf-8")

    listed = scrapy(tmp_path, "list")
    crawled = scrapy(tmp_path, "crawl", "portal", "-a", "portal=local")
    shell = scrapy(tmp_path, "shell", server.url, "-c", "response.status")
    forbidden = scrapy(tmp_path, "shell", f"{server.url}nic/", "-c", "response")
    asked_before = len(server.asked)
    private = scrapy(tmp_path, "shell", server.url.replace("127.0.0.1", "localhost"), "-c", "response.status")
    wrong = scrapy(tmp_path, "crawl", "portal")

    assert listed.stdout == "portal\n"
    assert crawled.returncode == 0, crawled.stderr
    assert "'run/new_articles': 3" in crawled.stderr
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}", create=False) as store:
        assert len(list(store.articles.stream(Selection()))) == 3
        (run,) = store.runs.latest()
    assert (run.portal, run.ended_because, run.counts["new_articles"]) == ("local", FINISHED, 3)
    assert shell.stdout.strip() == "200", shell.stderr
    assert "/nic/" not in [item.path for item in server.asked]
    assert "200" not in forbidden.stdout + private.stdout
    assert len(server.asked) == asked_before
    assert "finished" in crawled.stderr
    assert "local: 3 new articles" in crawled.stderr
    assert wrong.returncode == 1
    assert "Give the spider one portal" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_a_start_url_that_is_refused_is_logged_with_the_reason(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= {"/robots.txt": Answer("User-agent: *\nDisallow: /", kind="text/plain")}
    private = warm_command.run(
        project(tmp_path, server, PRIVATE_HOSTS="", FRONTIER_DATABASE=""), cwd=tmp_path, capture_output=True, text=True, timeout=60,
        check=True,
    )  # fmt: skip
    forbidden = warm_command.run(project(tmp_path, server), cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)

    assert f"{server.url} is not fetched: forbidden by robots.txt" in forbidden.stderr
    assert f"{server.url} is not fetched: address not allowed" in private.stderr


def test_a_page_is_parsed_without_beginning_a_run(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= routes(3)
    page = next(path for path in server.routes if path.startswith("/zpravy"))

    done = scrapy(tmp_path, "parse", f"{server.url.rstrip('/')}{page}", "--spider=portal", "-a", f"url={server.url}", "--nolog")

    assert "Most číslo 1 se letos dočká opravy" in done.stdout, done.stderr
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        assert store.runs.latest() == []


def test_single_pages_that_are_fetched_at_the_same_time_keep_the_delay_without_a_database(
    server: PortalServer, tmp_path: Path, state_folder: Path
) -> None:
    server.routes |= routes(3) | {"/robots.txt": Answer("User-agent: *\nCrawl-delay: 0.6", kind="text/plain")}
    pages = [path for path in server.routes if path.startswith("/zpravy")]
    command = [sys.executable, "-m", "newscrawler", "extract", "--json"]
    warm_command.run([*command, f"{server.url.rstrip('/')}{pages[0]}"], cwd=tmp_path, capture_output=True, timeout=60, check=True)

    processes = [
        warm_command.CommandProcess([*command, f"{server.url.rstrip('/')}{page}"], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        for page in pages
    ]
    found = [json.loads(process.communicate(timeout=100)[0]) for process in processes]

    assert sorted(each["title"] for each in found) == [f"Most číslo {number} se letos dočká opravy" for number in (1, 2, 3)]
    assert [item.path for item in server.asked].count("/robots.txt") == 1
    moments = [item.at for item in server.asked if item.path != "/robots.txt"]
    assert min(later - earlier for earlier, later in pairwise(moments)) >= 0.54
    assert (state_folder / "newscrawler" / f"hosts-{BASELINE}.sqlite").stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("user_agent", "allowed", "delay"),
    [("newscrawler/0.1 (+me@a.example)", False, 4.0), (b"other/2.0", True, None), ("Mozilla/5.0 (newscrawler)", True, None)],
)
def test_the_parser_answers_for_the_product_token_of_a_user_agent(
    user_agent: str | bytes,
    allowed: bool,  # noqa: FBT001
    delay: float | None,
) -> None:
    parser = RobotsParser(b"User-agent: newscrawler\nCrawl-delay: 4\nDisallow: /x\n")

    assert parser.allowed("http://a.example/x", user_agent) is allowed
    assert parser.crawl_delay(user_agent) == delay


@pytest.mark.parametrize(
    ("proxy", "url", "used"),
    [
        (None, "http://a.example/", "http://plain.example:3128"), (None, "https://a.example/", "http://secure.example:3128"),
        (None, "http://here.example/", None), ("http://own.example:8080", "https://a.example/", "http://own.example:8080"),
    ],
)  # fmt: skip
def test_proxies_are_those_of_the_environment_or_that_of_the_portal(
    monkeypatch: pytest.MonkeyPatch, proxy: str | None, url: str, used: str | None
) -> None:
    monkeypatch.setenv("http_proxy", "http://plain.example:3128")
    monkeypatch.setenv("https_proxy", "http://me:secret@secure.example:3128")
    monkeypatch.setenv("no_proxy", "here.example")
    request = Request(url)

    ProxyMiddleware(proxy).process_request(request)

    assert request.meta.get("proxy") == used
    assert (b"Proxy-Authorization" in request.headers) == ("secure" in (used or ""))


def test_settings_of_the_command_line_apply_to_a_portal_or_are_refused_with_a_sentence(
    server: PortalServer, tmp_path: Path
) -> None:
    server.routes |= routes(6)
    (tmp_path / "own.py").write_text(
        "class Own:\n    def process_request(self, request):\n        request.headers['X-Own'] = '1'\n"
        "class Counting:\n    def process_item(self, item):\n        print('COUNTED', item.url_id); return item\n"
    )
    start = ("crawl", "portal", "-a", f"url={server.url}", "-s", "DOWNLOAD_DELAY=0")
    given = {
        "CLOSESPIDER_ITEMCOUNT": "2", "DEPTH_LIMIT": "2", "DOWNLOAD_TIMEOUT": "7", "CONCURRENT_REQUESTS": "3", "MYEXT_KEY": "1",
        "CONTACT": "me@corpus.example", "ROBOTSTXT_OBEY": "1", "RETRY_ENABLED": "0", "ITEM_PIPELINES": '{"own.Counting": 50}',
        "DOWNLOADER_MIDDLEWARES": '{"own.Own": 900}', "DEFAULT_REQUEST_HEADERS": '{"X-Theirs": "2"}',
    }  # fmt: skip

    crawled = scrapy(tmp_path, *start, *(part for name, value in given.items() for part in ("-s", f"{name}={value}")))
    refused = {
        name: scrapy(tmp_path, *start, "-s", f"{name}={value}")
        for name, value in (
            ("ROBOTSTXT_OBEY", "False"), ("JOBDIR", "x"), ("DOWNLOAD_TIMEOUT", "soon"), ("URLLENGTH_LIMIT", "5"),
            ("DOWNLOADER_MIDDLEWARES", '{"newscrawler.crawl.RobotsMiddleware": null}'), ("ARTICLE_DATABASE", "sqlite:///x"),
        )
    }  # fmt: skip
    exported = scrapy(tmp_path, *start, "-O", "articles.jsonl")

    assert "'run/new_articles': 2" in crawled.stderr, crawled.stderr
    assert "COUNTED" in crawled.stdout
    assert "'newscrawler.crawl.BlockDetectionPipeline'" in crawled.stderr
    assert "me@corpus.example" in server.asked[-1].agent
    for name, done in {**refused, "FEEDS": exported}.items():
        assert done.returncode == 1, name
        assert f"-s {name}" in done.stderr
        assert "Traceback" not in done.stderr
    assert "robots.txt and reservations of the publisher always apply" in refused["ROBOTSTXT_OBEY"].stderr
    assert "is not a number" in refused["DOWNLOAD_TIMEOUT"].stderr
    assert "newscrawler export" in exported.stderr
