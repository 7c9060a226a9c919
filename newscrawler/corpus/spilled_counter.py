"""Counts more different keys than fit into memory, in sorted temporary files that are merged at the end."""

from __future__ import annotations

import heapq
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import IO, Self

#: Most different keys in memory, and most files open at a time.
_MOST_KEYS, _MOST_FILES = 100_000, 48


class SpilledCounter:
    """Counts strings without line breaks; a context manager that removes its files."""

    def __init__(self, *, most_keys: int = _MOST_KEYS) -> None:
        self._counts: Counter[str] = Counter()
        self._files: list[IO[str]] = []
        self._most_keys = most_keys

    def add(self, keys: Iterable[str]) -> None:
        """Count each of the keys once more."""
        self._counts.update(keys)
        if len(self._counts) > self._most_keys:
            self._spill()

    def items(self) -> Iterator[tuple[str, int]]:
        """Yield every key with its count, sorted by key."""
        return _merge_counts(sorted(self._counts.items()), *map(_read, self._files))

    def _spill(self) -> None:
        """Write the rarer half to a file; the frequent keys stay in memory."""
        counts = self._counts
        limit = sorted(counts.values())[len(counts) // 2]
        rare = sorted(key for key, count in counts.items() if count <= limit)
        self._files.append(_write((key, counts.pop(key)) for key in rare))
        if len(self._files) > _MOST_FILES:
            whole = _write(_merge_counts(*map(_read, self._files)))
            self._close()
            self._files = [whole]

    def _close(self) -> None:
        for file in self._files:
            file.close()
        self._files = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._close()


def _merge_counts(*sorted_items: Iterable[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for key, group in groupby(heapq.merge(*sorted_items, key=itemgetter(0)), key=itemgetter(0)):
        yield key, sum(count for _, count in group)


def _write(items: Iterable[tuple[str, int]]) -> IO[str]:
    file = tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n")  # noqa: SIM115  closed by its owner
    file.writelines(f"{count}\t{key}\n" for key, count in items)
    return file


def _read(file: IO[str]) -> Iterator[tuple[str, int]]:
    file.seek(0)
    for line in file:
        count, _, key = line[:-1].partition("\t")
        yield key, int(count)
