"""Pages go when their time is over, whole files at a time, and nothing in the database points into nowhere."""

from __future__ import annotations

import gzip
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from kept_pages import NOON, Archive
from portal_server import address, story

from newscrawler.store.archive import ArchiveLimits, PageSelection, PageWriter, RawPage, clean_up, read_page, scrub
from newscrawler.store.articles.article_intake import remove_articles

BASE = "http://127.0.0.1:1"


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """Three days of one page each."""
    made = Archive(tmp_path)
    for day in range(3):
        made.night([(BASE + address(day), story(day))], at=NOON + timedelta(days=day))
    return made


def left_after(archive: Archive, retention: ArchiveLimits) -> list[int]:
    """Days whose pages are left."""
    with archive.open() as store:
        clean_up(store.pages, archive.pages, archive.portal, retention, now=NOON + timedelta(days=2, hours=1))
        files = store.pages.files()
        assert {archive.pages / file.path for file in files} == set(archive.pages.rglob("*.warc.gz"))
        assert sum(file.pages for file in files) == len(list(store.pages.select(PageSelection())))
        return [(file.began_at - NOON).days for file in files]


def test_what_is_too_old_goes(archive: Archive) -> None:
    assert left_after(archive, ArchiveLimits(days=2, megabytes=100)) == [1, 2]


def test_of_too_much_the_oldest_goes_and_the_newest_stays(archive: Archive) -> None:
    assert left_after(archive, ArchiveLimits(days=100, megabytes=0)) == [2]


def test_within_its_bounds_everything_stays(archive: Archive) -> None:
    assert left_after(archive, ArchiveLimits(days=100, megabytes=100)) == [0, 1, 2]


def test_a_file_that_is_being_written_stays(archive: Archive) -> None:
    writer = PageWriter(archive.pages, archive.portal)
    writer.write(RawPage(url=BASE, fetched_at=NOON, body=b"<p>"))
    with archive.open() as store:
        clean_up(store.pages, archive.pages, archive.portal, ArchiveLimits(days=1, megabytes=1), now=NOON + timedelta(days=400))
        assert store.pages.files() == []
    assert [path.name.endswith(".open") for path in archive.pages.rglob("*.warc.gz*")] == [True]
    writer.close()


def test_a_file_gone_from_the_disk_is_forgotten_with_the_rest(archive: Archive) -> None:
    for path in archive.pages.rglob("*.warc.gz"):
        path.unlink()
    assert left_after_gone(archive) == []


def left_after_gone(archive: Archive) -> list[str]:
    with archive.open() as store:
        clean_up(store.pages, archive.pages, archive.portal, ArchiveLimits(days=1, megabytes=1), now=NOON + timedelta(days=400))
        return [file.path for file in store.pages.files()]


def test_pages_of_removed_articles_do_not_stay_on_the_disk(archive: Archive) -> None:
    archive.night([(BASE + address(number), story(number)) for number in range(10, 14)], at=NOON + timedelta(days=2))
    with archive.open() as store:
        before = {path: path.stat().st_size for path in archive.pages.rglob("*.warc.gz")}
        gone = [page for page in store.pages.select(PageSelection()) if page.kept.url in {BASE + address(10), BASE + address(12)}]
        with store.engine.begin() as connection:
            remove_articles(connection, [page.article_id for page in gone if page.article_id])
        assert scrub(store.pages, archive.pages, archive.portal) == 1
        assert scrub(store.pages, archive.pages, archive.portal) == 0

        left = list(store.pages.select(PageSelection()))
        assert len(left) == 5
        assert all(page.kept.url.encode() in read_page(archive.pages, page.kept).url.encode() for page in left)
    after = {path: path.stat().st_size for path in archive.pages.rglob("*.warc.gz")}
    assert len(after) == len(before)
    assert sum(after.values()) < sum(before.values())
    text = b"".join(gzip.decompress(path.read_bytes()) for path in after)
    assert "<h1>Most číslo 11 se".encode() in text
    assert "<h1>Most číslo 10 se".encode() not in text
    assert "<h1>Most číslo 12 se".encode() not in text
    assert subprocess.run([sys.executable, "-m", "warcio.cli", "check", *after], check=False).returncode == 0
