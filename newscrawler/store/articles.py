"""Articles out: one, some or all; and what is learned of them later."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Engine, Select, String, bindparam, func, insert, literal_column, select, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.article import Article, Paragraph
from newscrawler.store.article_intake import store_article
from newscrawler.store.article_rows import digest, paragraphs_of, stored_of, values_of
from newscrawler.store.database import translated
from newscrawler.store.frontier_records import SECTION_HINT
from newscrawler.store.portals import known_portal
from newscrawler.store.records import Selection, StoredArticle
from newscrawler.store.search_index import index_article, unindex_articles
from newscrawler.store.tables import ARTICLE, FRONTIER, PORTAL, REVISION

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
        query = joined_articles().where(ARTICLE.c.id == article_id)
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
            unindex_articles(connection, [before.id])
            connection.execute(update(ARTICLE).where(ARTICLE.c.id == before.id).values(values))
            index_article(connection, before.id, article.headline, [paragraph.text for paragraph in article.body])
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
        query = narrowed(select(func.count()).select_from(ARTICLE.join(PORTAL)), selection)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(query).scalar_one())

    def counts(self) -> dict[str, int]:
        """Return how many articles each portal has."""
        query = select(PORTAL.c.name, func.count(ARTICLE.c.id)).select_from(PORTAL.outerjoin(ARTICLE)).group_by(PORTAL.c.name)
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return {name: int(number) for name, number in connection.execute(query)}

    def newest_id(self) -> int:
        """The number of the article that was stored last; 0: there is none."""
        with translated(self._engine), self._engine.connect().execution_options(reading=True) as connection:
            return int(connection.execute(select(func.coalesce(func.max(ARTICLE.c.id), 0))).scalar_one())

    def stream(self, selection: Selection, *, batch: int = 500) -> Iterator[StoredArticle]:
        """Yield a selection in constant memory: oldest stored first, or newest published first."""
        query = narrowed(joined_articles(), selection)
        if selection.newest_first:
            query = query.order_by(moment_of().desc(), ARTICLE.c.id.desc())
        else:
            query = query.order_by(ARTICLE.c.id)
        if selection.limit is not None:
            query = query.limit(selection.limit)
        with translated(self._engine), self._engine.connect().execution_options(reading=True, yield_per=batch) as connection:
            for row in connection.execute(query):
                yield stored_of(row)


def joined_articles(*, joined: bool = True) -> Select[Any]:
    """Select articles with the names of their portals; with joined=False, the caller says how the two tables are joined."""
    query = select(ARTICLE, PORTAL.c.name.label("portal"))
    return query.select_from(ARTICLE.join(PORTAL)) if joined else query


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


class HasMember(FunctionElement[bool]):
    """Whether a text is a member of a JSON array."""

    type = Boolean()
    inherit_cache = True


@compiles(HasMember, "sqlite")
def _sqlite_member(element: Any, compiler: Any, **kwargs: Any) -> str:
    array, member = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"EXISTS (SELECT 1 FROM json_each({array}) WHERE json_each.value = {member})"  # noqa: S608  both are compiled


@compiles(HasMember, "postgresql")
def _postgresql_member(element: Any, compiler: Any, **kwargs: Any) -> str:
    array, member = (compiler.process(part, **kwargs) for part in element.clauses)
    return f"CAST({array} AS jsonb) @> jsonb_build_array(CAST({member} AS text))"


def moment_of() -> ColumnElement[datetime]:
    """When an article was published; where that is not known, when it was fetched."""
    return func.coalesce(ARTICLE.c.published_at, ARTICLE.c.fetched_at)


def narrowed(query: Select[Any], selection: Selection) -> Select[Any]:
    """Add the conditions of a selection to a query over articles and portals; its limit and order are the caller's."""
    day = LocalDay(moment_of(), func.coalesce(ARTICLE.c.published_offset_minutes, literal_column("0")))
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
    if selection.section is not None:
        query = query.where(ARTICLE.c.section == selection.section)
    if selection.genre is not None:
        query = query.where(ARTICLE.c.genre == selection.genre)
    if selection.author is not None:
        query = query.where(HasMember(ARTICLE.c.authors, bindparam("author", selection.author, String)))
    if selection.text is not None:
        query = query.where(ARTICLE.c.headline.icontains(selection.text, autoescape=True))
    return query
