"""Jobs that people ask for: a real store, a real supervisor, simulated crawls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from simulated_nights import AtOnce, Night, World, brought

from newscrawler.config import parse_configuration
from newscrawler.service.notifications import Delivery
from newscrawler.service.supervisor import Supervisor
from newscrawler.store import Store, open_store
from newscrawler.store.service import Job, JobKind, JobState

BEGIN = datetime(2026, 11, 20, 12, 0, 30, tzinfo=UTC)
TEXT = '[[portal]]\nname = "p"\nstart_urls = ["http://127.0.0.1/"]\nschedule = "0 3 * * *"\n'


class Desk:
    """A supervisor with a world around it."""

    def __init__(self, store: Store, folder: Path, text: str = TEXT) -> None:
        self.store = store
        self.world = World(store.engine, BEGIN, lambda *_: Night(minutes=20, counts=brought(5)))
        self.service = Supervisor(
            store=store, launcher=self.world, delivery=Delivery(store, AtOnce()), create_notifiers=lambda _: [], now=BEGIN
        )
        self.service.begin(parse_configuration(text, folder / "newscrawler.toml"), BEGIN)

    def ask(self, kind: JobKind, target: str = "p") -> None:
        self.store.jobs.ask(kind, target, who="anna", now=self.world.now)

    def end(self, number: int, message: str) -> None:
        """Store the result of a job, as its process does."""
        job = self.store.jobs.get(number)
        assert job is not None
        self.store.jobs.put(replace(job, state=JobState.DONE, message=message, ended_at=self.world.now))

    def run(self, minutes: int) -> tuple[JobState, str]:
        """Let time pass; return how the latest job stands."""
        for _ in range(minutes):
            self.service.check(self.world.now)
            self.world.now += timedelta(minutes=1)
        (job, *_) = self.store.jobs.latest()
        return job.state, job.message


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as opened:
        yield opened


def test_a_crawl_that_is_asked_for_begins_at_once_and_is_followed_to_its_end(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path)
    desk.ask(JobKind.CRAWL)
    desk.ask(JobKind.CRAWL)  # a second click

    assert desk.run(2) == (JobState.RUNNING, "")
    assert [crawl.began_at for crawl in desk.world.crawls] == [BEGIN]
    assert desk.run(25) == (JobState.DONE, "the crawl came to its end")
    assert len(store.jobs.latest()) == 1


def test_a_crawl_that_is_stopped_is_not_tried_again_and_is_no_problem(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path)
    desk.ask(JobKind.CRAWL)
    desk.run(2)

    desk.ask(JobKind.STOP)

    assert desk.run(3) == (JobState.DONE, "the crawl was asked to end")
    assert desk.run(30)[0] is JobState.DONE
    assert store.jobs.crawls() == {}  # nothing of the schedule
    assert [(job.state, job.message) for job in store.jobs.latest()][1] == (JobState.STOPPED, "anna stopped it")
    assert len(desk.world.crawls) == 1
    assert store.service.open_alerts() == []


@pytest.mark.parametrize(
    ("kind", "target", "message"),
    [
        (JobKind.CRAWL, "q", "the configuration has no such portal"),
        (JobKind.STOP, "p", "the service is not crawling it"),
        (JobKind.EXPORT, "all", "the configuration has no such export"),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(
    store: Store, tmp_path: Path, kind: JobKind, target: str, message: str
) -> None:
    desk = Desk(store, tmp_path)
    desk.ask(kind, target)

    assert desk.run(1) == (JobState.FAILED, message)


def test_a_crawl_outside_its_window_is_refused(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, TEXT + 'window = "22:00-06:00"\n')
    desk.ask(JobKind.CRAWL)

    assert desk.run(1) == (JobState.FAILED, "its window, 22:00-06:00, is closed")


def test_an_export_that_is_asked_for_is_written(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, TEXT + '[[export]]\nname = "all"\npath = "all.jsonl"\n')
    desk.ask(JobKind.EXPORT, "all")
    desk.service.check(desk.world.now)
    desk.end(1, "7 articles were written to all.jsonl")
    desk.world.now += timedelta(minutes=1)

    assert desk.run(3) == (JobState.DONE, "7 articles were written to all.jsonl")
    assert [number for number, _ in desk.world.jobs] == [1]


def test_a_paused_portal_is_left_out_and_misses_nothing(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, TEXT + "paused = true\n")

    desk.world.now = BEGIN
    for _ in range(40):
        desk.service.check(desk.world.now)
        desk.world.now += timedelta(hours=1)

    assert desk.world.crawls == []
    assert store.jobs.crawls() == {}
    assert store.service.open_alerts() == []


def test_what_takes_long_has_a_process_of_its_own_two_at_a_time(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path)
    for tool in ("trends", "concordance", "counts"):
        desk.ask(JobKind.COUNT, tool)

    desk.service.check(desk.world.now)

    assert [number for number, _ in desk.world.jobs] == [1, 2]
    assert [job.state for job in store.jobs.latest()] == [JobState.WAITING, JobState.RUNNING, JobState.RUNNING]
    desk.end(1, "7 rows")
    desk.run(3)
    assert [number for number, _ in desk.world.jobs] == [1, 2, 3]
    said = [(job.state, job.message) for job in store.jobs.latest()]
    assert said[2] == (JobState.DONE, "7 rows")
    assert said[1] == (JobState.FAILED, "it ended with exit code 0; the log says why")


def test_a_job_that_lost_its_service_says_so(store: Store, tmp_path: Path) -> None:
    first = Desk(store, tmp_path)
    first.ask(JobKind.COUNT, "trends")
    first.service.check(first.world.now)
    first.service.leave(first.world.now)

    assert Desk(store, tmp_path).run(1) == (JobState.FAILED, "the service ended meanwhile; ask for it again")


def test_an_export_waits_until_all_of_its_portals_are_done(store: Store, tmp_path: Path) -> None:
    exports = '[[export]]\nname = "both"\npath = "b.csv"\n[[export]]\nname = "one"\npath = "o.csv"\nportals = ["p"]\n'
    desk = Desk(store, tmp_path, TEXT + TEXT.replace('"p"', '"q"') + exports)
    desk.ask(JobKind.CRAWL, "p")
    desk.run(10)
    desk.ask(JobKind.CRAWL, "q")

    desk.run(13)
    first = [(export.target, export.state) for export in exports_of(store)]
    desk.run(10)

    assert first == [("both", JobState.WAITING), ("one", JobState.FAILED)]  # simulated processes write none
    assert next(export.began_at for export in exports_of(store)) == BEGIN + timedelta(minutes=30)


def exports_of(store: Store) -> list[Job]:
    """The first job of each export."""
    found = (store.jobs.get(number) for number in range(1, 9))
    exports = [job for job in found if job is not None and job.kind is JobKind.EXPORT]
    return sorted({job.target: job for job in reversed(exports)}.values(), key=lambda job: job.target)


def test_an_export_of_a_service_that_died_is_written_by_the_next(store: Store, tmp_path: Path) -> None:
    text = TEXT + '[[export]]\nname = "all"\npath = "all.jsonl"\n'
    first = Desk(store, tmp_path, text)
    first.ask(JobKind.EXPORT, "all")
    first.service.check(first.world.now)
    first.service.leave(first.world.now)

    second = Desk(store, tmp_path, text)

    assert second.run(1) == (JobState.RUNNING, "")
    assert [number for number, _ in second.world.jobs] == [1]
