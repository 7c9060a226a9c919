"""Pages are read beside the reactor: one that takes long keeps nothing else from going on."""

from __future__ import annotations

import sys
from pathlib import Path

import warm_command
from portal_server import PortalServer, address, listing, story

from newscrawler.store import open_store
from newscrawler.store.articles import Selection

COUNT = 8
SECONDS = 2.0
#: The command `newscrawler`, in which the text of one page takes long to find, all of it in Python.
SLOW = f"""
import time
from newscrawler.cli.main import main
from newscrawler.crawl.reading import article_reader

classify_page = article_reader.classify_page

def slow(draft, reading):
    until = time.monotonic() + {SECONDS} * draft.page.url.endswith("{address(0)}")
    while time.monotonic() < until:
        pass
    return classify_page(draft, reading)

article_reader.classify_page = slow
main()
"""


def test_other_pages_are_asked_for_while_one_is_read(server: PortalServer, tmp_path: Path) -> None:
    server.routes["/"] = listing(*(address(number) for number in range(COUNT)))
    server.routes |= {address(number): story(number) for number in range(COUNT)}
    server.pause_seconds = 0.3

    command = [sys.executable, "-c", SLOW, "crawl", server.url, "--delay", "0"]
    done = warm_command.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    came = next(asked.at for asked in server.asked if asked.path == address(0))
    meanwhile = [asked for asked in server.asked if came + 0.1 < asked.at < came + SECONDS - 0.1]
    assert done.returncode == 0, done.stderr
    assert len(meanwhile) >= 3
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}", create=False) as store:
        assert len(list(store.articles.stream(Selection()))) == COUNT
