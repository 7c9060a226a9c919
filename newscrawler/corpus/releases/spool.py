"""Articles of a release in a temporary file: all formats are written from one reading of the database."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

from newscrawler.store.records import StoredArticle


class Spool(AbstractContextManager["Spool"]):
    """A file of ours alone, which nobody else can write to; it is gone when this ends."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by __exit__
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def take(self, articles: Iterable[StoredArticle]) -> Iterator[StoredArticle]:
        """Yield articles on, and keep them."""
        for stored in articles:
            pickle.dump(stored, self._file, pickle.HIGHEST_PROTOCOL)
            self.count += 1
            yield stored

    def articles(self) -> Iterator[StoredArticle]:
        """Yield what was kept."""
        self._file.seek(0)
        for _ in range(self.count):
            yield pickle.load(self._file)  # noqa: S301  what we wrote ourselves
