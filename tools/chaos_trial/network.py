"""Machines of a trial as network namespaces: a bridge, and for each machine a cable to it that can be pulled."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from newscrawler.crawl.browser.child import leave_network

NETWORK, DATABASE_ADDRESS = "10.77.0.0/16", "10.77.0.1"
_BRIDGE = "chaos0"
_DISK_MEGABYTES = 8
#: Waits for its network, makes a small disk, and becomes the worker.
_BOOT = f"""
read -r _ || exit 1
echo "$1" > /proc/sys/kernel/hostname
mkdir -p "$2" && mount -t tmpfs -o size={_DISK_MEGABYTES}m tmpfs "$2" && cp "$3" "$2/newscrawler.toml" && cd "$2" || exit 1
export TMPDIR="$2" XDG_STATE_HOME="$2/state"
shift 3
exec "$@"
"""


def make_network(portals: int) -> None:
    """Leave the network for one of our own, with a bridge at which the database and portals are; it ends with this process.

    Raises:
        SystemExit: the kernel does not allow it.
    """
    if os.geteuid() != 0 or not leave_network():
        raise SystemExit("machines need network namespaces, which only root may make here; run the trial `simulated`")
    _ip("link", "set", "lo", "up")
    _ip("link", "add", _BRIDGE, "type", "bridge")
    _ip("address", "add", f"{DATABASE_ADDRESS}/16", "dev", _BRIDGE)
    for number in range(portals):
        _ip("address", "add", f"{portal_address(number)}/16", "dev", _BRIDGE)
    _ip("link", "set", _BRIDGE, "up")


def portal_address(number: int) -> str:
    """Return the address of a portal."""
    return f"10.77.1.{number + 1}"


@dataclass(slots=True, kw_only=True)
class Machine:
    """One machine, from its start until it is killed; the next of the same worker has another number."""

    name: str
    number: int
    folder: Path
    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, worker: str, number: int, command: list[str], *, folder: Path, configuration: Path, log: Path) -> Machine:
        """Start a machine with a worker on it."""
        name, own = f"{worker}-{number}", folder / f"{worker}-{number}"
        boot = ["unshare", "--net", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
        boot += ["sh", "-c", _BOOT, "boot", name, str(own), str(configuration), *command]
        with log.open("ab") as output:
            # a session of its own, as schedulers divide processors between sessions
            process = subprocess.Popen(boot, stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True)
        machine = cls(name=name, number=number, folder=own, process=process)
        machine._connect()
        return machine

    @property
    def address(self) -> str:
        """Its address."""
        return f"10.77.{2 + self.number // 250}.{self.number % 250 + 1}"

    def is_alive(self) -> bool:
        """Whether its worker runs."""
        return self.process.poll() is None

    def kill(self) -> None:
        """Kill it with all that runs on it."""
        init = self._init()
        if init is not None:
            _kill(init, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdin is not None
        self.process.stdin.close()

    def stop(self) -> None:
        """Stop all that runs on it."""
        for pid in self._processes():
            _kill(pid, signal.SIGSTOP)

    def wake(self) -> None:
        """Let all that runs on it go on."""
        for pid in self._processes():
            _kill(pid, signal.SIGCONT)

    def cut_from_database(self, *, cut: bool) -> None:
        """Lose, or find again, the way to the database; portals stay in reach."""
        self._inside("ip", "route", "add" if cut else "delete", "blackhole", f"{DATABASE_ADDRESS}/32")

    def unplug(self, *, unplugged: bool) -> None:
        """Pull its cable, or plug it in again."""
        _ip("link", "set", f"chaos{self.number + 1}", "down" if unplugged else "up")

    def fill_disk(self, *, full: bool) -> None:
        """Fill its disk, or make room again."""
        file = str(self.folder / "fill")
        self._inside(*(("dd", "if=/dev/zero", f"of={file}", "bs=64k") if full else ("rm", "-f", file)), mount=True)

    def _connect(self) -> None:
        until = time.monotonic() + 30
        while _namespace(self.process.pid, "net") == _namespace(os.getpid(), "net"):
            assert time.monotonic() < until, "unshare does not start"
            time.sleep(0.01)
        cable = f"chaos{self.number + 1}"
        _ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.process.pid))
        _ip("link", "set", cable, "master", _BRIDGE, "up")
        self._inside("ip", "address", "add", f"{self.address}/16", "dev", "eth0")
        self._inside("ip", "link", "set", "eth0", "up")
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")
        self.process.stdin.flush()

    def _inside(self, *command: str, mount: bool = False) -> None:
        entered = ["nsenter", "--target", str(self._init() or self.process.pid), "--net", *(["--mount"] if mount else [])]
        subprocess.run([*entered, *command], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _init(self) -> int | None:
        """Return its first process, without which all others end."""
        with suppress(OSError, ValueError, IndexError):
            return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text("ascii").split()[0])
        return None

    def _processes(self) -> list[int]:
        init = self._init()
        mine = _namespace(init, "pid") if init is not None else None
        pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
        return [pid for pid in pids if mine is not None and _namespace(pid, "pid") == mine]


def _namespace(pid: int, kind: str) -> str | None:
    with suppress(OSError):
        return Path(f"/proc/{pid}/ns/{kind}").readlink().name
    return None


def _kill(pid: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, stdout=subprocess.DEVNULL)
