"""Whole pages of our own, with gold: no layout falls below what was once reached.

`python tests/own_pages.py` prints all figures beside the floors; `python -m training.own_gold` made the pages.
"""

from __future__ import annotations

from collections import Counter

import pytest
from own_pages import fallen, layouts, measure, pages_of, read_floors


@pytest.mark.parametrize("layout", layouts())
def test_a_layout_is_read_as_well_as_before(layout: str) -> None:
    assert not fallen(layout, measure(layout), read_floors())


def test_a_fall_names_layout_and_figures() -> None:
    floors = {"tables": {"body F1": 0.95, "title": 1.0}}

    assert fallen("tables", {"body F1": 0.951, "title": 0.9}, floors) == ["tables: title fell from 1.0000 to 0.9000"]
    assert fallen("tables", {"body F1": 0.9}, floors) == [
        "tables: body F1 fell from 0.9500 to 0.9000",
        "tables: title fell from 1.0000 to 0.0000",
    ]
    assert fallen("a layout without floors", {"body F1": 1.0}, floors)


def test_there_are_pages_enough() -> None:
    pages = [page for layout in layouts() for page in pages_of(layout)]
    articles = Counter(page.dataset for page in pages if page.gold.article)

    assert set(read_floors()) == set(layouts()) == set(articles)
    assert len(articles) >= 12
    assert articles.total() >= 60
    assert sum(not page.gold.article for page in pages) >= 25
    assert all(page.gold.title and page.gold.texts and page.gold.wanted_pieces for page in pages if page.gold.article)
