#!/usr/bin/env python3
"""Crawl eight portals that publish, fail and lie while the crawl is killed, stopped and continued; count what was lost.

Prints JSON, and ends with 1 if an article was lost. An article is lost if its page was linked to, and it is neither stored nor
waits for another visit once everything is quiet, all that was to be visited again is due, and two more crawls have ended.

    tools/soak.py                    five minutes, eight portals
    tools/soak.py --minutes 45 --portals 40
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import psutil
from sqlalchemy import select, update

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from portal_server import (  # noqa: E402
    Answer,
    PortalServer,
    Route,
    address,
    bomb,
    broken_chunk,
    cut_short,
    lettered_status,
    listing,
    long_head,
    no_gzip,
    no_http,
    packed_short,
    story,
)

from newscrawler.store import open_store  # noqa: E402
from newscrawler.store.tables import FRONTIER  # noqa: E402

#: Seconds between two new articles of a portal, and links of one listing.
PACE_SECONDS, LINKS = 1.5, 25
#: Share of the answers that are faults.
FAULTS = 0.03
WRONG = (bomb, broken_chunk, cut_short, lettered_status, long_head, no_gzip, no_http, packed_short)
STATUSES = (429, 500, 502, 503, 403)


@dataclass
class Portal:
    """A portal that publishes, and fails now and then."""

    name: str
    chance: random.Random
    #: Each has a host for itself: failures of one pause no other.
    server: PortalServer
    count: int = 0
    is_calm: bool = False
    faults: Counter[str] = field(default_factory=Counter)

    def publish(self) -> None:
        """Publish an article, and link to it."""
        self.count += 1
        number = self.count
        self.server.routes[address(number)] = lambda _: self.answer(story(number))
        pages = range((self.count - 1) // LINKS + 1)
        for page in pages:
            links = [address(each) for each in range(page * LINKS + 1, min(self.count, (page + 1) * LINKS) + 1)]
            self.server.routes[f"/strana/{page}/"] = self.make_list(listing(*links, title="Výpis"))
        newest = [address(each) for each in range(max(1, self.count - 2 * LINKS), self.count + 1)]
        self.server.routes["/"] = self.make_list(listing(*reversed(newest), *(f"/strana/{page}/" for page in pages)))

    def make_list(self, text: str) -> Route:
        """Return the route of a list."""
        return lambda _: self.answer(text)

    def answer(self, text: str) -> str | Answer | None:
        """Return a page, or a fault."""
        if self.is_calm or self.chance.random() > FAULTS:
            return text
        kind = self.chance.choice(("status", "wrong", "gone", "slow"))
        self.faults[kind] += 1
        if kind == "status":
            return Answer(status=self.chance.choice(STATUSES), headers={"Retry-After": "1"})
        if kind == "wrong":
            return Answer(raw=self.chance.choice(WRONG))
        if kind == "slow":
            time.sleep(self.chance.uniform(0.5, 4.0))
            return text
        return None


@dataclass
class Soak:
    """The portals, the crawl, and what was done to it."""

    folder: Path
    portals: list[Portal]
    chance: random.Random
    blows: Counter[str] = field(default_factory=Counter)
    most_memory: int = 0
    exits: Counter[int] = field(default_factory=Counter)

    @property
    def database(self) -> str:
        """Return the address of the database."""
        return f"sqlite:///{self.folder / 'newscrawler.sqlite'}"

    def configure(self) -> None:
        """Write the configuration."""
        keys = (f'name = "{each.name}"\nstart_urls = ["{each.server.url}"]\n' for each in self.portals)
        (self.folder / "newscrawler.toml").write_text("".join(f"[[portal]]\n{each}delay = 0\ntimeout = 3\n\n" for each in keys))

    def start(self) -> subprocess.Popen[bytes]:
        """Begin to crawl."""
        command = [sys.executable, "-m", "newscrawler", "crawl"]
        log = (self.folder / "log").open("ab")
        return subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=log)

    def run(self, seconds: float) -> None:
        """Crawl again and again, and do to each crawl what a machine may."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            process = self.start()
            self.watch(process, min(until, time.monotonic() + self.chance.uniform(3.0, 25.0)))
            if process.poll() is None:
                self.hit(process)
            self.exits[process.wait()] += 1

    def watch(self, process: subprocess.Popen[bytes], until: float) -> None:
        """Measure the memory of a crawl until it ends or a time comes."""
        while process.poll() is None and time.monotonic() < until:
            try:
                self.most_memory = max(self.most_memory, psutil.Process(process.pid).memory_info().rss // 2**20)
            except psutil.Error:
                return
            time.sleep(0.25)

    def hit(self, process: subprocess.Popen[bytes]) -> None:
        """Kill, end, or stop and continue a crawl."""
        blow = self.chance.choice(("kill", "term", "stop"))
        self.blows[blow] += 1
        if blow == "stop":
            process.send_signal(signal.SIGSTOP)
            time.sleep(self.chance.uniform(1.0, 4.0))
            process.send_signal(signal.SIGCONT)
            self.watch(process, time.monotonic() + 5.0)
            blow = "kill"
        process.send_signal(signal.SIGKILL if blow == "kill" else signal.SIGTERM)
        try:
            process.wait(20.0)
        except subprocess.TimeoutExpired:
            self.blows["did not end"] += 1
            process.kill()

    def make_due(self) -> None:
        """Let all that is to be visited again be due, as if a fortnight had passed."""
        earlier = datetime.now(UTC) - timedelta(minutes=1)
        with open_store(self.database, create=False) as store, store.engine.begin() as connection:
            for column in (FRONTIER.c.retry_at, FRONTIER.c.revisit_at):
                connection.execute(update(FRONTIER).where(column.is_not(None)).values({column: earlier}))

    def judge(self) -> dict[str, Any]:
        """Return what was found, and how many articles were lost."""
        columns = FRONTIER.c.url, FRONTIER.c.state, FRONTIER.c.article_id, FRONTIER.c.retry_at
        with open_store(self.database, create=False) as store, store.engine.connect() as connection:
            rows = connection.execute(select(*columns)).all()
        stored = {row.url for row in rows if row.article_id is not None}
        waiting = {row.url for row in rows if row.article_id is None and (row.state in {"waiting", "fetching"} or row.retry_at)}
        published = {
            portal.server.url.rstrip("/") + address(number) for portal in self.portals for number in range(1, portal.count + 1)
        }
        lost = sorted(published - stored - waiting)
        return {
            "lost": len(lost), "published": len(published), "stored": len(published & stored),
            "waiting": len(published & waiting - stored), "requests": sum(len(portal.server.asked) for portal in self.portals),
            "faults": sum((portal.faults for portal in self.portals), Counter()), "blows": self.blows, "exits": self.exits,
            "most_memory_mib": self.most_memory, "first_lost": lost[:5],
        }  # fmt: skip


def publish_until(ends: Event, portals: list[Portal]) -> None:
    """Publish at the pace of a busy newsroom."""
    while not ends.wait(PACE_SECONDS):
        for portal in portals:
            portal.publish()


def main() -> None:
    """Run the trial."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--portals", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    portals = [
        Portal(f"portal-{number}", random.Random(options.seed + number), PortalServer(host=f"127.0.0.{number + 2}"))
        for number in range(options.portals)
    ]
    with tempfile.TemporaryDirectory(prefix="newscrawler-soak-") as folder:
        soak, ends = Soak(Path(folder), portals, chance), Event()
        for portal in portals:
            portal.server.__enter__()
            for _ in range(LINKS):
                portal.publish()
        soak.configure()
        publisher = Thread(target=publish_until, args=(ends, portals), daemon=True)
        publisher.start()
        soak.run(60.0 * options.minutes)
        ends.set()
        publisher.join()
        for portal in portals:
            portal.is_calm = True
        for _ in range(2):
            soak.make_due()
            last = soak.start()
            soak.watch(last, time.monotonic() + 240.0)
            last.terminate()
            soak.exits[last.wait(30.0)] += 1
        found = soak.judge()
        for portal in portals:
            portal.server.__exit__(None, None, None)
    print(json.dumps(found, indent=1))
    sys.exit(found["lost"] > 0)


if __name__ == "__main__":
    main()
