"""Windows of hours on the portal's clock, through both changes of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.politeness.window import Window

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
