"""Finds the database of hosts outside of a project: in the user's state folder (XDG Base Directory)."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from sqlalchemy import exc, make_url


def hosts_database(database_url: str) -> str:
    """Return the URL of the database of hosts: the project's if it exists, else the user's."""
    try:
        url = make_url(database_url)
    except (exc.ArgumentError, ValueError):
        return state_database()
    there = url.get_backend_name() != "sqlite" or Path(url.database or "").exists()
    return database_url if there else state_database()


def state_database() -> str:
    """Return the URL of the user's database of hosts; in a temporary folder if there is no state folder."""
    base = os.environ.get("XDG_STATE_HOME") or ""
    folder = Path(base) if Path(base).is_absolute() else Path("~/.local/state").expanduser()
    try:
        (folder / "newscrawler").mkdir(mode=0o700, parents=True, exist_ok=True)
        writable = os.access(folder / "newscrawler", os.W_OK)
    except OSError:
        writable = False
    if not writable:
        folder = Path(tempfile.gettempdir()) / f"newscrawler-{os.getuid()}"
        (folder / "newscrawler").mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'newscrawler' / 'hosts.sqlite'}"
