"""What tests of crawls share: the command, its summary, and what stands in the database afterwards."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from portal_server import PortalServer
from sqlalchemy import create_engine, select, update
from warm_command import CommandProcess

from newscrawler.store import open_store
from newscrawler.store.articles import Selection, StoredArticle
from newscrawler.store.tables import METADATA, UtcDateTime

Crawl = Callable[..., "subprocess.CompletedProcess[str]"]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "newscrawler", *arguments]


def start(folder: Path, url: str, *options: str) -> subprocess.Popen[str]:
    """Begin a crawl without a delay, and leave it to the test."""
    return CommandProcess(
        command("crawl", url, "--delay", "0", *options), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(server: PortalServer, requests: int) -> None:
    """Wait until the portal was asked so often."""
    until = time.monotonic() + 90
    while len(server.asked) < requests and time.monotonic() < until:
        time.sleep(0.01)
    assert len(server.asked) >= requests


def summary(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert done.stdout.strip(), done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[0])
    return result


def articles(folder: Path, database: str = "sqlite:///{}/newscrawler.sqlite") -> list[StoredArticle]:
    with open_store(database.format(folder), create=False) as store:
        return list(store.articles.stream(Selection()))


def reasons(folder: Path) -> dict[str, tuple[str, str | None]]:
    """State and reason of every URL, by path."""
    connection = sqlite3.connect(folder / "newscrawler.sqlite")
    rows = connection.execute(
        "SELECT url, state, CASE WHEN detail IS NULL THEN reason ELSE reason || ': ' || detail END FROM frontier"
    ).fetchall()
    connection.close()
    found = {}
    for url, state, reason in rows:
        parts = urlsplit(url)
        found[parts.path + (f"?{parts.query}" if parts.query else "")] = (state, reason)
    return found


def a_day_passes(folder: Path) -> None:
    """Put back everything in the database that has a time; articles are new enough for another look at them."""
    engine = create_engine(f"sqlite:///{folder / 'newscrawler.sqlite'}")
    with engine.begin() as connection:
        for table in METADATA.sorted_tables:
            keys = list(table.primary_key)
            for column in (column for column in table.columns if isinstance(column.type, UtcDateTime) and column.computed is None):
                for *key, moment in connection.execute(select(*keys, column).where(column.is_not(None))).all():
                    where = [each == value for each, value in zip(keys, key, strict=True)]
                    assert isinstance(moment, datetime)
                    connection.execute(update(table).where(*where).values({column.name: moment - timedelta(days=1)}))
        published = datetime.now(UTC) - timedelta(days=2)
        connection.execute(update(METADATA.tables["article"]).values(published_at=published))
    engine.dispose()
