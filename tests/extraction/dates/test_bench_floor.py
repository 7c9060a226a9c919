"""What was reached on the development half of the benchmark does not fall; skipped where ../shared is absent."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from newscrawler.extraction.dates import DateContext, find_dates
from newscrawler.extraction.metadata import find_metadata
from newscrawler.page import Document

DATA = Path(__file__).parents[4] / "shared" / "bench" / "data"
#: Every n-th page of fundus, so that the test stays fast; measured on these pages .98 (days; one expectation is wrong), .94
#: (authors). Of htmldate all are read: .939 of those with an expected date; other 500 pages may give .02 more or less (95 %).
STEP = 3

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the benchmark is not here")


def pages(name: str, step: int = STEP) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for number, line in enumerate(lines) if number % step == 0]


def test_the_day_is_right_on_fourteen_of_fifteen_pages_without_their_address() -> None:
    rows = [row for row in pages("htmldate", 1) if isinstance(row["gold"]["date"], str)]

    found = [find_dates(Document.parse(row["html"]), DateContext()).published for row in rows]

    right = sum(f is not None and f.value.date().isoformat() == row["gold"]["date"] for f, row in zip(found, rows, strict=True))
    assert right / len(rows) >= 0.935


@pytest.fixture(scope="module")
def news() -> list[tuple[dict[str, Any], Document]]:
    return [(row, Document.parse(row["html"], row["url"])) for row in pages("fundus")]


def test_the_day_of_news_articles_is_right(news: list[tuple[dict[str, Any], Document]]) -> None:
    expected = [(datetime.fromisoformat(row["gold"]["date"]), page) for row, page in news if row["gold"]["date"]]

    found = [(want, find_dates(page, DateContext()).published) for want, page in expected]

    right = sum(f is not None and f.value.astimezone(want.tzinfo).date() == want.date() for want, f in found)
    assert right / len(found) >= 0.97


def test_news_articles_give_their_authors(news: list[tuple[dict[str, Any], Document]]) -> None:
    expected = [(row["gold"]["authors"], page) for row, page in news if row["gold"]["authors"]]

    def key(names: Any) -> set[str]:
        return {"".join(filter(str.isalnum, name.casefold())) for name in names}

    right = sum(key(find_metadata(page).authors) == key(authors) for authors, page in expected)
    assert right / len(expected) >= 0.88
