"""What becomes of transactions whose database is busy, or is not there any more."""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import QueuePool

from newscrawler.errors import StoreAwayError, StoreError
from newscrawler.store import Store, open_store, translated, without_waiting
from newscrawler.store.maintenance import back_up

PORTALS = 24


def write(store: Store) -> None:
    with translated(store.engine), store.engine.begin() as connection:
        connection.execute(
            text("INSERT INTO host (name, delay_factor, failures, is_suspended, has_waiter) VALUES ('h', 1, 0, 0, 0)")
        )


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_databases_and_backups_are_for_their_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with open_store(f"sqlite:///{tmp_path / 'mine.sqlite'}") as store:
            write(store)
            beside = [mode(path) for path in tmp_path.iterdir()]
            done = back_up(store.engine, tmp_path / "backup.sqlite", now=datetime.now(UTC))
    finally:
        os.umask(before)

    assert len(beside) == 3
    assert set(beside) == {0o600}
    assert mode(done.path) == 0o600


def test_a_database_in_a_folder_that_is_read_only_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "media"
    folder.mkdir()
    url = f"sqlite:///{folder / 'there.sqlite'}"
    with open_store(url) as store:
        write(store)
    (folder / "there.sqlite").chmod(0o444)
    folder.chmod(0o555)
    try:
        with open_store(url, create=False) as store:
            name = store.hosts.of("h").name
            with pytest.raises(StoreError, match="read-only"):
                write(store)
            beside = list(folder.iterdir())
    finally:
        folder.chmod(0o755)

    assert name == "h"
    assert beside == [folder / "there.sqlite"]


@pytest.mark.parametrize(
    ("column", "value"), [("pause_reason", "CAST(x'c328ff' AS TEXT)"), ("paused_until", "'soon'")], ids=["text", "time"]
)
def test_a_damaged_row_is_told_as_damage(tmp_path: Path, column: str, value: str) -> None:
    with open_store(f"sqlite:///{tmp_path / 'damaged.sqlite'}") as store:
        write(store)
        with store.engine.begin() as connection:
            connection.execute(text(f"UPDATE host SET {column} = {value}"))

        with pytest.raises(StoreError, match="is damaged"):
            store.hosts.of("h")


def restored(path: Path) -> None:
    copy = path.with_name("copy")
    copy.write_bytes(path.read_bytes())
    copy.replace(path)


def test_who_cannot_wait_is_told_at_once_however_many_wait(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'locked.sqlite'}"
    began = threading.Semaphore(0)

    def wait(store: Store) -> None:
        began.release()
        with store.engine.begin():
            pass

    with open_store(url) as store, open_store(url) as other, ThreadPoolExecutor(PORTALS) as threads:
        holding = other.engine.connect()
        holding.begin()
        waiting = [threads.submit(wait, store) for _ in range(PORTALS)]
        for _ in range(PORTALS):
            began.acquire()
        time.sleep(0.3)
        asked = time.monotonic()
        with pytest.raises(StoreAwayError), without_waiting():
            write(store)
        took = time.monotonic() - asked
        holding.close()
        for each in waiting:
            each.result()
    assert took < 1.0


def test_a_database_whose_connections_are_all_in_use_is_away_and_not_broken(tmp_path: Path) -> None:
    engine = create_engine(
        f"sqlite:///{tmp_path / 'x.sqlite'}", poolclass=QueuePool, pool_size=1, max_overflow=0, pool_timeout=0.01
    )

    with engine.connect(), pytest.raises(StoreAwayError, match="in use"), translated(engine):
        engine.connect()
    engine.dispose()


@pytest.mark.parametrize(
    "interfere",
    [Path.unlink, lambda path: path.rename(path.with_name("elsewhere")), restored],
    ids=["deleted", "moved", "replaced"],
)
def test_nothing_is_written_to_a_file_that_nobody_finds_any_more(tmp_path: Path, interfere: Callable[[Path], object]) -> None:
    path = tmp_path / "there.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        interfere(path)

        with pytest.raises(StoreError, match="deleted, moved or replaced") as caught:
            write(store)
    assert not isinstance(caught.value, StoreAwayError)
