"""`newscrawler worker` itself: two processes on one PostgreSQL, of which one is killed, and a planner that dies."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from portal_server import PortalServer, address, listing, story
from sqlalchemy import create_engine, text

from newscrawler.store import open_store

COUNT, PORTALS = 24, ("one", "two", "three")
#: A machine that is busy with other tests may need so long for what takes seconds.
PATIENCE_SECONDS = 120.0


def site() -> PortalServer:
    """Articles on four listings, at a pace that leaves time to interfere."""
    server = PortalServer()
    pages = [f"/strana/{number}/" for number in range(4)]
    server.routes["/"] = listing(*pages)
    for number, page in enumerate(pages):
        server.routes[page] = listing(*(address(each) for each in range(number * 6, number * 6 + 6)), title="Výpis")
    server.routes |= {address(number): story(number) for number in range(COUNT)}
    server.pause_seconds = 0.7
    return server


@pytest.fixture
def sites() -> Iterator[list[PortalServer]]:
    with site() as one, site() as two, site() as three:
        yield [one, two, three]


class Cluster:
    """Worker processes, and the database that they share."""

    def __init__(self, folder: Path, url: str, sites: list[PortalServer]) -> None:
        self.folder, self.url = folder, url
        self.engine = create_engine(url)
        window = f"{datetime.now(UTC) - timedelta(hours=2):%H:%M}-{datetime.now(UTC) + timedelta(hours=10):%H:%M}"
        portals = "".join(
            f'[[portal]]\nname = "{name}"\nstart_urls = ["{server.url}"]\ndelay = 0\nwindow = "{window}"\nkeep_pages = false\n'
            for name, server in zip(PORTALS, sites, strict=True)
        )
        (folder / "newscrawler.toml").write_text(f"[service]\ngrace = 10\n{portals}")
        self.processes: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "newscrawler", "worker", "--name", name, "--places", "2", "--database", self.url, *options]
        with (self.folder / "log.txt").open("ab") as log:
            self.processes[name] = subprocess.Popen(command, cwd=self.folder, stderr=log)
        return self.processes[name]

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with self.engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(query))]

    def jobs(self) -> dict[str, list[str]]:
        """Portals that are under way, by worker."""
        found: dict[str, list[str]] = {}
        for worker, portal in self.rows(
            "SELECT worker.name, portal.name FROM procrastinate_jobs job JOIN worker ON worker.id = job.worker_id "
            "JOIN portal ON portal.name = args->>'portal' JOIN run ON run.portal_id = portal.id "
            "WHERE status = 'doing' AND run.ended_at IS NULL"
        ):
            found.setdefault(str(worker), []).append(str(portal))
        return found

    def planner(self) -> object:
        """The process that plans."""
        return self.rows("SELECT pid FROM service WHERE ended_at IS NULL")

    def status(self) -> dict[str, Any]:
        command = [sys.executable, "-m", "newscrawler", "status", "--json", "--database", self.url]
        shown: dict[str, Any] = json.loads(subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, check=True).stdout)
        return shown

    def log(self) -> str:
        return (self.folder / "log.txt").read_text()

    def close(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        self.engine.dispose()


@pytest.fixture
def cluster(tmp_path: Path, postgresql_database: str, sites: list[PortalServer]) -> Iterator[Cluster]:
    with open_store(postgresql_database) as store:
        store.dispatch.prepare()
    running = Cluster(tmp_path, postgresql_database, sites)
    yield running
    running.close()


def until(condition: Callable[[], object], log: Callable[[], str]) -> float:
    """Wait until something holds; return how long it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < PATIENCE_SECONDS, log()[-3000:]
        time.sleep(0.1)
    return time.monotonic() - began


@pytest.mark.timeout(400)
def test_workers_share_portals_and_survive_kills_of_a_worker_and_of_the_planner(
    cluster: Cluster, sites: list[PortalServer], capsys: pytest.CaptureFixture[str]
) -> None:
    first = cluster.start("first")
    until(cluster.planner, cluster.log)  # it is the planner
    cluster.start("second")
    until(lambda: sorted(map(len, cluster.jobs().values())) == [1, 2], cluster.log)
    orphans = cluster.jobs()["first"]
    shown = cluster.status()
    assert {each["name"]: sorted(each["portals"]) for each in shown["workers"]} == {
        name: sorted(portals) for name, portals in cluster.jobs().items()
    }

    first.send_signal(signal.SIGKILL)
    first.wait()
    took = until(lambda: orphans[0] in cluster.jobs().get("second", []), cluster.log)
    for server in sites:
        server.pause_seconds = 0.02
    until(lambda: cluster.rows("SELECT count(*) FROM procrastinate_jobs WHERE status = 'succeeded'") == [(3,)], cluster.log)
    second = cluster.processes["second"]
    until(lambda: cluster.planner() == [(second.pid,)], cluster.log)
    turns = "SELECT count(*) FROM job WHERE kind = 'crawl' AND state = 'done'"
    until(lambda: cluster.rows(turns) == [(3,)], cluster.log)  # the new planner follows what the dead one dispatched
    second.terminate()

    assert second.wait(PATIENCE_SECONDS) == 0, cluster.log()
    assert took < 120  # 53 s where nothing else runs: the lease has to end first
    assert cluster.rows("SELECT count(*), count(DISTINCT url) FROM article") == [(3 * COUNT, 3 * COUNT)]
    runs = cluster.rows("SELECT portal_id, started_at, ended_at FROM run ORDER BY portal_id, id")
    assert all(str(one[2]) <= str(two[1]) for one, two in pairwise(runs) if one[0] == two[0]), runs
    assert cluster.rows("SELECT count(*) FROM procrastinate_jobs") == [(3,)]
    assert cluster.rows("SELECT name FROM worker") == [("first",)]
    assert "Traceback" not in cluster.log()
    with capsys.disabled():
        sys.stdout.write(f"\n  another worker went on {took:.1f} s after the kill\n")
