"""Records in a temporary file: read from the database once, then written in several formats."""

from __future__ import annotations

import copyreg
import pickle
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from operator import attrgetter
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from newscrawler.article import Article, Paragraph
from newscrawler.corpus.releases.documents import DocumentRights
from newscrawler.store.articles import ReleasedDocument, StoredArticle

Item = TypeVar("Item")


_RECORDS: tuple[Any, ...] = (Article, DocumentRights, Paragraph, ReleasedDocument, StoredArticle)
_VALUES: dict[Any, Callable[[object], tuple[Any, ...]]] = {kind: attrgetter(*kind.__slots__) for kind in _RECORDS}


def _reduced(record: object) -> tuple[Any, ...]:
    kind = type(record)
    return _restored, (kind, *_VALUES[kind](record))


def _restored(kind: Any, *values: object) -> object:
    record: object = object.__new__(kind)
    for name, value in zip(kind.__slots__, values, strict=True):
        object.__setattr__(record, name, value)
    return record


#: Pickling without the `fields` of `dataclasses`, which takes twice the time.
_REDUCED = copyreg.dispatch_table | dict.fromkeys(_RECORDS, _reduced)


class Spool(AbstractContextManager["Spool[Item]"], Generic[Item]):
    """A private temporary file, removed when it is closed."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by __exit__
        self._pickler = pickle.Pickler(self._file, pickle.HIGHEST_PROTOCOL)
        self._pickler.dispatch_table = _REDUCED
        self.count = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, item: Item) -> None:
        """Append a record."""
        self._pickler.clear_memo()
        self._pickler.dump(item)
        self.count += 1

    def items(self) -> Iterator[Item]:
        """Yield all records in order; none may be added meanwhile."""
        self._file.seek(0)
        for _ in range(self.count):
            yield pickle.load(self._file)  # noqa: S301  written by this process
