"""The words of the index on PostgreSQL, each with a code of one character, or of two where it is rare.

A text is indexed as the string of its words' codes, two and a half bytes a word, a quarter of what a `tsvector` takes, and a phrase
is a substring. Words are numbered as they come, so that frequent ones have the shortest codes in UTF-8. No character of a code is
ASCII; the first of two characters, their second one, and codes of one character are from ranges of their own, so that no code is
found inside of others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from weakref import WeakKeyDictionary

from sqlalchemy import BigInteger, Column, Connection, Engine, MetaData, Table, Text, create_engine, event, text

#: Between title and body; stands for a word that occurs too often.
BETWEEN, LEFT_OUT = "\x01", "\x02"
#: The first of two characters.
FIRST_LEAD, LAST_LEAD = 0x10F000, 0x10FFFF
_FIRST, _SURROGATES, _NO_CHARACTERS = 0x80, 0xD800, 0x800
_FIRST_TRAIL = 0x90000
_TRAILS = FIRST_LEAD - _FIRST_TRAIL
#: Words with codes of one character.
_SINGLES = _FIRST_TRAIL - _FIRST - _NO_CHARACTERS

_CODE = f"""CASE
    WHEN id <= {_SURROGATES - _FIRST} THEN chr({_FIRST - 1} + id::integer)
    WHEN id <= {_SINGLES} THEN chr({_FIRST + _NO_CHARACTERS - 1} + id::integer)
    ELSE chr({FIRST_LEAD} + ((id - 1 - {_SINGLES}) / {_TRAILS})::integer)
        || chr({_FIRST_TRAIL} + mod(id - 1 - {_SINGLES}, {_TRAILS})::integer)
    END"""
CREATE_WORDS = (
    'CREATE TABLE search_word (word TEXT COLLATE "C" PRIMARY KEY, id BIGINT GENERATED ALWAYS AS IDENTITY NOT NULL, '
    f'code TEXT COLLATE "C" GENERATED ALWAYS AS ({_CODE}) STORED)'
)
#: Not in the schema that both stores have.
SEARCH_WORD = Table(
    "search_word", MetaData(), Column("word", Text, primary_key=True), Column("id", BigInteger), Column("code", Text)
)
_KNOWN = text("SELECT word, code FROM search_word WHERE word = ANY(:words)")
_ADD = text("INSERT INTO search_word (word) SELECT unnest(CAST(:words AS text[])) ON CONFLICT DO NOTHING")
_apart: WeakKeyDictionary[Engine, Engine] = WeakKeyDictionary()


def known_codes(connection: Connection, words: Collection[str]) -> dict[str, str]:
    """Return the codes of those words that a text of the database ever held."""
    return {row.word: row.code for row in connection.execute(_KNOWN, {"words": list(words)})}


def codes_of(connection: Connection, words: Collection[str]) -> dict[str, str]:
    """Return the codes of words; new words are numbered first.

    They are numbered in a transaction of their own: two crawls would wait for each other's articles otherwise, each for a word
    that the other one brings.
    """
    found = known_codes(connection, words)
    new = sorted(set(words) - found.keys())
    if new:
        with _engine_of_words(connection.engine).begin() as apart:
            apart.execute(_ADD, {"words": new})
        with _engine_of_words(connection.engine).begin() as apart:
            found |= known_codes(apart, new)
    return found


def encoded(words: Iterable[str], codes: dict[str, str]) -> str:
    """Return the string of the words' codes."""
    return "".join(LEFT_OUT if word == LEFT_OUT else codes[word] for word in words)


def _engine_of_words(engine: Engine) -> Engine:
    """Return an engine of one connection, for which nobody waits who holds something that others wait for."""
    if engine not in _apart:
        apart = _apart[engine] = create_engine(engine.url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        event.listen(engine, "engine_disposed", lambda _: apart.dispose())
    return _apart[engine]
