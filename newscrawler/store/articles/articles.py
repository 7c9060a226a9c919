"""Reads stored articles, and updates what becomes known of them later."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Select, and_, bindparam, exists, func, insert, select, table, union_all, update
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from newscrawler.article import Article, Reserved
from newscrawler.store.articles.article_intake import earlier_text, store_article
from newscrawler.store.articles.article_rows import (
    digest,
    joined_articles,
    keep_released,
    link_names,
    make_row,
    paragraphs_of,
    section_id,
    stored_of,
)
from newscrawler.store.articles.collections import filed_in, with_entity, with_keyword
from newscrawler.store.articles.records import ArticleText, Fingerprint, Revision, Selection, StoredArticle
from newscrawler.store.articles.rights import is_removed, removals_of
from newscrawler.store.database import StorePart, fill_record
from newscrawler.store.frontier.frontier_records import SECTION_HINT
from newscrawler.store.search.index import INDEX, index_article, unindex_articles
from newscrawler.store.search.index_queries import PostgreSqlQuery, fts5
from newscrawler.store.search.query_language import parse
from newscrawler.store.service.portals import known_portal
from newscrawler.store.statements import match_given
from newscrawler.store.tables import ARTICLE, ARTICLE_AUTHOR, AUTHOR, FRONTIER, PORTAL, RESERVATION, REVISION, SECTION
from newscrawler.store.vocabularies import PAST, RevisionReason


class HoldsWords(FunctionElement[Any]):
    """The condition that a query finds a row's article; its two clauses are the query for each database."""

    type = Boolean()
    inherit_cache = True


def holds_words(query: str) -> HoldsWords:
    """Return the condition that a query finds an article.

    Raises:
        ConfigError: the query cannot be read.
    """
    node = parse(query)
    form = PostgreSqlQuery(node)
    matching = select(form.key).select_from(table(INDEX)).where(form.condition())
    return HoldsWords(bindparam(None, fts5(node), unique=True), matching.scalar_subquery())


@compiles(HoldsWords, "sqlite")
def _sqlite(element: Any, compiler: Any, **kwargs: Any) -> str:
    query, _ = element.clauses
    matching = f"SELECT rowid FROM {INDEX} WHERE {INDEX} MATCH {compiler.process(query, **kwargs)}"  # noqa: S608  a bound value
    return f"article.id IN ({matching})"


@compiles(HoldsWords, "postgresql")
def _postgresql(element: Any, compiler: Any, **kwargs: Any) -> str:
    _, matching = element.clauses
    return f"article.id IN {compiler.process(matching, **kwargs)}"


#: Source of a section that is known only from a listing.
FROM_LISTING = "listing"
#: Sections are set in batches, so that memory does not grow with the number of articles.
_SECTIONS_AT_ONCE = 1_000
_FILL_SECTION = (
    update(ARTICLE)
    .where((ARTICLE.c.id == bindparam("row")) & ARTICLE.c.section_id.is_(None))
    .values(section_id=bindparam("named"), section_source=FROM_LISTING)
)
_FINGERPRINTS = select(
    ARTICLE.c.id,
    ARTICLE.c.text_hash,
    ARTICLE.c.similar_to_id.label("similar_to"),
    ARTICLE.c.published_at,
    ARTICLE.c.word_count,
    ARTICLE.c.confidence,
).select_from(ARTICLE.join(PORTAL))


