"""The words of the index on PostgreSQL, each with a code of one character, or of two where it is rare.

A text is indexed as the string of its words' codes, two and a half bytes a word: a third of what a `tsvector` takes, and a phrase is
a substring. Words are numbered as they come, so that frequent ones have the shortest codes in UTF-8. No character of a code is
ASCII; the first of two characters, their second one, and codes of one character are from ranges of their own, so that no
code is found inside of others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, create_engine, event, text

#: Between headline and body; stands for a word that occurs too often.
BETWEEN, LEFT_OUT = "\x01", "\x02"
#: The first of two characters.
FIRST_LEAD, LAST_LEAD = 0x10F000, 0x10FFFF
_FIRST, _SURROGATES, _BEHIND_SURROGATES = 0x80, 0xD800, 0xE000
_FIRST_TRAIL, _TRAILS = 0x90000, FIRST_LEAD - 0x90000
_SINGLES = _FIRST_TRAIL - _FIRST - (_BEHIND_SURROGATES - _SURROGATES)

CREATE_WORDS = 'CREATE TABLE search_word (word TEXT COLLATE "C" PRIMARY KEY, id BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL)'
_KNOWN = text("SELECT word, id FROM search_word WHERE word = ANY(:words)")
_ADD = text("INSERT INTO search_word (word) SELECT unnest(CAST(:words AS text[])) ON CONFLICT DO NOTHING")
_BEGINNING = text("SELECT id FROM search_word WHERE word >= :first AND word < :behind ORDER BY id")
_apart: WeakKeyDictionary[Engine, Engine] = WeakKeyDictionary()


def code_of(number: int) -> str:
    """Return the code of the word with this number, 1 or more."""
    place = number - 1
    if place >= _SINGLES:
        lead, trail = divmod(place - _SINGLES, _TRAILS)
        return chr(FIRST_LEAD + lead) + chr(_FIRST_TRAIL + trail)
    point = _FIRST + place
    return chr(point if point < _SURROGATES else point - _SURROGATES + _BEHIND_SURROGATES)


def known_codes(connection: Connection, words: Collection[str]) -> dict[str, str]:
    """Return the codes of those words that a text of the database ever held."""
    rows = connection.execute(_KNOWN, {"words": list(words)})
    return {row.word: code_of(row.id) for row in rows}


def codes_of(connection: Connection, words: Collection[str]) -> dict[str, str]:
    """Return the codes of words; new words are numbered first.

    They are numbered in a transaction of their own: two crawls would wait for each other's articles otherwise, each for a word
    that the other one brings.
    """
    found = known_codes(connection, words)
    new = sorted(set(words) - found.keys())
    if new:
        with _words_engine(connection.engine).begin() as apart:
            apart.execute(_ADD, {"words": new})
        with _words_engine(connection.engine).begin() as apart:
            found |= known_codes(apart, new)
    return found


def codes_beginning(connection: Connection, beginning: str) -> list[str]:
    """Return the codes of all words that begin so."""
    behind = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    rows = connection.execute(_BEGINNING, {"first": beginning, "behind": behind})
    return [code_of(number) for number in rows.scalars()]


def encoded(words: Iterable[str], codes: dict[str, str]) -> str:
    """Return the string of the words' codes."""
    return "".join(LEFT_OUT if word == LEFT_OUT else codes[word] for word in words)


def _words_engine(engine: Engine) -> Engine:
    """Return an engine of one connection, for which nobody waits who holds something that others wait for."""
    if engine not in _apart:
        apart = _apart[engine] = create_engine(engine.url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        event.listen(engine, "engine_disposed", lambda _: apart.dispose())
    return _apart[engine]
