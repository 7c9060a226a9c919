"""Isolate the browser's process before it starts Chromium: without a network, the rights of root, and its parent's limits.

Linux only. A separate network namespace has no interface that is up, so nothing in it reaches any address, that of this machine
included; pages get their data from the crawl. Chromium's sandbox needs a user that is not root and a kernel that lets it make user
namespaces.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from contextlib import suppress
from pathlib import Path

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
#: The user that has no rights at all, on every Linux.
NOBODY = 65534


def die_with_parent() -> None:
    """End with the crawl, and be the parent of whatever outlives its own parent below this process."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if soft != hard:  # the crawl's own limit, which is not made for a browser
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def leave_network() -> bool:
    """Leave the network for a separate namespace; False: the kernel does not allow it."""
    if _unshare(_CLONE_NEWNET):
        return True
    user, group = os.getuid(), os.getgid()
    if not _unshare(_CLONE_NEWUSER | _CLONE_NEWNET):
        return False
    with suppress(OSError):  # the same user inside, without which files could not be made
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    return True


def drop_root(folder: Path) -> bool:
    """Go on as nobody where this is root, and as no user that could become another; False: that is refused.

    Args:
        folder: is to belong to nobody, too.
    """
    if os.geteuid() == 0:
        try:
            os.chown(folder, NOBODY, NOBODY)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
        except OSError:
            return False
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # a change of user clears it
    return True


def _unshare(flags: int) -> bool:
    return _call("unshare", flags) == 0


def _prctl(option: int, value: int) -> None:
    _call("prctl", option, value, 0, 0, 0)


def _call(name: str, *arguments: int) -> int:
    try:
        function = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (AttributeError, OSError):
        return -1
    return int(function(*arguments))
