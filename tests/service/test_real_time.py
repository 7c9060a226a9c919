"""`newscrawler run` itself, with two sites whose windows are open: killed, ended, restarted, told of changes."""

from __future__ import annotations

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
import warm_command
from portal_server import PortalServer, address, listing, story

COUNT = 40
#: A machine that is busy with other tests may need so long for what takes seconds.
PATIENCE_SECONDS = 100.0


def site() -> PortalServer:
    """Forty articles on four listings, at a pace that leaves time to interfere."""
    server = PortalServer()
    pages = [f"/strana/{number}/" for number in range(4)]
    server.routes["/"] = listing(*pages)
    for number, page in enumerate(pages):
        server.routes[page] = listing(*(address(each) for each in range(number * 10, number * 10 + 10)), title="Výpis")
    server.routes |= {address(number): story(number) for number in range(COUNT)}
    server.pause_seconds = 0.12
    return server


@pytest.fixture
def sites() -> Iterator[tuple[PortalServer, PortalServer]]:
    with site() as one, site() as two:
        yield one, two


def configuration(sites: tuple[PortalServer, PortalServer], extra: str = "") -> str:
    """Two portals whose night has begun and is long, so that nothing has to be waited for."""
    window = f"{datetime.now(UTC) - timedelta(hours=2):%H:%M}-{datetime.now(UTC) + timedelta(hours=10):%H:%M}"
    portals = "".join(
        f'[[portal]]\nname = "{name}"\nstart_urls = ["{server.url}"]\ndelay = 0\nwindow = "{window}"\nkeep_pages = false\n'
        for name, server in zip(("one", "two"), sites, strict=True)
    )
    return f"[service]\ngrace = 10\n{extra}\n{portals}"


class Service:
    """The process, and what it leaves behind."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "log.txt"
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([sys.executable, "-m", "newscrawler", "run"], cwd=self.folder, stderr=log)
        return self.process

    def rows(self, query: str) -> list[tuple[object, ...]]:
        if not (self.folder / "newscrawler.sqlite").exists():
            return []
        with closing(sqlite3.connect(f"file:{self.folder / 'newscrawler.sqlite'}?mode=ro", uri=True, timeout=20)) as connection:
            try:
                return connection.execute(query).fetchall()
            except sqlite3.OperationalError:  # the tables are being made
                return []

    def put_back_clock(self) -> None:
        """Let what broke off have done so two minutes ago, so that it is tried again at once."""
        with closing(sqlite3.connect(self.folder / "newscrawler.sqlite")) as connection, connection:
            connection.execute("UPDATE job SET due_at = datetime(due_at, '-2 minutes')")

    def articles(self) -> int:
        return len(self.rows("SELECT id FROM article"))

    def children(self) -> dict[int, str]:
        """Numbers of the processes that crawl, with the portal that each crawls by its open run."""
        return {int(pid): str(name) for pid, name in self.rows(
            "SELECT run.pid, portal.name FROM run JOIN portal ON portal.id = run.portal_id WHERE run.ended_at IS NULL"
        ) if _runs(int(pid))}  # fmt: skip

    def end(self) -> int:
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE_SECONDS)

    def check(self) -> None:
        """Nothing was crawled twice at once, nothing is lost and nothing is there twice."""
        runs = self.rows("SELECT portal_id, started_at, ended_at FROM run ORDER BY portal_id, id")
        for one, two in pairwise(runs):
            if one[0] == two[0]:
                assert one[2] is not None
                assert str(one[2]) <= str(two[1]), runs
        assert len(self.rows("SELECT DISTINCT portal_id, url FROM article")) == self.articles() == 2 * COUNT
        assert "Traceback" not in self.log.read_text()


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> float:
    """Wait until something holds; answers how long it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, "it did not come about"
        time.sleep(0.1)
    return time.monotonic() - began


@pytest.fixture
def service(tmp_path: Path, sites: tuple[PortalServer, PortalServer]) -> Iterator[Service]:
    (tmp_path / "newscrawler.toml").write_text(configuration(sites))
    running = Service(tmp_path)
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.wait()


