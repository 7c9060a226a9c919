"""Pages to learn from are taken evenly over sections and time."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from kept_pages import NOON

from newscrawler.corpus.templates.sampling import select_evenly, split
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
