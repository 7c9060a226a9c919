"""Whether the crawls of a night fit into it, and how many at once that takes; and how many the memory holds."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawler.service.free_memory import CRAWL_MIB, count_crawls_that_fit
from newscrawler.service.workload import ExpectedCrawl, count_places_needed, estimate_length, forecast_crawls
from newscrawler.store.service import PlannedCrawl
from newscrawler.store.vocabularies import CrawlState

OPENS = datetime(2026, 11, 20, 22, tzinfo=UTC)
HOUR = timedelta(hours=1)


def jobs(number: int, hours: float | None, *, opens: float = 0, window: float = 8) -> list[ExpectedCrawl]:
    expected = hours * HOUR if hours is not None else None
    ready_at = OPENS + opens * HOUR
    return [
        ExpectedCrawl(portal=f"p{n}", ready_at=ready_at, closes_at=ready_at + window * HOUR, expected=expected)
        for n in range(number)
    ]


def test_crawls_that_fit_leave_no_shortage_and_their_end_is_known() -> None:
    found = forecast_crawls(jobs(30, 0.5), 2)

    assert found.shortage == ""
    assert found.ends_at == OPENS + 7.5 * HOUR
    assert (found.needed, found.available) == (15 * HOUR, 16 * HOUR)


def test_a_window_that_is_too_short_is_told_with_both_figures() -> None:
    found = forecast_crawls(jobs(40, 0.5), 2)

    assert [job.portal for job in found.late] == [f"p{number}" for number in range(32, 40)]
    assert found.shortage == (
        "time is too short for p32, p33, p34 and 5 more: the crawls that are planned need 20.0 hours, 2 at once have 16.0 hours"
    )


def test_crawls_at_other_hours_do_not_count_for_a_shortage() -> None:
    found = forecast_crawls(jobs(3, 6) + jobs(9, 0.5, opens=12), 2)

    assert "need 18.0 hours, 2 at once have 16.0 hours" in found.shortage


def test_a_shortage_counts_all_crawls_whose_time_overlaps_with_a_late_one() -> None:
    chance = random.Random(7)
    for _ in range(50):
        planned = [
            replace(jobs(1, chance.choice((0, 0.5, 1)), opens=chance.randrange(9), window=chance.randrange(4))[0], portal=f"p{n}")
            for n in range(8)
        ]
        found = forecast_crawls(planned, 1)
        beside = [
            job for job in planned if any(job.ready_at < late.closes_at and late.ready_at < job.closes_at for late in found.late)
        ]
        assert found.needed == sum((job.expected or timedelta(0) for job in beside or planned), timedelta(0))


def test_a_crawl_that_alone_takes_longer_than_its_window_is_told_by_itself() -> None:
    found = forecast_crawls(jobs(1, 9), 10)

    assert found.shortage == "p0 needs 9.0 hours, its time is 8.0 hours"


def test_a_portal_that_was_never_crawled_is_expected_to_be_as_usual() -> None:
    assert forecast_crawls(jobs(3, 2) + jobs(1, None), 1).ends_at == OPENS + 8 * HOUR
    assert forecast_crawls(jobs(5, None), 1).shortage == ""


@pytest.mark.parametrize(
    ("known", "new", "places"),
    [(16, 0, 2), (1, 0, 1), (200, 0, 17), (200, 3, 20)],  # of 8 hours, crawls of 37.5 minutes after the reserve: 12 each
)
def test_there_are_as_many_places_as_the_crawls_need_and_one_for_each_of_unknown_length(known: int, new: int, places: int) -> None:
    assert count_places_needed(jobs(new, None) + jobs(known, 0.5), 1000) == places


def test_there_are_never_more_places_than_memory_allows() -> None:
    assert count_places_needed(jobs(200, 0.5), 5) == 5
    assert count_places_needed([], 5) == 1


def test_the_next_crawl_is_expected_to_be_like_the_latest_that_came_to_an_end() -> None:
    def turn(hours: float, state: CrawlState = CrawlState.DONE) -> PlannedCrawl:
        times = {"planned_at": OPENS, "began_at": OPENS, "ended_at": OPENS + hours * HOUR}
        return PlannedCrawl(portal="p", label="l", state=state, **times)

    assert estimate_length([turn(9, CrawlState.BROKEN), turn(2), turn(1), turn(3), turn(7)]) == 2 * HOUR
    assert estimate_length([turn(1), turn(5)]) == 1 * HOUR  # the first crawl of a portal takes longer than those that follow
    assert estimate_length([turn(9, CrawlState.GIVEN_UP)]) is None


def test_the_memory_of_the_machine_and_of_the_control_group_bound_the_crawls(tmp_path: Path) -> None:
    group = tmp_path / "sys/fs/cgroup/a.slice"
    group.mkdir(parents=True)
    (tmp_path / "proc/self").mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 1 kB\nMemAvailable: 8388608 kB\n")
    (tmp_path / "proc/self/cgroup").write_text("0::/a.slice\n")
    (group / "memory.max").write_text("max\n")
    (group / "memory.current").write_text(f"{3 * 2**30}\n")
    (group / "memory.stat").write_text(f"inactive_file {2 * 2**30}\n")

    assert count_crawls_that_fit([], root=tmp_path) == 6144 // CRAWL_MIB
    (group / "memory.max").write_text(f"{2 * 2**30}\n")
    assert count_crawls_that_fit([], root=tmp_path) == 768 // CRAWL_MIB
    assert count_crawls_that_fit([100] * 10, root=tmp_path) == 1518 // CRAWL_MIB
    assert count_crawls_that_fit([], root=tmp_path / "elsewhere") is None
