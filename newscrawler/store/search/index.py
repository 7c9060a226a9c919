"""The full-text index, kept up to date within the transaction that stores, corrects or removes an article.

SQLite has it as a contentless FTS5 table, PostgreSQL as a table of strings in which each word is a code (`search_codes`), with a
GIN index over their characters. Both are given the words that `newscrawler.store.search` folds, so that neither splits or
folds anything by
itself, and both find the same. Of an article the first 16,000 words of the body are indexed, and of one word 250 occurrences.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self
from weakref import WeakKeyDictionary

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    MetaData,
    Table,
    Text,
    bindparam,
    create_engine,
    event,
    select,
    text,
)

from newscrawler.store.search.fold import fold_text
from newscrawler.store.tables import ARTICLE

#: Between title and body; means a word that occurs too often.
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
_ADD_WORDS = text("INSERT INTO search_word (word) SELECT unnest(CAST(:words AS text[])) ON CONFLICT DO NOTHING")
_apart: WeakKeyDictionary[Engine, Engine] = WeakKeyDictionary()


def known_codes(connection: Connection, words: Collection[str]) -> dict[str, str]:
    """Return the codes of those words that a text of the database ever held."""
    return {row.word: row.code for row in connection.execute(_KNOWN, {"words": list(words)})}


def codes_of(connection: Connection, words: Collection[str]) -> dict[str, str]:
    """Return the codes of words; new words are numbered first.

    They are numbered in their own transaction: two crawls would wait for each other's articles otherwise, each for a word
    that the other one brings.
    """
    found = known_codes(connection, words)
    new = sorted(set(words) - found.keys())
    if new:
        with _make_word_engine(connection.engine).begin() as apart:
            apart.execute(_ADD_WORDS, {"words": new})
        with _make_word_engine(connection.engine).begin() as apart:
            found |= known_codes(apart, new)
    return found


def encoded(words: Iterable[str], codes: dict[str, str]) -> str:
    """Return the string of the words' codes."""
    return "".join(LEFT_OUT if word == LEFT_OUT else codes[word] for word in words)


def _make_word_engine(engine: Engine) -> Engine:
    """Return an engine of one connection, for which nobody waits who has something that others wait for."""
    if engine not in _apart:
        apart = _apart[engine] = create_engine(engine.url, pool_size=1, max_overflow=0, pool_pre_ping=True)
        event.listen(engine, "engine_disposed", lambda _: apart.dispose())
    return _apart[engine]


#: Of both forms of the index; those of FTS5's own tables begin so, too.
INDEX = "article_search"
#: PostgreSQL's function for its entry of an article: the characters of its codes, the numbers of a band
#: and of a wide band of articles, so that a search can begin with the articles stored last; and the articles of these.
KEYS, BAND, WIDE_BAND = f"{INDEX}_keys", 2048, 65_536
_MOST_TITLE, _MOST_BODY = 250, 16_000
_MOST_OCCURRENCES = 250
#: Articles of a copy that are indexed at once.
_CHUNK = 500

_ADD = {
    "sqlite": text(f"INSERT INTO {INDEX} (rowid, title, body) VALUES (:article, :title, :body)"),  # noqa: S608  constants
    "postgresql": text(f"INSERT INTO {INDEX} (article_id, words) VALUES (:article, :words)"),  # noqa: S608
}
#: To delete from a contentless table, its old content must be given.
_REMOVE = text(
    f"INSERT INTO {INDEX} ({INDEX}, rowid, title, body) "  # noqa: S608
    f"SELECT 'delete', :article, :title, :body WHERE EXISTS (SELECT 1 FROM {INDEX}_docsize WHERE id = :article)"
)
_STORED = select(ARTICLE.c.id, ARTICLE.c.title, ARTICLE.c.paragraphs)
_OF_IDS = _STORED.where(ARTICLE.c.id.in_(bindparam("ids", expanding=True)))
_NEXT = _STORED.where(ARTICLE.c.id > bindparam("before")).order_by(ARTICLE.c.id).limit(bindparam("most"))

