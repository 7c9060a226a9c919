"""Counts of articles, and lists of them without their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, Table, Text, cast, exists, func, literal_column, select, tuple_, union_all

from newscrawler.store.articles.article_rows import AUTHORS, SECTION_NAME, local_time
from newscrawler.store.articles.articles import narrowed, select_articles
from newscrawler.store.articles.collections import with_entity
from newscrawler.store.articles.records import Selection
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.tables import ARTICLE, ARTICLE_AUTHOR, ARTICLE_ENTITY, AUTHOR, ENTITY, PAGE, PORTAL, SECTION
from newscrawler.store.vocabularies import UrlOutcome


class Facet(StrEnum):
    """A property by which articles are counted."""

    PORTAL = "portal"
    SECTION = "section"
    AUTHOR = "author"
    LANGUAGE = "language"
    GENRE = "genre"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    TOPIC = "topic"


#: Length of the prefix of a day (YYYY-MM-DD) that names its period.
PERIODS: Mapping[Facet, int] = {Facet.YEAR: 4, Facet.MONTH: 7, Facet.DAY: 10}
#: Facets that recognisers find; also kinds of entities.
ENTITIES = (Facet.PERSON, Facet.ORGANISATION, Facet.PLACE, Facet.TOPIC)
#: Tables with the names of the ids in articles.
_NAMES: Mapping[Facet, Table] = {Facet.PORTAL: PORTAL, Facet.SECTION: SECTION, Facet.AUTHOR: AUTHOR}
_ONE: ColumnElement[int] = literal_column("1")
#: Facets shown next to a list of articles.
_BESIDE = (Facet.PORTAL, Facet.SECTION, Facet.LANGUAGE, Facet.GENRE, Facet.AUTHOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """The number of articles with a name, or of a period."""

    name: str
    articles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetCounts:
    """Counts shown next to a list of articles."""

    counts: Mapping[Facet, Sequence[Count]]
    #: The number of articles counted.
    among: int


class Facets(StorePart):
    """Counts of the articles of all portals."""

    def counts(self, selection: Selection, by: Facet, *, limit: int) -> list[Count]:
        """Return the most frequent names, most frequent first; or the latest periods, oldest first."""
        if by in PERIODS:
            sizes = self.sizes(selection, by)
            return [Count(name=period, articles=articles) for period, (articles, _) in list(sizes.items())[-limit:]]
        if by in ENTITIES:
            return self._count_entities(selection, by, limit)
        key = _make_key(by)
        source = _select_author_links(selection) if by is Facet.AUTHOR else select_articles(selection)
        grouped = source.with_only_columns(key.label("key"), func.count().label("articles")).group_by(key).subquery()
        rows = self._read(_count_names(grouped, by).limit(limit))
        return [Count(name=name or "", articles=int(articles)) for name, articles in rows]

    def _count_entities(self, selection: Selection, by: Facet, limit: int) -> list[Count]:
        """Return the most frequent entities of a kind; several recognisers may find one in the same article."""
        number = func.count(ARTICLE_ENTITY.c.article_id.distinct())
        query = select(ENTITY.c.name, number).join(ARTICLE_ENTITY, ARTICLE_ENTITY.c.entity_id == ENTITY.c.id)
        query = query.where(ENTITY.c.kind == by)
        if selection != Selection():
            query = query.where(ARTICLE_ENTITY.c.article_id.in_(select_articles(selection, ARTICLE.c.id)))
        rows = self._read(query.group_by(ENTITY.c.name).order_by(number.desc(), ENTITY.c.name).limit(limit))
        return [Count(name=name, articles=int(articles)) for name, articles in rows]

    def coverage(self, selection: Selection, period: Facet, *, limit: int) -> dict[tuple[str, str], int]:
        """Return the number of articles of each portal in each of the latest periods."""
        sizes = list(self.sizes(selection, period))[-limit:]
        if not sizes:
            return {}
        at = func.substr(cast(ARTICLE.c.day, Text), _ONE, literal_column(str(PERIODS[period])))
        columns = (ARTICLE.c.portal_id.label("key"), at.label("period"), func.count().label("articles"))
        query = select_articles(selection, *columns).where(at >= sizes[0])
        grouped = query.group_by(ARTICLE.c.portal_id, at).subquery()
        named = select(PORTAL.c.name, grouped.c.period, grouped.c.articles).join(grouped, PORTAL.c.id == grouped.c.key)
        return {(portal, when): int(articles) for portal, when, articles in self._read(named)}

    def sizes(self, selection: Selection, period: Facet, *, entity: str = "", is_topic: bool = False) -> dict[str, tuple[int, int]]:
        """Return the numbers of articles and words of each period, oldest first; `entity`: of those that mention it, too."""
        query = select_articles(selection, ARTICLE.c.day, func.count(), func.sum(ARTICLE.c.word_count))
        if entity:
            query = query.where(ARTICLE.c.id.in_(with_entity(entity, is_topic=is_topic)))
        found: dict[str, tuple[int, int]] = {}
        for day, articles, words in self._read(query.group_by(ARTICLE.c.day).order_by(ARTICLE.c.day)):
            name = day.isoformat()[: PERIODS[period]]
            before = found.get(name, (0, 0))
            found[name] = (before[0] + int(articles), before[1] + int(words))
        return found

    def latest(self, selection: Selection, *, limit: int) -> list[int]:
        """Return the ids of the latest published articles, newest first."""
        newest = select_articles(selection, ARTICLE.c.id).order_by(ARTICLE.c.dated_at.desc(), ARTICLE.c.id.desc()).limit(limit)
        return [number for (number,) in self._read(newest)]

    def beside(self, selection: Selection, *, latest: int, most: int) -> FacetCounts:
        """Return the most frequent names of each facet among the articles stored last, in one query."""
        columns = (ARTICLE.c.id, ARTICLE.c.portal_id, ARTICLE.c.section_id, ARTICLE.c.language, ARTICLE.c.genre, ARTICLE.c.day)
        newest = select_articles(selection, *columns).order_by(ARTICLE.c.id.desc()).limit(latest)
        found = newest.cte("found")
        every: Any = select(literal_column("''").label("facet"), literal_column("''").label("name"), func.count().label("articles"))
        parts = [every.select_from(found), *(_select_part(found, facet, most) for facet in _BESIDE), _count_months(found, most)]
        if self._read_value(select(exists(select(ENTITY.c.id)))):
            parts.append(_rank_entities(found, most))
        counts: dict[Facet, list[Count]] = {facet: [] for facet in (*_BESIDE, *ENTITIES, Facet.MONTH)}
        (_, _, among), *rows = sorted(self._read(union_all(*parts)), key=lambda row: bool(row[0]))
        for facet, name, articles in rows:
            counts[Facet(facet)].append(Count(name=name or "", articles=int(articles)))
        return FacetCounts(counts=counts, among=int(among))


def _make_key(by: Facet) -> ColumnElement[Any]:
    """Return the expression by which articles are grouped."""
    if by is Facet.AUTHOR:
        return ARTICLE_AUTHOR.c.author_id
    return ARTICLE.c[f"{by}_id" if by in _NAMES else str(by)]


def _select_author_links(selection: Selection) -> Select[Any]:
    """Select from the links of authors to the articles of a selection, in the order of authors."""
    query = select().select_from(ARTICLE_AUTHOR).with_hint(ARTICLE_AUTHOR, "INDEXED BY ix_article_author_author", "sqlite")
    if selection == Selection():
        return query
    return query.where(ARTICLE_AUTHOR.c.article_id.in_(select_articles(selection, ARTICLE.c.id)))


def _count_names(grouped: Any, by: Facet) -> Select[Any]:
    """Return names and numbers of articles, most frequent first; sections of several portals may have one name."""
    table = _NAMES.get(by)
    if table is None:
        return select(grouped.c.key, grouped.c.articles).order_by(grouped.c.articles.desc(), grouped.c.key)
    number = func.sum(grouped.c.articles)
    named = select(table.c.name, number).select_from(grouped.outerjoin(table, table.c.id == grouped.c.key))
    return named.group_by(table.c.name).order_by(number.desc(), table.c.name)


def _select_part(found: Any, by: Facet, most: int) -> Select[Any]:
    """Return facet, name and number of articles among those that were found."""
    if by is Facet.AUTHOR:
        key: Any = ARTICLE_AUTHOR.c.author_id
        source: Any = found.join(ARTICLE_AUTHOR, ARTICLE_AUTHOR.c.article_id == found.c.id)
    else:
        key, source = found.c[f"{by}_id" if by in _NAMES else str(by)], found
    grouped = select(key.label("key"), func.count().label("articles")).select_from(source).where(key.is_not(None)).group_by(key)
    named = _count_names(grouped.subquery(), by).limit(most).subquery()
    name, articles = named.c
    return select(literal_column(f"'{by}'").label("facet"), name.label("name"), articles.label("articles"))


def _rank_entities(found: Any, most: int) -> Select[Any]:
    """Return kind, name and number of articles of the entities of each kind, in one pass."""
    linked = found.join(ARTICLE_ENTITY, ARTICLE_ENTITY.c.article_id == found.c.id).join(ENTITY)
    number = func.count(found.c.id.distinct()).label("articles")
    grouped = select(ENTITY.c.kind, ENTITY.c.name, number).select_from(linked).where(ENTITY.c.kind.in_(ENTITIES))
    counted = grouped.group_by(ENTITY.c.kind, ENTITY.c.name).subquery()
    order = (counted.c.articles.desc(), counted.c.name)
    place = func.row_number().over(partition_by=counted.c.kind, order_by=order).label("place")
    ranked = select(counted, place).subquery()
    first = select(ranked.c.kind, ranked.c.name, ranked.c.articles).where(ranked.c.place <= most)
    return select(first.order_by(ranked.c.place).subquery())


def _count_months(found: Any, most: int) -> Select[Any]:
    """Return the latest months among the articles that were found."""
    months = func.substr(cast(found.c.day, Text), _ONE, literal_column(str(PERIODS[Facet.MONTH])))
    grouped = select(literal_column("'month'").label("facet"), months.label("name"), func.count().label("articles"))
    return select(grouped.group_by(months).order_by(months.desc()).limit(most).subquery())


_COLUMNS = (
    "id", "url", "title", "published_at", "published_offset_minutes", "language", "genre", "word_count", "fetched_at",
    "confidence", "similar_to_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleLine:
    """An article in a list."""

    id: int
    portal: str
    url: str
    title: str
    authors: tuple[str, ...]
    published_at: datetime | None
    fetched_at: datetime
    section: str | None
    language: str | None
    genre: str
    word_count: int
    confidence: float
    similar_to: int | None


class ArticleLines(StorePart):
    """The articles of all portals, as lists show them."""

    def latest(self, selection: Selection, *, before_id: int | None = None, limit: int = 50) -> list[ArticleLine]:
        """Return articles of a selection, those published last first; `before_id`: only those that follow this one."""
        order = (ARTICLE.c.dated_at, ARTICLE.c.id)
        query = narrowed(_make_lines(), selection).order_by(*(each.desc() for each in order)).limit(limit)
        if before_id is not None:
            last = ARTICLE.alias()
            dated_at = select(last.c.dated_at).where(last.c.id == before_id).scalar_subquery()
            query = query.where(tuple_(*order) < tuple_(dated_at, before_id))
        return self._list_lines(query)

    def leads(self, article_ids: Sequence[int]) -> dict[int, str]:
        """Return the lead of each of these articles, or its first paragraph."""
        query = select(ARTICLE.c.id, ARTICLE.c.lead, ARTICLE.c.paragraphs).where(ARTICLE.c.id.in_(article_ids))
        return {number: lead or next((each[1] for each in paragraphs), "") for number, lead, paragraphs in self._read(query)}

    def oldest(self, selection: Selection, *, after_id: int = 0, limit: int = 50) -> list[ArticleLine]:
        """Return articles of a selection after an id, in the order in which they were stored."""
        return self._list_lines(
            narrowed(_make_lines(), selection).where(ARTICLE.c.id > after_id).order_by(ARTICLE.c.id).limit(limit)
        )

    def of(self, article_ids: Sequence[int]) -> list[ArticleLine]:
        """Return the articles with these ids, in this order, without those that do not exist."""
        found = {line.id: line for line in self._list_lines(_make_lines().where(ARTICLE.c.id.in_(article_ids)))}
        return [found[number] for number in article_ids if number in found]

    def with_pages(self, selection: Selection) -> list[ArticleLine]:
        """Return the articles of a selection whose pages are kept, in the order in which they were stored."""
        kept = select(PAGE.c.article_id).where((PAGE.c.outcome == UrlOutcome.ARTICLE) & PAGE.c.article_id.is_not(None))
        return self._list_lines(narrowed(_make_lines(), selection).where(ARTICLE.c.id.in_(kept)).order_by(ARTICLE.c.id))

    def similar_to(self, article_id: int, *, limit: int = 20) -> list[ArticleLine]:
        """Return the later near-duplicates of this article."""
        return self._list_lines(_make_lines().where(ARTICLE.c.similar_to_id == article_id).order_by(ARTICLE.c.id).limit(limit))

    def _list_lines(self, query: Select[Any]) -> list[ArticleLine]:
        return [_make_line(row) for row in self._read(query)]


def _make_lines() -> Select[Any]:
    columns = (ARTICLE.c[name] for name in _COLUMNS)
    return select(*columns, PORTAL.c.name.label("portal"), SECTION_NAME, AUTHORS).select_from(ARTICLE.outerjoin(PORTAL))


def _make_line(row: Row[Any]) -> ArticleLine:
    return fill_record(
        ArticleLine,
        row,
        {"similar_to": "similar_to_id"},
        authors=tuple(row.authors or ()),
        published_at=local_time(row.published_at, row.published_offset_minutes),
    )
