"""A process with all that it has started: memory and processor time of all of them together, and their end. Linux only."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_MOST_ROUNDS = 20


def descendants(root: int) -> list[int]:
    """Return the processes below one, and itself first; those that have ended and are not waited for are left out."""
    children: dict[int, list[int]] = {}
    for entry in _PROC.iterdir():
        if not entry.name.isdecimal():
            continue
        with suppress(OSError, ValueError, IndexError):
            state, parent = entry.joinpath("stat").read_text("utf-8", "replace").rpartition(")")[2].split()[:2]
            if state != "Z":
                children.setdefault(int(parent), []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        process = waiting.pop()
        found.append(process)
        waiting += children.get(process, [])
    return found


def memory_bytes(root: int) -> int:
    """Return the memory that a process and all below it have for themselves; pages that they share with files are left out."""
    return sum(map(_own_bytes, descendants(root)))


def _own_bytes(process: int) -> int:
    total = 0
    with suppress(OSError, ValueError):
        for line in (_PROC / str(process) / "status").read_text("utf-8", "replace").splitlines():
            if line.startswith(("RssAnon:", "RssShmem:")):
                total += int(line.split()[1]) * 1024
    return total


def cpu_seconds(root: int) -> float:
    """Return the processor time of a process and all below it, those that have ended and were waited for included."""
    ticks = 0
    for process in descendants(root):
        with suppress(OSError, ValueError):
            fields = (_PROC / str(process) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class ProcessorTime:
    """The processor time of this process since its start, and of all that it has started."""

    def __init__(self) -> None:
        self._killed_seconds = 0.0

    def seconds(self) -> float:
        """Return it; children count once they have ended and were waited for."""
        return time.process_time() + _children_seconds() + self._killed_seconds

    def kill(self, root: int, wait: Callable[[], object]) -> None:
        """Kill a process and all below it, and count their processor time.

        The system counts only that of processes whose parents wait for them.

        Args:
            root: the process.
            wait: waits for its end.
        """
        spent, before = cpu_seconds(root), _children_seconds()
        kill_tree(root)
        wait()
        self._killed_seconds += max(0.0, spent - (_children_seconds() - before))


#: That of this process.
PROCESSOR_TIME = ProcessorTime()


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def kill_tree(root: int) -> None:
    """Kill a process and all below it, those that are started meanwhile too; the root comes last, as the others' new parent."""
    for _ in range(_MOST_ROUNDS):
        below = descendants(root)[1:]
        if not below:
            break
        for process in below:
            _kill(process)
    _kill(root)


def _kill(process: int) -> None:
    with suppress(OSError):
        os.kill(process, signal.SIGKILL)
