"""What is planned, by what was and what the clock says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from newscrawler.config import parse_schedule
from newscrawler.politeness import Window
from newscrawler.service.planner import Past, Plan, plan
from newscrawler.store.service import Job, JobKind, JobState

ZONE = ZoneInfo("Europe/Prague")
NIGHT = Window.parse("22:00-06:00")
LONG_AGO = datetime(2025, 1, 1, tzinfo=UTC)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 2, day, hour, minute, tzinfo=ZONE)


def planned(now: datetime, *crawls: Job, written: str = "nightly", window: Window | None = NIGHT, **past: datetime) -> Plan | None:
    known: dict[str, datetime] = {"watched_since": LONG_AGO, **past}
    return plan(parse_schedule(written, window, ZONE), window=window, zone=ZONE, past=Past(crawls=crawls, **known), now=now)


def turn(day: int, state: JobState = JobState.DONE, **more: object) -> Job:
    """The turn of the night to this day."""
    planned_at = at(day - 1, 22)
    return Job(kind=JobKind.CRAWL, target="p", label=f"night 2026-02-{day:02}", planned_at=planned_at, state=state, **more)  # type: ignore[arg-type]


def test_a_night_is_taken_once() -> None:
    now = at(4, 1)

    before, after = planned(now, turn(3)), planned(now, turn(4), turn(3))

    assert before is not None
    assert after is not None
    assert (before.crawl.label, before.start_at) == ("night 2026-02-04", now)
    assert (after.crawl.label, after.start_at) == ("night 2026-02-05", at(4, 22))


def test_seven_missed_nights_are_made_up_for_once_and_within_the_window() -> None:
    found = planned(at(10, 12), turn(3))

    assert found is not None
    assert found.crawl.label == "night 2026-02-11"
    assert found.start_at == at(10, 22)


def test_without_a_window_a_missed_night_is_made_up_for_at_once() -> None:
    found = planned(at(10, 12), turn(3), window=None)

    assert found is not None
    assert found.crawl.label == "night 2026-02-10"
    assert found.start_at == at(10, 12)


def test_what_comes_soon_anyway_is_not_made_up_for() -> None:
    found = planned(at(10, 21, 30), turn(3), window=None)

    assert found is not None
    assert found.start_at == at(10, 22)


def test_a_new_portal_waits_for_its_first_night_but_not_through_one() -> None:
    noon, midnight = planned(at(4, 12), watched_since=at(4, 12)), planned(at(4, 23), watched_since=at(4, 23))

    assert noon is not None
    assert midnight is not None
    assert (noon.start_at, midnight.start_at) == (at(4, 22), at(4, 23))


def test_a_crawl_by_hand_counts() -> None:
    found = planned(at(4, 23), turn(4), last_whole_began_at=at(4, 22, 30))

    assert found is not None
    assert found.start_at == at(5, 22)


def test_a_crawl_that_the_services_end_interrupted_goes_on_at_once() -> None:
    found = planned(at(4, 3), turn(4, JobState.WAITING, attempts=1, ended_at=at(4, 2)))

    assert found is not None
    assert (found.crawl.label, found.start_at) == ("night 2026-02-04", at(4, 3))


def test_a_crawl_that_died_is_tried_again_after_a_pause_while_the_window_is_open() -> None:
    broken = turn(4, JobState.WAITING, attempts=1, ended_at=at(4, 2), due_at=at(4, 2, 1))
    late = turn(4, JobState.WAITING, attempts=1, ended_at=at(4, 5, 59), due_at=at(4, 6))

    again, too_late = planned(at(4, 2), broken), planned(at(4, 6), late)

    assert again is not None
    assert (again.start_at, again.job) == (at(4, 2, 1), broken)
    assert too_late is not None
    assert too_late.start_at == at(4, 22)


def test_given_up_is_given_up_until_the_next_turn() -> None:
    found = planned(at(4, 3), turn(4, JobState.FAILED))

    assert found is not None
    assert found.start_at == at(4, 22)


def test_a_cron_time_outside_the_window_waits_for_it() -> None:
    found = planned(at(4, 12, 1), written="0 12 * * *")

    assert found is not None
    assert found.start_at == at(4, 22)


def test_minutes_that_passed_during_a_crawl_are_made_up_for_once() -> None:
    label = f"{at(4, 12).astimezone(UTC):%Y-%m-%d %H:%M} UTC"
    done = Job(kind=JobKind.CRAWL, target="p", label=label, planned_at=at(4, 12), state=JobState.DONE)

    found = planned(at(4, 12, 7) + timedelta(seconds=20), done, written="* * * * *", window=None)

    assert found is not None
    assert found.crawl.planned_at == at(4, 12, 7)
    assert found.start_at == at(4, 12, 7) + timedelta(seconds=20)


def test_what_is_never_crawled_has_no_plan() -> None:
    assert planned(at(4, 12), written="never") is None
