"""A review goes on while the server is killed: what it has confirmed is stored."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import threading
import time
from urllib.parse import urlencode

from crawling import command
from kept_pages import Archive
from portal_server import address, story
from warm_command import CommandProcess
from web_site import Site, form_token

ARTICLES = 12


def connection(port: int) -> http.client.HTTPConnection:
    """Return a connection, once the server takes one."""
    until = time.monotonic() + 60
    while True:
        try:
            found = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            found.connect()
        except ConnectionRefusedError:
            assert time.monotonic() < until
            time.sleep(0.05)
        else:
            return found


def test_a_server_that_is_killed_during_a_review_loses_at_most_the_verdict_in_flight(site: Site) -> None:
    Archive(site.folder, portal="one").night(
        [(f"https://one.example{address(number)}", story(number)) for number in range(1, ARTICLES + 1)]
    )
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    confirmed: list[int] = []
    some = threading.Event()
    with CommandProcess(command("web", "--address", f"127.0.0.1:{port}"), cwd=site.folder) as server:
        asked = connection(port)
        asked.request("GET", "/review/1")
        answer = asked.getresponse()
        cookie, token = str(answer.getheader("Set-Cookie")).partition(";")[0], form_token(answer.read().decode())

        def review() -> None:
            """Judge one article after another, as the keys of the page do, until the server is gone."""
            fields = urlencode({"csrf": token, "verdict": "right", "script": "yes"})
            headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
            for number in range(1, ARTICLES + 1):
                try:
                    asked.request("POST", f"/review/{number}", fields, headers)
                    said = asked.getresponse()
                    said.read()
                except (OSError, http.client.HTTPException):
                    return
                assert said.status == 200
                confirmed.append(number)
                if number == 3:
                    some.set()

        reviewer = threading.Thread(target=review)
        reviewer.start()
        assert some.wait(60)
        os.kill(server.pid, signal.SIGKILL)
        reviewer.join()
        asked.close()
        server.wait()

    stored = sorted(verdict.article_id for verdict in site.store.reviews.verdicts("one"))
    assert stored[: len(confirmed)] == confirmed
    assert len(stored) <= len(confirmed) + 1
    assert f"{len(stored)} judged" in site.client().get(f"/review/1?portal=one&order=random&count={ARTICLES}&seed=0").text
