"""How the gap between two requests grows and shrinks, and how long failures keep us away."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import pytest

from newscrawler.politeness import SUSPENSION, Pace, add_jitter, compute_pause, read_retry_after
from newscrawler.politeness.delays import JITTER, LONGEST_GAP_SECONDS, LONGEST_PAUSE_SECONDS, MOST_FAILURES, MOST_SLOWDOWN

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def test_a_gap_is_never_shorter_than_asked_for_and_never_even() -> None:
    chance = Random(1)
    gaps = [add_jitter(5.0, chance) for _ in range(1000)]

    assert min(gaps) >= 5.0
    assert max(gaps) <= 5.0 * (1 + JITTER)
    assert len(set(gaps)) > 990


def test_the_gap_grows_with_errors_and_comes_down_slowly() -> None:
    pace = Pace()
    for _ in range(2):
        pace = pace.note_failure()
    raised = pace.gap_seconds(5.0)
    answers = 0
    while pace.gap_seconds(5.0) > 5.0:
        pace = pace.note_answer(0.1, delay_seconds=5.0)
        answers += 1

    assert raised == 20.0
    assert 20 <= answers <= 40


def test_the_gap_grows_while_the_host_answers_slowly() -> None:
    pace = Pace()
    for _ in range(30):
        pace = pace.note_answer(8.0, delay_seconds=2.0)

    assert pace.slowdown == MOST_SLOWDOWN
    assert pace.gap_seconds(2.0) == 2.0 * MOST_SLOWDOWN


def test_one_slow_answer_among_quick_ones_changes_nothing() -> None:
    pace = Pace()
    for number in range(50):
        pace = pace.note_answer(6.0 if number == 25 else 0.2, delay_seconds=1.0)

    assert pace.slowdown == 1.0


def test_no_gap_stays_none_and_a_long_one_does_not_grow_without_end() -> None:
    pace = Pace(slowdown=MOST_SLOWDOWN)

    assert pace.gap_seconds(0.0) == 0.0
    assert pace.gap_seconds(60.0) == LONGEST_GAP_SECONDS
    assert pace.gap_seconds(3600.0) == 3600.0


def test_pauses_double_until_the_host_is_suspended() -> None:
    pauses = [compute_pause(failures, delay_seconds=0.5) for failures in range(1, MOST_FAILURES + 1)]

    assert [seconds for seconds, _ in pauses[:5]] == [1.0, 2.0, 4.0, 8.0, 16.0]
    assert [suspended for _, suspended in pauses] == [False] * (MOST_FAILURES - 1) + [True]
    assert pauses[-1][0] == SUSPENSION.total_seconds()


def test_a_host_is_paused_as_long_as_it_asks() -> None:
    assert compute_pause(1, delay_seconds=1.0, retry_after_seconds=90.0) == (90.0, False)
    assert compute_pause(7, delay_seconds=5.0, retry_after_seconds=3.0) == (320.0, False)
    assert compute_pause(8, delay_seconds=60.0) == (LONGEST_PAUSE_SECONDS, False)


def test_a_host_that_asks_for_days_is_suspended() -> None:
    assert compute_pause(1, delay_seconds=1.0, retry_after_seconds=90_000.0) == (2 * SUSPENSION.total_seconds(), True)


def test_an_address_that_never_answered_is_not_suspended() -> None:
    assert not compute_pause(20, delay_seconds=1.0, never_answered=True)[1]


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30", 30.0),
        (" 7 ", 7.0),
        ("0", 0.0),
        ("Sat, 21 Nov 2026 12:01:30 GMT", 90.0),
        ("Saturday, 21-Nov-26 12:01:30 GMT", 90.0),
        ("Sat, 21 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        (None, None),
        ("99999999999999999999", 999_999_999.0),
        ("0000000000600", 600.0),
        ("0" * 6000, 0.0),
        ("Sat, 99 Nov 2026 12:01:30 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(value: str | None, seconds: float | None) -> None:
    assert read_retry_after(value, NOW) == seconds
