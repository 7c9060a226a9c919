"""Which process on which machine: whether the one that wrote a record still runs.

A number of a process alone says little: it is given anew after a restart, to another program after a while, and in each
container. So a process is known by its machine (host name, boot and, on Linux, namespace of process numbers), its number
and the moment at which it began.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process, recognisable by others that use the same database."""

    host: str
    #: Where `pid` means something; other processes with the same value can look whether it runs. None: not known.
    machine: str | None
    pid: int
    #: In ticks since the machine started; None where the system does not tell.
    began: int | None

    def is_here(self) -> bool:
        """Say whether the process runs, or ran, where this one does."""
        return self.machine == this_machine()

    def exists(self) -> bool:
        """Say whether the process runs; asked only of one that is here."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        state, began = _look(self.pid)
        if state == "Z":  # killed and not yet reaped
            return False
        return self.began is None or began is None or began == self.began


def this_process() -> Process:
    """The one that asks."""
    return Process(host=this_host(), machine=this_machine(), pid=os.getpid(), began=_look(os.getpid())[1])


def this_host() -> str:
    """The name by which people know this machine."""
    return socket.gethostname()[:255]


@cache
def this_machine() -> str:
    """Name this machine since it was started, and the namespace of process numbers in it."""
    parts = [this_host()]
    for read in (_boot, _namespace):
        try:
            parts.append(read())
        except OSError:  # not Linux
            continue
    return " ".join(parts)[:400]


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()


def _namespace() -> str:
    return Path("/proc/self/ns/pid").readlink().name


def _look(pid: int) -> tuple[str, int | None]:
    """State and beginning of a process as /proc tells them; what stands in parentheses may hold anything."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return fields[0], int(fields[19])
    except (OSError, IndexError, ValueError):
        return "", None
