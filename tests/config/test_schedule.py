"""When turns are, through both changes of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from newscrawler.config import parse_schedule
from newscrawler.politeness import Window

PRAGUE = ZoneInfo("Europe/Prague")
EXPRESSIONS = ["30 2 * * *", "*/15 1-3 * * *", "0 22 * * 1-5", "15 3 1 * *", "* * * * *", "0 */6 * * *"]


def prague(*parts: int, fold: int = 0) -> datetime:
    return datetime(*parts, tzinfo=PRAGUE, fold=fold)  # type: ignore[arg-type, misc]


def test_a_portal_without_a_window_has_its_turn_in_the_night() -> None:
    nightly = parse_schedule("nightly", None, PRAGUE)

    following = nightly.find_following(prague(2026, 2, 3, 12, 0))

    assert following is not None
    assert following.planned_at == prague(2026, 2, 3, 22, 0)
    assert following.label == "night 2026-02-04"


def test_a_window_that_was_moved_within_a_night_makes_no_second_turn() -> None:
    now = prague(2026, 2, 4, 1, 30)
    turns = [
        parse_schedule("nightly", Window.parse(hours), PRAGUE).find_latest(now)
        for hours in ("20:00-04:00", "22:00-06:00", "01:00-05:00")
    ]

    assert {turn.label for turn in turns if turn} == {"night 2026-02-04"}


@pytest.mark.parametrize(
    ("written", "remark"),
    [
        ("night", "neither"),
        ("61 * * * *", "bad minute"),
        ("0 0 31 2 *", "bad day|no time"),
        ("* * * * * *", "neither"),
        ("", "neither"),
    ],
)
def test_what_is_no_schedule_is_refused(written: str, remark: str) -> None:
    with pytest.raises(ValueError, match=remark):
        parse_schedule(written, None, PRAGUE)


def test_never_is_never() -> None:
    never = parse_schedule("never", None, PRAGUE)

    assert never.find_latest(prague(2026, 2, 4)) is None
    assert never.find_following(prague(2026, 2, 4)) is None


def test_an_hour_that_comes_twice_has_one_turn() -> None:
    daily = parse_schedule("30 2 * * *", None, PRAGUE)
    first, second = prague(2026, 10, 25, 2, 40), prague(2026, 10, 25, 2, 10, fold=1)

    for moment in (first, second, second + timedelta(minutes=30)):
        latest, following = daily.find_latest(moment.astimezone(UTC)), daily.find_following(moment.astimezone(UTC))
        assert latest is not None
        assert following is not None
        assert latest.planned_at == prague(2026, 10, 25, 2, 30).astimezone(UTC)  # times that come twice equal no other zone's
        assert following.planned_at == prague(2026, 10, 26, 2, 30)


def test_an_hour_that_is_jumped_over_has_its_turn_after_the_jump() -> None:
    following = parse_schedule("30 2 * * *", None, PRAGUE).find_following(prague(2026, 3, 29, 1, 0))

    assert following is not None
    assert following.planned_at == prague(2026, 3, 29, 3, 0)


@given(
    written=st.sampled_from(EXPRESSIONS),
    minutes=st.integers(min_value=0, max_value=2 * 365 * 24 * 60),
    zone=st.sampled_from([PRAGUE, ZoneInfo("America/New_York"), ZoneInfo("UTC")]),
)
def test_now_lies_between_the_last_turn_and_the_next(written: str, minutes: int, zone: ZoneInfo) -> None:
    schedule, now = parse_schedule(written, None, zone), datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)

    latest, following = schedule.find_latest(now), schedule.find_following(now)

    assert latest is not None
    assert following is not None
    assert latest.planned_at <= now < following.planned_at
    assert schedule.find_latest(following.planned_at) == following
    assert schedule.find_following(latest.planned_at) == following


def test_a_year_of_nights_has_a_turn_a_night() -> None:
    nightly, now, turns = parse_schedule("nightly", Window.parse("02:00-03:00"), PRAGUE), prague(2026, 1, 1, 12, 0), []
    for _ in range(366):
        turn = nightly.find_following(now)
        assert turn is not None
        turns.append(turn)
        now = turn.planned_at

    assert len({turn.label for turn in turns}) == 366
    assert all(timedelta(hours=22) < two.planned_at - one.planned_at < timedelta(hours=26) for one, two in pairwise(turns))
