#!/usr/bin/env python3
"""Measure what a Dask cluster adds to the processor time of a page, beside a single process.

    tools/measure_cluster.py                        articles of the demo portal, 1,500 pages, two workers
    tools/measure_cluster.py --pages ../pages --count 600
    tools/measure_cluster.py --defaults             Dask's own settings, with its profiler

Prints JSON: milliseconds of processor time per page of a single process, of the workers, and of client and scheduler; and the
throughput per core of the workers as a share of the single process's. All read every page once before the measurement, so that
imports and caches do not count. Workers have the settings that docs/how-to/library.md recommends. On a busy machine a page takes
longer on the clock, so threads of a worker that run by the clock count for more.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

import psutil  # noqa: E402

from newscrawler import extract_many  # noqa: E402

#: Settings of Dask for workers that read pages: no profiler, and no watch over short delays of the event loop.
_SETTINGS = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s"}


def pages_in(folder: Path | None) -> list[bytes]:
    """Return the HTML files of a folder, or the articles of the demo portal."""
    if folder is not None:
        return [path.read_bytes() for path in sorted(folder.rglob("*.htm*"))]
    from newscrawler.demo.portal import DemoPortal

    portal = DemoPortal(anchor=datetime(2026, 11, 23, 12, tzinfo=UTC), base_url="http://127.0.0.1")
    return [portal.answer(article.url.removeprefix(portal.base_url)).body for article in portal.published()]


def repeated(pages: list[bytes], count: int) -> Iterator[bytes]:
    """Yield so many pages, from the first again after the last."""
    return islice(cycle(pages), count)


def seconds_of(pid: int) -> float:
    """Return the processor time of a process."""
    return float(sum(psutil.Process(pid).cpu_times()[:2]))


def single(pages: list[bytes], count: int) -> float:
    """Return the processor time per page in this process."""
    for _ in extract_many(pages, workers=1):
        pass
    began = process_time()
    for _ in extract_many(repeated(pages, count), workers=1):
        pass
    return (process_time() - began) / count


def on_cluster(pages: list[bytes], count: int, workers: int) -> tuple[float, float]:
    """Return the processor time per page of the workers, and of client and scheduler, which share this process."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, host="127.0.0.1", memory_limit=0) as cluster:
        processes = [nanny.pid for nanny in cluster.workers.values()]
        for _ in extract_many(repeated(pages, workers * len(pages)), scheduler=cluster.scheduler_address):
            pass
        before, began = sum(map(seconds_of, processes)), process_time()
        for _ in extract_many(repeated(pages, count), scheduler=cluster.scheduler_address):
            pass
        return (sum(map(seconds_of, processes)) - before) / count, (process_time() - began) / count


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """Measure both, each several times in turn, and return the medians."""
    pages = pages_in(options.pages)
    alone, worked, led = [], [], []
    for _ in range(options.times):
        alone.append(_alone(options))
        at_work, leading = on_cluster(pages, options.count, options.workers)
        worked.append(at_work)
        led.append(leading)
    return {
        "pages": len(pages),
        "single_ms": round(1000 * median(alone), 2),
        "workers_ms": round(1000 * median(worked), 2),
        "client_and_scheduler_ms": round(1000 * median(led), 2),
        "throughput_per_core": round(median(one / other for one, other in zip(alone, worked, strict=True)), 3),
    }


def _alone(options: argparse.Namespace) -> float:
    """Measure the single process without the modules that this one has loaded."""
    command = [sys.executable, __file__, "--single", "--count", str(options.count)]
    command += ["--pages", str(options.pages)] if options.pages else []
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def main() -> int:
    """Measure, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, metavar="FOLDER")
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--defaults", action="store_true", help="Dask's own settings")
    parser.add_argument("--single", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.single:
        print(single(pages_in(options.pages), options.count))
        return 0
    if not options.defaults:
        os.environ |= _SETTINGS
    print(json.dumps(measure(options), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
