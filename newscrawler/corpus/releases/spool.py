"""Records in a temporary file: what is read from the database once and written in several formats."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Generic, Self, TypeVar

Item = TypeVar("Item")


class Spool(AbstractContextManager["Spool[Item]"], Generic[Item]):
    """A file of ours alone, which nobody else can write to; it is gone when this ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by __exit__
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, item: Item) -> None:
        """Append one."""
        pickle.dump(item, self._file, pickle.HIGHEST_PROTOCOL)
        self.count += 1

    def clear(self) -> None:
        """Forget all that were added."""
        self._file.seek(0)
        self._file.truncate()
        self.count = 0

    def items(self) -> Iterator[Item]:
        """Yield all in their order; nothing is to be added meanwhile."""
        self._file.seek(0)
        for _ in range(self.count):
            yield pickle.load(self._file)  # noqa: S301  what we wrote ourselves
