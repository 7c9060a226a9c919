"""The full-text index, kept up to date within the transaction that stores, corrects or removes an article.

SQLite has it as a contentless FTS5 table, PostgreSQL as a table of `tsvector` with a GIN index. Both are given the words that
`newscrawler.store.search.fold` folds, so that neither splits or folds anything by itself, and both find the same. Of an article the
first 16,000 words of the body are indexed, and of one word 250 occurrences.
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Self

from sqlalchemy import Connection, bindparam, select, text

from newscrawler.store.search.fold import LONGEST_WORD, split_paragraph
from newscrawler.store.search.word_ids import forget_unused_words, write_word_ids
from newscrawler.store.statements import PreparedStatement
from newscrawler.store.tables import ARTICLE

#: Of both forms of the index; those of FTS5's own tables begin so, too.
INDEX = "article_search"
#: Stands for a word that occurs too often.
_LEFT_OUT = "\x02"
#: PostgreSQL's vectors also contain the numbers of an article's band and wide band, behind these characters, so that a search can
#: begin with the articles stored last.
BANDS, BAND, WIDE_BAND = ("#", "/"), 2048, 65_536
#: Label of the title's words in a vector.
TITLE_LABEL = "A"
#: What a vector can note: positions up to 16,383, 255 of a word, and 1 MiB of words, of which a character takes up to four bytes.
_MOST_TITLE, _MOST_BODY, _MOST_OCCURRENCES, _MOST_CHARACTERS = 250, 16_000, 250, 220_000
#: Position of the body's first word, farther behind the title than NEAR reaches.
_FIRST_OF_BODY = 384
#: Articles of a copy that are indexed at once.
_CHUNK = 500

_ADD = {
    "sqlite": PreparedStatement(text(f"INSERT INTO {INDEX} (rowid, title, body) VALUES (:article, :title, :body)")),  # noqa: S608
    "postgresql": PreparedStatement(
        text(f"INSERT INTO {INDEX} (article_id, words) VALUES (:article, CAST(:words AS tsvector))")  # noqa: S608  constants
    ),
}
#: To delete from a contentless table, its old content must be given.
_REMOVE = text(
    f"INSERT INTO {INDEX} ({INDEX}, rowid, title, body) "  # noqa: S608
    f"SELECT 'delete', :article, :title, :body WHERE EXISTS (SELECT 1 FROM {INDEX}_docsize WHERE id = :article)"
)
_STORED = select(ARTICLE.c.id, ARTICLE.c.title, ARTICLE.c.paragraphs)
_OF_IDS = _STORED.where(ARTICLE.c.id.in_(bindparam("ids", expanding=True)))
_NEXT = _STORED.where(ARTICLE.c.id > bindparam("before")).order_by(ARTICLE.c.id).limit(bindparam("most"))

CREATE_GIN = f"CREATE INDEX ix_{INDEX}_words ON {INDEX} USING gin (words) WITH (gin_pending_list_limit = 1024)"
#: Statements that create the index, by dialect.
CREATE = {
    "sqlite": (f"CREATE VIRTUAL TABLE {INDEX} USING fts5(title, body, content='', tokenize='ascii')",),
    "postgresql": (
        f"CREATE TABLE {INDEX} (article_id BIGINT PRIMARY KEY REFERENCES article (id), words TSVECTOR NOT NULL)",
        f"ALTER TABLE {INDEX} ALTER words SET STORAGE MAIN",
        CREATE_GIN,
    ),
}


def create_index(connection: Connection) -> None:
    """Create the index of a new database, empty."""
    for statement in CREATE[connection.dialect.name]:
        connection.exec_driver_sql(statement)


def index_article(connection: Connection, article_id: int, title: str, paragraphs: Iterable[str]) -> None:
    """Make an article searchable and countable when the transaction ends; it must not be in the index."""
    split = [split_paragraph(each) for each in paragraphs]
    _add(connection, [IndexedWords.join(article_id, split_paragraph(title).folded, (each.folded for each in split))])
    write_word_ids(connection, {article_id: split})


def unindex_articles(connection: Connection, article_ids: Sequence[int]) -> None:
    """Remove articles from the index; call while their rows still have the indexed text."""
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"DELETE FROM {INDEX} WHERE article_id = ANY(:ids)"), {"ids": list(article_ids)})  # noqa: S608
        return
    stored = connection.execute(_OF_IDS, {"ids": list(article_ids)}).all()
    rows = [IndexedWords.of(row.id, row.title, _list_texts(row.paragraphs)).as_row() for row in stored]
    if rows:
        connection.execute(_REMOVE, rows)


def forget_words(connection: Connection) -> None:
    """Remove unused words, and rewrite SQLite's index without removed entries, so that no removed text can be reconstructed."""
    forget_unused_words(connection)
    if connection.dialect.name == "sqlite":
        connection.execute(text(f"INSERT INTO {INDEX} ({INDEX}) VALUES ('optimize')"))  # noqa: S608


