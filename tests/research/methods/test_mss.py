from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from newscrawler.page import Document
from newscrawler.research.methods.mss import MaximumSubsequenceSegmentation, maximum_run


def read(inner: str, method: MaximumSubsequenceSegmentation | None = None) -> str:
    body = (method or MaximumSubsequenceSegmentation())(Document.parse(f"<html><body>{inner}</body></html>"))
    return body.text if body else ""


def words(count: int, word: str) -> str:
    return " ".join([word] * count)


def test_tags_cost_so_dense_menus_stay_outside() -> None:
    menu = "<ul><li><a>one</a></li><li><a>two</a></li></ul>"

    assert read(f"{menu}<p>{words(20, 'x')}</p><p>{words(20, 'y')}</p>{menu}") == f"{words(20, 'x')}\n{words(20, 'y')}"


def test_a_short_paragraph_between_long_ones_is_bridged() -> None:
    assert read(f"<p>{words(20, 'x')}</p><p>short</p><p>{words(20, 'y')}</p>").split("\n")[1] == "short"


def test_two_tags_cost_six_and_a_half_words() -> None:
    assert read(f"<p>{words(6, 'x')}</p><p>{words(9, 'y')}</p>") == words(9, "y")
    assert read(f"<p>{words(7, 'x')}</p><p>{words(9, 'y')}</p>") == f"{words(7, 'x')}\n{words(9, 'y')}"


def test_a_symbol_counts_like_a_word() -> None:
    assert read("<p>x.!?,;:-</p><p>y y y y y y y y y</p>") == "x.!?,;:-\ny y y y y y y y y"


def test_the_cost_of_a_tag_is_a_parameter() -> None:
    page = f"<p>{words(5, 'x')}</p><p>{words(9, 'y')}</p>"

    assert read(page, MaximumSubsequenceSegmentation(tag_cost=2)) == f"{words(5, 'x')}\n{words(9, 'y')}"


@given(st.lists(st.tuples(st.integers(1, 20), st.integers(0, 30)), max_size=8))
def test_no_other_run_has_a_greater_sum(pairs: list[tuple[int, int]]) -> None:
    values, costs = [v for v, _ in pairs], [c for _, c in pairs]

    start, end = maximum_run(values, costs)

    def total(a: int, b: int) -> int:
        return sum(values[a:b]) - sum(costs[a + 1 : b])

    assert total(start, end) == max([0, *(total(a, b) for a, b in combinations(range(len(pairs) + 1), 2))])
