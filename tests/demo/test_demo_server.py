"""The server of the portal behaves as a well-kept one."""

import gzip
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.demo import DemoPortal, RunningPortal, serve

ANCHOR = datetime(2026, 11, 20, 13, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def running():
    with serve(DemoPortal(anchor=ANCHOR)) as running:
        yield running


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


def ask(running: RunningPortal, path: str, method: str = "GET", **headers: str):
    """Status, headers and content; redirects are not followed."""
    request = urllib.request.Request(
        running.base_url + path, method=method, headers={k.replace("_", "-"): v for k, v in headers.items()}
    )
    try:
        with urllib.request.build_opener(_Stay).open(request, timeout=5) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_the_gold_carries_the_address_of_the_server(running):
    url = running.portal.published()[0].url

    status, _, content = ask(running, url.removeprefix(running.base_url))

    assert url.startswith(running.base_url)
    assert status == 200
    assert f'<link rel="canonical" href="{url}">'.encode() in content


def test_an_unchanged_page_answers_304_to_its_etag(running):
    _, headers, _ = ask(running, "/")

    status, again, content = ask(running, "/", If_None_Match=headers["ETag"])

    assert (status, content) == (304, b"")
    assert again["ETag"] == headers["ETag"]


def test_an_unchanged_page_answers_304_to_its_date(running):
    _, headers, _ = ask(running, "/")

    assert ask(running, "/", If_Modified_Since=headers["Last-Modified"])[0] == 304
    assert ask(running, "/", If_Modified_Since="Thu, 01 Jan 2026 00:00:00 GMT")[0] == 200
    assert ask(running, "/", If_Modified_Since="last Tuesday")[0] == 200


def test_an_etag_that_does_not_match_outweighs_a_date_that_does(running):
    _, headers, _ = ask(running, "/")

    assert ask(running, "/", If_None_Match='"another"', If_Modified_Since=headers["Last-Modified"])[0] == 200


def test_head_answers_like_get_without_the_content(running):
    _, full, content = ask(running, "/cs/")

    status, headers, nothing = ask(running, "/cs/", "HEAD")

    assert (status, nothing) == (200, b"")
    assert headers["ETag"] == full["ETag"]
    assert int(headers["Content-Length"]) == len(content)


def test_gzip_is_sent_to_those_who_ask_for_it(running):
    _, plain, content = ask(running, "/")
    _, squeezed, packed = ask(running, "/", Accept_Encoding="gzip, deflate")

    assert plain["Content-Encoding"] is None
    assert squeezed["Content-Encoding"] == "gzip"
    assert len(packed) < len(content) / 2
    assert gzip.decompress(packed) == content


def test_a_short_link_redirects(running):
    article = running.portal.published()[0]

    status, headers, _ = ask(running, article.also_at[-1].removeprefix(running.base_url))

    assert status == 301
    assert running.base_url + headers["Location"] == article.url


def test_the_log_says_who_asked_for_what_and_when():
    with serve(DemoPortal(anchor=ANCHOR)) as running:
        ask(running, "/robots.txt", User_Agent="curious/1.0")
        ask(running, "/nowhere")

        first, second = running.log

    assert (first.method, first.path, first.status, first.user_agent) == ("GET", "/robots.txt", 200, "curious/1.0")
    assert (second.path, second.status) == ("/nowhere", 404)
    assert first.at_seconds < second.at_seconds


def test_many_ask_at_once_and_all_are_answered(running):
    before = len(running.log)
    paths = [article.url.removeprefix(running.base_url) for article in running.portal.published()]

    with ThreadPoolExecutor(8) as readers:
        answers = list(readers.map(lambda path: ask(running, path)[0], paths))

    assert answers == [200] * len(paths)
    assert len(running.log) == before + len(paths)
    assert [access.at_seconds for access in running.log] == sorted(access.at_seconds for access in running.log)


def test_another_layout_can_be_shown_under_the_same_address():
    with serve(DemoPortal(anchor=ANCHOR)) as running:
        before = ask(running, "/")

        running.show(DemoPortal(anchor=ANCHOR + timedelta(days=1), layout="modern"))

        status, _, content = ask(running, "/", If_None_Match=before[1]["ETag"])
    assert status == 200
    assert b'id="app"' in content


def test_a_port_is_free_again_once_the_server_has_ended():
    with serve(DemoPortal(anchor=ANCHOR)) as running:
        port = int(running.base_url.rpartition(":")[2])
        ask(running, "/")

    with serve(DemoPortal(anchor=ANCHOR), port) as again:
        assert ask(again, "/")[0] == 200
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_a_client_that_hangs_up_does_no_harm(running, capfd):
    port = int(running.base_url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")

    assert ask(running, "/")[0] == 200
    assert capfd.readouterr().err == ""


def test_a_port_that_is_taken_is_said_in_one_line():
    with serve(DemoPortal(anchor=ANCHOR)) as running:
        port = running.base_url.rpartition(":")[2]

        end = subprocess.run(
            [sys.executable, "-m", "newscrawler.demo", "--port", port], capture_output=True, text=True, timeout=30, check=False
        )

    assert end.returncode == 1
    assert end.stderr.startswith(f"port {port} cannot be used")
    assert len(end.stderr.splitlines()) == 1
