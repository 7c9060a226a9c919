"""What the supervisor does with children that take too much, with crawls by others, and with a configuration that changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from simulated_nights import AtOnce, Listener, Night, SimulatedChild, World, brought

from newscrawler.config import parse_configuration
from newscrawler.service import list_backfills
from newscrawler.service.notifications import Delivery
from newscrawler.service.supervisor import Supervisor
from newscrawler.store import Store, open_store
from newscrawler.store.service import JobState
from newscrawler.store.vocabularies import FINISHED

BEGIN = datetime(2026, 11, 20, 12, 0, 30, tzinfo=UTC)
PORTAL = '[[portal]]\nname = "p"\nstart_urls = ["http://127.0.0.1/"]\nschedule = "{}"\n'
HOURLY = PORTAL.format("0 * * * *")


class Desk:
    """A supervisor with a world around it."""

    def __init__(self, store: Store, folder: Path, text: str, night: Night) -> None:
        self.store, self.folder = store, folder
        self.night = night
        self.world = World(store.engine, BEGIN, lambda _portal, _now, _attempt: self.night)
        self.listener = Listener(self.world)
        self.service = Supervisor(
            store=store,
            launcher=self.world,
            delivery=Delivery(store, AtOnce()),
            create_notifiers=lambda _alerts: [self.listener],
            now=BEGIN,
        )
        self.service.begin(parse_configuration(text, folder / "newscrawler.toml"), BEGIN)

    def configure(self, text: str) -> None:
        self.service.configure(parse_configuration(text, self.folder / "newscrawler.toml"), self.world.now)

    def until(self, moment: datetime) -> None:
        """Let time pass."""
        while self.world.now < moment:
            coming = self.service.check(self.world.now)
            ends = self.world.next_end()
            stops = [coming, moment, *([ends] if ends else [])]
            self.world.now = max(min(stops), self.world.now + timedelta(seconds=1))
        self.service.check(self.world.now)


def minutes(number: float) -> datetime:
    return BEGIN + timedelta(minutes=number)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as opened:
        yield opened


def test_a_backfill_gets_its_share_after_the_portals_own_crawl_and_keeps_no_other_waiting(store: Store, tmp_path: Path) -> None:
    text = PORTAL.format("nightly") + PORTAL.format("50 22 * * *").replace('"p"', '"q"')
    text += '[service]\nat_once = 1\n[[backfill]]\nportal = "p"\nsince = 2015-01-01\n'
    desk = Desk(store, tmp_path, text, Night(minutes=20, counts=brought(5)))
    desk.until(BEGIN + timedelta(hours=33))
    begun = [(crawl.portal, f"{crawl.began_at:%d %H:%M}") for crawl in desk.world.crawls]
    first, second = begun[:3], begun[3:]
    assert first == [("p", "20 22:00"), ("p~past", "20 22:20"), ("q", "20 22:50")]  # only at night, and once
    assert second == []
    desk.until(BEGIN + timedelta(hours=34, minutes=30))
    assert [crawl.portal for crawl in desk.world.crawls[3:]] == ["p", "p~past"]  # the next night


def test_a_backfill_that_the_service_took_down_goes_on_in_the_same_night(store: Store, tmp_path: Path) -> None:
    text = PORTAL.format("never") + '[[backfill]]\nportal = "p"\nsince = 2015-01-01\n'
    desk = Desk(store, tmp_path, text, Night(minutes=60, counts=brought(5)))
    desk.until(BEGIN + timedelta(hours=10, minutes=30))
    desk.world.kill_all()
    desk = Desk(store, tmp_path, text, Night(minutes=60, counts=brought(5)))
    desk.world.now = BEGIN + timedelta(hours=10, minutes=31)
    desk.until(BEGIN + timedelta(hours=15))
    assert [crawl.portal for crawl in desk.world.crawls] == ["p~past"]
    (state,) = list_backfills(store, desk.world.now, ["p"])
    assert state.is_scheduled


def test_a_crawl_that_takes_too_much_memory_is_ended_and_tried_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(store, tmp_path, HOURLY, Night(minutes=20, counts=brought(5)))
    monkeypatch.setattr(SimulatedChild, "measure_memory_mib", lambda _child: 5000)
    for moment in (59.6, 59.8, 60):
        desk.until(minutes(moment))
    (turn,) = store.jobs.crawls(["p"])["p"]
    monkeypatch.undo()

    desk.until(minutes(100))

    assert (turn.state, turn.message) == (JobState.WAITING, "it took 5000 MiB of memory, 1024 are allowed")
    (turn,) = store.jobs.crawls(["p"])["p"]
    assert (turn.state, turn.attempts) == (JobState.DONE, 2)
    assert desk.listener.news == []


def test_a_portal_that_somebody_else_crawls_is_waited_for(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, HOURLY, Night(minutes=20, counts=brought(5)))
    desk.until(minutes(59))
    run, _ = store.runs.begin("p", now=minutes(59.2), version="1")  # this process, which lives
    store.runs.heartbeat(run.id, now=minutes(61), counts={})
    desk.until(minutes(61))
    waiting = len(desk.world.crawls)
    store.runs.end(run.id, now=minutes(61.2), because=FINISHED, counts=brought(3))

    desk.until(minutes(63))

    assert waiting == 0
    assert len(desk.world.crawls) == 1


def test_a_crawl_by_somebody_else_in_a_turn_counts(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, HOURLY, Night(minutes=20, counts=brought(5)))
    desk.until(minutes(59))
    desk.world.now = minutes(59.9)
    run, _ = store.runs.begin("p", now=minutes(59.7), version="1")
    desk.until(minutes(61))
    store.runs.end(run.id, now=minutes(61.2), because=FINISHED, counts=brought(3))

    desk.until(minutes(110))

    assert desk.world.crawls == []
    assert desk.listener.news == []


def test_a_portal_that_leaves_the_configuration_is_crawled_to_the_end_and_then_no_more(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, HOURLY + HOURLY.replace('"p"', '"q"'), Night(minutes=20, counts=brought(5)))
    desk.until(minutes(65))
    desk.configure(HOURLY)

    desk.until(minutes(200))

    whole = [crawl.portal for crawl in desk.world.crawls if crawl.whole]
    assert whole.count("q") == 1
    assert whole.count("p") == 3


def test_many_portals_are_surveyed_in_several_looks_that_follow_at_once(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("newscrawler.service.supervisor._SURVEYED_TOGETHER", 2)
    desk = Desk(store, tmp_path, "".join(HOURLY.replace('"p"', f'"{name}"') for name in "abcde"), Night(minutes=2, counts={}))
    left = []

    while (coming := desk.service.check(BEGIN)) == BEGIN:
        left.append(list(desk.service.unsurveyed))

    assert left == [["c", "d", "e"], ["e"]]
    assert desk.service.unsurveyed == []
    assert coming == minutes(59.5)


def test_a_turn_for_which_there_was_no_room_is_missed_and_told(store: Store, tmp_path: Path) -> None:
    text = "[service]\nat_once = 1\n" + HOURLY + HOURLY.replace('"p"', '"q"').replace("0 *", "1 *")
    desk = Desk(store, tmp_path, text, Night(minutes=150, counts=brought(5)))

    desk.until(minutes(215))

    first = store.jobs.crawls(["p"])["p"][-1]
    assert (first.planned_at, first.state) == (minutes(59.5), JobState.MISSED)
    assert first.message == "no place was free: 1 portals are crawled at once"
    assert ("p", "not crawled", "begun") in desk.listener.news


def test_no_portal_starves_where_time_is_too_short_for_all(store: Store, tmp_path: Path) -> None:
    text = "[service]\nat_once = 1\n" + "".join(HOURLY.replace('"p"', f'"{name}"') for name in "abcde")
    desk = Desk(store, tmp_path, text, Night(minutes=25, counts=brought(5)))

    desk.until(minutes(60 * 15))

    crawled = Counter(crawl.portal for crawl in desk.world.crawls)
    assert crawled.keys() == set("abcde")
    assert max(crawled.values()) - min(crawled.values()) <= 1


def test_as_many_are_crawled_at_once_as_memory_holds(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("newscrawler.service.jobs.count_crawls_that_fit", lambda _taken, crawl_mib: 512 // crawl_mib)
    text = "".join(HOURLY.replace('"p"', f'"{name}"') for name in "abcdef")
    desk = Desk(store, tmp_path, text, Night(minutes=15, counts=brought(5)))

    desk.until(minutes(61))
    assert len(desk.world.children) == 4
    desk.until(minutes(118))
    assert Counter(crawl.portal for crawl in desk.world.crawls if crawl.whole) == dict.fromkeys("abcdef", 1)


def test_an_export_follows_the_night_and_a_failed_one_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(store, tmp_path, HOURLY + '[[export]]\nname = "all"\npath = "all.csv"\n', Night(minutes=20, counts=brought(5)))
    desk.until(minutes(90))  # its process ends without a result
    monkeypatch.setattr(World, "start_job", lambda world, number: writing(store, world, number))

    desk.until(minutes(110))

    assert desk.listener.news == [("export all", "export failed", "begun"), ("export all", "export failed", "over")]
    first, second = (moment for _, moment in desk.world.jobs)
    assert first >= minutes(79.5)
    assert timedelta(minutes=15) <= second - first < timedelta(minutes=16)


start_job = World.start_job


def writing(store: Store, world: World, number: int) -> SimulatedChild:
    """Start an export that stores its result."""
    job = store.jobs.get(number)
    assert job is not None
    store.jobs.put(replace(job, state=JobState.DONE, ended_at=world.now))
    return start_job(world, number)


def test_the_service_ends_its_crawls_and_they_go_on_when_it_is_back(store: Store, tmp_path: Path) -> None:
    desk = Desk(store, tmp_path, HOURLY, Night(minutes=20, counts=brought(5)))
    desk.until(minutes(65))
    desk.service.stop(desk.world.now)
    desk.until(minutes(66))
    idle = desk.service.jobs.idle
    (interrupted,) = store.jobs.crawls(["p"])["p"]

    desk.service.leave(desk.world.now)
    again = Desk(store, tmp_path, HOURLY, Night(minutes=20, counts=brought(5)))
    again.world.now = minutes(70)
    again.until(minutes(95))

    assert idle
    assert interrupted.state is JobState.WAITING
    (turn,) = store.jobs.crawls(["p"])["p"]
    assert (turn.state, turn.attempts) == (JobState.DONE, 1)
