"""How many articles of a selection there are by portal, section, author, language, genre and time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, Table, Text, cast, func, literal_column, select, union_all

from newscrawler.store.articles import narrowed
from newscrawler.store.database import translated
from newscrawler.store.records import Selection
from newscrawler.store.tables import ARTICLE, ARTICLE_AUTHOR, AUTHOR, PORTAL, SECTION


class Facet(StrEnum):
    """By what articles are counted."""

    PORTAL = "portal"
    SECTION = "section"
    AUTHOR = "author"
    LANGUAGE = "language"
    GENRE = "genre"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"


#: Characters of a day (YYYY-MM-DD) that name its period.
PERIODS: Mapping[Facet, int] = {Facet.YEAR: 4, Facet.MONTH: 7, Facet.DAY: 10}
#: Where the names are of what articles hold numbers of.
_NAMES: Mapping[Facet, Table] = {Facet.PORTAL: PORTAL, Facet.SECTION: SECTION, Facet.AUTHOR: AUTHOR}
#: Beside a list of articles.
_BESIDE = (Facet.PORTAL, Facet.SECTION, Facet.LANGUAGE, Facet.GENRE, Facet.AUTHOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """How many articles have a name, or are of a period."""

    name: str
    articles: int


class Facets:
    """Counts of the articles of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def counts(self, selection: Selection, by: Facet, *, limit: int) -> list[Count]:
        """Return the most frequent names, most frequent first; or the latest periods, oldest first."""
        key = _key(by)
        grouped = _articles(selection, key.label("key"), func.count().label("articles"), by).group_by(key).subquery()
        if by in PERIODS:
            rows = self._rows(select(grouped.c.key, grouped.c.articles).order_by(grouped.c.key.desc()).limit(limit))
            return [Count(name=name, articles=int(articles)) for name, articles in reversed(rows)]
        rows = self._rows(_named(grouped, by).limit(limit))
        return [Count(name=name or "", articles=int(articles)) for name, articles in rows]

    def coverage(self, selection: Selection, period: Facet) -> dict[tuple[str, str], int]:
        """Return how many articles each portal has of each period."""
        at = _key(period)
        query = _articles(selection, ARTICLE.c.portal_id.label("key"), at.label("period"), func.count().label("articles"))
        grouped = query.group_by(ARTICLE.c.portal_id, at).subquery()
        named = select(PORTAL.c.name, grouped.c.period, grouped.c.articles).join(grouped, PORTAL.c.id == grouped.c.key)
        return {(portal, when): int(articles) for portal, when, articles in self._rows(named)}

    def sizes(self, selection: Selection, period: Facet) -> dict[str, tuple[int, int]]:
        """Return how many articles, and words of their texts, each period has; oldest first."""
        at = _key(period)
        query = _articles(selection, at, func.count(), func.sum(ARTICLE.c.word_count)).group_by(at).order_by(at)
        return {when: (int(articles), int(words)) for when, articles, words in self._rows(query)}

    def latest(self, selection: Selection, *, limit: int) -> list[int]:
        """Return the numbers of the articles that were published last, newest first."""
        newest = _articles(selection, ARTICLE.c.id).order_by(ARTICLE.c.dated_at.desc(), ARTICLE.c.id.desc()).limit(limit)
        return [number for (number,) in self._rows(newest)]

    def count(self, selection: Selection) -> int:
        """Return how many articles there are."""
        ((number,),) = self._rows(_articles(selection, func.count()))
        return int(number)

    def beside(self, selection: Selection, *, latest: int, most: int) -> dict[Facet, list[Count]]:
        """Return the most frequent names of each kind among the articles that were stored last, in one query."""
        columns = (ARTICLE.c.id, ARTICLE.c.portal_id, ARTICLE.c.section_id, ARTICLE.c.language, ARTICLE.c.genre, ARTICLE.c.day)
        newest = _articles(selection, *columns).order_by(ARTICLE.c.id.desc()).limit(latest)
        found = newest.cte("found")
        parts = [_part(found, facet, most) for facet in _BESIDE]
        months = func.substr(cast(found.c.day, Text), 1, PERIODS[Facet.MONTH])
        grouped = select(literal_column("'month'").label("facet"), months.label("name"), func.count().label("articles"))
        parts.append(select(grouped.group_by(months).order_by(months.desc()).limit(most).subquery()))
        answer: dict[Facet, list[Count]] = {facet: [] for facet in (*_BESIDE, Facet.MONTH)}
        for facet, name, articles in self._rows(union_all(*parts)):
            answer[Facet(facet)].append(Count(name=name or "", articles=int(articles)))
        return answer

    def _rows(self, query: Any) -> list[Any]:
        with translated(self._engine), self._connected() as connection:
            return list(connection.execute(query).all())

    def _connected(self) -> Connection:
        return self._engine.connect().execution_options(reading=True)


def _key(by: Facet) -> ColumnElement[Any]:
    """Return what articles are grouped by."""
    if by in PERIODS:
        return func.substr(cast(ARTICLE.c.day, Text), 1, PERIODS[by])
    if by is Facet.AUTHOR:
        return ARTICLE_AUTHOR.c.author_id
    return ARTICLE.c[f"{by}_id" if by in _NAMES else str(by)]


def _articles(selection: Selection, *columns: Any) -> Select[Any]:
    """Select from the articles of a selection; only the index that holds every facet is read, not the rows with their texts."""
    wants_author = any(each is Facet.AUTHOR for each in columns)
    columns = tuple(each for each in columns if not isinstance(each, Facet))
    source: Any = ARTICLE
    if selection.portal is not None or selection.portals:
        source = source.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id)
    if wants_author:
        source = source.join(ARTICLE_AUTHOR, ARTICLE_AUTHOR.c.article_id == ARTICLE.c.id)
    query = select(*columns).select_from(source).with_hint(ARTICLE, "INDEXED BY ix_article_facets", "sqlite")
    return narrowed(query, selection)


def _named(grouped: Any, by: Facet) -> Select[Any]:
    """Return names and numbers of articles, most frequent first; sections of several portals may have one name."""
    table = _NAMES.get(by)
    if table is None:
        return select(grouped.c.key, grouped.c.articles).order_by(grouped.c.articles.desc(), grouped.c.key)
    number = func.sum(grouped.c.articles)
    named = select(table.c.name, number).select_from(grouped.outerjoin(table, table.c.id == grouped.c.key))
    return named.group_by(table.c.name).order_by(number.desc(), table.c.name)


def _part(found: Any, by: Facet, most: int) -> Select[Any]:
    """Return facet, name and number of articles among those that were found."""
    if by is Facet.AUTHOR:
        key: Any = ARTICLE_AUTHOR.c.author_id
        source: Any = found.join(ARTICLE_AUTHOR, ARTICLE_AUTHOR.c.article_id == found.c.id)
    else:
        key, source = found.c[f"{by}_id" if by in _NAMES else str(by)], found
    grouped = select(key.label("key"), func.count().label("articles")).select_from(source).where(key.is_not(None)).group_by(key)
    named = _named(grouped.subquery(), by).limit(most).subquery()
    name, articles = named.c
    return select(literal_column(f"'{by}'").label("facet"), name.label("name"), articles.label("articles"))
