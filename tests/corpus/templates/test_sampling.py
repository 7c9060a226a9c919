"""Pages to learn from are taken evenly over sections and time."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from kept_pages import NOON

from newscrawler.corpus.templates.sampling import PageChoice, choose_pages, select_evenly, split, spread_evenly
from newscrawler.page import Document
from newscrawler.store.archive import PageLocation, StoredPage


def page(number: int, section: str, *, day: int = 0, article: int | None = None) -> StoredPage:
    at = NOON + timedelta(days=day)
    kept = PageLocation(url=f"http://127.0.0.1/{number}", fetched_at=at, warc="w", offset=0, length=1, size=1, digest="")
    shown = article or number
    return StoredPage(
        id=number,
        portal="p",
        round=1,
        kept=kept,
        outcome="article",
        reason=None,
        article_id=shown,
        section=section,
        published_at=at,
    )


def test_every_section_has_its_part_however_small_it_is() -> None:
    pages = [page(number, "news", day=number) for number in range(1, 91)]
    pages += [page(number, "sport", day=number) for number in range(91, 100)]
    pages += [page(100, "chess")]

    chosen = select_evenly(pages, 12)
    assert len(chosen) == 12
    assert Counter(item.section for item in chosen) == {"news": 6, "sport": 5, "chess": 1}
    days = sorted(item.id for item in chosen if item.section == "news")
    assert days[0] == 1
    assert days[-1] == 90


def test_an_article_is_taken_once_with_its_newest_page() -> None:
    pages = [page(1, "news", article=7), page(2, "news", day=1, article=7), page(3, "news")]

    assert sorted(item.id for item in select_evenly(pages, 10)) == [2, 3]


def test_what_is_held_out_is_not_learned_from() -> None:
    for count in range(2, 40):
        taught, held = split(list(range(count)), 1 / 3)
        assert sorted(taught + held) == list(range(count))
        assert held
        assert taught
        assert len(held) <= len(taught)


def test_a_fifth_of_the_pages_is_taken_at_even_distances() -> None:
    assert spread_evenly(range(21), share=0.2) == [0, 7, 13, 20]


def test_few_pages_are_all_taken() -> None:
    assert spread_evenly(["one", "two"]) == ["one", "two"]
    assert spread_evenly(["one"]) == ["one"]
    assert spread_evenly([]) == []


@given(st.integers(2, 300), st.floats(0, 1))
def test_first_and_last_are_among_them_and_none_is_taken_twice(count: int, share: float) -> None:
    chosen = spread_evenly(range(count), share=share)

    assert chosen[0] == 0
    assert chosen[-1] == count - 1
    assert chosen == sorted(set(chosen))


def test_the_newest_share_or_a_random_one_stays_in_order() -> None:
    pages = list(range(50))

    assert choose_pages(pages, share=0.1, choice=PageChoice.NEWEST) == [45, 46, 47, 48, 49]
    chosen = choose_pages(pages, share=0.1, choice=PageChoice.RANDOM, seed=7)
    assert len(chosen) == 5
    assert chosen == sorted(set(chosen))
    assert chosen != choose_pages(pages, share=0.1, choice=PageChoice.RANDOM, seed=8)
    assert choose_pages(pages, share=0.1) == spread_evenly(pages, share=0.1)


def test_pages_are_chosen_by_the_variety_of_their_markup() -> None:
    bodies = ["<p>a</p>"] * 6 + ["<p>a</p><table><tr><td>b</table>"] + ["<p>a</p>"] * 2 + ["<p>a</p><ul class=x><li>c</ul>"]
    pages = [Document.parse(f"<html><body>{body}</body></html>") for body in bodies]

    chosen = choose_pages(pages, share=0.2, choice=PageChoice.VARIETY, parse=lambda page: page)

    assert [pages.index(page) for page in chosen] == [6, 9]
