from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.corpus.reviews import Gold, divide_in_proportion, draw_sample
from newscrawler.research.evaluation import TestPage


def page(number: int, portal: str, section: str) -> TestPage:
    return TestPage(
        id=str(number), url=None, given_url=None, html="", gold=Gold(), dataset="d", portal=portal, section=section
    )  # fmt: skip


PAGES = [page(number, f"portal {number % 2}", "sport" if number % 10 < 2 else "news") for number in range(200)]


def test_every_portal_gives_as_many_pages() -> None:
    found = draw_sample(PAGES, 10)

    assert [sum(page.portal == f"portal {number}" for page in found) for number in (0, 1)] == [10, 10]


def test_a_portal_with_fewer_pages_gives_all() -> None:
    assert draw_sample(PAGES[:6], 10) == PAGES[:6]


def test_sections_are_taken_in_proportion() -> None:
    found = draw_sample(PAGES, 20, by_section=True)

    assert sum(page.section == "sport" for page in found) == 8


def test_the_seed_decides_and_the_order_does_not() -> None:
    there, back = draw_sample(PAGES, 10, seed=7), draw_sample(PAGES[::-1], 10, seed=7)

    assert there == back[::-1]
    assert there != draw_sample(PAGES, 10, seed=8)


@pytest.mark.parametrize(
    ("sizes", "count", "expected"),
    [([50, 30, 20], 10, [5, 3, 2]), ([97, 1, 1, 1], 4, [1, 1, 1, 1]), ([97, 1, 1, 1], 6, [3, 1, 1, 1]), ([2], 5, [2])],
)
def test_small_sections_are_not_forgotten(sizes: list[int], count: int, expected: list[int]) -> None:
    assert divide_in_proportion(sizes, count) == expected


@given(st.lists(st.integers(1, 50), min_size=1, max_size=12), st.integers(1, 200))
def test_shares_add_up_and_fit(sizes: list[int], count: int) -> None:
    found = divide_in_proportion(sizes, count)

    assert sum(found) == min(count, sum(sizes))
    assert all(0 <= share <= size for share, size in zip(found, sizes, strict=True))
