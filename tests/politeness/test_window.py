"""Windows of hours on the portal's clock, through both changes of the clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.politeness import Window

PRAGUE = ZoneInfo("Europe/Prague")
NIGHT = Window.parse("22:00-06:00")
#: Naive, as hypothesis wants them.
EARLIEST, LATEST = (datetime(year, 1, 1, tzinfo=UTC).replace(tzinfo=None) for year in (2025, 2028))
ZONES = [ZoneInfo(name) for name in ("Europe/Prague", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")]


def prague(*parts: int, fold: int = 0) -> datetime:
    return datetime(*parts, tzinfo=PRAGUE, fold=fold)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize("text", ["", "22-6", "25:00-06:00", "22:00", "22:00-22:00", "22:00-06:60", "nightly"])
def test_what_is_no_window_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"window|same time"):
        Window.parse(text)


def test_it_is_open_over_midnight() -> None:
    assert NIGHT.closes_at(prague(2026, 2, 3, 23, 0), PRAGUE) == prague(2026, 2, 4, 6, 0)
    assert NIGHT.closes_at(prague(2026, 2, 4, 5, 59), PRAGUE) == prague(2026, 2, 4, 6, 0)
    assert NIGHT.closes_at(prague(2026, 2, 4, 6, 0), PRAGUE) is None
    assert NIGHT.open_from(prague(2026, 2, 4, 12, 0), PRAGUE) == prague(2026, 2, 4, 22, 0)


def test_a_night_is_as_long_as_the_clock_says() -> None:
    for month, day, hours in ((3, 28, 7), (10, 24, 9), (6, 1, 8)):
        opening, closing = NIGHT.on(prague(2026, month, day).date(), PRAGUE)
        assert closing - opening == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("zone", "written", "day", "opening", "closing"),
    [  # Prague goes forward on 29 March at 1:00 UTC and back on 25 October at 1:00, New York on 8 March at 7:00, 1 November at 6:00
        ("Europe/Prague", "22:00-02:30", (2026, 3, 28), (2026, 3, 28, 21, 0), (2026, 3, 29, 1, 0)),
        ("Europe/Prague", "02:30-05:00", (2026, 3, 29), (2026, 3, 29, 1, 0), (2026, 3, 29, 3, 0)),
        ("Europe/Prague", "22:00-06:00", (2026, 3, 28), (2026, 3, 28, 21, 0), (2026, 3, 29, 4, 0)),
        ("Europe/Prague", "22:00-02:30", (2026, 10, 24), (2026, 10, 24, 20, 0), (2026, 10, 25, 0, 30)),
        ("Europe/Prague", "02:30-05:00", (2026, 10, 25), (2026, 10, 25, 1, 30), (2026, 10, 25, 4, 0)),
        ("Europe/Prague", "02:10-02:40", (2026, 10, 25), (2026, 10, 25, 0, 10), (2026, 10, 25, 0, 40)),
        ("Europe/Prague", "22:00-06:00", (2026, 10, 24), (2026, 10, 24, 20, 0), (2026, 10, 25, 5, 0)),
        ("America/New_York", "23:00-02:30", (2026, 3, 7), (2026, 3, 8, 4, 0), (2026, 3, 8, 7, 0)),
        ("America/New_York", "02:15-04:00", (2026, 3, 8), (2026, 3, 8, 7, 0), (2026, 3, 8, 8, 0)),
        ("America/New_York", "23:00-01:30", (2026, 10, 31), (2026, 11, 1, 3, 0), (2026, 11, 1, 5, 30)),
        ("America/New_York", "01:30-04:00", (2026, 11, 1), (2026, 11, 1, 6, 30), (2026, 11, 1, 9, 0)),
    ],
)  # fmt: skip
def test_the_changes_of_the_clock_in_both_directions(
    zone: str, written: str, day: tuple[int, int, int], opening: tuple[int, ...], closing: tuple[int, ...]
) -> None:
    found = Window.parse(written).on(date(*day), ZoneInfo(zone))

    assert found == (datetime(*opening, tzinfo=UTC), datetime(*closing, tzinfo=UTC))  # type: ignore[arg-type, misc]


@pytest.mark.parametrize("zone", ["Europe/Prague", "America/New_York"])
@pytest.mark.parametrize("written", ["22:00-06:00", "01:15-02:45", "02:30-05:00", "23:00-01:30"])
def test_while_it_is_open_the_clock_on_the_wall_shows_its_hours(zone: str, written: str) -> None:
    window, where = Window.parse(written), ZoneInfo(zone)
    nights = [datetime(2026, *day, 20, tzinfo=UTC) for day in ((3, 7), (3, 28), (10, 24), (10, 31))]  # type: ignore[arg-type, misc]
    moments = [night + timedelta(minutes=15 * step) for night in nights for step in range(4 * 16)]

    shown = [moment.astimezone(where).time() for moment in moments if window.closes_at(moment, where)]

    over_midnight = window.closes < window.opens
    inside = [(window.opens <= at or at < window.closes) if over_midnight else window.opens <= at < window.closes for at in shown]
    assert len(shown) > 20
    assert all(inside)


def test_a_window_that_the_clock_jumps_over_keeps_its_length() -> None:
    opening, closing = Window.parse("02:00-03:00").on(prague(2026, 3, 29).date(), PRAGUE)

    assert opening == prague(2026, 3, 29, 3, 0)
    assert closing - opening == timedelta(hours=1)


def test_a_window_until_midnight_may_be_written_either_way() -> None:
    assert Window.parse("20:00-24:00") == Window.parse("20:00-00:00")


@given(
    opens=st.times(),
    closes=st.times(),
    now=st.datetimes(min_value=EARLIEST, max_value=LATEST),
    zone=st.sampled_from(ZONES),
)
def test_there_is_one_opening_a_day_and_now_lies_between_two(opens: time, closes: time, now: datetime, zone: ZoneInfo) -> None:
    written = f"{opens:%H:%M}-{closes:%H:%M}"
    if f"{opens:%H:%M}" == f"{closes:%H:%M}":
        return
    window, moment = Window.parse(written), now.replace(tzinfo=UTC)

    latest, following = window.latest(moment, zone), window.following(moment, zone)

    assert latest[0] <= moment < following[0]
    assert latest[0] < latest[1]
    assert timedelta(hours=22) <= following[0] - latest[0] <= timedelta(hours=26)
    openings = [window.on(now.date() + timedelta(days=ahead), zone)[0] for ahead in range(5)]
    assert all(timedelta(hours=22) <= second - first <= timedelta(hours=26) for first, second in pairwise(openings))
