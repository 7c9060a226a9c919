"""Small corpora."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from newscrawler.article import Article, Paragraph
from newscrawler.store.articles import StoredArticle


def make(number: int, *paragraphs: str, **changes: Any) -> StoredArticle:
    """One stored article."""
    values: dict[str, Any] = {
        "title": f"Headline {number}",
        "paragraphs": tuple(Paragraph(text=each) for each in paragraphs),
        "url": f"http://127.0.0.1/{number}",
        "portal": "a",
        "language": "en",
        "published_at": datetime(2026, 1 + number % 3, 5, tzinfo=UTC),
        "fetched_at": datetime(2026, 5, 1, tzinfo=UTC),
        "method": "default",
        "confidence": 0.9,
    }
    similar_to = changes.pop("similar_to", None)
    return StoredArticle(id=number, article=Article(**(values | changes)), similar_to=similar_to)


@pytest.fixture(name="make")
def make_fixture() -> Callable[..., StoredArticle]:
    return make