#: In PL/pgSQL, as functions in SQL are expanded and cost what they are made of; the cost keeps the planner from calling it for
#: each article in place of using the index.
CREATE_KEYS = (
    f"CREATE FUNCTION {KEYS}(words TEXT, article_id BIGINT) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS "
    f"$$ BEGIN RETURN string_to_array(words, NULL) || ARRAY[(article_id / {BAND})::text, '/' || (article_id / {WIDE_BAND})::text]; "
    "END $$"
)
CREATE_GIN = f"CREATE INDEX ix_{INDEX}_words ON {INDEX} USING gin ({KEYS}(words, article_id)) WITH (gin_pending_list_limit = 1024)"
#: Statements that create the index, by dialect.
CREATE = {
    "sqlite": (f"CREATE VIRTUAL TABLE {INDEX} USING fts5(title, body, content='', tokenize='ascii')",),
    "postgresql": (
        CREATE_WORDS,
        f'CREATE TABLE {INDEX} (article_id BIGINT PRIMARY KEY REFERENCES article (id), words TEXT COLLATE "C" NOT NULL)',
        f"ALTER TABLE {INDEX} ALTER words SET STORAGE MAIN",
        CREATE_KEYS,
        CREATE_GIN,
    ),
}


def create_index(connection: Connection) -> None:
    """Create the index of a new database, empty."""
    for statement in CREATE[connection.dialect.name]:
        connection.exec_driver_sql(statement)


def index_article(connection: Connection, article_id: int, title: str, paragraphs: Iterable[str]) -> None:
    """Make an article searchable when the transaction ends; it must not be in the index."""
    _add(connection, [IndexedWords.of(article_id, title, paragraphs)])


def unindex_articles(connection: Connection, article_ids: Sequence[int]) -> None:
    """Remove articles from the index; call while their rows still have the indexed text."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"DELETE FROM {INDEX} WHERE article_id = ANY(:ids)"), {"ids": list(article_ids)})  # noqa: S608
        return
    rows = [IndexedWords.of(*stored).as_row() for stored in _read_texts(connection, article_ids)]
    if rows:
        connection.execute(_REMOVE, rows)


def forget_words(connection: Connection) -> None:
    """Rewrite SQLite's index without removed entries, so that no removed text can be reconstructed."""
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"INSERT INTO {INDEX} ({INDEX}) VALUES ('optimize')"))  # noqa: S608


def index_all(connection: Connection) -> None:
    """Index all articles within one transaction; the index must be empty."""
    before = 0
    while stored := connection.execute(_NEXT, {"before": before, "most": _CHUNK}).all():
        _add(connection, [IndexedWords.of(row.id, row.title, _list_texts(row.paragraphs)) for row in stored])
        before = stored[-1].id


def _read_texts(connection: Connection, article_ids: Sequence[int]) -> Iterator[tuple[int, str, list[str]]]:
    for row in connection.execute(_OF_IDS, {"ids": list(article_ids)}).all():
        yield row.id, row.title, _list_texts(row.paragraphs)


def _list_texts(stored: Sequence[Sequence[str]]) -> list[str]:
    return [paragraph[1] for paragraph in stored]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedWords:
    """What is indexed of an article; words that occur too often are replaced, so that those behind them keep their places."""

    article_id: int
    title: list[str]
    body: list[str]

    @classmethod
    def of(cls, article_id: int, title: str, paragraphs: Iterable[str]) -> Self:
        """Fold the words of an article."""
        folded = fold_text(title)[:_MOST_TITLE]
        body = list(chain.from_iterable(map(fold_text, paragraphs)))[:_MOST_BODY]
        return cls(article_id=article_id, title=_bound_words(folded), body=_bound_words(body))

    def as_row(self) -> dict[str, object]:
        """Return the row of SQLite's index."""
        return {"article": self.article_id, "title": " ".join(self.title), "body": " ".join(self.body)}

    def as_codes(self, codes: dict[str, str]) -> dict[str, object]:
        """Return the row of PostgreSQL's index."""
        return {"article": self.article_id, "words": encoded(self.title, codes) + BETWEEN + encoded(self.body, codes)}


def _add(connection: Connection, articles: Sequence[IndexedWords]) -> None:
    if not articles:
        return
    dialect = connection.dialect.name
    if dialect == "postgresql":
        words = {word for each in articles for word in chain(each.title, each.body)} - {LEFT_OUT}
        codes = codes_of(connection, words)
        rows = [each.as_codes(codes) for each in articles]
    else:
        rows = [each.as_row() for each in articles]
    connection.execute(_ADD[dialect], rows)


def _bound_words(words: list[str]) -> list[str]:
    """Return the words, replacing those that occur too often."""
    if len(words) <= _MOST_OCCURRENCES:
        return words
    seen: dict[str, int] = {}
    for number, word in enumerate(words):
        seen[word] = count = seen.get(word, 0) + 1
        if count > _MOST_OCCURRENCES:
            words[number] = LEFT_OUT
    return words
