"""What a configuration takes of machines, by arithmetic that can be followed by hand; and against a crawl that was measured."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawler.config import Portal, parse_configuration
from newscrawler.service import Capacity, Costs, Machine, Measured, estimate_loads, plan_capacity, plan_night_jobs
from newscrawler.service.capacity import fit_costs

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
NOTHING = {"database_bytes": 0, "articles": 0, "kept_pages": 0, "kept_bytes": 0}


def portals(number: int, window: str = "22:00-06:00", delay: float = 5.0) -> list[Portal]:
    text = "".join(
        f'[[portal]]\nname = "p{each}"\nstart_urls = ["http://p{each}.example/"]\nwindow = "{window}"\ntime_zone = "UTC"\n'
        f"delay = {delay}\n"
        for each in range(number)
    )
    return list(parse_configuration(text, Path("newscrawler.toml")).portals)


def capacity_of(number: int, costs: Costs, *, cores: int = 4, memory: int = 8192, window: str = "22:00-06:00") -> Capacity:
    chosen = portals(number, window)
    loads = estimate_loads(chosen, {}, costs)
    return plan_capacity(
        loads, plan_night_jobs(chosen, loads, max_hours=12, now=NOON), Machine(cores=cores, memory_mib=memory), costs
    )


def test_the_night_is_the_delays_divided_by_the_places() -> None:
    costs = Costs(night_articles=100, requests_per_article=1, request_seconds=1, start_cpu_seconds=0, crawl_mib=100, worker_mib=0)
    # 8192 MiB × .75 / 100 = 61 places; 610 portals of 600 s each take ten turns of ten minutes
    found = capacity_of(610, costs)

    assert (found.places_per_machine, found.limited_by) == (61, "memory")
    assert found.needed.machines == 1
    assert found.needed.length == timedelta(seconds=10 * 600)
    assert found.one_more.length == timedelta(seconds=5 * 600)


def test_machines_are_added_until_no_portal_comes_too_late() -> None:
    costs = Costs(night_articles=100, requests_per_article=1, request_seconds=1, start_cpu_seconds=0, crawl_mib=100, worker_mib=0)
    # a window of one hour holds six crawls a place: 366 portals a machine
    assert capacity_of(366, costs, window="22:00-23:00").needed.machines == 1
    assert capacity_of(367, costs, window="22:00-23:00").needed.machines == 2
    assert capacity_of(3660, costs, window="22:00-23:00").needed.machines == 10


def test_cores_limit_where_crawls_hardly_wait() -> None:
    costs = Costs(page_cpu_seconds=3.0, server_share=0.0, start_cpu_seconds=0.0, request_seconds=1.0)
    # half of the 6 s of a request are processor time, so 4 cores × .8 hold 6 crawls
    found = capacity_of(10, costs)

    assert (found.places_per_machine, found.limited_by) == (6, "cores")


def test_a_million_articles_cost_what_one_costs_a_million_times() -> None:
    costs = Costs(
        night_articles=10,
        requests_per_article=2,
        page_cpu_seconds=0.09,
        server_share=1.0,
        start_cpu_seconds=0.0,
        database_article_kb=14,
    )
    found = capacity_of(5, costs)

    assert found.core_hours_per_million == pytest.approx(1e6 * 2 * 0.09 * 2 / 3600)
    assert found.gb_per_million == pytest.approx(14)


def test_nothing_to_crawl_needs_a_machine_and_no_time() -> None:
    chosen = [portal.model_copy(update={"schedule": "never"}) for portal in portals(2)]
    loads = estimate_loads(chosen, {}, Costs())

    found = plan_capacity(loads, plan_night_jobs(chosen, loads, max_hours=12, now=NOON), Machine(cores=2, memory_mib=512), Costs())

    assert (found.needed.machines, found.needed.length, found.needed.late) == (1, None, 0)


def measured(pages: int, cpu: float, *, portal: str = "p0") -> Measured:
    return Measured(
        portal=portal,
        seconds=pages * 5.4,
        delay_seconds=5.0,
        requests=pages,
        pages=pages,
        articles=pages // 2,
        cpu_seconds=cpu,
        memory_mib=80,
    )


def test_costs_of_start_and_page_are_told_apart_where_crawls_differ_in_size() -> None:
    crawls = [measured(pages, 0.4 + 0.05 * pages) for pages in (20, 100, 400)]

    costs = fit_costs(crawls, **NOTHING)

    assert costs.start_cpu_seconds == pytest.approx(0.4)
    assert costs.page_cpu_seconds == pytest.approx(0.05)
    assert costs.request_seconds == pytest.approx(0.4)
    assert costs.requests_per_article == pytest.approx(2)
    assert "kept_page_kb" not in costs.measured


def test_a_night_that_was_measured_is_expected_again() -> None:
    crawls = {"p0": [measured(100, 5.4), measured(110, 5.9), measured(90, 4.9), measured(5000, 250.0)]}
    costs = fit_costs(crawls["p0"][:3], **NOTHING)

    (load,) = estimate_loads(portals(1), crawls, costs)

    assert (load.requests, load.articles) == (100, 50)
    assert load.seconds == pytest.approx(540, rel=0.01)
    assert load.cpu_seconds == pytest.approx(5.4, rel=0.02)