class Articles(StorePart):
    """The articles of all portals."""

    def add(self, portal: str, article: Article, *, now: datetime | None = None) -> int | None:
        """Store an article of a portal and return its id; None: it is a duplicate."""
        with self._writing() as connection:
            portal_id, _ = known_portal(connection, portal, now or datetime.now(UTC))
            return store_article(connection, portal_id, article).id

    def get(self, article_id: int) -> StoredArticle | None:
        """Return the article with this id, if there is one."""
        query = joined_articles().where(ARTICLE.c.id == article_id)
        row = self._read_first(query)
        return stored_of(row) if row else None

    def revisions(self, article_id: int) -> list[Revision]:
        """Return an article's earlier texts, oldest first."""
        query = select(REVISION).where(REVISION.c.article_id == article_id).order_by(REVISION.c.id)
        return [fill_record(Revision, row, paragraphs=paragraphs_of(row.paragraphs)) for row in self._read(query)]

    def with_revisions(self, articles: Iterable[StoredArticle]) -> Iterator[StoredArticle]:
        """Yield the articles with their earlier texts."""
        for stored in articles:
            yield replace(stored, revisions=tuple(self.revisions(stored.id)))

    def revise(self, before: StoredArticle, article: Article, *, why: str) -> bool:
        """Replace an article's record by a new extraction; keep the old record as a revision.

        Returns:
            False: the article is gone, has changed since `before` was read, or has a URL that is to be removed; nothing
            is written.
        """
        old = digest(before.article.title, before.article.body)
        with self._writing() as connection:
            query = select(ARTICLE).where((ARTICLE.c.id == before.id) & (ARTICLE.c.text_hash == old)).with_for_update()
            stored = connection.execute(query).first()
            if stored is None or is_removed(removals_of(connection), article):
                return False
            keep_released(connection, [before.id])
            revision = {"reason": RevisionReason.REREAD, "detail": why, "record": before.article.as_dict()}
            connection.execute(insert(REVISION).values(article_id=before.id, **revision, **earlier_text(stored)))
            values = make_row(stored.portal_id, article)
            values = {name: value for name, value in values.items() if name not in {"portal_id", "url", "fetched_at"}}
            values["text_hash"] = digest(article.title, article.body)
            values["section_id"] = section_id(connection, stored.portal_id, article.section)
            unindex_articles(connection, [before.id])
            connection.execute(update(ARTICLE).where(ARTICLE.c.id == before.id).values(values))
            link_names(connection, before.id, article, replace=True)
            index_article(connection, before.id, article.title, [paragraph.text for paragraph in article.paragraphs])
        return True

    def fill_sections(self, portal: str) -> int:
        """Set missing sections from the listings that link to the articles; return how many were set.

        An article linked from listings of several sections gets none.
        """
        listed = (
            select(ARTICLE.c.id, ARTICLE.c.portal_id, FRONTIER.c.hints)
            .select_from(ARTICLE.join(PORTAL))
            .join(FRONTIER, (FRONTIER.c.portal_id == ARTICLE.c.portal_id) & (FRONTIER.c.url_hash == ARTICLE.c.url_hash))
            .where((PORTAL.c.name == portal) & ARTICLE.c.section_id.is_(None) & FRONTIER.c.hints.is_not(None))
            .where(ARTICLE.c.id > bindparam("behind"))
            .order_by(ARTICLE.c.id)
            .limit(_SECTIONS_AT_ONCE)
        )
        filled = behind = 0
        while True:
            with self._writing() as connection:
                rows = connection.execute(listed, {"behind": behind}).all()
                named = [(row, {text for source, text in row.hints if source == SECTION_HINT}) for row in rows]
                single = [(row, *sections) for row, sections in named if len(sections) == 1]
                ids = {name: section_id(connection, row.portal_id, name) for row, name in single}
                known = [{"row": row.id, "named": ids[name]} for row, name in single]
                if known:
                    keep_released(connection, [each["row"] for each in known])
                    connection.execute(_FILL_SECTION, known)
            filled += len(known)
            if len(rows) < _SECTIONS_AT_ONCE:
                return filled
            behind = rows[-1].id

    def restrict(self, selection: Selection, reserved: Mapping[str, Any]) -> Selection:
        """Return a selection without reserved articles; unchanged if there is none, since queries without conditions are faster.

        `reserved`: the fields of `Selection` that `Configuration.reserved_for` returns.
        """
        if not reserved or not self._read_value(select(exists(_select_reserved(reserved)))):
            return selection
        return replace(selection, **{**reserved, "reserved": selection.reserved | reserved["reserved"]})

    def are_reserved_since(self, moment: datetime, reserved: Mapping[str, Any]) -> bool:
        """Return whether publishers have reserved articles since a time; `reserved` as for `restrict`."""
        said = _select_reserved(reserved).where(RESERVATION.c.first_seen_at > moment)
        return bool(self._read_value(select(exists(said))))

    def count(self, selection: Selection) -> int:
        """Return the number of articles of a selection, ignoring its limit."""
        return int(self._read_value(select_articles(selection, func.count())))

    def fingerprints(self, selection: Selection) -> Iterator[Fingerprint]:
        """Yield the fingerprints of a selection in constant memory, grouped by text, the earliest first."""
        return self._make_fingerprints(_FINGERPRINTS.order_by(ARTICLE.c.text_hash, ARTICLE.c.id), selection)

    def text_hashes(self, selection: Selection) -> tuple[list[int], list[bytes]]:
        """Return the ids, and the hashes of title and body, of a selection."""
        query = narrowed(select(ARTICLE.c.id, ARTICLE.c.text_hash).select_from(ARTICLE.join(PORTAL)), selection)
        numbers, hashes = list[int](), list[bytes]()
        with self._reading(yield_per=5000) as connection:
            for part in connection.execute(query).partitions():
                numbers += [row[0] for row in part]
                hashes += [bytes(row[1]) for row in part]
        return numbers, hashes

    def similar(self, selection: Selection) -> Iterator[Fingerprint]:
        """Yield the fingerprints of near-duplicates and of their originals."""
        return self._make_fingerprints(_FINGERPRINTS.where(_has_similar()).order_by(ARTICLE.c.id), selection)

    def _make_fingerprints(self, query: Any, selection: Selection) -> Iterator[Fingerprint]:
        for row in self._stream(narrowed(query, selection)):
            yield fill_record(Fingerprint, row, text_hash=bytes(row.text_hash))

    def counts(self) -> dict[str, int]:
        """Return the number of articles of each portal."""
        query = select(PORTAL.c.name, func.count(ARTICLE.c.id)).select_from(PORTAL.outerjoin(ARTICLE)).group_by(PORTAL.c.name)
        query = query.where(~PORTAL.c.name.endswith(PAST))
        return {name: int(number) for name, number in self._read(query)}

    def newest_id(self) -> int:
        """Return the id of the article that was stored last; 0: there is none."""
        return int(self._read_value(select(func.coalesce(func.max(ARTICLE.c.id), 0))))

    def numbers(self, selection: Selection) -> Iterator[int]:
        """Yield the ids of a selection, ignoring its limit, in constant memory, oldest stored first."""
        query = narrowed(select(ARTICLE.c.id).select_from(ARTICLE.join(PORTAL)), selection).order_by(ARTICLE.c.id)
        return (number for (number,) in self._stream(query))

    def stream(self, selection: Selection) -> Iterator[StoredArticle]:
        """Yield a selection in constant memory: oldest stored first, or newest published first."""
        return map(stored_of, self._stream(_order_query(narrowed(joined_articles(), selection), selection)))

    def texts(self, selection: Selection) -> Iterator[ArticleText]:
        """Yield the texts of a selection, like `stream` but in a third of the time."""
        columns = (PORTAL.c.name, ARTICLE.c.published_at.is_not(None), ARTICLE.c.day, ARTICLE.c.paragraphs)
        query = _order_query(narrowed(select(*columns).select_from(ARTICLE.outerjoin(PORTAL)), selection), selection)
        for portal, is_dated, day, paragraphs in self._stream(query):
            yield ArticleText(portal=portal, day=day if is_dated else None, paragraphs=tuple(each[1] for each in paragraphs))


