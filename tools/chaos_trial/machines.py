"""The trial with machines: real workers in network namespaces, which are killed, stopped and cut off, and real portals."""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import psycopg
from sqlalchemy import make_url

from newscrawler.store import open_store
from tools.chaos_trial.database import dsn_of, kill_server, new_database, start_server
from tools.chaos_trial.judgement import IDLE_SECONDS, gaps_of, holds, stored_articles
from tools.chaos_trial.network import DATABASE_ADDRESS, NETWORK, Machine, make_network, portal_address
from tools.chaos_trial.portals import Visit
from tools.chaos_trial.simulation import Loss
from tools.crawl_benchmark.site import Site

DELAY_SECONDS = 2.0
_FAULTS = ("kill", "kill", "stop", "cut from the database", "unplugged", "full disk", "database")
#: Of faults that are over by themselves; longer than the lease of a job, so that another worker takes it.
_FAULT_SECONDS = (50.0, 65.0)
_DATABASE_AWAY_SECONDS = 15.0
_MOST_IN_TROUBLE = 4
_WORK = """
SELECT portal.name, worker.name FROM procrastinate_jobs job JOIN portal ON portal.name = args->>'portal'
JOIN worker ON worker.id = job.worker_id
WHERE status = 'doing' AND EXISTS (SELECT FROM run WHERE run.portal_id = portal.id AND run.ended_at IS NULL)
"""
_RUNS = """
SELECT portal.name, host, extract(epoch FROM started_at), extract(epoch FROM coalesce(ended_at, now()))
FROM run JOIN portal ON portal.id = portal_id
"""
_TAKEN = re.compile(r"^(\S+) info +crawl started portal=(\S+) .*token=", re.MULTILINE)
_DONE = "SELECT DISTINCT args->>'portal' FROM procrastinate_jobs WHERE status = 'succeeded'"


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineSize:
    """How much is tried."""

    workers: int = 10
    portals: int = 14
    articles: int = 36
    fault_seconds: float = 9.0
    seed: int = 1
    #: The trial ends after so much time, or when all portals are crawled.
    minutes: float = 3.5
    #: Workers may take so long to start, which does not count.
    start_minutes: float = 3.0


