"""Reads the words of articles as ids, for statistics; writes them anew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    String,
    Text,
    bindparam,
    case,
    cast,
    func,
    literal,
    literal_column,
    or_,
    select,
)

from newscrawler.store.articles.articles import holds_words, select_articles
from newscrawler.store.articles.facets import PERIODS, Facet
from newscrawler.store.articles.records import Selection
from newscrawler.store.database import StorePart, is_in_process
from newscrawler.store.search.fold import split_paragraph
from newscrawler.store.search.word_ids import DELETE_MARKER, read_forms, write_word_ids
from newscrawler.store.tables import ARTICLE, ARTICLE_WORDS, PORTAL, WORD

#: Articles read at a time, few enough for arrays of their words to fit into a processor's cache.
_AT_ONCE = 256
_REWRITTEN = 500
_NEXT = (
    select(ARTICLE.c.id, ARTICLE.c.paragraphs)
    .where(ARTICLE.c.id > bindparam("before"))
    .order_by(ARTICLE.c.id)
    .limit(_REWRITTEN)
    .with_for_update()
)
_FOLDED = func.coalesce(WORD.c.folded, WORD.c.form)
#: Name of the period of articles without a time of publication.
UNDATED = "undated"


class WordGroup(NamedTuple):
    """Articles of a group."""

    group: tuple[str, ...]
    ids: list[int]
    #: Joined.
    values: bytes
    #: Whether a query matches them.
    matches: bool


class StoredWords(StorePart):
    """The words of all articles, as statistics read them."""

    def stream(
        self, selection: Selection, by: Sequence[Facet] = (), *, undated: bool = False, query: str | None = None
    ) -> Iterator[WordGroup]:
        """Yield groups of articles with their values; groups follow each other, a large one in several parts.

        `by`: portals, or periods of the day of an article; with `undated`, articles without a time of publication have a period of
        that name. `query`: those that it matches are groups apart.
        """
        keys = [_make_key(facet, undated=undated) for facet in by]
        names = dict(self._read(select(PORTAL.c.id, PORTAL.c.name))) if Facet.PORTAL in by else {}
        chosen = _select_words(selection, keys, query)
        with self._reading() as connection:
            for part in _read_parts(connection, chosen):
                for key, rows in groupby(part, key=lambda row: row[3:]) if keys else [((), part)]:
                    group = tuple(
                        names.get(each, str(each)) if facet is Facet.PORTAL else each for facet, each in zip(by, key, strict=True)
                    )
                    found = list(rows)
                    for matches in (False, True) if query is not None else (False,):
                        if some := found if query is None else [row for row in found if row[2] == matches]:
                            values = b"".join([row[1] for row in some])
                            yield WordGroup(group, [row[0] for row in some], values, matches=matches)

    def values(self, articles: Sequence[int]) -> dict[int, bytes]:
        """Return the values of these articles."""
        rows = self._read(select(ARTICLE_WORDS).where(ARTICLE_WORDS.c.article_id.in_(articles)))
        return {number: bytes(value) for number, value in rows}

    def largest_id(self) -> int:
        """Return the largest id of a word."""
        return int(self._read_value(select(func.coalesce(func.max(WORD.c.id), 0))))

    def forms(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the words with these ids."""
        with self._reading() as connection:
            return read_forms(connection, ids)

    def ids(self, forms: Collection[str]) -> dict[str, int]:
        """Return the ids of those of the words that are in the vocabulary."""
        rows = self._read(select(WORD.c.form, WORD.c.id).where(WORD.c.form.in_(forms)))
        return {row.form: row.id for row in rows}

    def folded(self, parts: Collection[str], *, compounds: bool) -> Iterator[tuple[int, str]]:
        """Yield id and folded words of all words that contain one of these parts; `compounds`: and of those of several words."""
        find = func.instr if self._engine.dialect.name == "sqlite" else func.strpos
        conditions: list[ColumnElement[bool]] = [find(_FOLDED, part) > 0 for part in sorted(parts)]
        if compounds:
            conditions += [WORD.c.folded == "", find(WORD.c.folded, literal(" ", String)) > 0]
        for start in range(0, len(conditions), _MOST_CONDITIONS):
            yield from map(tuple, self._read(select(WORD.c.id, _FOLDED).where(or_(*conditions[start : start + _MOST_CONDITIONS]))))

    def rebuild(self, report: Callable[[int], None] = lambda _number: None) -> int:
        """Write the words of all articles anew while crawls may continue, and return the number of articles.

        `report` gets the number of articles so far.
        """
        number = before = 0
        with self._writing() as connection:
            connection.execute(DELETE_MARKER)
        while True:
            with self._writing() as connection:
                stored = connection.execute(_NEXT, {"before": before}).all()
                if stored:
                    write_word_ids(connection, {row.id: [split_paragraph(each[1]) for each in row.paragraphs] for row in stored})
            number += len(stored)
            report(number)
            if len(stored) < _REWRITTEN:
                return number
            before = stored[-1].id


_MOST_CONDITIONS = 100


def _make_key(facet: Facet, *, undated: bool) -> ColumnElement[Any]:
    if facet is Facet.PORTAL:
        return ARTICLE.c.portal_id
    period = func.substr(cast(ARTICLE.c.day, Text), literal_column("1"), literal_column(str(PERIODS[facet])))
    return case((ARTICLE.c.published_at.is_(None), UNDATED), else_=period) if undated else period


def _read_parts(connection: Connection, query: Select[Any]) -> Iterator[Sequence[Any]]:
    if not is_in_process(connection.engine):
        with connection.execute(query, execution_options={"yield_per": _AT_ONCE}) as result:
            yield from result.partitions()
        return
    result = connection.execute(query)
    cursor: Any = result.cursor  # SQLAlchemy would make each row anew
    while part := cursor.fetchmany(_AT_ONCE):
        yield part


def _select_words(selection: Selection, keys: Sequence[ColumnElement[Any]], query: str | None) -> Select[Any]:
    matches = literal_column("0") if query is None else case((holds_words(query), 1), else_=0)
    columns = (ARTICLE_WORDS.c.article_id, ARTICLE_WORDS.c.ids, matches)
    if selection == Selection() and not keys and query is None:
        return select(*columns)
    named = [key.label(f"key_{number}") for number, key in enumerate(keys)]
    if selection.limit is not None:
        order = (ARTICLE.c.dated_at.desc(), ARTICLE.c.id.desc()) if selection.newest_first else (ARTICLE.c.id,)
        chosen = select_articles(selection, ARTICLE.c.id).order_by(*order).limit(selection.limit)
        found = select_articles(Selection(), *columns, *named).where(ARTICLE.c.id.in_(chosen))
    else:
        found = select_articles(selection, *columns, *named)
    return found.join(ARTICLE_WORDS, ARTICLE_WORDS.c.article_id == ARTICLE.c.id).order_by(*named)