def _order_query(query: Select[Any], selection: Selection) -> Select[Any]:
    if selection.newest_first:
        query = query.order_by(ARTICLE.c.dated_at.desc(), ARTICLE.c.id.desc())
    else:
        query = query.order_by(ARTICLE.c.id)
    return query if selection.limit is None else query.limit(selection.limit)


def select_articles(selection: Selection, *columns: Any) -> Select[Any]:
    """Select from the articles of a selection; reads only the index over all facets, not the rows with texts."""
    source: Any = ARTICLE
    if selection.portal is not None or selection.portals:
        source = source.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id)
    query = select(*columns).select_from(source).with_hint(ARTICLE, "INDEXED BY ix_article_facets", "sqlite")
    return narrowed(query, selection)


def narrowed(query: Select[Any], selection: Selection) -> Select[Any]:
    """Add the conditions of a selection to a query over articles and portals, without its limit and order."""
    given = ((PORTAL.c.name, selection.portal), (ARTICLE.c.language, selection.language), (ARTICLE.c.genre, selection.genre))
    query = query.where(*match_given(*given))
    if selection.portals:
        query = query.where(PORTAL.c.name.in_(selection.portals))
    if selection.ids:
        query = query.where(ARTICLE.c.id.in_(selection.ids))
    if selection.after_id is not None:
        query = query.where(ARTICLE.c.id > selection.after_id)
    if selection.until_id is not None:
        query = query.where(ARTICLE.c.id <= selection.until_id)
    if selection.since is not None:
        query = query.where(ARTICLE.c.day >= selection.since)
    if selection.until is not None:
        query = query.where(ARTICLE.c.day <= selection.until)
    if selection.section is not None:
        query = query.where(ARTICLE.c.section_id.in_(select(SECTION.c.id).where(SECTION.c.name == selection.section)))
    if selection.author is not None:
        of_author = select(ARTICLE_AUTHOR.c.article_id).join(AUTHOR).where(AUTHOR.c.name == selection.author)
        query = query.where(ARTICLE.c.id.in_(of_author))
    if selection.collection is not None:
        query = query.where(ARTICLE.c.id.in_(filed_in(selection.collection, after=selection.filed_after)))
    if selection.keyword is not None:
        query = query.where(ARTICLE.c.id.in_(with_keyword(selection.keyword, selection.collection)))
    if selection.entity is not None:
        query = query.where(ARTICLE.c.id.in_(with_entity(selection.entity, is_topic=False)))
    if selection.topic is not None:
        query = query.where(ARTICLE.c.id.in_(with_entity(selection.topic, is_topic=True)))
    if selection.words is not None:
        query = query.where(holds_words(selection.words))
    if selection.title is not None:
        query = query.where(ARTICLE.c.title.icontains(selection.title, autoescape=True))
    if selection.reserved:
        query = query.where(~_is_said(selection, selection.reserved))
    if selection.withdrawn:
        query = query.where(~and_(*(_is_said(selection, words) for words in selection.withdrawn)))
    if selection.says:
        query = query.where(_is_said(selection, selection.says))
    if selection.distinct:
        query = query.where(ARTICLE.c.id.not_in(_select_later_twins(replace(selection, distinct=False, words=None))))
    return query


