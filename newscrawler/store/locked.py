"""Waits for an SQLite file locked by another process: a backup, a VACUUM, an open shell."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import exc, make_url

_TRY_SECONDS, _PAUSE_SECONDS = 1.0, 0.5


def wait_until_unlocked(url: str, *, seconds: float, report: Callable[[str], None]) -> None:
    """Wait until the file can be read; other faults of the file or its URL show when it is opened.

    SQLite's own wait cannot be interrupted and reports nothing, so it is kept short.

    Args:
        url: the database; only SQLite needs waiting.
        seconds: the longest wait; after that, opening the file reports the lock.
        report: called once if the file is locked.
    """
    path = _file_of(url)
    until, waits = time.monotonic() + seconds, False
    while path is not None and _is_locked(path) and time.monotonic() < until:
        if not waits:
            report(f"the database {path} is locked by another process; waiting for it, {seconds / 60:g} minutes at most")
            waits = True
        time.sleep(_PAUSE_SECONDS)


def _file_of(url: str) -> str | None:
    try:
        parsed = make_url(url)
    except (exc.ArgumentError, ValueError):
        return None
    return parsed.database if parsed.get_backend_name() == "sqlite" else None


def _is_locked(path: str) -> bool:
    address = Path(path).absolute().as_uri()
    try:
        with contextlib.closing(sqlite3.connect(f"{address}?mode=rw", uri=True, timeout=_TRY_SECONDS)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return False
