"""Whether a crawl's memory stays flat: resident size after the first pages and at the end of very many."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from crawl_benchmark.site import served

#: The end may be so many times as large as what it was after a tenth.
MOST_GROWTH = 1.1


def memory(pages: int) -> dict[str, Any]:
    """Crawl so many small pages, and compare the memory after a tenth of them with that at the end."""
    with tempfile.TemporaryDirectory() as folder, served(pages, small=True) as url:
        samples = list(_samples(url, Path(folder)))
    early = [size for count, size in samples if pages * 0.1 <= count <= pages * 0.2]
    late = [size for count, size in samples if count >= pages * 0.9]
    result: dict[str, Any] = {
        "pages": samples[-1][0],
        "mb_after_a_tenth": early[0] if early else None,
        "mb_at_the_end": late[-1] if late else None,
        "mb_at_most": max(size for _, size in samples),
        "course": [list(samples[round(step * (len(samples) - 1) / 10)]) for step in range(11)],
    }
    result["growth"] = late[-1] / early[0] if early and late else None
    result["holds"] = result["growth"] is not None and result["growth"] <= MOST_GROWTH
    return result


def _samples(url: str, folder: Path) -> Iterator[tuple[int, float]]:
    """(pages, resident MB) every few seconds until the crawl ends."""
    command = [sys.executable, "-m", "newscrawler", "crawl", url, "--delay", "0", "--json"]
    (folder / "newscrawler.toml").write_text("[crawler.defaults]\nnight_pages = 10_000_000\n", "utf-8")  # no night ends it
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            time.sleep(3)
            with contextlib.suppress(psutil.Error, sqlite3.Error, LookupError, TypeError):
                size = resident_mb(process.pid)
                yield _pages(folder / "newscrawler.sqlite"), size


def resident_mb(pid: int | None = None) -> float:
    """Resident memory of a process."""
    return float(psutil.Process(pid).memory_info().rss / 2**20)


def _pages(database: Path) -> int:
    """As the run's latest sign of life tells."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        (counts,) = connection.execute("SELECT counts FROM run ORDER BY id DESC").fetchone()
    return int(json.loads(counts)["pages"])
