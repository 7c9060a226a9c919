"""Computes how many crawls fit into the free memory of the machine or the service's control group. Linux only."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

#: Private memory of a forked crawl, in MiB.
CRAWL_MIB = 128
#: Share of the memory left for file caches and other programs.
_LEFT = 0.25
_ROOT = Path("/")


def count_crawls_that_fit(taken_mib: Iterable[int], *, root: Path = _ROOT) -> int | None:
    """Return how many crawls fit at once, at least 1; None: unknown.

    Args:
        taken_mib: private memory of the running crawls, which counts as free.
        root: root of the file system.
    """
    found = [free for free in (_read_free_of_machine(root), _read_free_of_group(root)) if free is not None]
    if not found:
        return None
    return max(1, int((min(found) + sum(taken_mib)) * (1 - _LEFT)) // CRAWL_MIB)


def _read_free_of_machine(root: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError, StopIteration):
        lines = (root / "proc/meminfo").read_text("ascii").splitlines()
        return int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]) // 1024
    return None


def _read_free_of_group(root: Path) -> int | None:
    """Return the free memory within the limit of a control group (version 2); None: no limit."""
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
