"""The process that crawls are forked from: what it starts is a process like any other, whatever becomes of it."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from portal_server import PortalServer, address, listing, story

from newscrawler.service import fork_server
from newscrawler.service.children import ChildTask, ForkedChild
from newscrawler.service.fork_server import ForkServer

pytestmark = pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="only Linux has subreapers")


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with closing(ForkServer()) as running:
        yield running


@pytest.fixture
def site() -> Iterator[PortalServer]:
    with PortalServer() as portal:
        portal.routes["/"] = listing(*(address(number) for number in range(3)))
        portal.routes |= {address(number): story(number) for number in range(3)}
        yield portal


def task(folder: Path, site: PortalServer, *, parent: int | None = None) -> ChildTask:
    text = f'[[portal]]\nname = "p"\nstart_urls = ["{site.url}"]\ndelay = 0\nkeep_pages = false\n'
    return ChildTask(
        kind="crawl", name="p", text=text, path=str(folder / "newscrawler.toml"), database_url=f"sqlite:///{folder / 'n.sqlite'}",
        max_memory=1024, parent=parent or os.getpid(), log="text",
    )  # fmt: skip


def started(server: ForkServer, folder: Path, site: PortalServer) -> ForkedChild:
    child = server.start(task(folder, site))
    assert child is not None
    return child


def end_of(child: ForkedChild) -> int:
    end = time.monotonic() + 60
    while (code := child.exit_code()) is None:
        assert time.monotonic() < end, "it does not end"
        time.sleep(0.02)
    return code


def crawling(site: PortalServer) -> None:
    end = time.monotonic() + 60
    while len(site.asked) < 2:
        assert time.monotonic() < end, "nothing is asked"
        time.sleep(0.02)


def articles(folder: Path) -> int:
    with closing(sqlite3.connect(folder / "n.sqlite")) as connection:
        (count,) = connection.execute("SELECT count(*) FROM article").fetchone()
    return int(count)


def test_a_forked_crawl_is_our_child_with_a_session_and_descriptors_of_its_own(
    server: ForkServer, site: PortalServer, tmp_path: Path
) -> None:
    site.pause_seconds = 0.5
    child = started(server, tmp_path, site)
    crawling(site)
    parent = int(Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[1])
    files = {number: str(Path(f"/proc/{child.pid}/fd/{number}").readlink()) for number in range(2)}

    assert parent == os.getpid()
    assert os.getsid(child.pid) == child.pid
    assert set(files.values()) == {os.devnull}
    assert child.measure_memory_mib() > 0
    assert end_of(child) == 0
    assert articles(tmp_path) == 3


def test_a_kill_of_a_crawl_is_seen_and_does_not_harm_the_server(server: ForkServer, site: PortalServer, tmp_path: Path) -> None:
    site.pause_seconds = 0.5
    child = started(server, tmp_path, site)
    crawling(site)
    child.kill()

    assert end_of(child) == -signal.SIGKILL
    site.pause_seconds = 0.0
    assert end_of(started(server, tmp_path, site)) == 0
    assert articles(tmp_path) == 3


def test_a_dead_server_is_replaced_and_its_crawls_go_on(server: ForkServer, site: PortalServer, tmp_path: Path) -> None:
    site.pause_seconds = 0.3
    child = started(server, tmp_path, site)
    assert server._process is not None
    os.kill(server._process.pid, signal.SIGKILL)
    server._process.wait()

    (tmp_path / "other").mkdir()
    assert end_of(started(server, tmp_path / "other", site)) == 0
    assert end_of(child) == 0
    assert articles(tmp_path) == articles(tmp_path / "other") == 3


def test_an_upgrade_renews_the_server(
    server: ForkServer, site: PortalServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server._process is not None
    before = server._process.pid
    monkeypatch.setattr(fork_server, "read_installed_version", lambda: (("newscrawler/__init__.py", 1),))

    assert end_of(started(server, tmp_path, site)) == 0
    assert server._process.pid != before


def test_a_crawl_whose_service_is_dead_does_not_begin(server: ForkServer, site: PortalServer, tmp_path: Path) -> None:
    child = server.start(task(tmp_path, site, parent=1))

    assert child is not None
    assert end_of(child) == 130
    assert not site.asked


def test_a_server_whose_service_is_dead_ends(server: ForkServer) -> None:
    with closing(ForkServer()) as other:
        assert other._process is not None
        assert other._connection is not None
        other._connection.close()

        assert other._process.wait(timeout=60) == 0
