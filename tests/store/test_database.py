"""What becomes of transactions whose database is busy, or is not there any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.pool import QueuePool

from newscrawler.errors import StoreAwayError, StoreError
from newscrawler.store import Store, open_store
from newscrawler.store.database import impatient, translated

PORTALS = 24


def write(store: Store) -> None:
    with translated(store.engine), store.engine.begin() as connection:
        connection.execute(text("INSERT INTO host (name, slowdown, troubles, left_alone, wanted) VALUES ('h', 1, 0, 0, 0)"))


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
        with pytest.raises(StoreAwayError), impatient():
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
