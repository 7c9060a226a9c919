"""Removes duplicates from a corpus: whole articles and recurring paragraphs; reports everything left out."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from itertools import groupby
from struct import Struct
from types import TracebackType
from typing import Self

from newscrawler.store import Store
from newscrawler.store.articles import Fingerprint, Selection, StoredArticle
from newscrawler.store.search import fold_text

#: Paragraphs of fewer words ("Photo: agency") do not show their origin.
_LEAST_WORDS = 6
_KEY_BYTES = 12
#: Python's hash of a paragraph and its key; no key: zeros.
_KEPT_KEY, _NO_KEY = Struct(f"q{_KEY_BYTES}s"), bytes(_KEY_BYTES)


class DuplicateWindow(StrEnum):
    """Within which period of publication duplicates are left out; those of different periods stay."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class Kind(StrEnum):
    """Why something was left out."""

    EXACT = "same title and body"
    NEAR = "nearly the same text"
    PARAGRAPH = "paragraph of another article"


class Keep(StrEnum):
    """Which of several near-duplicates is kept."""

    EARLIEST = "earliest"
    #: The longest, and of these the one extracted with the highest confidence.
    BEST = "best"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduplication:
    """The duplicates to leave out."""

    exact: bool = False
    near: Keep | None = None
    #: Paragraphs in at least this many articles are kept only in the first.
    paragraphs: int | None = None
    #: None: duplicates of any time.
    window: DuplicateWindow | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """An article, or a paragraph of one, that was left out."""

    kind: Kind
    article_id: int
    #: The article that is kept instead.
    kept_id: int
    #: The text of a paragraph.
    text: str | None = None


#: Called with everything that is left out.
Report = Callable[[LeftOut], None]


def remove_duplicates(store: Store, selection: Selection, wanted: Deduplication, report: Report) -> Iterator[StoredArticle]:
    """Yield the articles of a selection without duplicates, in the order of storing; `report` gets what is left out."""
    dropped = find_duplicates(store, selection, wanted)
    for each in dropped.values():
        report(each)

    def remaining() -> Iterator[StoredArticle]:
        return (stored for stored in store.articles.stream(selection) if stored.id not in dropped)

    if wanted.paragraphs is None:
        yield from remaining()
    else:
        yield from drop_recurring_paragraphs(remaining(), remaining(), wanted.paragraphs, report)


def find_duplicates(
    store: Store, selection: Selection, wanted: Deduplication, *, without: Collection[int] = ()
) -> dict[int, LeftOut]:
    """Return the articles of a selection that duplicate others, by id, in order; `without`: ids of articles left out before.

    With a first id (`after_id`), for increments, articles up to that id are never left out, and stay in place of later ones.
    """
    released, selection = selection.after_id or 0, replace(selection, after_id=None)
    dropped: dict[int, LeftOut] = {}
    if wanted.exact or wanted.near:
        for _, group in groupby(_is_present(store.articles.fingerprints(selection), without), key=lambda each: each.text_hash):
            for first, *others in _split_by_window(group, wanted.window):
                dropped |= {each.id: LeftOut(kind=Kind.EXACT, article_id=each.id, kept_id=first.id) for each in others}
    if wanted.near:
        for cluster in group_clusters(_is_present(store.articles.similar(selection), without)):
            left = [each for each in cluster if each.id not in dropped]
            rank = _rank_by_date if wanted.near is Keep.EARLIEST else _rank_by_quality
            for near in _split_by_window(left, wanted.window):
                kept = min([each for each in near if each.id <= released] or near, key=rank)
                dropped |= {
                    each.id: LeftOut(kind=Kind.NEAR, article_id=each.id, kept_id=kept.id) for each in near if each is not kept
                }
    return {number: dropped[number] for number in sorted(dropped) if number > released}


#: Characters of a day in ISO 8601 that name its period.
_PERIODS = {DuplicateWindow.DAY: 10, DuplicateWindow.MONTH: 7, DuplicateWindow.YEAR: 4}


