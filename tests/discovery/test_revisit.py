from datetime import UTC, datetime, timedelta

import pytest

from newscrawler.discovery.revisit import (
    LONGEST_SECONDS,
    SHORTEST_SECONDS,
    Visit,
    articles_per_day,
    next_visit_seconds,
)

_NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
_DAY = 86_400


def _history(fresh: list[int], hours: float = 24) -> list[Visit]:
    return [Visit(at=_NOW - timedelta(hours=hours * (len(fresh) - 1 - place)), fresh=each) for place, each in enumerate(fresh)]


def test_what_was_never_visited_is_due():
    assert next_visit_seconds([], _NOW) == 0


def test_a_busy_section_is_visited_sooner_than_a_quiet_one():
    busy = next_visit_seconds(_history([10, 20, 25, 20]), _NOW)
    quiet = next_visit_seconds(_history([10, 0, 1, 0]), _NOW)

    assert SHORTEST_SECONDS <= busy < 3 * 3600
    assert busy * 10 < quiet


def test_a_section_that_never_brings_anything_is_visited_less_and_less():
    waits = [next_visit_seconds(_history([5] + [0] * days), _NOW) for days in (1, 3, 10, 30)]

    assert waits == sorted(waits)
    assert waits[0] >= _DAY
    assert waits[-1] <= LONGEST_SECONDS


def test_a_section_that_wakes_up_is_soon_visited_more_often():
    asleep = _history([5] + [0] * 30)
    awake = [*_history([5] + [0] * 29 + [12])]

    assert next_visit_seconds(awake, _NOW) < next_visit_seconds(asleep, _NOW) / 2


def test_what_the_first_visit_found_tells_nothing_of_the_rate():
    assert articles_per_day(_history([500]), _NOW) == articles_per_day(_history([0]), _NOW)


def test_time_that_has_passed_counts():
    history = _history([5, 1, 1, 1])

    wait = next_visit_seconds(history, _NOW)

    assert next_visit_seconds(history, _NOW + timedelta(seconds=wait / 2)) == pytest.approx(wait / 2, rel=0.05)
    assert next_visit_seconds(history, _NOW + timedelta(days=60)) == 0


def test_the_order_of_visits_does_not_matter():
    history = _history([5, 1, 0, 3])

    assert next_visit_seconds(history[::-1], _NOW) == next_visit_seconds(history, _NOW)


def test_a_visit_without_an_offset_is_refused():
    with pytest.raises(ValueError, match="no offset"):
        Visit(at=datetime(2026, 11, 20))  # noqa: DTZ001
