"""The page of a month stands for its days only if it names what they name."""

from __future__ import annotations

from newscrawler.discovery.month_archives import MonthArchives

HOST = "https://example.org"
MONTH = f"{HOST}/archiv/2026/11/"


def day(number: int) -> str:
    return f"{MONTH}{number:02}/"


def after_days() -> MonthArchives:
    """An archive whose newest day has an article, and the two before it none."""
    archives = MonthArchives()
    assert archives.note_day(day(20), frozenset({"a"})) is None
    assert archives.note_day(day(19), frozenset()) is None
    assert archives.note_day(day(18), frozenset()) == MONTH
    return archives


def test_a_month_that_names_all_stands_for_its_days_and_leads_to_the_month_before() -> None:
    archives = after_days()

    assert archives.note_month(MONTH, frozenset({"a", "b"}), goes_on=False) == f"{HOST}/archiv/2026/10/31/"
    assert archives.get_reason_to_skip(day(17))
    assert not archives.get_reason_to_skip(f"{HOST}/archiv/2026/10/31/")
    assert archives.note_day(f"{HOST}/archiv/2026/10/31/", frozenset()) == f"{HOST}/archiv/2026/10/"


def test_a_month_that_lacks_an_article_or_may_be_cut_off_stands_for_nothing() -> None:
    for named, goes_on in (({"b"}, False), (set(), False), ({"a", *map(str, range(9))}, False)):
        archives = after_days()

        assert archives.note_month(MONTH, frozenset(named), goes_on=goes_on) is None
        assert not archives.get_reason_to_skip(day(17))
        assert archives.note_day(f"{HOST}/archiv/2026/10/31/", frozenset()) is None


def test_a_long_month_with_further_pages_counts() -> None:
    archives = after_days()

    assert archives.note_month(MONTH, frozenset({"a", *map(str, range(9))}), goes_on=True) is not None


def test_addresses_that_are_no_dates_are_left() -> None:
    archives = MonthArchives()

    assert [archives.note_day(f"{HOST}/archiv/2026/13/{n}/", frozenset()) for n in (10, 11, 12)] == [None] * 3
