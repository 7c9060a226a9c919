"""Sixty nights of eight portals, in seconds: crashes, moved windows, both changes of the clock, and portals in problem.

The nights are those from 24 September to 23 November 2026: Sydney puts its clock forward on 4 October, Prague back on
25 October, New York back on 1 November.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from simulated_nights import FAILED, FINE, KILLED, AtOnce, Listener, Night, World, brought

from newscrawler.config import Configuration, parse_configuration
from newscrawler.politeness import Window
from newscrawler.service.notifications import Delivery
from newscrawler.service.supervisor import Supervisor
from newscrawler.store import open_store
from newscrawler.store.service import JobState

#: A busy machine may take long.
pytestmark = pytest.mark.timeout(900)

BEGIN = datetime(2026, 9, 24, 10, 0, tzinfo=UTC)
NIGHTS = 60
END = BEGIN + timedelta(days=NIGHTS)
PRAGUE, SYDNEY, NEW_YORK = "Europe/Prague", "Australia/Sydney", "America/New_York"
WINDOWS = {
    "steady": ("22:00-06:00", PRAGUE),
    "south": ("01:00-05:00", SYDNEY),
    "west": ("01:00-03:00", NEW_YORK),
    "hangs": ("20:00-23:30", PRAGUE),
    "moves": ("23:00-03:00", PRAGUE),
    "silent": ("00:00-04:00", PRAGUE),
    "dies": ("21:00-05:00", NEW_YORK),
}
#: At half past two: an hour that comes twice on 25 October.
CRON = "clockwork"
ZONES = {name: ZoneInfo(zone) for name, (_, zone) in WINDOWS.items()} | {CRON: ZoneInfo(PRAGUE)}
ALL = sorted(ZONES)


def day(month: int, number: int, hour: int = 0, minute: int = 0) -> datetime:
    return datetime(2026, month, number, hour, minute, tzinfo=UTC)


#: From … to …, in UTC.
HANGS = (day(10, 14, 12), day(10, 15, 12))
MOVED = (day(10, 17, 12), day(10, 27, 12))
SILENT = (day(10, 20, 12), day(10, 30, 12))
DIES_ONCE = (day(10, 5, 12), day(10, 6, 12))
DIES_OFTEN = (day(10, 11, 12), day(10, 12, 12))
BLOCKED = (day(11, 10, 0), day(11, 12, 20))
#: The machine was switched off.
OFF = (day(11, 4, 12), day(11, 7, 12))
#: The service was killed in the middle of crawls and came back after twenty seconds.
KILLED_AT = [day(10, 9, 1, 10), day(10, 23, 20, 5)]
#: The window of `steady` was moved: in the evening, the crawl of that night being done; and back, a week later.
MOVED_WINDOW = [(day(10, 9, 21, 30), "20:00-04:00"), (day(10, 16, 18, 15), "22:00-06:00")]


def within(now: datetime, span: tuple[datetime, datetime]) -> bool:
    return span[0] <= now < span[1]


def night(portal: str, now: datetime, attempt: int) -> Night:
    """What becomes of a crawl that begins now."""
    dice = random.Random(f"{portal} {now:%Y-%m-%d} {attempt}")
    articles = dice.randint(10, 16) if (now - timedelta(hours=6)).weekday() >= 5 else dice.randint(24, 36)
    minutes = dice.uniform(15, 75)
    if portal == "hangs" and within(now, HANGS):
        return Night(exit_code=None, counts=brought(5))
    if portal == "moves" and within(now, MOVED):
        refused = {"refused": {"redirect out of scope": 1}}
        return Night(minutes=1, exit_code=FAILED, counts={"requests": 1, "statuses": {"301": 1}, **refused})
    if portal == "silent" and within(now, SILENT):
        return Night(minutes=5, counts=brought(0))
    if portal == "west" and within(now, BLOCKED):
        return Night(minutes=3, exit_code=FAILED, counts={"requests": 12, "statuses": {"403": 12}, "failed": {"HTTP 403": 12}})
    if portal == "dies" and ((within(now, DIES_ONCE) and attempt == 1) or within(now, DIES_OFTEN)):
        return Night(minutes=7, exit_code=KILLED, counts=brought(3))
    return Night(minutes=minutes, exit_code=FINE, counts=brought(articles))


def configuration(folder: Path, steady: str = "22:00-06:00") -> Configuration:
    windows = WINDOWS | {"steady": (steady, PRAGUE)}
    portals = [
        f'[[portal]]\nname = "{name}"\nstart_urls = ["http://127.0.0.1/{name}"]\nwindow = "{hours}"\ntime_zone = "{zone}"\n'
        for name, (hours, zone) in windows.items()
    ]
    portals.append(
        f'[[portal]]\nname = "{CRON}"\nstart_urls = ["http://127.0.0.1/c"]\nschedule = "30 2 * * *"\ntime_zone = "{PRAGUE}"\n'
    )
    service = f'[service]\ntime_zone = "{PRAGUE}"\nmax_hours = 3\nat_once = 4\n'
    return parse_configuration(service + "".join(portals), folder / "newscrawler.toml")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Listener, Listener, list[object], float]:
    """Let the sixty nights pass; answers the world, two listeners, the turns and the CPU seconds that it took."""
    from time import process_time

    began = process_time()
    folder = tmp_path_factory.mktemp("nights")
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        world = World(store.engine, BEGIN, night)
        mail = Listener(world)
        hook = Listener(world, "webhook", broken=lambda now: within(now, (day(10, 12), day(10, 13, 9))))
        steady = "22:00-06:00"

        def fresh() -> Supervisor:
            service = Supervisor(
                store=store,
                launcher=world,
                delivery=Delivery(store, AtOnce()),
                create_notifiers=lambda _alerts: [mail, hook],
                now=world.now,
            )
            service.begin(configuration(folder, steady), world.now)
            return service

        service = fresh()
        events = sorted(
            [*((moment, hours) for moment, hours in MOVED_WINDOW), *((moment, "killed") for moment in KILLED_AT), (OFF[0], "off")]
        )
        while world.now < END:
            coming = service.check(world.now)
            ends = world.next_end()
            stops = [coming, END, *([ends] if ends else []), *([events[0][0]] if events else [])]
            world.now = max(min(stops), world.now + timedelta(seconds=1))
            while events and events[0][0] <= world.now:
                _, what = events.pop(0)
                if what in {"killed", "off"}:
                    world.kill_all()
                    world.now = OFF[1] if what == "off" else world.now + timedelta(seconds=20)
                    service = fresh()
                else:
                    steady = what
                    service.configure(configuration(folder, steady), world.now)
        turns = [job for crawls in store.jobs.crawls(ALL, limit=100).values() for job in crawls]
        alerts = store.service.open_alerts(since=BEGIN)
    return world, mail, hook, [turns, alerts], process_time() - began


def test_it_takes_less_than_two_minutes(played) -> None:
    assert played[4] < 120  # CPU seconds, which coverage doubles


@pytest.mark.parametrize("portal", ALL)
def test_each_portal_is_crawled_once_a_night(played, portal: str) -> None:
    world, _, _, (turns, _), _ = played
    zone = ZONES[portal]
    whole = [crawl for crawl in world.crawls if crawl.portal == portal and crawl.whole]
    assessments = Counter((crawl.began_at.astimezone(zone).replace(tzinfo=None) + timedelta(hours=4)).date() for crawl in whole)
    expected = {(BEGIN + timedelta(days=ahead)).date() for ahead in range(1, NIGHTS + 1)}
    off = {date(2026, 11, number) for number in (5, 6, 7)}
    lost = off | ({date(2026, 10, 14), date(2026, 10, 15)} if portal == "hangs" else {date(2026, 10, 11), date(2026, 10, 12)})

    assert max(assessments.values()) == 1
    assert expected - set(assessments) <= lost
    assert expected - set(assessments) >= (off if portal != CRON else set())  # a portal without a window makes up for one of them
    assert len([turn for turn in turns if turn.target == portal and turn.state is JobState.DONE]) == len(whole)


def test_each_crawl_begins_in_its_window(played) -> None:
    world = played[0]
    changes = sorted([(BEGIN, "22:00-06:00"), *MOVED_WINDOW])
    for crawl in world.crawls:
        if crawl.portal == CRON:
            continue
        written = (
            [hours for moment, hours in changes if moment <= crawl.began_at][-1]
            if crawl.portal == "steady"
            else WINDOWS[crawl.portal][0]
        )
        assert Window.parse(written).closes_at(crawl.began_at, ZONES[crawl.portal]), f"{crawl} is outside of {written}"


def test_no_portal_is_crawled_twice_at_once_and_not_more_than_four_at_all(played) -> None:
    crawls = played[0].crawls
    for portal in ALL:
        mine = [crawl for crawl in crawls if crawl.portal == portal]
        assert all(one.ended_at <= two.began_at for one, two in pairwise(mine))
    moments = sorted([(crawl.began_at, 1) for crawl in crawls] + [(crawl.ended_at or END, -1) for crawl in crawls])
    running = highest = 0
    for _, step in moments:
        running += step
        highest = max(highest, running)
    assert highest <= 4


def test_a_crawl_that_a_kill_of_the_service_broke_off_goes_on_at_once(played) -> None:
    crawls = played[0].crawls
    for moment in KILLED_AT:
        broken = [crawl for crawl in crawls if crawl.ended_at == moment and not crawl.whole]
        assert broken
        for crawl in broken:
            again = next(other for other in crawls if other.portal == crawl.portal and other.began_at > moment)
            assert again.began_at - moment < timedelta(minutes=3)  # a run of another machine is dead after two


def test_the_alerts_are_exactly_these(played) -> None:
    _, _, _, (_, alerts), _ = played
    told = {
        (alert.portal, alert.problem, f"{alert.began_at:%m-%d}", f"{alert.over_at:%m-%d}" if alert.over_at else "")
        for alert in alerts
    }

    assert told == {
        ("hangs", "crawl breaks off", "10-14", "10-15"),
        ("moves", "moved to another address", "10-17", "10-27"),
        ("silent", "silent", "10-20", "10-30"),
        ("dies", "crawl breaks off", "10-12", "10-13"),
        ("west", "blocked", "11-10", "11-13"),
    }
    assert len(alerts) == len(told)


def test_each_problem_and_its_end_is_told_once_by_each_way_also_by_one_that_was_out_of_order(played) -> None:
    _, mail, hook, (_, alerts), _ = played
    expected = Counter((alert.portal, alert.problem, event) for alert in alerts for event in ("begun", "over"))

    assert Counter(mail.news) == expected
    assert Counter(hook.news) == expected


def test_there_is_a_digest_each_morning(played) -> None:
    _, mail, _, _, _ = played
    local = [moment.astimezone(ZoneInfo(PRAGUE)) for moment in mail.digests]
    off = {date(2026, 11, number) for number in (5, 6)}

    assert {moment.date() for moment in local} == {(BEGIN + timedelta(days=ahead)).date() for ahead in range(1, NIGHTS + 1)} - off
    assert len(local) == NIGHTS - len(off)
    late = [moment for moment in local if (moment.hour, moment.minute) != (7, 30)]
    assert [moment.date() for moment in late] == [date(2026, 11, 7)]  # when the machine was switched on again