@pytest.mark.timeout(600)
def test_kills_of_the_parent_and_of_a_child_lose_nothing_and_double_nothing(
    service: Service, sites: tuple[PortalServer, PortalServer], capsys: pytest.CaptureFixture[str]
) -> None:
    until(lambda: len(service.children()) == 2 and service.articles() > 4)
    orphans = service.children()

    service.process.kill()
    service.process.wait()
    died = until(lambda: not any(map(_runs, orphans)), 20)
    service.start()
    began = time.monotonic()
    until(lambda: len(service.children()) == 2)
    taken_over = time.monotonic() - began
    text = service.log.read_text()
    until(lambda: service.articles() > 20)
    victim, portal = next(iter(service.children().items()))
    os.kill(victim, signal.SIGKILL)
    until(lambda: re.search(rf"crawl ended portal={portal} .*killed by signal 9", service.log.read_text()))
    service.process.terminate()  # some senders send twice
    code = service.end()
    after_end = service.articles()
    service.put_back_clock()
    service.start()
    until(lambda: service.articles() == 2 * COUNT)
    until(lambda: not service.children())

    capsys.readouterr()
    with capsys.disabled():
        sys.stdout.write(
            f"\nthe orphans died within {died:.1f} s; both portals were taken over {taken_over:.1f} s after the start\n"
        )
    assert code == 0
    assert service.end() == 0
    assert text.count("resuming the crawl of a service that died") == 2
    assert 20 < after_end <= 2 * COUNT
    service.check()
    for server in sites:  # what was in hand at a kill is asked for again, and nothing else
        asked = [item.path for item in server.asked if item.path in server.routes and "/zpravy/" in item.path]
        assert len(asked) - len(set(asked)) <= 4 * 5


@pytest.mark.timeout(300)
def test_a_second_service_is_refused_and_a_broken_configuration_too(
    service: Service, sites: tuple[PortalServer, PortalServer]
) -> None:
    file = service.folder / "newscrawler.toml"
    until(lambda: "service started" in service.log.read_text())

    second = warm_command.run(
        [sys.executable, "-m", "newscrawler", "run"], cwd=service.folder, capture_output=True, text=True, timeout=120, check=False
    )
    file.write_text("[[portal]]\nname = 7\n")
    until(lambda: "configuration refused, keeping the previous one" in service.log.read_text())
    file.write_text(configuration(sites, 'listen = "127.0.0.1:0"').replace("window =", 'schedule = "0 0 1 1 *"\nwindow ='))
    until(lambda: "configuration loaded portals=2" in service.log.read_text())
    file.write_text(configuration(sites))
    service.process.send_signal(signal.SIGHUP)
    until(lambda: service.log.read_text().count("configuration loaded") >= 2)

    assert second.returncode == 3
    assert f"process {service.process.pid}" in second.stderr
    assert "portal[1].name is 7; it must be a name" in service.log.read_text()
    assert service.end() == 0


@pytest.mark.timeout(300)
def test_a_service_without_work_answers_for_its_health(tmp_path: Path, sites: tuple[PortalServer, PortalServer]) -> None:
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = configuration(sites, f'listen = "127.0.0.1:{port}"\ntextfile = "newscrawler.prom"')
    (tmp_path / "newscrawler.toml").write_text(text.replace("window =", 'schedule = "never"\nwindow ='))
    service = Service(tmp_path)
    until((tmp_path / "newscrawler.prom").exists)

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=30) as answer:
        health = answer.read().decode()
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        metrics = answer.read().decode()

    def check() -> int:
        asked = [sys.executable, "-m", "newscrawler", "status", "--check"]
        return warm_command.run(asked, cwd=tmp_path, capture_output=True, timeout=120, check=False).returncode

    assert check() == 0
    assert service.end() == 0
    assert check() == 1
    assert '"status": "ok"' in health
    assert 'newscrawler_crawling{portal="one"} 0.0' in metrics
    assert 'newscrawler_crawling{portal="one"} 0.0' in (tmp_path / "newscrawler.prom").read_text()