class _Handler(BaseHTTPRequestHandler):
    server: _Portal
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm: ClassVar[bool] = True

    def log_message(self, *_: object) -> None:
        """Write nothing."""

    def do_GET(self) -> None:
        """Answer, and note who has asked for what."""
        page = self.server.site.page(self.path)
        if self.path != "/robots.txt":
            self.server.visits.append(Visit(at=time.time(), by=str(self.client_address[0]), url=self.path))
        body = (page or "not here").encode()
        self.send_response(200 if page else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class _Portal(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: str, site: Site) -> None:
        super().__init__((address, 80), _Handler)
        self.site = site
        self.visits: list[Visit] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed goes away in the middle."""


class _Trial:
    """The machines, and what befalls them."""

    def __init__(self, size: MachineSize, server: Any, folder: Path) -> None:
        self.size, self._server, self.folder = size, server, folder
        self._random = random.Random(size.seed)
        self.url = new_database(server)
        with open_store(self.url) as store:
            store.dispatch.prepare()
        self._socket = (server.pgdata / "postmaster.pid").read_text().splitlines()[4]
        with (server.pgdata / "pg_hba.conf").open("a") as file:
            file.write(f"host all all {NETWORK} trust\n")
        self._restart()
        #: When the trial began, and what is to happen later.
        self._later: list[tuple[float, Callable[[], None]]] = []
        self.faults: Counter[str] = Counter()
        self._coming: list[str] = []
        self.losses: list[Loss] = []
        self.outages: list[tuple[float, float]] = []
        self._troubled: set[str] = set()
        self._number = 0
        self.configuration = folder / "newscrawler.toml"
        self.configuration.write_text(self._toml())
        self.machines = {f"w{number}": self._start(f"w{number}") for number in range(size.workers)}
        self.hosts = {machine.name: machine.address for machine in self.machines.values()}

    def _restart(self) -> None:
        start_server(self._server, f"-h {DATABASE_ADDRESS}", f"-k {self._socket}")

    def _end_outage(self) -> None:
        self._restart()
        self.outages[-1] = (self.outages[-1][0], time.time())

    def _toml(self) -> str:
        url = make_url(self.url).set(host=DATABASE_ADDRESS, port=5432, query={}).render_as_string(hide_password=False)
        now = datetime.now(UTC)
        window = f"{now - timedelta(hours=2):%H:%M}-{now + timedelta(hours=10):%H:%M}"
        portals = "".join(
            f'[[portal]]\nname = "p{number}"\nstart_urls = ["http://{portal_address(number)}/"]\ndelay = {DELAY_SECONDS}\n'
            f'window = "{window}"\ntime_zone = "UTC"\nnetworks = ["{NETWORK}"]\nlearn = false\n'
            for number in range(self.size.portals)
        )
        return f'[crawler]\ncontact = "me@example.org"\ndatabase = "{url}"\n[service]\ngrace = 10\n{portals}'

    def _start(self, worker: str) -> Machine:
        command = [sys.executable, "-m", "newscrawler", "worker", "--name", worker, "--places", "3"]
        os.environ.setdefault("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
        number, self._number = self._number, self._number + 1
        return Machine.start(
            worker, number, command, folder=self.folder, configuration=self.configuration, log=self.folder / "log.txt"
        )

    def run(self) -> bool:
        """Let faults happen until all portals are crawled; False: the time was over before."""
        until = time.monotonic() + 60 * (self.size.start_minutes + self.size.minutes)
        fault_at: float | None = None
        while time.monotonic() < until:
            time.sleep(0.25)
            now = time.monotonic()
            for due in [each for each in self._later if each[0] <= now]:
                self._later.remove(due)
                due[1]()
            work, ended = self._work()
            if ended == self.size.portals:
                return True
            if fault_at is None and len(work) >= self.size.portals // 2:
                fault_at, until = now, now + 60 * self.size.minutes
            if fault_at is not None and now >= fault_at:
                self._fault(work)
                fault_at = now + self._random.expovariate(1 / self.size.fault_seconds)
        return False

    def _work(self) -> tuple[dict[str, str], int]:
        """Return the worker of each portal that is crawled, and how many were crawled."""
        try:
            with psycopg.connect(dsn_of(self.url), autocommit=True) as connection:
                work = dict(connection.execute(_WORK).fetchall())
                ended = len(connection.execute(_DONE).fetchall())
        except psycopg.OperationalError:
            return {}, 0
        return work, ended

    def _fault(self, work: dict[str, str]) -> None:
        at_work = sorted(set(work.values()) - self._troubled)
        if not at_work or len(self._troubled) >= _MOST_IN_TROUBLE:
            return
        if not self._coming:
            self._coming = [*_FAULTS]
            self._random.shuffle(self._coming)
        kind = self._coming.pop()
        self.faults[kind] += 1
        if kind == "database":
            self.outages.append((time.time(), time.time() + 60 * self.size.minutes))
            kill_server(self._server)
            self._after(_DATABASE_AWAY_SECONDS, self._end_outage)
            return
        worker = self._random.choice(at_work)
        if kind != "full disk":
            self.losses += [Loss(portal=portal, at=time.time(), fault=kind) for portal, of in work.items() if of == worker]
        self._befall(worker, self.machines[worker], kind)

    def _befall(self, worker: str, machine: Machine, kind: str) -> None:
        seconds = self._random.uniform(*_FAULT_SECONDS)
        self._troubled.add(worker)
        if kind == "kill":
            machine.kill()
            self._after(self._random.uniform(5, 30), lambda: self._start_again(worker))
            return
        begin, end = {
            "stop": (machine.stop, machine.wake),
            "cut from the database": (lambda: machine.cut_from_database(cut=True), lambda: machine.cut_from_database(cut=False)),
            "unplugged": (lambda: machine.unplug(unplugged=True), lambda: machine.unplug(unplugged=False)),
            "full disk": (lambda: machine.fill_disk(full=True), lambda: machine.fill_disk(full=False)),
        }[kind]
        begin()
        self._after(seconds, end)
        self._after(seconds + 1, lambda: self._troubled.discard(worker))

    def _start_again(self, worker: str) -> None:
        machine = self.machines[worker] = self._start(worker)
        self.hosts[machine.name] = machine.address
        self._troubled.discard(worker)

    def _after(self, seconds: float, call: Callable[[], None]) -> None:
        self._later.append((time.monotonic() + seconds, call))

    def close(self) -> list[str]:
        """Kill all; return the workers that had ended by themselves."""
        ended = [worker for worker, machine in self.machines.items() if worker not in self._troubled and not machine.is_alive()]
        for machine in self.machines.values():
            machine.kill()
        for _, call in self._later:
            if call == self._end_outage:
                call()
        return ended


@contextmanager
def _portals(size: MachineSize) -> Iterator[dict[str, _Portal]]:
    site = Site(size.articles, small=True)
    found = {f"p{number}": _Portal(portal_address(number), site) for number in range(size.portals)}
    for portal in found.values():
        threading.Thread(target=portal.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        for portal in found.values():
            portal.shutdown()
            portal.server_close()


def machines_trial(size: MachineSize, server: Any) -> dict[str, Any]:
    """Run one trial and return its report."""
    make_network(size.portals)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="newscrawler-machines-") as name, _portals(size) as portals:
        trial = _Trial(size, server, Path(name))
        try:
            whole = trial.run()
        finally:
            ended = trial.close()
        report = _judged(trial, {name: portal.visits for name, portal in portals.items()})
    report |= {"workers_that_ended": ended, "whole": whole, "seed": size.seed, "real_seconds": round(time.monotonic() - began)}
    return report | {"holds": holds(report) and not ended}


def _judged(trial: _Trial, logs: dict[str, list[Visit]]) -> dict[str, Any]:
    with psycopg.connect(dsn_of(trial.url), autocommit=True) as connection:
        runs = connection.execute(_RUNS).fetchall()
        done = {name for (name,) in connection.execute(_DONE)}
    fetched: Counter[str] = Counter()
    for portal, visits in logs.items():
        address = f"http://{portal_address(int(portal[1:]))}"
        fetched.update(f"{address}{visit.url}" for visit in visits if visit.url.endswith(".html"))
    began: dict[str, list[float]] = defaultdict(list)
    for portal, _, at, _ in runs:
        began[portal].append(float(at))
    idle = _idle(trial, _taken((trial.folder / "log.txt").read_text("utf-8", "replace")), done)
    with_start = _idle(trial, began, done)
    stored, distinct, missing = stored_articles(trial.url, fetched)
    return {
        "workers": trial.size.workers,
        "machines_started": len(trial.hosts),
        "portals": trial.size.portals,
        "crawls": len(runs),
        "requests": sum(map(len, logs.values())),
        "faults": dict(trial.faults),
        "crawls_that_lost_their_worker": len(trial.losses),
        "judged_for_idleness": len(idle),
        # until another worker took the portal; its process then starts, which takes as long as the machine is busy
        "longest_idle_seconds": max(idle, default=(0.0, ""))[0],
        "longest_until_a_run_began_seconds": max(with_start, default=(0.0, ""))[0],
        "idle_seconds": sorted(idle, reverse=True),
        "idle_over_60_s": sum(seconds > IDLE_SECONDS for seconds, _ in idle),
        "portal_twice_at_once": _intrusions(trial, logs, runs),
        **gaps_of(logs, DELAY_SECONDS),
        "articles": stored,
        "doubled": stored - distinct,
        "lost": missing,
        "fetched_again": sum(number - 1 for number in fetched.values()),
    }


def _intrusions(trial: _Trial, logs: dict[str, list[Visit]], runs: list[tuple[Any, ...]]) -> int:
    """Return how many requests a machine sent while another one's run of the portal was under way."""
    by_portal: dict[str, list[tuple[str, float, float]]] = defaultdict(list)
    for portal, host, begin, end in runs:
        by_portal[portal].append((trial.hosts[host], float(begin), float(end)))
    return sum(
        any(address != visit.by and begin < visit.at < end for address, begin, end in by_portal[portal])
        for portal, visits in logs.items()
        for visit in visits
    )


def _idle(trial: _Trial, begun: Mapping[str, Sequence[float]], done: set[str]) -> list[tuple[float, str]]:
    """Return how long it took after each loss until the portal was begun again, and the fault; outages do not count."""
    found = []
    for loss in trial.losses:
        until = loss.at + 2 * IDLE_SECONDS
        if any(other.portal == loss.portal and loss.at < other.at < until for other in trial.losses):
            continue  # its next worker was lost, too
        later = [at for at in begun.get(loss.portal, ()) if at > loss.at]
        if not later and (loss.portal in done or time.time() < until):
            continue
        end = min(later, default=time.time())
        away = sum(max(0.0, min(end, outage[1]) - max(loss.at, outage[0])) for outage in trial.outages)
        found.append((round(end - loss.at - away, 1), loss.fault))
    return found


def _taken(log: str) -> dict[str, list[float]]:
    """Return when workers took each portal, by their logs."""
    found: dict[str, list[float]] = defaultdict(list)
    for at, portal in _TAKEN.findall(log):
        found[portal].append(datetime.fromisoformat(at).timestamp())
    return found
