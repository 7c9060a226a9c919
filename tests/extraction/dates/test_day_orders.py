"""How a portal writes 3/4/2024 is learned from its other dates."""

from __future__ import annotations

import pytest

from newscrawler.extraction.dates import DateContext, Dates, DayOrders, find_dates
from newscrawler.page import Document


def read(text: str, order: str | None = None) -> Dates:
    page = Document.parse(f"<html><body><h1>A dog bites a mayor</h1><span class=date>{text}</span></body></html>")
    return find_dates(page, DateContext(day_order=order))


def after(*texts: str) -> DayOrders:
    orders = DayOrders()
    for text in texts:
        orders = orders.after(read(text))
    return orders


def test_dates_that_can_be_read_in_one_order_only_tell_it() -> None:
    assert after("24/11/2025", "25/11/2025", "3/4/2025", "26/11/2025").order == "dmy"
    assert after("11/24/2025", "11/25/2025", "3/4/2025", "11/26/2025").order == "mdy"


@pytest.mark.parametrize(
    "texts",
    [
        ("24/11/2025", "25/11/2025"),
        ("3/4/2025", "5/6/2025", "7/8/2025", "9/10/2025"),
        ("24.11.2025", "25.11.2025", "26.11.2025", "27.11.2025"),
        ("2025-11-24", "24 November 2025", "25 November 2025", "26 November 2025"),
        ("24/11/2025", "11/24/2025", "25/11/2025", "11/25/2025", "26/11/2025"),
    ],
    ids=["too few", "ambiguous", "points", "other forms", "both"],
)
def test_other_dates_tell_nothing(texts: tuple[str, ...]) -> None:
    assert after(*texts).order is None


def test_what_was_learned_decides_the_ambiguous_ones() -> None:
    orders = after("24/11/2025", "25/11/2025", "26/11/2025")

    found = read("3/4/2025", orders.order).published

    assert found is not None
    assert found.value.date().isoformat() == "2025-04-03"


def test_a_portal_that_changes_its_form_is_followed() -> None:
    orders = DayOrders(dmy=200)
    pages = 0
    while orders.order != "mdy":
        orders, pages = orders.after(read("11/24/2025")), pages + 1

    assert pages < 1000
