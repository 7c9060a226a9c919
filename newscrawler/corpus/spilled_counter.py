"""Counts more different keys than fit into memory, in a temporary database that SQLite sorts at the end."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

#: Most different keys in memory.
_MOST_KEYS = 100_000


class SpilledCounter:
    """Counts strings; a context manager that removes its file."""

    def __init__(self, *, most_keys: int = _MOST_KEYS) -> None:
        self._counts: Counter[str] = Counter()
        self._most_keys = most_keys
        self._file = sqlite3.connect("", isolation_level=None)  # a temporary file
        self._file.execute("CREATE TABLE spilled (key BLOB, count INTEGER)")
        self._file.execute("BEGIN")

    def add(self, keys: Iterable[str]) -> None:
        """Count each of the keys once more."""
        self._counts.update(keys)
        if len(self._counts) > self._most_keys:
            limit = sorted(self._counts.values())[len(self._counts) // 2]  # the frequent half stays in memory
            self._spill([key for key, count in self._counts.items() if count <= limit])

    def _spill(self, keys: list[str]) -> None:
        rows = ((key.encode("utf-8", "surrogatepass"), self._counts.pop(key)) for key in keys)
        self._file.executemany("INSERT INTO spilled VALUES (?, ?)", rows)

    def items(self) -> Iterator[tuple[str, int]]:
        """Yield every key with its count, sorted by key."""
        if not self._file.total_changes:
            yield from sorted(self._counts.items())
            return
        self._spill(list(self._counts))
        for key, count in self._file.execute("SELECT key, sum(count) FROM spilled GROUP BY key ORDER BY key"):
            yield key.decode("utf-8", "surrogatepass"), count

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()
