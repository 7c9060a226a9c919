"""Articles whose addresses read like those of other pages: the portal lies in such a folder, or its system is set up so."""

from __future__ import annotations

from pathlib import Path

import pytest
from crawling import Crawl, articles
from portal_server import PortalServer, listing, story

from newscrawler.config import Portal
from newscrawler.crawl.policy.link_policy import LinkPolicy

NUMBERS = ("jedna", "dva", "tri", "pet", "sest", "sedm", "osm", "devet", "deset", "dvanact")
NAMES = ("most-u-mlyna-se-opravi", "skola-dostane-novou-strechu", "vlak-pojede-az-na-jare", "dozinky-budou-na-namesti")


@pytest.mark.parametrize(
    ("starts", "home"),
    [
        (["https://a.example/presse/"], "presse/"),
        (["https://a.example/cs/presse"], "cs/presse/"),
        (["https://a.example/presse/sport/", "https://a.example/presse/kultura/"], "presse/"),
        (["https://a.example/presse/", "https://a.example/"], ""),
        (["https://a.example/sport/"], ""),
        (["https://a.example/"], ""),
        (["https://a.example/about.html"], ""),
    ],
)
def test_only_folders_of_the_whole_portal_that_mislead_are_its_home(starts: list[str], home: str) -> None:
    assert LinkPolicy.of(Portal(name="a", start_urls=tuple(starts))).home == home


def test_a_portal_in_a_folder_named_like_a_page_about_a_firm_is_crawled(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    paths = [f"/presse/blog/{name}/" for name in NAMES]
    undeclared = {path: story(n).replace("article:published_time", "date") for n, path in enumerate(paths)}
    server.routes |= {"/presse/": listing(*paths)} | undeclared

    crawl(f"{server.url.rstrip('/')}/presse/")

    assert {each.article.url.split("/", 3)[3] for each in articles(tmp_path)} == {path[1:] for path in paths}


def test_an_article_at_the_address_of_an_archive_is_taken_at_the_word_of_its_body_element(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    page = story(1).replace("article:published_time", "date").replace("<body>", "<body class='post single single-post'>")
    server.routes |= {"/": listing("/archiv/1262"), "/archiv/1262": page}

    crawl(server.url)

    assert [each.article.url.split("/", 3)[3] for each in articles(tmp_path)] == ["archiv/1262"]


def test_a_link_that_reads_like_contact_does_not_hide_one_of_many_articles(
    server: PortalServer, crawl: Crawl, tmp_path: Path
) -> None:
    paths = [f"/blog/most-cislo-{name}-se-opravi/" for name in NUMBERS]
    hidden = "/blog/most-cislo-jedenact-se-opravi/"
    link = f"<main><a href='{hidden}'>kontakt s mostem</a> <a href='/o-nas/'>kontakt</a></main>"
    pages = {path: story(n, links=link).replace("article:published_time", "date") for n, path in enumerate([*paths, hidden])}
    server.routes |= {"/": listing(*paths), "/o-nas/": story(77).replace("article:published_time", "date")} | pages

    crawl(server.url)

    assert {each.article.url.split("/", 3)[3] for each in articles(tmp_path)} == {path[1:] for path in pages}