def index_all(connection: Connection) -> None:
    """Index all articles within one transaction; the index must be empty."""
    before = 0
    while stored := connection.execute(_NEXT, {"before": before, "most": _CHUNK}).all():
        _add(connection, [IndexedWords.of(row.id, row.title, _list_texts(row.paragraphs)) for row in stored])
        before = stored[-1].id


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
        return cls.join(article_id, split_paragraph(title).folded, (split_paragraph(each).folded for each in paragraphs))

    @classmethod
    def join(cls, article_id: int, title: list[str], paragraphs: Iterable[list[str]]) -> Self:
        """Join the folded words of an article."""
        folded = title[:_MOST_TITLE]
        words = _bound_words(folded + list(chain.from_iterable(paragraphs))[:_MOST_BODY])
        return cls(article_id=article_id, title=words[: len(folded)], body=words[len(folded) :])

    def as_row(self) -> dict[str, object]:
        """Return the row of SQLite's index."""
        return {"article": self.article_id, "title": " ".join(self.title), "body": " ".join(self.body)}

    def as_vector(self) -> dict[str, object]:
        """Return the row of PostgreSQL's index; words contain neither quotes nor backslashes."""
        positions: dict[str, list[str]] = {}
        for number, word in enumerate(self.title, 1):
            positions.setdefault(word, []).append(f"{number}{TITLE_LABEL}")
        for number, word in enumerate(self.body, _FIRST_OF_BODY):
            positions.setdefault(word, []).append(str(number))
        positions.pop(_LEFT_OUT, None)
        words = [f"'{word}':{','.join(where)}" for word, where in positions.items()]
        bands = (f"{BANDS[0]}{self.article_id // BAND}", f"{BANDS[1]}{self.article_id // WIDE_BAND}")
        return {"article": self.article_id, "words": " ".join((*words, *bands))}


def _add(connection: Connection, articles: Sequence[IndexedWords]) -> None:
    if not articles:
        return
    dialect = connection.dialect.name
    _ADD[dialect].run_many(connection, [each.as_vector() if dialect == "postgresql" else each.as_row() for each in articles])


def _bound_words(words: list[str]) -> list[str]:
    """Return the words, without those behind too many characters, replacing those that occur too often."""
    if len(words) <= _MOST_OCCURRENCES:
        return words
    if len(words) * LONGEST_WORD > _MOST_CHARACTERS:
        words = words[: bisect(list(accumulate(map(len, words))), _MOST_CHARACTERS)]
    if max(Counter(words).values(), default=0) <= _MOST_OCCURRENCES:
        return words
    seen: dict[str, int] = {}
    for number, word in enumerate(words):
        seen[word] = count = seen.get(word, 0) + 1
        if count > _MOST_OCCURRENCES:
            words[number] = _LEFT_OUT
    return words
