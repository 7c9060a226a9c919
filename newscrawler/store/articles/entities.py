"""The persons, organisations, places and topics that recognisers find in articles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, Text, cast, delete, exists, func, insert, literal_column, select

from newscrawler.store.articles.article_intake import forget_entities
from newscrawler.store.articles.article_rows import digest
from newscrawler.store.articles.articles import select_articles
from newscrawler.store.articles.collections import is_entity
from newscrawler.store.articles.facets import PERIODS, Facet
from newscrawler.store.articles.records import Selection, StoredArticle, StoredEntity
from newscrawler.store.database import StorePart, make_insert
from newscrawler.store.tables import ARTICLE, ARTICLE_ENTITY, ENTITY, RECOGNISED_ARTICLE
from newscrawler.store.vocabularies import EntityKind

_LONGEST = 300
_AT_ONCE = 500
_Key = tuple[EntityKind, str]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity at a place of an article, or a topic of it."""

    kind: EntityKind
    name: str
    #: Number of the paragraph (0: the headline), first character, character behind the last; None: of the whole article.
    span: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecogniserLine:
    """A recogniser in a list."""

    name: str
    articles: int
    entities: int


class Entities(StorePart):
    """The entities of all articles."""

    def pending(self, recogniser: str, selection: Selection) -> Iterator[int]:
        """Yield the ids of a selection that a recogniser has not read as they are now, oldest stored first."""
        read = exists().where((RECOGNISED_ARTICLE.c.recogniser == recogniser) & (RECOGNISED_ARTICLE.c.article_id == ARTICLE.c.id))
        query = select_articles(selection, ARTICLE.c.id).where(~read).order_by(ARTICLE.c.id).limit(_AT_ONCE)
        behind = 0
        while numbers := self._read_column(query.where(ARTICLE.c.id > behind)):
            yield from numbers
            behind = numbers[-1]

    def put(self, recogniser: str, found: Sequence[tuple[StoredArticle, Sequence[Mention]]]) -> int:
        """Replace the entities of articles; return how many were written: those that have not changed since they were read."""
        by_id = {stored.id: (digest(stored.article.title, stored.article.body), mentions) for stored, mentions in found}
        current = select(ARTICLE.c.id, ARTICLE.c.text_hash).where(ARTICLE.c.id.in_(by_id)).with_for_update()
        with self._writing() as connection:
            unchanged = [row.id for row in connection.execute(current) if bytes(row.text_hash) == by_id[row.id][0]]
            _forget_articles(connection, recogniser, unchanged)
            grouped = {number: _group(by_id[number][1]) for number in unchanged}
            ids = _find_ids(connection, recogniser, {key for entities in grouped.values() for key in entities})
            rows = [
                {"article_id": number, "entity_id": ids[key], "mentions": max(1, len(spans)), "spans": spans}
                for number, entities in grouped.items() for key, spans in entities.items()
            ]  # fmt: skip
            if rows:
                connection.execute(insert(ARTICLE_ENTITY), rows)
            if unchanged:
                read = [{"recogniser": recogniser, "article_id": number} for number in unchanged]
                connection.execute(insert(RECOGNISED_ARTICLE), read)
        return len(unchanged)

    def forget(self, recogniser: str) -> int:
        """Remove all that a recogniser found; return the number of articles that it had read."""
        of_recogniser = RECOGNISED_ARTICLE.c.recogniser == recogniser
        with self._writing() as connection:
            number = connection.execute(select(func.count()).where(of_recogniser)).scalar_one()
            connection.execute(delete(RECOGNISED_ARTICLE).where(of_recogniser))
            named = select(ENTITY.c.id).where(ENTITY.c.recogniser == recogniser)
            connection.execute(delete(ARTICLE_ENTITY).where(ARTICLE_ENTITY.c.entity_id.in_(named)))
            connection.execute(delete(ENTITY).where(ENTITY.c.recogniser == recogniser))
        return int(number)

    def forget_unmentioned(self) -> None:
        """Remove the entities that no article mentions any more, as those of corrected articles."""
        with self._writing() as connection:
            forget_entities(connection)

    def recognisers(self) -> list[RecogniserLine]:
        """Return the recognisers by name."""
        named = select(func.count()).where(ENTITY.c.recogniser == RECOGNISED_ARTICLE.c.recogniser).scalar_subquery()
        query = select(RECOGNISED_ARTICLE.c.recogniser, func.count(), named).group_by(RECOGNISED_ARTICLE.c.recogniser)
        rows = self._read(query.order_by(RECOGNISED_ARTICLE.c.recogniser))
        return [RecogniserLine(name=name, articles=int(articles), entities=int(entities)) for name, articles, entities in rows]

    def of_articles(self, article_ids: Collection[int]) -> dict[int, list[StoredEntity]]:
        """Return the entities of each of these articles, those mentioned most first."""
        columns = (ARTICLE_ENTITY.c.article_id, ENTITY.c.kind, ENTITY.c.name, ARTICLE_ENTITY.c.spans)
        query = select(*columns).join(ENTITY, ENTITY.c.id == ARTICLE_ENTITY.c.entity_id)
        spans: dict[int, dict[_Key, set[tuple[int, int, int]]]] = {}
        for number, kind, name, places in self._read(query.where(ARTICLE_ENTITY.c.article_id.in_(article_ids))):
            spans.setdefault(number, {}).setdefault((EntityKind(kind), name), set()).update(map(tuple, places))
        return {number: sorted(map(_make_entity, *zip(*each.items(), strict=True)), key=_rank) for number, each in spans.items()}

    def attach(self, articles: Iterable[StoredArticle]) -> Iterator[StoredArticle]:
        """Yield articles with their entities, in constant memory."""
        for part in _split(articles):
            known = self.of_articles([stored.id for stored in part])
            yield from (replace(stored, entities=tuple(known.get(stored.id, ()))) for stored in part)

    def mentions(self, selection: Selection, name: str, period: Facet, *, is_topic: bool = False) -> dict[str, int]:
        """Return how often the articles of each period mention an entity; of several recognisers, the one that finds more."""
        at = func.substr(cast(ARTICLE.c.day, Text), literal_column("1"), literal_column(str(PERIODS[period])))
        query: Select[Any] = select_articles(selection, at, ENTITY.c.recogniser, func.sum(ARTICLE_ENTITY.c.mentions))
        query = query.join(ARTICLE_ENTITY, ARTICLE_ENTITY.c.article_id == ARTICLE.c.id)
        query = query.join(ENTITY, ENTITY.c.id == ARTICLE_ENTITY.c.entity_id).where(is_entity(name, is_topic=is_topic))
        found: dict[str, int] = {}
        for when, _, mentions in self._read(query.group_by(at, ENTITY.c.recogniser)):
            found[when] = max(found.get(when, 0), int(mentions))
        return found


