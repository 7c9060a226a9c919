"""A database that another process has for itself is waited for, and that is told."""

from __future__ import annotations

import sqlite3
import threading
import time
from pathlib import Path

import pytest

from newscrawler.store import open_store, wait_until_unlocked


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with open_store(f"sqlite:///{tmp_path / 'a b.sqlite'}"):
        return tmp_path / "a b.sqlite"


def held(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for statement in ("PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE portal SET round = round", "COMMIT"):
        connection.execute(statement)
    return connection


def test_it_is_waited_for_until_it_is_free(path: Path) -> None:
    told: list[str] = []
    began = time.monotonic()
    threading.Timer(0.5, held(path).close).start()

    wait_until_unlocked(f"sqlite:///{path}", seconds=30, report=told.append)

    assert 0.4 < time.monotonic() - began < 15
    assert told in ([], [f"the database {path} is locked by another process; waiting for it, 0.5 minutes at most"])


def test_the_waiting_is_told_once_and_ends(path: Path) -> None:
    told: list[str] = []
    connection = held(path)

    wait_until_unlocked(f"sqlite:///{path}", seconds=2, report=told.append)
    connection.close()

    assert len(told) == 1


@pytest.mark.parametrize(
    "url", ["sqlite:///{}/none.sqlite", "sqlite:///{}", "sqlite://", "postgresql://a/b", "rubbish", "sqlite:///{}/text"]
)
def test_nothing_else_is_waited_for_or_made(url: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database " * 100)
    told: list[str] = []

    wait_until_unlocked(url.format(tmp_path), seconds=30, report=told.append)

    assert not told
    assert [file.name for file in tmp_path.iterdir()] == ["text"]
