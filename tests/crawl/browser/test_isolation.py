"""The browser's process gives up the network and the rights of root, and ends with all that it has started."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil
import pytest
from portal_server import PortalServer

from newscrawler.crawl.browser.child import NOBODY
from newscrawler.crawl.browser.process import find_tree, kill_tree, memory_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's")
LEAVE = """
import socket, sys
from newscrawler.crawl.browser.child import leave_network
port = int(sys.argv[1])
socket.create_connection(("127.0.0.1", port), 5).close()
if not leave_network():
    sys.exit(77)
for address in ("127.0.0.1", "192.0.2.1"):
    try:
        socket.create_connection((address, port), 5)
    except OSError:
        continue
    sys.exit(f"{address} is reached")
"""
DROP = """
import os, sys
from pathlib import Path
from newscrawler.crawl.browser.child import drop_root
assert drop_root(Path(sys.argv[1]))
assert os.getresuid() == os.getresgid() == (int(sys.argv[2]),) * 3
assert os.getgroups() == []
Path(sys.argv[1], "file").touch()
try:
    os.setresuid(0, 0, 0)
except PermissionError:
    sys.exit(0)
sys.exit("it is root again")
"""
PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); exec({child!r})"
CHILD = "import time; kept = bytearray(50_000_000); time.sleep(60)"


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=False)


def test_a_process_that_has_left_the_network_reaches_no_address_of_this_machine() -> None:
    with PortalServer() as server:
        done = python(LEAVE, str(server.server_port))

    if done.returncode == 77:
        pytest.skip("the kernel allows no network namespace")
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become nobody")
def test_root_becomes_nobody_for_good() -> None:
    folder = Path(tempfile.mkdtemp(prefix="browser-"))  # others cannot enter the folders above pytest's
    try:
        done = python(DROP, str(folder), str(NOBODY))
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()

    assert done.returncode == 0, done.stderr


def test_a_process_is_killed_with_all_below_it() -> None:
    process = subprocess.Popen([sys.executable, "-c", PARENT.format(child=CHILD)])
    until = time.monotonic() + 30
    while len(find_tree(process.pid)) < 2 or memory_bytes(process.pid) < 100_000_000:
        assert time.monotonic() < until
        time.sleep(0.02)
    below = find_tree(process.pid)

    kill_tree(process.pid)

    process.wait(10)
    while any(map(is_alive, below)):
        assert time.monotonic() < until
        time.sleep(0.02)


def is_alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
