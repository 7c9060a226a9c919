"""A crawl can be stopped anywhere: the next one goes on, and nothing is lost or doubled."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from crawling import articles, start, wait_for
from portal_server import PortalServer, address, listing, story
from sqlalchemy import create_engine, text
from warm_command import CommandProcess

COUNT = 40
#: The command, but learning takes a minute and says that it begins.
LEARNING = """
import sys, time
import newscrawler.crawl.reading.learning as learning
def slowly(*_, **__):
    print("learning", file=sys.stderr, flush=True)
    time.sleep(60)
learning.check_round = slowly
from newscrawler.cli import main
main(prog_name="newscrawler")
"""


@pytest.fixture
def portal(server: PortalServer) -> PortalServer:
    """Forty articles on four listings, served at a pace that leaves time to interfere."""
    pages = [f"/strana/{number}/" for number in range(4)]
    server.routes["/"] = listing(*pages)
    for number, page in enumerate(pages):
        server.routes[page] = listing(*(address(each) for each in range(number * 10, number * 10 + 10)), title="Výpis")
    server.routes |= {address(number): story(number) for number in range(COUNT)}
    server.pause_seconds = 0.04
    return server


def finish(folder: Path, url: str, *options: str) -> str:
    process = start(folder, url, *options)
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    return out


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 130), ("SIGHUP", 130), ("SIGKILL", -9)])
def test_a_stopped_crawl_is_completed_by_the_next(portal: PortalServer, tmp_path: Path, name: str, code: int) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 18)
    process.send_signal(getattr(signal, name))
    _, error = process.communicate(timeout=30)
    kept = len(articles(tmp_path))

    out = finish(tmp_path, portal.url)

    assert process.returncode == code
    assert "Traceback" not in error
    assert 0 < kept < COUNT
    assert "goes on where it stopped" in out
    assert sorted(item.article.url or "" for item in articles(tmp_path)) == sorted(
        portal.url.rstrip("/") + address(number) for number in range(COUNT)
    )
    asked = [item.path for item in portal.asked if item.path != "/robots.txt"]
    assert len(asked) - len(set(asked)) <= 4  # no more than were in hand at the kill


def test_a_crawl_killed_again_and_again_still_completes(portal: PortalServer, tmp_path: Path) -> None:
    for round_number in range(5):
        process = start(tmp_path, portal.url)
        wait_for(portal, 6 * (round_number + 1))
        process.kill()
        process.communicate()

    finish(tmp_path, portal.url)

    urls = [item.article.url for item in articles(tmp_path)]
    assert len(urls) == len(set(urls)) == COUNT


def test_a_server_that_keeps_silent_does_not_hold_up_the_end(portal: PortalServer, tmp_path: Path) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 10)
    portal.pause_seconds = 60.0
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, errors = process.communicate(timeout=40)
    portal.pause_seconds = 0.0

    assert time.monotonic() - began < 20
    assert (process.returncode, errors) == (130, "")


def test_a_second_signal_ends_at_once(portal: PortalServer, tmp_path: Path) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 10)
    portal.pause_seconds = 60.0
    wait_for(portal, len(portal.asked))
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    still_there = process.poll() is None
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    process.communicate(timeout=30)
    portal.pause_seconds = 0.0

    assert still_there
    assert time.monotonic() - began < 20
    assert process.returncode == 130


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_second_signal_while_the_process_ends_changes_nothing(portal: PortalServer, tmp_path: Path, name: str) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 18)
    process.send_signal(getattr(signal, name))
    assert process.stdout is not None
    while "ended: interrupted" not in process.stdout.readline():
        pass

    process.send_signal(getattr(signal, name))
    _, error = process.communicate(timeout=30)

    assert process.returncode == 130
    assert error in {"", "Interrupted.\n"}


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_signal_ends_the_learning_too_and_what_was_crawled_is_kept(portal: PortalServer, tmp_path: Path, name: str) -> None:
    portal.pause_seconds = 0.0
    portal.routes["/"] = listing(*(f"/strana/{number}/" for number in range(3)))  # too few to learn before the end
    process = CommandProcess(
        [sys.executable, "-c", LEARNING, "crawl", portal.url, "--delay", "0"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    while "learning" not in process.stderr.readline():
        pass
    process.send_signal(getattr(signal, name))
    out, error = process.communicate(timeout=40)

    assert (process.returncode, error) == (130, "")
    assert "interrupted while learning" in out
    assert len(articles(tmp_path)) == 30


def test_a_database_that_another_process_holds_is_waited_for(portal: PortalServer, tmp_path: Path) -> None:
    finish(tmp_path, portal.url, "--max-pages", "3")
    held = sqlite3.connect(tmp_path / "newscrawler.sqlite", isolation_level=None)
    for statement in ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE portal SET round = round", "COMMIT"):
        held.execute(statement)
    process = start(tmp_path, portal.url, "--max-pages", "3")
    assert process.stderr is not None
    warning = process.stderr.readline()

    held.close()
    process.communicate(timeout=60)

    assert "is locked by another process; waiting for it" in warning
    assert process.returncode == 0


def test_a_portal_is_not_crawled_by_two_at_once(portal: PortalServer, tmp_path: Path) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 8)
    portal.pause_seconds = 5.0  # so that the first lasts for as long as the second needs to see it

    second = start(tmp_path, portal.url)
    _, error = second.communicate(timeout=60)

    portal.pause_seconds = 0.0
    process.communicate(timeout=60)
    assert second.returncode == 1
    assert "is being crawled by process" in error
    assert process.returncode == 0
    assert len(articles(tmp_path)) == COUNT


def test_a_crawl_killed_on_postgresql_is_completed(portal: PortalServer, tmp_path: Path, postgresql_database: str) -> None:
    process = start(tmp_path, portal.url, "--database", postgresql_database)
    wait_for(portal, 18)
    process.kill()
    process.communicate()

    finish(tmp_path, portal.url, "--database", postgresql_database)

    urls = [item.article.url for item in articles(tmp_path, postgresql_database)]
    assert len(urls) == len(set(urls)) == COUNT


def test_a_database_that_turns_read_only_ends_the_crawl_with_a_sentence(portal: PortalServer, tmp_path: Path) -> None:
    finish(tmp_path, portal.url, "--max-pages", "3")
    (tmp_path / "newscrawler.sqlite").chmod(0o444)

    process = start(tmp_path, portal.url)
    _, error = process.communicate(timeout=30)

    assert process.returncode == 3
    assert "read-only" in error
    assert "Traceback" not in error


def test_a_table_that_is_gone_ends_the_crawl_with_a_sentence(portal: PortalServer, tmp_path: Path) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 12)
    engine = create_engine(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}")
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE article RENAME TO elsewhere"))
    engine.dispose()

    _, error = process.communicate(timeout=60)

    assert process.returncode == 3
    assert "no such table: article" in error
    assert "Traceback" not in error


def test_the_doors_of_scrapy_are_shut(portal: PortalServer, tmp_path: Path) -> None:
    process = start(tmp_path, portal.url)
    wait_for(portal, 8)

    listening = set()
    inodes = {str(each.readlink()) for each in Path(f"/proc/{process.pid}/fd").iterdir()}
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
            listening.add(int(fields[1].split(":")[1], 16))

    process.communicate(timeout=60)
    assert listening == set()
