"""Keeps records of released articles before the articles change, so that a release can be rebuilt."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any

import orjson
from sqlalchemy import Connection, bindparam, insert, select, update

from newscrawler.article import Article
from newscrawler.store.articles.article_rows import LATER, joined_articles, stored_of
from newscrawler.store.articles.records import StoredArticle
from newscrawler.store.tables import ARTICLE, RELEASE_DOCUMENT, RELEASED_RECORD
from newscrawler.store.vocabularies import ReleaseLoss

#: Columns that make up an article's record; the others identify it, are computed, or are filled later.
_TIMES = ("published_at", "modified_at", "fetched_at")
_IDENTITY = {
    "id", "portal_id", "section_id", "url_hash", "text_hash", "minhash", "similar_to_id", "word_count", "dated_at", "day",
}  # fmt: skip
_NAMES = ("portal", "section", "authors", "keywords")
_COLUMNS = (*(column.name for column in ARTICLE.columns if column.name not in _IDENTITY | set(LATER)), *_NAMES)
_CHUNK = 400
#: The record is in a release and equals the current article.
_HOLDS = RELEASE_DOCUMENT.c.record_hash.is_not(None) & RELEASE_DOCUMENT.c.record_id.is_(None) & RELEASE_DOCUMENT.c.lost.is_(None)
_HELD = (
    select(RELEASE_DOCUMENT.c.article_id)
    .distinct()
    .where(RELEASE_DOCUMENT.c.article_id.in_(bindparam("ids", expanding=True)) & _HOLDS)
)
_OF_ARTICLE = RELEASE_DOCUMENT.c.article_id == bindparam("which")


def record_hash(article: Article) -> bytes:
    """Return the BLAKE2b hash, 16 bytes, of the whole record of an article."""
    record = article.as_dict()
    try:
        data = orjson.dumps(record)
    except TypeError:  # orjson does not encode lone surrogates
        data = json.dumps(record).encode()
    return blake2b(data, digest_size=16).digest()


def keep_released(connection: Connection, article_ids: Sequence[int], *, keeps_earlier: bool = True) -> None:
    """Keep the records of released articles; call before the articles change, in the same transaction.

    Without `keeps_earlier`, the publisher does not allow kept copies, and the record is lost.
    """
    for start in range(0, len(article_ids), _CHUNK):
        held = list(connection.execute(_HELD, {"ids": article_ids[start : start + _CHUNK]}).scalars())
        if held and not keeps_earlier:
            lost = update(RELEASE_DOCUMENT).where(RELEASE_DOCUMENT.c.article_id.in_(held) & _HOLDS)
            connection.execute(lost.values(lost=ReleaseLoss.RESERVED))
        elif held:
            for row in connection.execute(joined_articles().where(ARTICLE.c.id.in_(held))).all():
                values = {"article_id": row.id, "record": _record(row)}
                record_id = connection.execute(insert(RELEASED_RECORD).returning(RELEASED_RECORD.c.id), values).scalar_one()
                connection.execute(
                    update(RELEASE_DOCUMENT).where(_OF_ARTICLE & _HOLDS).values(record_id=record_id), {"which": row.id}
                )


def forget_released(connection: Connection, article_ids: Sequence[int]) -> None:
    """Mark released articles as removed together with their records; releases keep their URLs."""
    url = select(ARTICLE.c.url).where(ARTICLE.c.id == RELEASE_DOCUMENT.c.article_id).scalar_subquery()
    there = RELEASE_DOCUMENT.c.article_id.in_(article_ids) & RELEASE_DOCUMENT.c.record_hash.is_not(None)
    there &= RELEASE_DOCUMENT.c.lost.is_distinct_from(ReleaseLoss.REMOVED)
    connection.execute(update(RELEASE_DOCUMENT).where(there).values(lost=ReleaseLoss.REMOVED, url=url))


def released_article(article_id: int, record: Mapping[str, Any]) -> StoredArticle:
    """Return the article of a kept record."""
    values: dict[str, Any] = dict.fromkeys(_COLUMNS) | dict(record)
    values |= {name: datetime.fromisoformat(values[name]) for name in _TIMES if values[name]}
    values |= {
        "id": article_id, "similar_to_id": None, "corrections": 0, "corrected_at": None, "gone_at": None, "http_status": None,
    }  # fmt: skip
    return stored_of(SimpleNamespace(**values))


def _record(row: Any) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in _COLUMNS}
    return values | {name: values[name].isoformat() for name in _TIMES if values[name]}
