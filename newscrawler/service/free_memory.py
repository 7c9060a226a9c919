"""Counts the crawls for which this machine, or the service's control group, has memory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from statistics import median

import psutil

from newscrawler.store import Store

#: Private memory of a forked crawl, in MiB, until some were measured; and the least that is assumed.
CRAWL_MIB, _LEAST_MIB = 128, 32
#: Number of the latest crawls whose memory counts.
_LATEST = 100
#: Share of the memory left for file caches and other programs.
_LEFT = 0.25
_ROOT = Path("/")


def measure_crawl_mib(store: Store) -> float:
    """Return the memory of a crawl: the median of the latest that were measured."""
    measured = [run.counts["memory_mib"] for run in store.runs.latest(limit=_LATEST) if run.counts.get("memory_mib")]
    return max(_LEAST_MIB, median(measured)) if measured else CRAWL_MIB


def count_crawls_that_fit(taken_mib: Iterable[int], crawl_mib: float, *, root: Path = _ROOT) -> int:
    """Return how many crawls of `crawl_mib` fit at once, at least 1; the private memory of the running ones counts as free.

    `root`: of the file system with the control groups.
    """
    free = psutil.virtual_memory().available // 2**20
    group = _read_free_of_group(root)
    return max(1, int(((free if group is None else min(free, group)) + sum(taken_mib)) * (1 - _LEFT) / crawl_mib))


def _read_free_of_group(root: Path) -> int | None:
    """Return the free memory within the limit of a control group (version 2), which psutil does not know; None: no limit."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = (root / "proc/self/cgroup").read_text("ascii").splitlines()
        path = next(line for line in lines if line.startswith("0::")).removeprefix("0::").lstrip("/")
        folder = root / "sys/fs/cgroup" / path
        statistics = dict(line.split() for line in (folder / "memory.stat").read_text("ascii").splitlines())
        used = int((folder / "memory.current").read_text("ascii")) - int(statistics["inactive_file"])
        # beyond `high` the system slows the processes down, beyond `max` it ends them
        limits = [(folder / name).read_text("ascii").strip() for name in ("memory.high", "memory.max") if (folder / name).exists()]
        return (min(int(limit) for limit in limits if limit != "max") - used) // 2**20
    return None
