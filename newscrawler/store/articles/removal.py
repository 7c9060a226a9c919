"""Removes articles; foreign keys remove or clear references to them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, delete

from newscrawler.store.articles.released_records import forget_released
from newscrawler.store.search.index import unindex_articles
from newscrawler.store.tables import ARTICLE, PAGE, REVIEW


def remove_articles(connection: Connection, article_ids: Sequence[int]) -> None:
    """Remove articles with their pages, reviews, revisions and names; their URLs stay in the frontier."""
    unindex_articles(connection, article_ids)
    forget_released(connection, article_ids)
    connection.execute(delete(REVIEW).where(REVIEW.c.article_id.in_(article_ids)))
    connection.execute(delete(PAGE).where(PAGE.c.article_id.in_(article_ids)))
    connection.execute(delete(ARTICLE).where(ARTICLE.c.id.in_(article_ids)))