def _split_by_window(group: Iterable[Fingerprint], window: DuplicateWindow | None) -> list[list[Fingerprint]]:
    """Return the articles of a group by period of publication; those without a date are a separate one."""
    if window is None:
        return [list(group)]
    periods: dict[str, list[Fingerprint]] = {}
    for each in group:
        period = each.published_at.isoformat()[: _PERIODS[window]] if each.published_at is not None else ""
        periods.setdefault(period, []).append(each)
    return list(periods.values())


def _is_present(found: Iterable[Fingerprint], without: Collection[int]) -> Iterator[Fingerprint]:
    return (each for each in found if each.id not in without)


def _rank_by_date(each: Fingerprint) -> tuple[str, int]:
    return each.published_at.isoformat() if each.published_at else "9", each.id


def _rank_by_quality(each: Fingerprint) -> tuple[int, float, int]:
    return -each.word_count, -each.confidence, each.id


def group_clusters(similar: Iterable[Fingerprint]) -> list[list[Fingerprint]]:
    """Return the groups of two or more near-duplicates, from the links of later to earlier articles."""
    known = list(similar)
    links = {each.id: each.similar_to for each in known}
    groups: dict[int, list[Fingerprint]] = {}
    for each in known:
        root = each.id
        while (earlier := links.get(root)) is not None and earlier < root:  # links lead to earlier articles
            root = earlier
        groups.setdefault(root, []).append(each)
    return [group for group in groups.values() if len(group) > 1]


def drop_recurring_paragraphs(
    counted: Iterable[StoredArticle], articles: Iterable[StoredArticle], least: int, report: Report
) -> Iterator[StoredArticle]:
    """Yield articles without paragraphs that recur in at least so many others; those without text then are left out.

    `counted` are the same articles, read before, to count their paragraphs.
    """
    with _ParagraphKeys() as keys, SpilledCounter() as counter:
        for stored in counted:
            counter.add({key for key in map(keys.add, (each.text for each in stored.article.paragraphs)) if key})
        recurring = {key: 0 for key, count in counter.items() if count >= least}
        keys.rewind()
        for stored in articles:
            body = []
            for paragraph in stored.article.paragraphs:
                key = keys.next(paragraph.text)
                first = recurring.get(key, stored.id)
                if not first:
                    recurring[key] = first = stored.id
                if first == stored.id:
                    body.append(paragraph)
                else:
                    report(LeftOut(kind=Kind.PARAGRAPH, article_id=stored.id, kept_id=first, text=paragraph.text))
            if body:
                yield replace(stored, article=replace(stored.article, paragraphs=tuple(body)))


class _ParagraphKeys(AbstractContextManager["_ParagraphKeys"]):
    """Normalised keys of paragraphs in a temporary file, as folding takes most of the time and the paragraphs are read twice."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  closed by __exit__

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, text: str) -> str:
        """Return the key of a paragraph and keep it; "": the paragraph is too short."""
        key = _make_key(text)
        self._file.write(_KEPT_KEY.pack(hash(text), key))
        return key.hex()

    def rewind(self) -> None:
        """Go back to the first paragraph."""
        self._file.seek(0)

    def next(self, text: str) -> str:
        """Return the key of the next paragraph; it is computed again if the paragraph changed since."""
        kept = self._file.read(_KEPT_KEY.size)
        if len(kept) == _KEPT_KEY.size:
            known, key = _KEPT_KEY.unpack(kept)
            if known == hash(text):
                return "" if key == _NO_KEY else key.hex()
        return _make_key(text).hex()


def _make_key(text: str) -> bytes:
    """Return a normalised key of a paragraph; b"": it is too short."""
    words = fold_text(text)
    return blake2b(" ".join(words).encode(), digest_size=_KEY_BYTES).digest() if len(words) >= _LEAST_WORDS else b""


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
