"""Lists of articles without their texts: a page of a list at a time, newest stored first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Row, Select, select

from newscrawler.store.articles.article_rows import local_time
from newscrawler.store.articles.articles import narrowed
from newscrawler.store.articles.names import AUTHORS, SECTION_NAME
from newscrawler.store.articles.records import Selection
from newscrawler.store.database import translated
from newscrawler.store.tables import ARTICLE, PAGE, PORTAL
from newscrawler.store.vocabularies import UrlOutcome

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


class ArticleLines:
    """The articles of all portals, as lists show them."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def newest(self, selection: Selection, *, before_id: int | None = None, limit: int = 50) -> list[ArticleLine]:
        """Return articles of a selection, those stored last first; `before_id`: only those stored before this one."""
        query = narrowed(_lines(), selection).order_by(ARTICLE.c.id.desc()).limit(limit)
        if before_id is not None:
            query = query.where(ARTICLE.c.id < before_id)
        return self._read(query)

    def oldest(self, selection: Selection, *, after_id: int = 0, limit: int = 50) -> list[ArticleLine]:
        """Return articles of a selection after an id, in the order in which they were stored."""
        return self._read(narrowed(_lines(), selection).where(ARTICLE.c.id > after_id).order_by(ARTICLE.c.id).limit(limit))

    def of(self, article_ids: Sequence[int]) -> list[ArticleLine]:
        """Return the articles with these ids, in this order, without those that do not exist."""
        found = {line.id: line for line in self._read(_lines().where(ARTICLE.c.id.in_(article_ids)))}
        return [found[number] for number in article_ids if number in found]

    def with_pages(self, portal: str) -> list[ArticleLine]:
        """Return the articles of a portal whose pages are kept, in the order in which they were stored."""
        kept = select(PAGE.c.article_id).join(PORTAL, PORTAL.c.id == PAGE.c.portal_id)
        kept = kept.where((PORTAL.c.name == portal) & (PAGE.c.outcome == UrlOutcome.ARTICLE) & PAGE.c.article_id.is_not(None))
        return self._read(_lines().where(ARTICLE.c.id.in_(kept)).order_by(ARTICLE.c.id))

    def similar_to(self, article_id: int, *, limit: int = 20) -> list[ArticleLine]:
        """Return the later near-duplicates of this article."""
        return self._read(_lines().where(ARTICLE.c.similar_to_id == article_id).order_by(ARTICLE.c.id).limit(limit))

    def _read(self, query: Select[Any]) -> list[ArticleLine]:
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [_line(row) for row in connection.execute(query)]


def _lines() -> Select[Any]:
    columns = (ARTICLE.c[name] for name in _COLUMNS)
    return select(*columns, PORTAL.c.name.label("portal"), SECTION_NAME, AUTHORS).select_from(ARTICLE.outerjoin(PORTAL))


def _line(row: Row[Any]) -> ArticleLine:
    return ArticleLine(
        id=row.id,
        portal=row.portal,
        url=row.url,
        title=row.title,
        authors=tuple(row.authors or ()),
        published_at=local_time(row.published_at, row.published_offset_minutes),
        fetched_at=row.fetched_at,
        section=row.section,
        language=row.language,
        genre=row.genre,
        word_count=row.word_count,
        confidence=row.confidence,
        similar_to=row.similar_to_id,
    )
