"""Wall-clock times become times that exist, and are aware."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from newscrawler.extraction.dates import DateContext, Dates, PortalCalendar, find_dates
from newscrawler.extraction.dates.calendar import find_zone, find_zone_by_abbreviation, localize, make_offset_zone
from newscrawler.extraction.dates.candidate import Clock
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.page import Document

PRAGUE = ZoneInfo("Europe/Prague")


def test_a_time_in_the_gap_of_spring_is_moved_on() -> None:
    value = localize(datetime(2026, 3, 29, 2, 30), PRAGUE)  # noqa: DTZ001 - a time on a wall clock

    assert value.isoformat() == "2026-03-29T03:30:00+02:00"
    assert value.astimezone(UTC).astimezone(PRAGUE) == value


def test_a_time_in_the_overlap_of_autumn_is_the_first_of_the_two() -> None:
    value = localize(datetime(2026, 10, 25, 2, 30), PRAGUE)  # noqa: DTZ001 - a time on a wall clock

    assert value.astimezone(UTC) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_a_day_whose_midnight_does_not_exist_stays_that_day() -> None:
    beirut = ZoneInfo("Asia/Beirut")

    value = localize(datetime(2022, 3, 27), beirut)  # noqa: DTZ001 - a time on a wall clock

    assert value.date().isoformat() == "2022-03-27"


def test_the_zone_of_the_portal_counts_only_where_the_page_gives_none() -> None:
    clock = Clock(zone=PRAGUE)

    given, assumed = read_moment("2026-07-01T10:00:00Z", clock), read_moment("2026-07-01 10:00", clock)

    assert given is not None
    assert assumed is not None
    assert (given.offset_given, assumed.offset_given) == (True, False)
    assert given.value - assumed.value == timedelta(hours=2)


@pytest.mark.parametrize(
    ("name", "hours"), [("CEST", 2), ("MEZ", 1), ("МСК", 3), ("EDT", -4), ("IST", 5.5), ("Uhr", None), ("foo", None)]
)
def test_abbreviations_of_zones_are_known_or_none(name: str, hours: float | None) -> None:
    zone = find_zone_by_abbreviation(name)

    offset = zone.utcoffset(None) if zone else None
    assert (offset.total_seconds() / 3600 if offset is not None else None) == hours


def test_offsets_that_no_place_has_are_none() -> None:
    assert make_offset_zone("+", 25, 0) is None
    assert make_offset_zone("+", 5, 75) is None
    assert make_offset_zone("-", 9, 30).utcoffset(None) == -timedelta(hours=9, minutes=30)  # type: ignore[union-attr]


def test_an_unknown_zone_is_utc() -> None:
    assert find_zone("Mars/Olympus") is UTC


def test_a_naive_time_of_fetch_is_refused() -> None:
    with pytest.raises(ValueError, match="no offset"):
        DateContext(fetched_at=datetime(2026, 1, 1))  # noqa: DTZ001 - what is refused


def read(text: str, calendar: PortalCalendar = PortalCalendar()) -> Dates:  # noqa: B008
    page = Document.parse(f"<html><body><h1>A dog bites a mayor</h1><span class=date>{text}</span></body></html>")
    return find_dates(page, DateContext(calendar=calendar))


def after(*texts: str) -> PortalCalendar:
    orders = PortalCalendar()
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

    found = read("3/4/2025", orders).published

    assert found is not None
    assert found.value.date().isoformat() == "2025-04-03"


def test_a_portal_that_changes_its_form_is_followed() -> None:
    orders = PortalCalendar(dmy=200)
    pages = 0
    while orders.order != "mdy":
        orders, pages = orders.after(read("11/24/2025")), pages + 1

    assert pages < 1000


SHOWN = "<p class=date>نشر في 11 نوفمبر 2026 الساعة 09:30</p>"


def find_clock(head: str, shown: str, calendar: PortalCalendar) -> Dates:
    page = Document.parse(f"<html lang=ar><head>{head}</head><body><h1>افتتاح الجسر الجديد</h1>{shown}</body></html>")
    return find_dates(page, DateContext(calendar=calendar, language="ar"))


def test_a_time_without_an_offset_is_on_the_clock_of_the_portals_other_articles() -> None:
    calendar, offsets = PortalCalendar(), []
    for day in range(12, 16):
        found = find_clock("", SHOWN, calendar)
        assert found.published is not None
        offsets.append(found.published.value.isoformat()[16:])
        stated = f"<meta property='article:published_time' content='2026-11-{day}T08:00:00+03:00'>"
        calendar = calendar.after(found).after(find_clock(stated, "", calendar))

    assert offsets == [":00+00:00"] * 3 + [":00+03:00"]
    assert calendar.find_zone(datetime(2026, 7, 1, tzinfo=UTC)) is None
    assert PortalCalendar(offsets={"7 180": 3, "7 120": 1}).find_zone(datetime(2026, 7, 1, tzinfo=UTC)) is None


@pytest.mark.parametrize(("offset", "expected"), [(60, "+02:00"), (120, "+02:00"), (-180, "-03:00")])
def test_offsets_of_a_month_whose_clocks_change_do_not_outweigh_the_zone_that_explains_them(offset: int, expected: str) -> None:
    page = Document.parse("<html lang=de><h1>Die Brücke ist fertig</h1><p class=date>5. Oktober 2026, 09:30 Uhr</p></html>")
    calendar = PortalCalendar(offsets={f"10 {offset}": 4})  # of articles after the change of 25 October
    found = find_dates(page, DateContext(calendar=calendar, language="de")).published

    assert found is not None
    assert found.value.isoformat() == f"2026-10-05T09:30:00{expected}"
