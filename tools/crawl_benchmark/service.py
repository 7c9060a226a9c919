"""The service with many portals, each on an address of its own: what a crawl costs to start, and its memory."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import psutil

from crawl_benchmark.site import Connection, Site

#: CPU seconds until a portal's first request, and private memory in MB, that a crawl may take.
MOST_START_SECONDS, MOST_PRIVATE_MB = 0.6, 80.0
#: Of a crawl, so that all crawls but the first are alike; the site has enough for all turns.
_PAGES = 20


@dataclass(slots=True)
class Observed:
    """One crawl, by its process."""

    portal: str
    start_cpu: float | None = None
    cpu: float = 0.0
    private_mb: float = 0.0
    samples: list[float] = field(default_factory=list)


def service(portals: int, turns: int, minutes: int, delay: float, at_once: int | None) -> dict[str, Any]:
    """Run some turns of all portals.

    Args:
        portals: so many, each with its own loopback address.
        turns: so many.
        minutes: between two; must divide 60.
        delay: between two requests to a portal.
        at_once: as configured; None: as the service decides.
    """
    crawls: dict[int, Observed] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with _sites(portals, _PAGES * turns, lambda address: _first_request(folder, crawls, address)) as port:
            (folder / "newscrawler.toml").write_text(_configuration(portals, port, minutes, delay, at_once))
            with (folder / "log").open("wb") as log:
                process = subprocess.Popen([sys.executable, "-m", "newscrawler", "run", "--log", "json"], cwd=folder, stderr=log)
            try:
                _until(folder, portals, turns, crawls, process)
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait()
        return _result(folder, portals, crawls)


def _configuration(portals: int, port: int, minutes: int, delay: float, at_once: int | None) -> str:
    text = "[service]\n" + (f"at_once = {at_once}\n" if at_once else "")
    for number in range(portals):
        text += (
            f'[[portal]]\nname = "p{number:03}"\nstart_urls = ["http://{_address(number)}:{port}/"]\n'
            f'delay = {delay}\nschedule = "*/{minutes} * * * *"\nkeep_pages = false\n'
            f"max_pages = {_PAGES}\n"
        )
    return text


def _address(number: int) -> str:
    return f"127.0.{1 + number // 200}.{1 + number % 200}"


class _Connection(Connection):
    """Tells of requests for robots.txt, with which a crawl begins."""

    def __init__(self, site: Site, kept: dict[str, bytes], begun: Callable[[str], None]) -> None:
        super().__init__(site, kept)
        self._begun = begun

    def answer(self, path: str) -> bytes:
        if path == "/robots.txt":
            self._begun(self.transport.get_extra_info("sockname")[0])
        return super().answer(path)


@contextlib.contextmanager
def _sites(portals: int, articles: int, begun: Callable[[str], None]) -> Iterator[int]:
    """Serve the same site on all addresses at one port, in a thread; yields the port."""
    loop, kept, site = asyncio.new_event_loop(), {}, Site(articles)

    async def listen() -> int:
        def make() -> _Connection:
            return _Connection(site, kept, begun)

        first = await loop.create_server(make, _address(0), 0)
        port: int = first.sockets[0].getsockname()[1]
        for number in range(1, portals):
            await loop.create_server(make, _address(number), port)
        return port

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield asyncio.run_coroutine_threadsafe(listen(), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def _rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    try:
        with contextlib.closing(sqlite3.connect(f"file:{folder / 'newscrawler.sqlite'}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()
    except sqlite3.Error:
        return []


_CRAWLS = "FROM job WHERE kind = 'crawl'"
_RUNNING = "SELECT run.pid, portal.name FROM run JOIN portal ON portal.id = run.portal_id WHERE run.ended_at IS NULL"


def _first_request(folder: Path, crawls: dict[int, Observed], address: str) -> None:
    for pid, name in _rows(folder, _RUNNING):
        if _address(int(name[1:])) == address:
            crawl = crawls.setdefault(pid, Observed(name))
            with contextlib.suppress(psutil.Error):
                crawl.start_cpu = crawl.start_cpu or _cpu_seconds(pid)


def _cpu_seconds(pid: int) -> float:
    return float(sum(psutil.Process(pid).cpu_times()[:2]))


def _private_mb(pid: int) -> float:
    return float(psutil.Process(pid).memory_full_info().uss / 2**20)


def _until(folder: Path, portals: int, turns: int, crawls: dict[int, Observed], process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        time.sleep(1)
        for pid, name in _rows(folder, _RUNNING):
            with contextlib.suppress(psutil.Error):
                crawl = crawls.setdefault(pid, Observed(name))
                crawl.cpu = _cpu_seconds(pid)
                crawl.private_mb = max(crawl.private_mb, _private_mb(pid))
        done = _rows(folder, f"SELECT target, count(*) {_CRAWLS} AND state = 'done' GROUP BY target")
        if len(done) == portals and min(count for _, count in done) >= turns:
            return


def _result(folder: Path, portals: int, crawls: dict[int, Observed]) -> dict[str, Any]:
    turns = _rows(folder, f"SELECT target, planned_at, began_at, ended_at, state {_CRAWLS} ORDER BY planned_at")
    starts = [crawl.start_cpu for crawl in crawls.values() if crawl.start_cpu is not None]
    private = [crawl.private_mb for crawl in crawls.values() if crawl.private_mb]
    result: dict[str, Any] = {
        "crawls": len(crawls),
        "start_cpu_seconds": {"median": median(starts), "most": max(starts)},
        "cpu_seconds": median(crawl.cpu for crawl in crawls.values()),
        "private_mb": {"median": median(private), "most": max(private)},
        "portals_done": len({row[0] for row in turns if row[4] == "done"}),
        "missed": sum(row[4] == "missed" for row in turns),
        "most_at_once": _most_at_once(turns),
    }
    result["holds"] = (
        result["start_cpu_seconds"]["median"] <= MOST_START_SECONDS
        and result["private_mb"]["median"] <= MOST_PRIVATE_MB
        and result["portals_done"] == portals
    )
    return result


def _most_at_once(turns: list[tuple[Any, ...]]) -> int:
    moments = sorted([(row[2], 1) for row in turns if row[2]] + [(row[3], -1) for row in turns if row[2] and row[3]])
    running = most = 0
    for _, step in moments:
        running += step
        most = max(most, running)
    return most


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
