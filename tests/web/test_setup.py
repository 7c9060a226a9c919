"""The first run in the browser: `newscrawler web` in an empty folder leads to stored articles, without a second process."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from portal_server import PortalServer, address, listing, story
from web_site import Site, form_token, send

from newscrawler.config import load_configuration
from newscrawler.store.service import JobKind

WEB = [sys.executable, "-m", "newscrawler", "web", "--address"]


class Browser:
    """Keeps cookies and follows redirects, as browsers do."""

    def __init__(self, place: str) -> None:
        self._place = f"http://{place}"
        self._opener = build_opener(HTTPCookieProcessor())

    def get(self, path: str, data: bytes | None = None) -> tuple[str, str]:
        """Return the path to which a request led, and the page."""
        with self._opener.open(self._place + path, data, timeout=60) as answer:
            return urlsplit(answer.url).path, answer.read().decode()

    def send(self, path: str, page: str, **fields: str) -> str:
        """Send the form of a page; return the path to which it led."""
        return self.get(path, urlencode({"csrf": form_token(self.get(page)[1]), **fields}).encode())[0]

    def wait_for(self, path: str, words: str, seconds: float = 120) -> str:
        """Open a page until it contains words; return the path to which it led."""
        ends_at, page = time.monotonic() + seconds, ""
        while time.monotonic() < ends_at:
            with suppress(OSError):
                led_to, page = self.get(path)
                if words in page:
                    return led_to
            time.sleep(0.2)
        pytest.fail(f"{words} not on {path}: {page}")


@contextmanager
def served(folder: Path) -> Iterator[Browser]:
    """Run the command in a folder."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{found.getsockname()[1]}"
    with subprocess.Popen([*WEB, place], cwd=folder, stderr=subprocess.DEVNULL) as process:
        try:
            yield Browser(place)
        finally:
            process.terminate()


def test_an_empty_folder_becomes_a_corpus_in_three_steps(tmp_path: Path) -> None:
    routes = {"/": listing(*(address(number) for number in range(1, 4)))}
    routes |= {address(number): story(number) for number in range(1, 4)}
    file = tmp_path / "newscrawler.toml"
    with PortalServer(routes) as server, served(tmp_path) as browser:
        assert browser.wait_for("/", "Start a corpus") == "/setup"
        told = {"contact": "you@uni.example", "purpose": "archive", "time_zone": "Europe/Prague"}
        assert browser.send("/setup", "/setup", **told) == "/add-portal"
        file.write_text(file.read_text().replace("delay = 5", "delay = 0"))
        probe = browser.send("/add-portal", "/add-portal", url=server.url, name="mine")
        browser.wait_for(probe, "Sample articles")
        assert browser.send(probe, probe) == "/setup/crawl"
        browser.send("/portals/mine", "/setup/crawl", action="crawl")
        assert browser.wait_for("/portals/mine/crawl", "Crawl 1") == "/runs/1"
        browser.wait_for("/runs/1", "Complete: 3 new articles")
        browser.wait_for("/articles", ">3 articles</p>")

    configuration = load_configuration(file)
    assert (configuration.contact, list(map(str, configuration.purpose))) == ("you@uni.example", ["archive"])
    assert configuration.service.time_zone == "Europe/Prague"


def test_a_used_port_is_the_first_word_and_nothing_is_written(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as used:
        place = f"127.0.0.1:{used.getsockname()[1]}"
        done = subprocess.run([*WEB, place], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert done.stderr.startswith(f"Error: port {place.partition(':')[2]} of 127.0.0.1 is in use by another program")
    assert list(tmp_path.iterdir()) == []


def test_a_contact_is_needed_and_checked(site: Site) -> None:
    client = site.client()

    assert "Enter an e-mail or web address" in send(client, "/setup", page="/setup", contact="").text
    refused = send(client, "/setup", page="/setup", contact="nobody")
    assert refused.status_code == 422
    assert 'value="nobody"' in refused.text


def test_a_requested_crawl_that_has_not_begun_is_waited_for(site: Site) -> None:
    client = site.client()
    assert client.get("/portals/one/crawl").status_code == 404

    site.store.jobs.ask(JobKind.CRAWL, "one", who="anna", now=site.now)

    assert "Waiting for the first request" in client.get("/portals/one/crawl").text
    site.nights("one", [3])
    assert client.get("/portals/one/crawl").status_code == 200  # an earlier crawl
