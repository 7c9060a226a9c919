"""A crawl keeps the pages that it fetched: found from the database, as they came, and within bounds."""

from __future__ import annotations

import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest
import warm_command
from crawling import Crawl, articles, command, summary
from portal_server import Answer, PortalServer, address, listing, story

from newscrawler.config import Portal
from newscrawler.crawl.run.commits import PageArchive, prepare_write
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.errors import StoreAwayError
from newscrawler.store import open_store
from newscrawler.store.archive import PageSelection, RawPage, StoredPage, read_page
from newscrawler.store.frontier import Committed, LeasedUrl, PageOutcome
from newscrawler.store.vocabularies import FrontierKind, UrlOutcome


def pages(folder: Path) -> list[StoredPage]:
    with open_store(f"sqlite:///{folder}/newscrawler.sqlite", create=False) as store:
        return list(store.pages.select(PageSelection(newest_first=False)))


def kept_in(folder: Path) -> Path:
    return folder / "newscrawler-data" / "pages"


def numbered(server: PortalServer, count: int = 5) -> None:
    server.routes = {address(number): story(number) for number in range(1, count + 1)}
    server.routes["/"] = listing(*server.routes)


def test_every_page_is_found_from_the_database_as_it_came(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    numbered(server)
    server.routes[address(2)] = Answer(
        story(2).replace("utf-8", "windows-1250").encode("cp1250"), kind="text/html; charset=windows-1250"
    )
    crawl(server.url)

    kept = pages(tmp_path)
    assert sorted(str(page.outcome) for page in kept) == ["article"] * 5 + ["listing"]
    for page in kept:
        body = server.routes["/" + page.kept.url.removeprefix(server.url)]
        wanted = body.body if isinstance(body, Answer) else body
        assert read_page(kept_in(tmp_path), page.kept).body == (wanted.encode() if isinstance(wanted, str) else wanted)
    with open_store(f"sqlite:///{tmp_path}/newscrawler.sqlite") as store:
        for item in articles(tmp_path):
            found = store.pages.of_article(item.id)
            assert found is not None
            assert found.kept.url == item.article.url
    (file,) = kept_in(tmp_path).rglob("*.warc.gz")
    assert subprocess.run([sys.executable, "-m", "warcio.cli", "check", file], check=False).returncode == 0


def test_a_switch_turns_it_off(server: PortalServer, tmp_path: Path) -> None:
    numbered(server)
    (tmp_path / "newscrawler.toml").write_text(
        f'[[portal]]\nname = "p"\nstart_urls = ["{server.url}"]\ndelay = 0\nkeep_pages = false\n', "utf-8"
    )
    warm_command.run(command("crawl", "p", "--json"), cwd=tmp_path, check=True, capture_output=True, timeout=120)

    assert len(articles(tmp_path)) == 5
    assert pages(tmp_path) == []
    assert not (tmp_path / "newscrawler-data").exists()


def test_what_a_killed_crawl_kept_is_kept(server: PortalServer, tmp_path: Path) -> None:
    numbered(server, 60)
    server.pause_seconds = 0.05
    crawling = command("crawl", server.url, "--delay", "0", "--json")
    with warm_command.CommandProcess(crawling, cwd=tmp_path, stdout=subprocess.PIPE) as process:
        while len(server.asked) < 25 and process.poll() is None:
            time.sleep(0.02)
        process.kill()
    before = pages(tmp_path)
    assert before
    warm_command.run(
        command("crawl", server.url, "--delay", "0", "--json"), cwd=tmp_path, check=True, capture_output=True, timeout=120
    )

    assert len(articles(tmp_path)) == 60
    assert {page.id for page in before} <= {page.id for page in pages(tmp_path)}
    for page in pages(tmp_path):
        assert read_page(kept_in(tmp_path), page.kept).body
    files = sorted(kept_in(tmp_path).rglob("*.warc.gz*"))
    assert not [file for file in files if file.name.endswith(".open")]
    assert subprocess.run([sys.executable, "-m", "warcio.cli", "check", *files], check=False).returncode == 0


def test_a_folder_that_cannot_be_written_costs_no_article(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    numbered(server)
    (tmp_path / "newscrawler-data").write_text("in the way", "utf-8")
    done = crawl(server.url)

    assert summary(done)["new_articles"] == 5
    assert "pages are not kept" in done.stderr
    assert pages(tmp_path) == []


def test_a_commit_that_is_tried_again_keeps_no_page_twice(tmp_path: Path) -> None:
    now = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    archive = PageArchive(tmp_path, Portal(name="p", start_urls=("http://127.0.0.1/",)))
    pages = tuple(RawPage(url=f"http://127.0.0.1/{name}", fetched_at=now, body=name.encode()) for name in ("a", "a-2"))
    tried: list[PageOutcome] = []

    def commit(outcomes: list[PageOutcome]) -> list[Committed]:
        tried.extend(outcomes)
        if len(tried) == 1:
            raise StoreAwayError("the database is away")
        return [Committed(url_id=each.url_id) for each in outcomes]

    claimed = LeasedUrl(id=1, url=pages[0].url, kind=FrontierKind.ARTICLE)
    item = FetchedUrl(lease=claimed, fetched_at=now, outcome=UrlOutcome.ARTICLE, raw=pages)
    call = prepare_write([item], archive, commit, delay_seconds=0)
    with pytest.raises(StoreAwayError):
        call()
    assert call() == [Committed(url_id=1)]
    archive.close(None)

    first, second = tried
    assert first == second
    assert [(page.url, what) for page, what in second.pages] == [(pages[0].url, "article"), (pages[1].url, "part")]
    assert [read_page(tmp_path, page).body for page, _ in second.pages] == [b"a", b"a-2"]
    (file,) = tmp_path.rglob("*.warc.gz")
    assert file.stat().st_size == second.pages[1][0].offset + second.pages[1][0].length
