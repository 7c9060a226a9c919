"""Identifies processes across machines, to find out whether the writer of a record still runs.

A PID is not enough: it is reused after a reboot, by later programs, and in each container. So a process is identified
by its machine (host name, boot and, on Linux, PID namespace), its PID and its start time.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process, recognisable by others that use the same database; its fields are columns of tables."""

    host: str
    #: The scope of `pid`; processes with the same value can check whether it runs. None: unknown.
    machine: str | None
    pid: int
    #: Start in clock ticks since boot; None if the system does not report it.
    process_started: int | None

    def is_here(self) -> bool:
        """Return whether the process runs, or ran, on this machine."""
        return self.machine == this_machine()

    def exists(self) -> bool:
        """Return whether the process runs; valid only if `is_here`."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
        state, began = _read_start(self.pid)
        if state == "Z":  # killed and not yet reaped
            return False
        return self.process_started is None or began is None or began == self.process_started


def this_process() -> Process:
    """Return the current process."""
    return Process(host=this_host(), machine=this_machine(), pid=os.getpid(), process_started=_read_start(os.getpid())[1])


def this_host() -> str:
    """Return the host name of this machine."""
    return socket.gethostname()[:255]


@cache
def this_machine() -> str:
    """Return an identifier of this machine, its boot and the PID namespace."""
    parts = [this_host()]
    with suppress(OSError):  # not Linux
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip())
    with suppress(OSError):
        parts.append(Path("/proc/self/ns/pid").readlink().name)
    return " ".join(parts)[:400]


def _read_start(pid: int) -> tuple[str, int | None]:
    """Return state and start of a process from /proc; the name in parentheses may contain any character.

    psutil counts from the epoch, so that its start moves whenever the machine's clock is set.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        return fields[0], int(fields[19])
    except (OSError, IndexError, ValueError):
        return "", None
