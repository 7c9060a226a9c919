"""The words of each article as numbers, which statistics read: one value an article, and one vocabulary for all of them.

They are written in the transaction that stores, corrects or removes an article. A value is a sequence of 16-bit numbers,
little-endian: `PARAGRAPH`, or `UNALIGNED`, before the words of each paragraph, and the id of each word. Ids from `_PAIRS` on take
two numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import lazy_loader
from sqlalchemy import Connection, Engine, Transaction, delete, func, select, text

from newscrawler.store.database import is_in_process
from newscrawler.store.search.fold import SplitParagraph, fold_form, list_forms
from newscrawler.store.statements import IsAny, PreparedStatement
from newscrawler.store.tables import ARTICLE, ARTICLE_WORDS, WORD

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Loaded by statistics and maintenance only.
np: Any = lazy_loader.load("numpy")
#: Codes before the words of a paragraph, which no word has as its id, since `_MARKER` is always added first. In an unaligned
#: paragraph, the index has other words than those of the forms, so that hits are found in its text.
PARAGRAPH, UNALIGNED = 0, 1
FIRST_ID = 2
#: First id of two numbers, the first of which begins at `_PAIRS` and the second at `_SECONDS`, with 13 bits each.
_PAIRS, _SECONDS, _BITS = 0xC000, 0xE000, 13
#: Not a word: the row changes its id when words are removed from the vocabulary, so that no process uses their ids.
_MARKER = ""
#: Ids of words that one process remembers.
_MOST_KNOWN = 60_000
_CHUNK = 500
#: Articles whose words `find_faults` compares with their texts.
_COMPARED = 1_000

_FIND = PreparedStatement(select(WORD.c.form, WORD.c.id).where(IsAny(WORD.c.form, "forms")))
_ADD = {
    "sqlite": PreparedStatement(
        text(
            "INSERT INTO word (form, folded) SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:rows) "
            "WHERE true ON CONFLICT (form) DO NOTHING RETURNING form, id"
        )
    ),
    "postgresql": PreparedStatement(
        text(
            "INSERT INTO word (form, folded) SELECT row ->> 0, row ->> 1 FROM json_array_elements(CAST(:rows AS json)) AS row "
            "ON CONFLICT (form) DO NOTHING RETURNING form, id"
        )
    ),
}
_WRITE = PreparedStatement(
    text(
        "INSERT INTO article_words (article_id, ids) VALUES (:article, :ids) "
        "ON CONFLICT (article_id) DO UPDATE SET ids = excluded.ids"
    )
)
DELETE_MARKER = delete(WORD).where(WORD.c.form == _MARKER)
_STORED = select(ARTICLE.c.id, ARTICLE.c.paragraphs)


class _Vocabulary:
    """Packed ids of words of ended transactions."""

    def __init__(self, marker: bytes | None = None) -> None:
        self.marker = marker
        self.ids: dict[str, bytes] = {}


_KNOWN: WeakKeyDictionary[Engine, _Vocabulary] = WeakKeyDictionary()
#: Packed ids of words that a transaction has added; nobody else may remember them, since it may be rolled back.
_ADDED: WeakKeyDictionary[Transaction, dict[str, bytes]] = WeakKeyDictionary()


def write_word_ids(connection: Connection, articles: Mapping[int, Sequence[SplitParagraph]]) -> None:
    """Write the words of articles, in place of earlier ones, and add new words to the vocabulary."""
    ids = find_ids(connection, set(chain.from_iterable(each.forms for paragraphs in articles.values() for each in paragraphs)))
    _WRITE.run_many(connection, [{"article": number, "ids": pack_ids(ids, split)} for number, split in articles.items()])


def pack_ids(ids: Mapping[str, bytes], paragraphs: Iterable[SplitParagraph]) -> bytes:
    """Return the value of an article."""
    parts: list[bytes] = []
    for each in paragraphs:
        parts.append(_PARAGRAPH if each.is_aligned else _UNALIGNED)
        parts += map(ids.__getitem__, each.forms)
    return b"".join(parts)


def pack_id(number: int) -> bytes:
    """Return the bytes of an id or code."""
    if number < _PAIRS:
        return number.to_bytes(2, "little")
    first, second = divmod(number - _PAIRS, 1 << _BITS)
    return (_PAIRS + first).to_bytes(2, "little") + (_SECONDS + second).to_bytes(2, "little")


_PARAGRAPH, _UNALIGNED = pack_id(PARAGRAPH), pack_id(UNALIGNED)


def unpack_ids(values: bytes) -> NDArray[Any]:
    """Return the codes and ids of one value, or of several that were joined."""
    numbers = np.frombuffer(values, "<u2")
    ids: NDArray[Any] = numbers.astype(np.uint32)
    is_second = numbers >= _SECONDS
    seconds = np.flatnonzero(is_second)
    if seconds.size:
        ids[seconds - 1] = _PAIRS + ((ids[seconds - 1] - _PAIRS) << _BITS) + (ids[seconds] - _SECONDS)
        ids = ids[~is_second]
    return ids


def find_ids(connection: Connection, forms: set[str]) -> Mapping[str, bytes]:
    """Return the packed ids of words, adding new ones in a fixed order, which avoids deadlocks."""
    known = _KNOWN.setdefault(connection.engine, _Vocabulary())
    added = _ADDED.setdefault(connection.get_transaction() or connection.begin(), {})
    wanted = forms.difference(known.ids).difference(added)
    if _MARKER in added and is_in_process(connection.engine):  # no other process removes words meanwhile
        found = _select_ids(connection, wanted) if wanted else {}
    else:
        found = _select_ids(connection, {_MARKER, *wanted})
        if found.get(_MARKER) != known.marker or len(known.ids) > _MOST_KNOWN:
            known = _KNOWN[connection.engine] = _Vocabulary(found.get(_MARKER))
            wanted = forms.difference(added)
            found = _select_ids(connection, {_MARKER, *wanted})
        wanted.add(_MARKER)
    if known.marker is not None:
        known.ids |= found
    if missing := sorted(wanted - found.keys()):
        rows = [(form, folded if (folded := " ".join(fold_form(form))) != form else None) for form in missing]
        inserted = _ADD[connection.dialect.name].run(connection, {"rows": json.dumps(rows)})
        added |= {form: pack_id(number) for form, number in inserted}
        if others := [form for form in missing if form not in added]:
            found |= _select_ids(connection, others)
    added.setdefault(_MARKER, found.get(_MARKER, b""))
    ids = {form: known.ids[form] for form in forms if form in known.ids}  # `intersection` would read the whole vocabulary
    return ids | {form: added[form] for form in forms if form in added} | found


def _select_ids(connection: Connection, forms: Iterable[str]) -> dict[str, bytes]:
    return {form: pack_id(number) for form, number in _FIND.run(connection, {"forms": list(forms)})}


def forget_unused_words(connection: Connection) -> None:
    """Remove the words that no article has any longer, so that nothing of a removed text stays."""
    used = np.zeros(_find_largest(connection) + 1, bool)
    for values in _read_values(connection):
        used[unpack_ids(b"".join(values))] = True
    unused = [number for (number,) in connection.execute(select(WORD.c.id)) if not used[number]]
    connection.execute(DELETE_MARKER)
    _ADDED.pop(connection.get_transaction() or connection.begin(), None)
    for start in range(0, len(unused), _CHUNK):
        connection.execute(delete(WORD).where(WORD.c.id.in_(unused[start : start + _CHUNK])))


def _find_largest(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.max(WORD.c.id), FIRST_ID))).scalar_one())


def _read_values(connection: Connection) -> Iterator[list[bytes]]:
    rows = connection.execute(select(ARTICLE_WORDS.c.ids), execution_options={"yield_per": _CHUNK}).scalars()
    for part in rows.partitions():
        yield [bytes(each) for each in part]


def find_faults(connection: Connection) -> Iterator[str]:
    """Yield the faults in the words of articles; compares those of a thousand articles with the texts."""
    largest, articles = _find_largest(connection), connection.execute(select(func.count()).select_from(ARTICLE)).scalar_one()
    missing = select(func.count()).select_from(ARTICLE.outerjoin(ARTICLE_WORDS)).where(ARTICLE_WORDS.c.article_id.is_(None))
    if number := connection.execute(missing).scalar_one():
        yield f"{number} articles have no words for statistics"
    there = np.zeros(largest + 1, bool)
    there[[PARAGRAPH, UNALIGNED, *connection.execute(select(WORD.c.id)).scalars()]] = True
    damaged = sum(_is_damaged(value, there) for values in _read_values(connection) for value in values)
    if damaged:
        yield f"{damaged} articles have words that are not in the vocabulary"
        return
    step = max(1, articles // _COMPARED)
    query = _STORED.add_columns(ARTICLE_WORDS.c.ids).join(ARTICLE_WORDS).where(ARTICLE.c.id % step == 0)
    rows = connection.execute(query, execution_options={"yield_per": _CHUNK})
    if wrong := sum(_differ(connection, part) for part in rows.partitions()):
        yield f"{wrong} articles have other words for statistics than their texts"


def _is_damaged(value: bytes, there: NDArray[Any]) -> bool:
    if len(value) % 2:
        return True
    ids = unpack_ids(value)
    return bool(ids.size) and (int(ids.max()) >= len(there) or not there[ids].all() or ids[0] >= FIRST_ID)


def _differ(connection: Connection, rows: Sequence[Any]) -> int:
    """Return how many of the articles have other words than their texts."""
    stored = [unpack_ids(bytes(row.ids)).tolist() for row in rows]
    forms = read_forms(connection, sorted(set(chain.from_iterable(stored))))
    return sum(
        [forms.get(number) for number in ids if number >= FIRST_ID]
        != [form for paragraph in row.paragraphs for form in list_forms(paragraph[1])]
        for row, ids in zip(rows, stored, strict=True)
    )


def read_forms(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the words with these ids."""
    found: dict[int, str] = {}
    for start in range(0, len(ids), _CHUNK):
        query = select(WORD.c.id, WORD.c.form).where(WORD.c.id.in_(ids[start : start + _CHUNK]))
        found |= {row.id: row.form for row in connection.execute(query)}
    return found


def add_words(connection: Connection, texts: Iterable[str]) -> None:
    """Add the new words of several texts at once, which avoids deadlocks."""
    find_ids(connection, {form for each in texts for form in list_forms(each)})
