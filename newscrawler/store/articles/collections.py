"""Collections: their articles, the keywords of these, and the keywords known from news."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, case, delete, func, select, union

from newscrawler.errors import PageReason
from newscrawler.store.articles.article_rows import keyword_ids
from newscrawler.store.database import StorePart, fill_record, make_insert
from newscrawler.store.tables import (
    ARTICLE,
    ARTICLE_ENTITY,
    ARTICLE_KEYWORD,
    ARTICLE_URL,
    COLLECTION,
    COLLECTION_ARTICLE,
    COLLECTION_KEYWORD,
    ENTITY,
    FRONTIER,
    KEYWORD,
    NEWS_KEYWORD,
    PORTAL,
)
from newscrawler.store.vocabularies import EntityKind, FrontierKind, KeywordSource, Reason, UrlOutcome, UrlState


@dataclass(frozen=True, slots=True, kw_only=True)
class FiledKeyword:
    """One keyword of an article, and where it comes from."""

    name: str
    source: KeywordSource


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionLine:
    """A collection in a list."""

    name: str
    articles: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordLine:
    """A keyword of a collection."""

    name: str
    source: KeywordSource
    articles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlLine:
    """State of a URL."""

    url: str
    kind: FrontierKind
    state: UrlState
    outcome: UrlOutcome | None
    reason: Reason | None
    article_id: int | None
    #: It was fetched in an earlier round, and listed again.
    earlier: bool


class Collections(StorePart):
    """The collections of a database."""

    def add(self, name: str, *, now: datetime) -> None:
        """Mark a portal as a collection."""
        with self._writing() as connection:
            portal = connection.execute(select(PORTAL.c.id).where(PORTAL.c.name == name)).scalar_one()
            _insert(connection, COLLECTION, [{"id": portal, "created_at": now}])

    def file(self, name: str, article_id: int, keywords: Iterable[FiledKeyword], *, now: datetime) -> None:
        """File an article in a collection under keywords; replace its earlier keywords there."""
        chosen = {keyword.name: str(keyword.source) for keyword in keywords}
        with self._writing() as connection:
            collection = connection.execute(_find_id(name)).scalar_one()
            here = {"collection_id": collection, "article_id": article_id}
            _insert(connection, COLLECTION_ARTICLE, [here | {"filed_at": now}])
            of_article = (COLLECTION_KEYWORD.c.collection_id == collection) & (COLLECTION_KEYWORD.c.article_id == article_id)
            connection.execute(delete(COLLECTION_KEYWORD).where(of_article))
            ids = keyword_ids(connection, sorted(chosen))
            _insert(connection, COLLECTION_KEYWORD, [here | {"keyword_id": ids[each], "source": chosen[each]} for each in chosen])

    def unfiled(self, name: str) -> list[int]:
        """Return the ids of articles stored for a collection but not filed in it."""
        query = select(ARTICLE.c.id).join(PORTAL).where((PORTAL.c.name == name) & ARTICLE.c.id.not_in(filed_in(name)))
        return list(self._read_column(query.order_by(ARTICLE.c.id)))

    def stored_elsewhere(self, name: str, url: str) -> int | None:
        """Return the id of the article stored at a URL for another portal or collection, if there is one."""
        at_url = union(
            select(ARTICLE.c.id).where(ARTICLE.c.url == url), select(ARTICLE_URL.c.article_id).where(ARTICLE_URL.c.url == url)
        )
        query = select(ARTICLE.c.id).join(PORTAL).where((PORTAL.c.name != name) & ARTICLE.c.id.in_(at_url)).limit(1)
        found: int | None = self._read_value(query)
        return found

    def list(self) -> Sequence[CollectionLine]:
        """Return all collections by name."""
        counted = func.count(COLLECTION_ARTICLE.c.article_id)
        query = select(PORTAL.c.name, counted.label("articles"), COLLECTION.c.created_at)
        query = query.select_from(COLLECTION.join(PORTAL, PORTAL.c.id == COLLECTION.c.id).outerjoin(COLLECTION_ARTICLE))
        rows = self._read(query.group_by(PORTAL.c.name, COLLECTION.c.created_at).order_by(PORTAL.c.name))
        return [fill_record(CollectionLine, row) for row in rows]

    def names(self) -> frozenset[str]:
        """Return the names of all collections."""
        query = select(PORTAL.c.name).join(COLLECTION, COLLECTION.c.id == PORTAL.c.id)
        return frozenset(self._read_column(query))

    def of_article(self, article_id: int) -> Sequence[str]:
        """Return the names of the collections in which an article is filed."""
        named = _NAMES_OF_COLLECTIONS.where(COLLECTION_ARTICLE.c.article_id == article_id).order_by(PORTAL.c.name)
        return self._read_column(named)

    def keywords(self, name: str, *, most: int | None = None) -> Sequence[KeywordLine]:
        """Return the keywords of a collection, those with most articles first."""
        articles = func.count(COLLECTION_KEYWORD.c.article_id)
        query = select(KEYWORD.c.name, COLLECTION_KEYWORD.c.source, articles.label("articles"))
        query = query.join(KEYWORD, KEYWORD.c.id == COLLECTION_KEYWORD.c.keyword_id)
        query = query.where(COLLECTION_KEYWORD.c.collection_id == _find_id(name).scalar_subquery())
        query = query.group_by(KEYWORD.c.name, COLLECTION_KEYWORD.c.source).order_by(articles.desc(), KEYWORD.c.name).limit(most)
        return [fill_record(KeywordLine, row, source=KeywordSource(row.source)) for row in self._read(query)]

    def outcomes(self, name: str, round_number: int) -> Iterator[UrlLine]:
        """Yield the outcomes of the URLs listed in a round and of those still waiting, in the order of discovery.

        They include result pages and feeds.
        """
        names = ("url", "kind", "state", "outcome", "reason", "detail", "article_id", "round")
        query = select(*(FRONTIER.c[name] for name in names)).join(PORTAL, PORTAL.c.id == FRONTIER.c.portal_id)
        waits = FRONTIER.c.state.in_([UrlState.WAITING, UrlState.FETCHING])
        chosen = (FRONTIER.c.round == round_number) | (FRONTIER.c.seen_round == round_number) | waits
        query = query.where((PORTAL.c.name == name) & chosen).order_by(FRONTIER.c.id)
        for row in self._stream(query):
            yield UrlLine(
                url=row.url, kind=FrontierKind(row.kind), state=UrlState(row.state),
                outcome=UrlOutcome(row.outcome) if row.outcome else None,
                reason=Reason(PageReason(row.reason), row.detail or "") if row.reason else None, article_id=row.article_id,
                earlier=row.round not in {0, round_number},
            )  # fmt: skip

    # ------------------------------------------------------------------ keywords known from news

    def known_keywords(self) -> dict[str, dict[str, int]]:
        """Return the number of news pages with each keyword, by language."""
        found: dict[str, dict[str, int]] = {}
        for row in self._read(select(NEWS_KEYWORD).order_by(NEWS_KEYWORD.c.language, NEWS_KEYWORD.c.word)):
            found.setdefault(row.language, {})[row.word] = row.pages
        return found

    def declared_keywords(self, portal: str) -> Sequence[tuple[str | None, str, int]]:
        """Return the keywords that the articles of a portal declare: language, keyword, number of articles."""
        articles = func.count(ARTICLE_KEYWORD.c.article_id)
        query = select(ARTICLE.c.language, KEYWORD.c.name, articles).select_from(ARTICLE_KEYWORD.join(ARTICLE).join(KEYWORD))
        query = query.join(PORTAL, PORTAL.c.id == ARTICLE.c.portal_id).where(PORTAL.c.name == portal)
        query = query.group_by(ARTICLE.c.language, KEYWORD.c.name).order_by(ARTICLE.c.language, KEYWORD.c.name)
        return [(language, name, count) for language, name, count in self._read(query)]

    def add_known_keywords(self, changes: Mapping[str, Mapping[str, int]], *, counted_again: bool = False) -> None:
        """Add to the counts of keywords; `counted_again`: pages may be among those counted before, so the greater count stays."""
        rows = [
            {"language": language, "word": word, "pages": pages}
            for language, words in sorted(changes.items())
            for word, pages in sorted(words.items())
        ]
        if not rows:
            return
        with self._writing() as connection:
            insertion = make_insert(connection.dialect.name, NEWS_KEYWORD)
            before, more = NEWS_KEYWORD.c.pages, insertion.excluded.pages
            pages = case((before > more, before), else_=more) if counted_again else before + more
            connection.execute(insertion.on_conflict_do_update(index_elements=["language", "word"], set_={"pages": pages}), rows)

    def forget_known_keywords(self, language: str | None = None) -> int:
        """Remove the keywords of a language, or all; return how many there were."""
        statement = delete(NEWS_KEYWORD)
        statement = statement.where(NEWS_KEYWORD.c.language == language) if language is not None else statement
        with self._writing() as connection:
            return connection.execute(statement).rowcount


_NAMES_OF_COLLECTIONS = select(PORTAL.c.name).join(COLLECTION_ARTICLE, COLLECTION_ARTICLE.c.collection_id == PORTAL.c.id)


def filed_in(name: str, *, after: datetime | None = None) -> Select[Any]:
    """Select the ids of a collection's articles; `after`: only those filed later than this."""
    query = select(COLLECTION_ARTICLE.c.article_id).where(COLLECTION_ARTICLE.c.collection_id == _find_id(name).scalar_subquery())
    return query if after is None else query.where(COLLECTION_ARTICLE.c.filed_at > after)


