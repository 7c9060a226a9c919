"""Dates in writing are read in the languages of the news."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from stopwatch import cpu_seconds

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.candidate import Clock
from newscrawler.extraction.dates.other_calendars import convert_bikram_day, convert_lunar_day
from newscrawler.extraction.dates.text_dates import find_moments, read_moment, tidy

PRAGUE = ZoneInfo("Europe/Prague")
CLOCK = Clock(zone=PRAGUE, fetched_at=datetime(2026, 11, 20, 12, 30, tzinfo=UTC))

MINUTES = [
    "2024-05-03T15:47:42.389000+02:00",
    "20240503T154742",
    "Fri, 03 May 2024 15:47:42 +0200",
    "Fri May 03 2024 15:47:42 GMT+0200 (CEST)",
    "03.05.2024 15:47",
    "3. 5. 2024 v 15:47 hod",
    "3. května 2024, 15:47",
    "3. máj 2024 o 15:47",
    "3 maja 2024, godz. 15:47",
    "Freitag, 3. Mai 2024, 15.47 Uhr",
    "May 3, 2024 at 3:47 p.m.",
    "3:47 PM, May 3, 2024",
    "1er mai 2024 à 15h47",
    "3 de mayo de 2024 a las 15:47",
    "3 maggio 2024 alle 15:47",
    "3 de maio de 2024 às 15h47",
    "3 травня 2024, 15:47",
    "3 мая 2024 года в 15:47",
    "2024. május 3., péntek 15:47",
    "3 במאי 2024, 15:47",
    "3 Mayıs 2024 Cuma 15:47",
    "٣ مايو ٢٠٢٤ - ١٥:٤٧",
    "2024年5月3日 15時47分",
    "2024年5月3日 下午3:47",
    "令和6年5月3日 15:47",
    "2024년 5월 3일 오후 3:47",
    "3.5.2024 klo 15.47",
    "24 نيسان / أبريل 2020 09:30",
    "۱۴ اردیبهشت ۱۴۰۳ - ۱۵:۴۷",
    "جمعه ۱۴ ارديبهشت ۱۴۰۳ ساعت ۱۵:۴۷",
    "14 ثور 1403 | 15:47",
    "3 พ.ค. 2567 15:47 น.",
    "3 พ.ค. 67 15.47 น.",
    "๓ พฤษภาคม พ.ศ. ๒๕๖๗ เวลา ๑๕.๔๗ น.",
]


@pytest.mark.parametrize("text", MINUTES)
def test_a_date_with_its_time_is_read_to_the_minute(text: str) -> None:
    moment = read_moment(text, CLOCK)

    assert moment is not None
    assert moment.precision == DatePrecision.MINUTE
    wanted = {"1er mai": (1, 5, 15, 47), "24 نيس": (24, 4, 9, 30)}.get(
        next((k for k in ("1er mai", "24 نيس") if text.startswith(k)), "")
    )
    local = moment.value.astimezone(PRAGUE)
    assert (local.day, local.month, local.hour, local.minute) == (wanted or (3, 5, 15, 47))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("24. Říjen 2026", "2026-10-24"),
        ("5. února", "2026-02-05"),
        ("31. prosince", "2025-12-31"),
        ("3 stycznia 2026", "2026-01-03"),
        ("Sept. 3rd, 2024", "2024-09-03"),
        ("10.Jan.2020", "2020-01-10"),
        ("25-Oct-2020", "2020-10-25"),
        ("24.10.20", "2020-10-24"),
        ("3 พฤษภาคม 2567", "2024-05-03"),
        ("3 كانون الثاني 2024", "2024-01-03"),
        ("१६ फ़रवरी २०२०", "2020-02-16"),
        ("wurde am 14. Dezember 2015 von", "2015-12-14"),
    ],
)
def test_a_day_is_read_and_a_missing_year_is_the_last_in_which_it_came_round(text: str, day: str) -> None:
    moment = read_moment(text, CLOCK)

    assert moment is not None
    assert (moment.value.date().isoformat(), moment.precision) == (day, DatePrecision.DAY)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1405/09/01", "2026-11-22"),
        ("1405/9/1 - 12:30", "2026-11-22"),
        ("۱۴۰۴/۰۱/۰۱", "2025-03-21"),
        ("1403-12-30T08:00:00", "2025-03-20"),
        ("۳۰ اسفند ۱۳۹۹", "2021-03-20"),
        ("1357/11/22", "1979-02-11"),
    ],
)
def test_years_of_the_solar_calendar_are_read_in_its_languages(text: str, day: str) -> None:
    read = [read_moment(text, replace(CLOCK, languages=languages)) for languages in (("fa",), ("ps", "en"))]

    assert [m.value.astimezone(PRAGUE).date().isoformat() for m in read if m] == [day, day]


@pytest.mark.parametrize("text", ["1405/09/01", "1405/9/1 - 12:30", "1403-12-30", "۳۰ اسفند ۱۴۰۴", "۱۲ مهر"])
def test_numbers_like_those_years_elsewhere_and_days_that_never_were_are_no_dates(text: str) -> None:
    assert read_moment(text, replace(CLOCK, languages=("en",))) is None


@pytest.mark.parametrize(
    "text", ["", "02/31/2024", "Seite 3 von 2019", "1. 1.", "FC 3:1", "192.168.10.20", "tel. 123 456 789", "2019", "99.99.2020"]
)
def test_what_is_no_date_is_not_read(text: str) -> None:
    assert read_moment(text, CLOCK) is None


def test_slashes_follow_the_country_and_dots_never_put_the_month_first() -> None:
    american = Clock(month_first=True)

    read = [read_moment(text, clock) for clock in (CLOCK, american) for text in ("3/4/2024", "3.4.2024", "13/4/2024")]

    assert [(m.value.month, m.value.day) for m in read if m] == [(4, 3), (4, 3), (4, 13), (3, 4), (4, 3), (4, 13)]


def test_croatian_months_are_not_those_of_its_neighbours() -> None:
    croatian = Clock(languages=("hr",))

    assert [read_moment("3. listopada 2024", clock).value.month for clock in (croatian, CLOCK)] == [10, 11]  # type: ignore[union-attr]


def test_every_date_of_a_line_is_found_in_order() -> None:
    text = tidy("Published 3 May 2024 | Updated 4 May 2024, 10:42 AM EDT")

    found = list(find_moments(text, CLOCK))

    assert [m.value.day for m in found] == [3, 4]
    assert (found[1].offset_given, found[1].value.utcoffset().total_seconds()) == (True, -4 * 3600)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "day", ["3 May 2024", "May 3rd, 2024", "3. kvě. 2024", "2024年5月3日", "3/5/2024", "20240503", "3 d'maig de 2024"]
)
def test_a_date_is_found_among_numbers_that_are_none(day: str) -> None:
    prices = "The dollar rose 0.35 percent to 12.9, and 3,500 of 27,934 shares in 7 markets cost 4.5 or 10 a piece. "

    found = list(find_moments(tidy(f"{prices * 4}{day}. {prices * 4}"), CLOCK))

    assert [(m.value.year, m.value.month, m.value.day) for m in found] == [(2024, 5, 3)]


def test_a_day_and_a_month_are_a_date_only_where_the_time_of_the_fetch_is_known() -> None:
    assert [len(list(find_moments("Updated Nov 19, 9:41 AM", clock))) for clock in (CLOCK, Clock())] == [1, 0]


def test_many_numbers_take_time_in_line_with_their_length() -> None:
    text = "Top 10 of 1999 and 5 May or 12.9 in 7 "

    spent = min(cpu_seconds(lambda: list(find_moments(text * 400, Clock()))) for _ in range(3))

    assert spent < 0.5


@pytest.mark.parametrize(
    ("text", "language", "moment"),
    [
        ("الثلاثاء 24 شعبان 1445هـ", "ar", "2024-03-05T00:00"),
        ("٢٤ شعبان ١٤٤٥", "ar", "2024-03-05T00:00"),
        ("24/8/1445هـ", "ar", "2024-03-05T00:00"),
        ("24 ربيع الاول 1446 هـ 10:30", "ar", "2024-09-27T10:30"),
        ("1 محرم 1446", "ar", "2024-07-07T00:00"),
        ("24 شعبان 1445هـ الموافق 6 مارس 2024م", "ar", "2024-03-06T00:00"),
        ("Tuesday, 24 Sha’ban 1445 AH", "en", "2024-03-05T00:00"),
        ("Shaaban 24, 1445H", "en", "2024-03-05T00:00"),
        ("15 Jumada al-Akhirah 1445", "en", "2023-12-28T00:00"),
        ("24 شعبان 1445", "ur", None),  # months of Pakistan begin a day or two later
        ("24/08/1445", "ar", None),
        ("30 شعبان 1445", "ar", None),
        ("२२ फाल्गुन २०८०, मंगलबार", "ne", "2024-03-05T00:00"),
        ("२०८० फागुन २२ गते १०:३०", "ne", "2024-03-05T10:30"),
        ("२०८०/११/२२", "ne", "2024-03-05T00:00"),
        ("२०८० फागुन २२ गते", "en", "2024-03-05T00:00"),
        ("22 Falgun 2080", "en", "2024-03-05T00:00"),
        ("1 Baisakh 2082", "ne", "2025-04-14T00:00"),
        ("१ वैशाख २०८१", "ne", "2024-04-13T00:00"),
        ("22 फाल्गुन 2080", "hi", None),  # Vikram Samvat of India counts by the moon
        ("22 Falgun 2095", "ne", None),
        ("주체113(2024)년 3월 5일", "ko", "2024-03-05T00:00"),
        ("令和6年（2024年）3月5日", "ja", "2024-03-05T00:00"),
        ("2024(令和6)年3月5日", "ja", "2024-03-05T00:00"),
        ("2024年（令和6年）3月5日", "ja", "2024-03-05T00:00"),
    ],
)
def test_days_of_other_calendars_are_converted_or_have_no_date(text: str, language: str, moment: str | None) -> None:
    clock = Clock(zone=UTC, fetched_at=datetime(2026, 11, 26, tzinfo=UTC), languages=(language,))
    found = read_moment(text, clock)

    assert (found and found.value.isoformat()[:16]) == moment


@pytest.mark.parametrize(("first", "convert"), [(1421, convert_lunar_day), (2063, convert_bikram_day)])
def test_each_day_of_another_calendar_follows_the_one_before(first: int, convert: Callable[[int, int, int], date | None]) -> None:
    days = [
        day
        for year in range(first, first + 21)
        for month in range(1, 13)
        for each in range(1, 33)
        if (day := convert(year, month, each))
    ]

    assert all(after - before == timedelta(days=1) for before, after in pairwise(days))
