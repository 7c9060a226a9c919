"""Crawls as users start them: the command, in a process of its own, in an empty folder."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import warm_command
from crawling import Crawl, command
from portal_server import PortalServer


@pytest.fixture
def server() -> Iterator[PortalServer]:
    with PortalServer() as running:
        yield running


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails is tried again soon; pauses grow from there as ever."""
    monkeypatch.setenv(warm_command.FIRST_PAUSE, "0.1")


@pytest.fixture
def crawl(tmp_path: Path) -> Crawl:
    def run(url: str, *options: str, delay: str = "0") -> subprocess.CompletedProcess[str]:
        return warm_command.run(
            command("crawl", url, "--delay", delay, "--json", *options),
            cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    return run