def _has_similar() -> ColumnElement[bool]:
    """Return the condition that an article is a near-duplicate, or the original of one."""
    twin = ARTICLE.alias("twin")  # its partial index has all of them: an OR of both would read every article
    ids, originals = (select(column).where(twin.c.similar_to_id.is_not(None)) for column in (twin.c.id, twin.c.similar_to_id))
    return ARTICLE.c.id.in_(union_all(ids, originals))


def _select_later_twins(selection: Selection) -> Select[Any]:
    """Select the ids of the articles of a selection that are near-duplicates of an earlier one of it."""
    original = ARTICLE.alias("original")  # which may be a near-duplicate itself
    further = select(original.c.similar_to_id).where(original.c.id == ARTICLE.c.similar_to_id).scalar_subquery()
    group = func.coalesce(further, ARTICLE.c.similar_to_id, ARTICLE.c.id)
    place = func.row_number().over(partition_by=group, order_by=ARTICLE.c.id).label("place")
    ranked = narrowed(select(ARTICLE.c.id, place).select_from(ARTICLE.join(PORTAL)).where(_has_similar()), selection).subquery()
    return select(ranked.c.id).where(ranked.c.place > 1)


def _is_said(selection: Selection, words: Collection[str]) -> ColumnElement[bool]:
    """Return the condition that any page of an article currently makes a given statement."""
    said = _select_said(selection, words)
    if selection.ids:  # few articles: look up the pages of each
        return exists(said.where(FRONTIER.c.article_id == ARTICLE.c.id).correlate(ARTICLE))
    return ARTICLE.c.id.in_(said)


def _select_reserved(reserved: Mapping[str, Any]) -> Select[Any]:
    asked = Selection(**reserved)
    return _select_said(asked, asked.reserved.union(*asked.withdrawn))


def _select_said(selection: Selection, words: Collection[str]) -> Select[Any]:
    """Select the ids of all articles whose pages currently make one of these statements."""
    counts: ColumnElement[bool] = RESERVATION.c.kind.in_(sorted(words))
    for portal, disregarded in selection.disregarded:
        named = select(PORTAL.c.id).where(PORTAL.c.name == portal).scalar_subquery()
        counts &= ~((RESERVATION.c.portal_id == named) & RESERVATION.c.kind.in_(sorted(disregarded)))
    begun = RESERVATION.c.effective_at.is_not(None) & (RESERVATION.c.effective_at <= (selection.at or datetime.now(UTC)))
    holds = (RESERVATION.c.kind != Reserved.UNAVAILABLE_AFTER) | begun
    return (
        select(FRONTIER.c.article_id)
        .join(RESERVATION, RESERVATION.c.url_id == FRONTIER.c.id)
        .where(FRONTIER.c.article_id.is_not(None) & RESERVATION.c.ended_at.is_(None) & RESERVATION.c.is_granted.is_(False))
        .where(counts & holds)
    )