def _forget_articles(connection: Connection, recogniser: str, article_ids: Sequence[int]) -> None:
    named = select(ENTITY.c.id).where(ENTITY.c.recogniser == recogniser)
    of_articles = ARTICLE_ENTITY.c.article_id.in_(article_ids)
    connection.execute(delete(ARTICLE_ENTITY).where(of_articles & ARTICLE_ENTITY.c.entity_id.in_(named)))
    read = (RECOGNISED_ARTICLE.c.recogniser == recogniser) & RECOGNISED_ARTICLE.c.article_id.in_(article_ids)
    connection.execute(delete(RECOGNISED_ARTICLE).where(read))


def _group(mentions: Iterable[Mention]) -> dict[_Key, list[tuple[int, int, int]]]:
    grouped: dict[_Key, list[tuple[int, int, int]]] = {}
    for each in mentions:
        if name := " ".join(each.name.split())[:_LONGEST].rstrip():
            places = grouped.setdefault((each.kind, name), [])
            if each.span is not None and each.span not in places:
                places.append(each.span)
    return grouped


def _find_ids(connection: Connection, recogniser: str, keys: Collection[_Key]) -> dict[_Key, int]:
    """Return the ids of entities, adding new ones in a fixed order, which avoids deadlocks."""
    found: dict[_Key, int] = {}
    for part in _split(sorted(keys)):
        names = {name for _, name in part}
        query = select(ENTITY.c.kind, ENTITY.c.name, ENTITY.c.id).where(
            (ENTITY.c.recogniser == recogniser) & ENTITY.c.name.in_(names)
        )
        known = {(EntityKind(kind), name): number for kind, name, number in connection.execute(query)}
        if missing := [{"recogniser": recogniser, "kind": kind, "name": name} for kind, name in part if (kind, name) not in known]:
            connection.execute(make_insert(connection.dialect.name, ENTITY).on_conflict_do_nothing(), missing)
            known = {(EntityKind(kind), name): number for kind, name, number in connection.execute(query)}
        found |= known
    return found


def _split(items: Iterable[T]) -> Iterator[list[T]]:
    left = iter(items)
    while part := list(islice(left, _AT_ONCE)):
        yield part


def _make_entity(key: _Key, spans: Collection[tuple[int, int, int]]) -> StoredEntity:
    return StoredEntity(kind=key[0], name=key[1], mentions=max(1, len(spans)), spans=tuple(sorted(spans)))


def _rank(entity: StoredEntity) -> tuple[int, str, str]:
    return -entity.mentions, entity.kind, entity.name
