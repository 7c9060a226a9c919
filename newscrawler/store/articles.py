"""Articles out: one, some or all; and what is learned of them later."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, String, bindparam, exists, func, insert, literal_column, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.article import Article, Paragraph, Reserved
from newscrawler.store.article_intake import store_article
from newscrawler.store.article_rows import digest, paragraphs_of, stored_of, values_of
from newscrawler.store.database import translated
from newscrawler.store.frontier_records import SECTION_HINT
from newscrawler.store.portals import known_portal
from newscrawler.store.records import Selection, StoredArticle
from newscrawler.store.tables import ARTICLE, FRONTIER, PORTAL, RESERVATION, REVISION

#: Source of a section that only the listing tells.
FROM_LISTING = "listing"
#: Articles are given their sections in batches, so that a portal of very many takes no more memory than one of few.
_SECTIONS_AT_ONCE = 1_000
_FILL_SECTION = (
    update(ARTICLE)
    .where((ARTICLE.c.id == bindparam("row")) & ARTICLE.c.section.is_(None))
    .values(section=bindparam("named"), section_source=FROM_LISTING)
)


class Articles:
    """The articles of all portals."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, portal: str, article: Article, *, now: datetime | None = None) -> int | None:
        """Store an article of a portal; None: it is there already, or as another article."""
        with translated(self._engine), self._engine.begin() as connection:
            portal_id, _ = known_portal(connection, portal, now or datetime.now(UTC))
            return store_article(connection, portal_id, article).id

    def get(self, article_id: int) -> StoredArticle | None:
        """The article with this id, if there is one."""
        query = _select().where(ARTICLE.c.id == article_id)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(query).first()
        return stored_of(row) if row else None

    def revisions(self, article_id: int) -> list[tuple[datetime, str, tuple[Paragraph, ...]]]:
        """(fetched at, headline, paragraphs) of an article's earlier texts, oldest first."""
        query = select(REVISION).where(REVISION.c.article_id == article_id).order_by(REVISION.c.id)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return [(row.fetched_at, row.headline, paragraphs_of(row.paragraphs)) for row in connection.execute(query)]

    def revise(self, before: StoredArticle, article: Article, *, why: str) -> bool:
        """Put what was read anew of an article in place of the stored record, which is kept whole as a revision.

        Returns:
            False: the article is gone, or has changed since `before` was read; nothing is written.
        """
        old = digest(before.article.headline, before.article.text)
        with translated(self._engine), self._engine.begin() as connection:
            query = select(ARTICLE).where((ARTICLE.c.id == before.id) & (ARTICLE.c.text_hash == old)).with_for_update()
            stored = connection.execute(query).first()
            if stored is None:
                return False
            revision = {name: getattr(stored, name) for name in ("fetched_at", "headline", "lead", "paragraphs", "modified_at")}
            connection.execute(insert(REVISION).values(article_id=before.id, why=why, record=before.article.as_dict(), **revision))
            values = values_of(stored.portal_id, article)
            values = {name: value for name, value in values.items() if name not in {"portal_id", "url", "fetched_at"}}
            values["text_hash"] = digest(article.headline, article.text)
            connection.execute(update(ARTICLE).where(ARTICLE.c.id == before.id).values(values))
        return True

    def fill_sections(self, portal: str) -> int:
        """Give articles whose pages name no section the one whose listing leads to them; answer how many.

        Where the listings of several sections do, it is not known which is the article's.
        """
        listed = (
            select(ARTICLE.c.id, FRONTIER.c.hints)
            .select_from(ARTICLE.join(PORTAL))
            .join(FRONTIER, (FRONTIER.c.portal_id == ARTICLE.c.portal_id) & (FRONTIER.c.url_hash == ARTICLE.c.url_hash))
            .where((PORTAL.c.name == portal) & ARTICLE.c.section.is_(None) & FRONTIER.c.hints.is_not(None))
            .where(ARTICLE.c.id > bindparam("behind"))
            .order_by(ARTICLE.c.id)
            .limit(_SECTIONS_AT_ONCE)
        )
        filled = behind = 0
        while True:
            with translated(self._engine), self._engine.begin() as connection:
                rows = connection.execute(listed, {"behind": behind}).all()
                named = [(row.id, {text for source, text in row.hints if source == SECTION_HINT}) for row in rows]
                known = [{"row": number, "named": next(iter(sections))} for number, sections in named if len(sections) == 1]
                if known:
                    connection.execute(_FILL_SECTION, known)
            filled += len(known)
            if len(rows) < _SECTIONS_AT_ONCE:
                return filled
            behind = rows[-1].id

    def count(self, selection: Selection) -> int:
        """How many articles a selection holds (its limit left aside)."""
        query = _narrow(select(func.count()).select_from(ARTICLE.join(PORTAL)), selection)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(query).scalar_one())

    def newest_id(self) -> int:
        """The number of the article that was stored last; 0: there is none."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(select(func.coalesce(func.max(ARTICLE.c.id), 0))).scalar_one())

    def stream(self, selection: Selection, *, batch: int = 500) -> Iterator[StoredArticle]:
        """Yield a selection in constant memory: oldest stored first, or newest published first."""
        query = _narrow(_select(), selection)
        if selection.newest_first:
            query = query.order_by(func.coalesce(ARTICLE.c.published_at, ARTICLE.c.fetched_at).desc(), ARTICLE.c.id.desc())
        else:
            query = query.order_by(ARTICLE.c.id)
        if selection.limit is not None:
            query = query.limit(selection.limit)
        with translated(self._engine), self._engine.connect().execution_options(reading=True, yield_per=batch) as connection:
            for row in connection.execute(query):
                yield stored_of(row)


def _select() -> Select[Any]:
    return select(ARTICLE, PORTAL.c.name.label("portal")).select_from(ARTICLE.join(PORTAL))


class LocalDay(FunctionElement[str]):
    """The day, as YYYY-MM-DD, of a moment on the clock of its own offset: the `date` of an article."""

    type = String()
    inherit_cache = True


@compiles(LocalDay, "sqlite")
def _sqlite_day(element: Any, compiler: Any, **kwargs: Any) -> str:
    moment, minutes = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"date({moment}, {minutes} || ' minutes')"


@compiles(LocalDay, "postgresql")
def _postgresql_day(element: Any, compiler: Any, **kwargs: Any) -> str:
    moment, minutes = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"to_char(timezone('UTC', {moment}) + make_interval(mins => {minutes}), 'YYYY-MM-DD')"


def _narrow(query: Select[Any], selection: Selection) -> Select[Any]:
    moment = func.coalesce(ARTICLE.c.published_at, ARTICLE.c.fetched_at)
    day = LocalDay(moment, func.coalesce(ARTICLE.c.published_offset_minutes, literal_column("0")))
    if selection.portal is not None:
        query = query.where(PORTAL.c.name == selection.portal)
    if selection.portals:
        query = query.where(PORTAL.c.name.in_(selection.portals))
    if selection.after_id is not None:
        query = query.where(ARTICLE.c.id > selection.after_id)
    if selection.until_id is not None:
        query = query.where(ARTICLE.c.id <= selection.until_id)
    if selection.language is not None:
        query = query.where(ARTICLE.c.language == selection.language)
    if selection.since is not None:
        query = query.where(day >= selection.since.isoformat())
    if selection.until is not None:
        query = query.where(day <= selection.until.isoformat())
    if selection.text is not None:
        query = query.where(ARTICLE.c.headline.icontains(selection.text, autoescape=True))
    if selection.reserved:
        query = query.where(~_is_reserved(selection))
    return query


def _is_reserved(selection: Selection) -> ColumnElement[bool]:
    """What one of the pages that show an article says by now, whichever it is, counts for the article."""
    counts: ColumnElement[bool] = RESERVATION.c.word.in_(sorted(selection.reserved))
    for portal, words in selection.disregarded:
        counts &= ~((PORTAL.c.name == portal) & RESERVATION.c.word.in_(sorted(words)))
    begun = RESERVATION.c.from_at.is_not(None) & (RESERVATION.c.from_at <= (selection.at or datetime.now(UTC)))
    holds = (RESERVATION.c.word != Reserved.UNAVAILABLE_AFTER) | begun
    return exists(
        select(RESERVATION.c.id)
        .join(FRONTIER, FRONTIER.c.id == RESERVATION.c.url_id)
        .where((FRONTIER.c.article_id == ARTICLE.c.id) & RESERVATION.c.ended_at.is_(None) & RESERVATION.c.granted.is_(False))
        .where(counts & holds)
        .correlate(ARTICLE, PORTAL)
    )
