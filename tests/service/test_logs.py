"""Logs that programs can read, of a real crawl."""

from __future__ import annotations

import json
from pathlib import Path

import warm_command
from crawling import command
from portal_server import PortalServer, address, listing, story


def test_a_crawl_logs_as_json_with_portal_and_run(tmp_path: Path) -> None:
    with PortalServer() as server:
        server.routes = {"/": listing(address(1), address(2)), address(1): story(1), address(2): story(2)}
        done = warm_command.run(
            command("crawl", server.url, "--delay", "0", "--log", "json"),
            cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip

    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 0
    assert done.stdout == ""
    first, last = lines[0], lines[-1]
    assert (first["message"], first["run"], first["level"]) == ("the crawl begins", 1, "info")
    assert (last["message"], last["because"], last["new_articles"]) == ("crawl ended", "finished", 2)
    assert {line["portal"] for line in lines} == {f"127.0.0.1-{server.server_port}"}


def test_a_log_as_text_is_a_line_an_event(tmp_path: Path) -> None:
    with PortalServer() as server:
        server.routes = {"/": listing(address(1)), address(1): story(1)}
        done = warm_command.run(
            command("crawl", server.url, "--delay", "0", "--log", "text"),
            cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip

    assert " info    the crawl begins portal=127.0.0.1-" in done.stderr.splitlines()[0]
    assert " run=1 " in done.stderr.splitlines()[0]
