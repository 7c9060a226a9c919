"""A deadline holds whatever runs: a page that is never read ends neither a signal's patience nor a run's."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from crawling import articles
from portal_server import PortalServer, address, listing, story
from warm_command import CommandProcess

COUNT = 6
#: The command, but one page is never read: by a loop in Python, by a call that lets other threads run, by one that does not.
STUCK = """
import re, time
from newscrawler.cli.main import main
from newscrawler.crawl.reading import article_reader

classify_page = article_reader.classify_page

def loop():
    while True:
        time.sleep(0)

ways = {{"loop": loop, "sleep": lambda: time.sleep(600), "expression": lambda: re.search(r"(\\w+[-/]?)+Z$", "a" * 60)}}

def read(draft, reading):
    if draft.page.url.endswith("{address}"):
        ways["{way}"]()
    return classify_page(draft, reading)

article_reader.classify_page = read
main(prog_name="newscrawler")
"""


@pytest.fixture
def portal(server: PortalServer) -> PortalServer:
    server.routes["/"] = listing(*(address(number) for number in range(COUNT)))
    server.routes |= {address(number): story(number) for number in range(COUNT)}
    return server


def begin(folder: Path, portal: PortalServer, way: str, *options: str) -> CommandProcess:
    code = STUCK.format(way=way, address=address(COUNT - 1))
    return CommandProcess(
        [sys.executable, "-c", code, "crawl", portal.url, "--delay", "0", *options],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def crawl_again(folder: Path, portal: PortalServer) -> int:
    again = [sys.executable, "-m", "newscrawler", "crawl", portal.url, "--delay", "0"]
    process = CommandProcess(again, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    return len(articles(folder))


@pytest.mark.parametrize(("way", "codes"), [("loop", {130}), ("sleep", {130}), ("expression", {-9})])
def test_a_signal_ends_a_crawl_within_ten_seconds(portal: PortalServer, tmp_path: Path, way: str, codes: set[int]) -> None:
    process = begin(tmp_path, portal, way)
    while not any(asked.path == address(COUNT - 1) for asked in portal.asked):
        time.sleep(0.05)
    time.sleep(1.5)
    process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    out, error = process.communicate(timeout=60)

    assert time.monotonic() - began < 10
    assert process.returncode in codes, (out, error)
    assert "Traceback" not in error
    assert crawl_again(tmp_path, portal) == COUNT


@pytest.mark.parametrize(("way", "code"), [("loop", 0), ("expression", -9)])
def test_the_time_of_a_run_ends_it(portal: PortalServer, tmp_path: Path, way: str, code: int) -> None:
    began = time.monotonic()
    process = begin(tmp_path, portal, way, "--max-minutes", "0.05")
    out, error = process.communicate(timeout=60)

    assert time.monotonic() - began < 16
    assert process.returncode == code, (out, error)
    assert crawl_again(tmp_path, portal) == COUNT