def with_keyword(word: str, collection: str | None = None) -> Any:
    """Select the ids of articles that are filed under a keyword or declare it, ignoring case; of a collection: filed in it."""
    named = select(KEYWORD.c.id).where(KEYWORD.c.name.in_(_list_spellings(word)))
    filed = select(COLLECTION_KEYWORD.c.article_id).where(COLLECTION_KEYWORD.c.keyword_id.in_(named))
    if collection is not None:
        filed = filed.where(COLLECTION_KEYWORD.c.collection_id == _find_id(collection).scalar_subquery())
    return filed.union(select(ARTICLE_KEYWORD.c.article_id).where(ARTICLE_KEYWORD.c.keyword_id.in_(named)))


def _find_id(name: str) -> Select[Any]:
    return select(COLLECTION.c.id).join(PORTAL, PORTAL.c.id == COLLECTION.c.id).where(PORTAL.c.name == name)


def _insert(connection: Connection, table: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert the rows that do not exist."""
    if rows:
        connection.execute(make_insert(connection.dialect.name, table).on_conflict_do_nothing(), list(rows))


def is_entity(name: str, *, is_topic: bool) -> ColumnElement[bool]:
    """Return the condition that an entity has a name, ignoring case, and is a topic or not."""
    is_of_kind = (ENTITY.c.kind == EntityKind.TOPIC) == is_topic
    return ENTITY.c.name.in_(_list_spellings(name)) & is_of_kind


def with_entity(name: str, *, is_topic: bool) -> Select[Any]:
    """Select the ids of articles that mention an entity, or have a topic."""
    named = select(ENTITY.c.id).where(is_entity(name, is_topic=is_topic))
    return select(ARTICLE_ENTITY.c.article_id).where(ARTICLE_ENTITY.c.entity_id.in_(named))


def _list_spellings(word: str) -> list[str]:
    return sorted({word, word.lower(), word.upper(), word.capitalize(), word.title(), word.casefold()})
