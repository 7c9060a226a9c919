from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from newscrawler.research.site_methods.sample import Choice, choose_pages, spread


def test_a_fifth_of_the_pages_is_taken_at_even_distances() -> None:
    assert spread(range(21), share=0.2) == [0, 7, 13, 20]


def test_few_pages_are_all_taken() -> None:
    assert spread(["one", "two"]) == ["one", "two"]
    assert spread(["one"]) == ["one"]
    assert spread([]) == []


@given(st.integers(2, 300), st.floats(0, 1))
def test_first_and_last_are_among_them_and_none_is_taken_twice(count: int, share: float) -> None:
    chosen = spread(range(count), share=share)

    assert chosen[0] == 0
    assert chosen[-1] == count - 1
    assert chosen == sorted(set(chosen))


def test_the_newest_share_or_a_random_one_stays_in_order() -> None:
    pages = list(range(50))

    assert choose_pages(pages, share=0.1, choice=Choice.NEWEST) == [45, 46, 47, 48, 49]
    chosen = choose_pages(pages, share=0.1, choice=Choice.RANDOM, seed=7)
    assert len(chosen) == 5
    assert chosen == sorted(set(chosen))
    assert chosen != choose_pages(pages, share=0.1, choice=Choice.RANDOM, seed=8)
    assert choose_pages(pages, share=0.1) == spread(pages, share=0.1)
