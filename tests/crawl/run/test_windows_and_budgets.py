"""Windows and budgets: a run ends between two requests, and the next night goes on where it was."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from crawling import Crawl, articles, summary
from portal_server import PortalServer, address, listing, story

from newscrawler.config import build_portal
from newscrawler.crawl.hosts.failures import StoppingError
from newscrawler.crawl.hosts.host_slots import Client, Exchange, HostSlots
from newscrawler.crawl.policy.limits import Limit, find_reached_limit, list_limits
from newscrawler.crawl.process.threads import DatabaseThread
from newscrawler.politeness import Window, find_night_start
from newscrawler.store import open_store
from newscrawler.store.service import BudgetUse
from newscrawler.store.vocabularies import RunEnd

PRAGUE = ZoneInfo("Europe/Prague")


def limits(spent: BudgetUse | None = None, **keys: Any) -> tuple[Limit, ...]:
    return list_limits(build_portal("https://www.example.org/", time_zone="Europe/Prague", **keys), spent)


def use(*, seconds: float = 60, pages: int = 0, size: int = 0, articles: int = 0) -> BudgetUse:
    return BudgetUse(seconds=seconds, pages=pages, bytes=size, articles=articles)


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ((2026, 2, 3, 22, 1), None),
        ((2026, 2, 4, 0, 0), None),
        ((2026, 2, 4, 5, 59), None),
        ((2026, 2, 4, 6, 0), "window: closed at 06:00, opens 2026-02-04 22:00 (Europe/Prague)"),
        ((2026, 2, 4, 12, 0), "window: opens 2026-02-04 22:00 (Europe/Prague)"),
        ((2026, 3, 29, 5, 59), None),
        ((2026, 3, 29, 6, 0), "window: closed at 06:00, opens 2026-03-29 22:00 (Europe/Prague)"),
        ((2026, 10, 25, 6, 0), "window: closed at 06:00, opens 2026-10-25 22:00 (Europe/Prague)"),
    ],
)
def test_a_run_closes_with_its_window(clock: tuple[int, ...], expected: str | None) -> None:
    now = datetime(*clock, tzinfo=PRAGUE).astimezone(UTC)  # type: ignore[arg-type, misc]

    assert find_reached_limit(limits(window="22:00-06:00"), use(), now) == (expected and RunEnd.parse(expected))


def test_a_day_at_the_default_delay_stays_below_the_default_budgets() -> None:
    now, portal = datetime(2026, 2, 3, 23, tzinfo=UTC), build_portal("https://www.example.org/")
    requests = int(timedelta(days=1).total_seconds() / portal.delay_seconds)

    assert find_reached_limit(list_limits(portal), use(pages=requests, size=requests * 2**18), now) is None
    assert str(find_reached_limit(list_limits(portal), use(pages=20_000), now)) == "budget: 20000 pages for a night"


def test_the_budgets_of_a_night_count_its_earlier_runs() -> None:
    now = datetime(2026, 2, 3, 23, tzinfo=UTC)
    spent = BudgetUse(pages=90, bytes=9 * 2**20, seconds=50 * 60, articles=40)
    every = limits(spent, night_pages=100, night_articles=50, night_minutes=60, night_megabytes=10)

    assert find_reached_limit(every, use(pages=9), now) is None
    assert str(find_reached_limit(every, use(pages=10), now)) == "budget: 100 pages for a night"
    assert str(find_reached_limit(every, use(articles=10), now)) == "budget: 50 articles for a night"
    assert str(find_reached_limit(every, use(seconds=600), now)) == "budget: 60 minutes for a night"
    assert str(find_reached_limit(every, use(size=2**20), now)) == "budget: 10 megabytes for a night"


def test_a_night_begins_with_the_window_or_at_noon_of_the_portals_clock() -> None:
    evening, morning = datetime(2026, 2, 3, 23, tzinfo=PRAGUE), datetime(2026, 2, 4, 5, tzinfo=PRAGUE)

    assert find_night_start(evening, PRAGUE) == find_night_start(morning, PRAGUE) == datetime(2026, 2, 3, 12, tzinfo=PRAGUE)
    assert find_night_start(datetime(2026, 2, 4, 12, tzinfo=PRAGUE), PRAGUE) == datetime(2026, 2, 4, 12, tzinfo=PRAGUE)
    assert find_night_start(morning, PRAGUE, Window.parse("22:00-06:00")) == datetime(2026, 2, 3, 22, tzinfo=PRAGUE)


def test_a_request_whose_turn_comes_after_the_window_is_not_sent(tmp_path: Path) -> None:
    """It waits for the delay, and the window closes meanwhile."""
    is_open = iter([True] * 4 + [False])  # asked when a request comes and before it takes the gate

    async def visit() -> None:
        with open_store(f"sqlite:///{tmp_path}/store.sqlite") as store:
            database = DatabaseThread("test", waits=lambda _seconds, _why: None)
            gate = HostSlots(store.hosts, database, random_source=Random(1))
            visitor = Client(
                portal="p", delay_seconds=0.3, timeout_seconds=5.0, run_id=lambda: 1, waits=lambda _seconds, _why: None,
                is_over=lambda: False, may_ask=lambda _now: next(is_open),
            )  # fmt: skip
            passed = await gate.enter(visitor, "127.0.0.1", ())
            await gate.leave(passed, Exchange(url="http://127.0.0.1/", kind="page", status=200, size=0))
            with pytest.raises(StoppingError, match="window has closed"):
                await gate.enter(visitor, "127.0.0.1", ())
            database.close()

    asyncio.run(visit())
    assert not list(is_open)


def configured(folder: Path, server: PortalServer, **keys: object) -> None:
    lines = [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    head = ["[[portal]]", 'name = "p"', f'start_urls = ["{server.url}"]', "delay = 0"]
    (folder / "newscrawler.toml").write_text("\n".join([*head, *lines]) + "\n", "utf-8")


def test_outside_its_window_a_portal_is_not_asked_for_anything(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    hours = [(now + timedelta(hours=ahead)).strftime("%H:00") for ahead in (3, 5)]
    configured(tmp_path, server, window="-".join(hours))

    done = crawl("p")

    assert done.returncode == 0
    assert summary(done)["ended_because"].startswith("window: opens ")
    assert not server.asked


def test_the_next_night_goes_on_where_the_budget_ended_this_one(server: PortalServer, crawl: Crawl, tmp_path: Path) -> None:
    stories = {address(number): story(number) for number in range(1, 13)}
    server.routes = {"/": listing(*stories), **stories}
    configured(tmp_path, server, night_articles=5)

    first, again = summary(crawl("p")), summary(crawl("p"))
    asked_in_first = len(server.asked)
    a_day_later(tmp_path / "newscrawler.sqlite")
    second = summary(crawl("p"))

    assert first["ended_because"] == again["ended_because"] == "budget: 5 articles for a night"
    assert any("7 URLs wait for the next night" in note for note in first["notes"])
    assert (first["new_articles"], again["new_articles"], again["requests"]) == (5, 0, 0)
    assert second["new_articles"] == 5
    assert len(articles(tmp_path)) == 10
    tonight = {asked.path for asked in server.asked[asked_in_first:]}
    assert not tonight & {asked.path for asked in server.asked[:asked_in_first] if asked.path in stories}


def a_day_later(database: Path) -> None:
    connection = sqlite3.connect(database)
    for table, column in (("run", "started_at"), ("run", "ended_at"), ("run", "heartbeat_at"), ("request", "sent_at")):
        for row, value in connection.execute(f"SELECT rowid, {column} FROM {table}").fetchall():
            earlier = (datetime.fromisoformat(value) - timedelta(days=1)).strftime("%Y-%m-%d %H:%M:%S.%f")
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (earlier, row))
    connection.commit()
    connection.close()
