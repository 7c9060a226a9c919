"""The list of a release's documents: identification of each text, and its publisher's reservations."""

from __future__ import annotations

import copyreg
import json
import pickle
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import repeat
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from newscrawler.article import Article, Paragraph
from newscrawler.corpus.export import describe_reservation
from newscrawler.errors import ConfigError
from newscrawler.politeness.rights import Intent, Purpose, decide_rights
from newscrawler.store.articles import ReleasedDocument, StoredArticle, StoredReservation

DOCUMENTS, TOMBSTONES, DUPLICATES = "documents.jsonl", "tombstones.jsonl", "duplicates.jsonl"


def digest_of(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRights:
    """The rights of an article, as a release states them."""

    #: All reservations ever made on its pages.
    said: tuple[str, ...] = ()
    at_fetch: tuple[str, ...] = ()
    at_release: tuple[str, ...] = ()
    #: Uses that the publisher reserves.
    reserved_for: tuple[str, ...] = ()

    @property
    def permits_copies(self) -> bool:
        """Return whether the text may be given away."""
        return str(Purpose.ARCHIVE) not in self.reserved_for

    @classmethod
    def of(
        cls, stored: StoredArticle, said: Sequence[StoredReservation], at: datetime, *, disregarded: Collection[str], intent: Intent
    ) -> DocumentRights:
        """Return the rights of one article, from all reservations ever made on its pages, at the time of a release."""
        if not said:
            return cls()
        fetched = stored.article.fetched_at or at
        holding = [each for each in said if _holds(each, at)]
        decision = decide_rights([each.reservation for each in holding], disregarded, at, intent)
        return cls(
            said=tuple(map(describe_reservation, said)),
            at_fetch=tuple(describe_reservation(each) for each in said if _holds(each, fetched)),
            at_release=tuple(map(describe_reservation, holding)),
            reserved_for=tuple(str(purpose) for purpose, _ in decision.reserved),
        )

    @classmethod
    def from_dict(cls, kept: Mapping[str, Sequence[str]]) -> DocumentRights:
        """Return the rights written by `as_dict`."""
        return cls(**{name: tuple(texts) for name, texts in kept.items()})

    def as_dict(self) -> dict[str, list[str]] | None:
        """Return the rights for JSON; None: there are none."""
        texts = {name: list(getattr(self, name)) for name in ("said", "at_fetch", "at_release", "reserved_for")}
        return texts if any(texts.values()) else None


def document(stored: StoredArticle, rights: DocumentRights, at: datetime, *, has_text: bool) -> dict[str, Any]:
    """Return the record of one article of a release; `has_text`: its text is in the release, too."""
    article = stored.article
    return {
        "id": stored.id, "url": article.url, "canonical_url": article.canonical_url, "portal": article.portal,
        "date": article.date.isoformat() if article.date else None, "language": article.language, "words": article.word_count,
        "fetched_at": (article.fetched_at or at).isoformat(), "method": article.method, "has_text": has_text,
        "title_sha256": digest_of(article.title), "text_sha256": digest_of(article.body), "paragraphs": _offsets(stored),
        "rights_at_fetch": list(rights.at_fetch), "rights_at_release": list(rights.at_release),
        "reserved_for": list(rights.reserved_for),
    }  # fmt: skip


def _holds(kept: StoredReservation, at: datetime) -> bool:
    """Return whether a reservation was made at a time; it is stored shortly after its fetch."""
    return kept.first_said_at.date() <= at.date() and (kept.ended_at is None or kept.ended_at > at)


def _offsets(stored: StoredArticle) -> list[list[Any]]:
    """Return [kind, first character, number of characters] of each paragraph in the text."""
    found, place = [], 0
    for paragraph in stored.article.paragraphs:
        found.append([str(paragraph.kind), place, len(paragraph.text)])
        place += len(paragraph.text) + 1
    return found


def line_of(record: dict[str, Any]) -> bytes:
    """Return one line of JSON, always the same for the same record."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of a release.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                yield _read_record(line)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}; name the folder of a release") from error
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is damaged ({error}); take the release from where it was published") from error


def _read_record(line: bytes) -> dict[str, Any]:
    record = json.loads(line)
    if not isinstance(record, dict):
        raise ValueError("a line is not an object")  # noqa: TRY004  as of a line without JSON
    return record


def read_documents(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the documents of a release, each with a number, addresses and hashes.

    Raises:
        ConfigError: they cannot be read, or one lacks any of these.
    """
    for number, record in enumerate(read_lines(folder / DOCUMENTS), 1):
        is_whole = (
            isinstance(record.get("url"), str)
            and isinstance(record.get("canonical_url"), str | None)
            and isinstance(record.get("id"), int)
            and all(_HASH.fullmatch(str(record.get(name))) for name in ("title_sha256", "text_sha256"))
        )
        if not is_whole:
            raise ConfigError(f"{folder / DOCUMENTS} is damaged: line {number} needs id, url, title_sha256 and text_sha256")
        yield record


_HASH = re.compile(r"[0-9a-f]{64}")
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

    def add(self, item: Item) -> int:
        """Append a record; return its place."""
        place = self._file.tell()
        self._pickler.clear_memo()
        self._pickler.dump(item)
        self.count += 1
        return place

    def items(self, places: Iterable[int] | None = None) -> Iterator[Item]:
        """Yield the records at some places, or all in order; none may be added meanwhile."""
        self._file.seek(0)
        for place in repeat(None, self.count) if places is None else places:
            if place is not None:
                self._file.seek(place)
            yield pickle.load(self._file)  # noqa: S301  written by this process
