"""The item pipelines in a project of somebody else: each, and every subset of them, with a spider that knows only `PageItem`."""

from __future__ import annotations

import json
import sys
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import warm_command
from portal_server import PortalServer, address, listing, story

from newscrawler.store import open_store
from newscrawler.store.articles import Selection

NAMES = ("BlockDetectionPipeline", "DateExtractionPipeline", "MetadataPipeline", "SqlStoragePipeline")
BLOCKS, DATES, METADATA, STORAGE = NAMES
SUBSETS = [*chain.from_iterable(combinations(NAMES, number) for number in (1, 2, 3, 4))]
#: A project in one file: a crawl for each subset, all in one process, with Scrapy's own scheduler, middlewares and feed exports.
PROJECT = """
import sys
from itertools import chain, combinations
from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess
from newscrawler.crawl import PageItem

NAMES = ("BlockDetectionPipeline", "DateExtractionPipeline", "MetadataPipeline", "SqlStoragePipeline")


class ForeignSpider(Spider):
    def __init__(self, name, url):
        super().__init__(name)
        self.start_urls = [url]

    def parse(self, response):
        yield PageItem(response)
        yield from response.follow_all(css="a[href$=html]")


process = AsyncCrawlerProcess({"LOG_LEVEL": "INFO", "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False})
for names in chain.from_iterable(combinations(NAMES, number) for number in (1, 2, 3, 4)):
    name = "+".join(names)
    settings = {
        "ITEM_PIPELINES": {f"newscrawler.crawl.{each}": order for order, each in enumerate(names)},
        "ARTICLE_DATABASE": f"sqlite:///{name}.sqlite",
        "FEEDS": {f"{name}.jsonl": {"format": "jsonlines"}},
    }
    spider = type(name, (ForeignSpider,), {"custom_settings": settings})
    process.crawl(spider, name=name, url=sys.argv[1])
process.start()
"""


def test_every_subset_of_the_pipelines_works_with_a_foreign_spider(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= {"/": listing(address(0), address(1)), address(0): story(0), address(1): story(1)}

    command = [sys.executable, "-c", PROJECT, server.url]
    done = warm_command.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=True)

    assert "Traceback" not in done.stderr
    assert all(f"'newscrawler.crawl.{name}'" in done.stderr for name in NAMES)
    for names in SUBSETS:
        name = "+".join(names)
        lines = (tmp_path / f"{name}.jsonl").read_text("utf-8").splitlines()
        found: list[dict[str, Any]] = [each for line in lines if (each := json.loads(line)["article"]) is not None]
        assert len(found) == (2 if BLOCKS in names else 0 if STORAGE in names else 3), name
        articles = [each for each in found if each["url"].endswith("html")]
        assert all(bool(each["paragraphs"]) == (BLOCKS in names) for each in articles), name
        assert all(bool(each["published_at"]) == (DATES in names) for each in articles), name
        assert all(bool(each["language"]) == (METADATA in names) for each in articles), name
        if STORAGE in names and BLOCKS in names:
            with open_store(f"sqlite:///{tmp_path / name}.sqlite", create=False) as store:
                assert len(list(store.articles.stream(Selection()))) == 2, name
    assert "neither its spider nor a pipeline before this one made an article of it" in done.stderr


GIVEN = """
from datetime import UTC, datetime
from scrapy import Spider
from newscrawler.article import Article, Paragraph
from newscrawler.crawl import PageItem


class OwnSelectors(Spider):
    name = "own"
    start_urls = ["%s"]
    custom_settings = {
        "ITEM_PIPELINES": {"newscrawler.crawl.DateExtractionPipeline": 1, "newscrawler.crawl.SqlStoragePipeline": 2},
        "ARTICLE_DATABASE": "sqlite:///own.sqlite",
    }

    def parse(self, response):
        texts = tuple(Paragraph(text=text) for text in response.css("p::text").getall())
        yield PageItem(response, Article(title="Own title", paragraphs=texts, method="own", confidence=1.0))
"""


def test_fields_that_the_spider_has_filled_stay(server: PortalServer, tmp_path: Path) -> None:
    server.routes |= {address(0): story(0)}
    (tmp_path / "own.py").write_text(GIVEN % f"{server.url.rstrip('/')}{address(0)}", "utf-8")

    command = [sys.executable, "-m", "scrapy", "runspider", "own.py", "-s", "TELNETCONSOLE_ENABLED=0"]
    done = warm_command.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True)

    with open_store(f"sqlite:///{tmp_path / 'own.sqlite'}", create=False) as store:
        (stored,) = store.articles.stream(Selection())
    assert (stored.article.title, stored.article.method) == ("Own title", "own"), done.stderr
    assert stored.article.published_at is not None
    assert stored.article.paragraphs
