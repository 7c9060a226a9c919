"""Computes the machines that a configuration needs, from its portals and the costs of earlier crawls. Pure.

Each request takes the delay and its response time; the start and each page take processor time. Memory and processors
limit the crawls per machine; `forecast_crawls` schedules the crawls of a night on these places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from newscrawler.config import Portal
from newscrawler.service.planner import Past, find_closing, plan_portal
from newscrawler.service.workload import ExpectedCrawl, Forecast, forecast_crawls
from newscrawler.store import Store
from newscrawler.store.maintenance import measure_sizes
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import EndReason

#: Shares of a machine that crawls may take; the rest is left for file caches and deviations.
_MEMORY_SHARE, _CPU_SHARE = 0.75, 0.8
#: Number of latest crawls from which a portal's next one is predicted.
_LATEST = 3
#: Most machines that are tried.
MOST_MACHINES = 4096
_MILLION = 1_000_000
#: Number of crawls read per portal.
_MOST_RUNS = 10
#: Ends of crawls whose length is meaningful.
_WHOLE = frozenset({EndReason.FINISHED, EndReason.BUDGET})


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The costs of crawls; the defaults apply until a crawl was measured.

    Processor time, a crawl's memory and the database's room are what `tools/measure_costs.py` measured on two cores of a
    virtual machine that were busy with forty other processes, which made each page a third dearer (6 crawls of synthetic
    portals: 378 pages, 330 articles, on PostgreSQL). A start is that of a process of its own, from its first instruction on;
    workers fork theirs, which costs less. The others are estimates: synthetic pages took 3.5 kB, and those of real portals
    are larger; a worker, for which 85 MiB were measured, has a second process that forks its crawls. Measured costs of one's
    own runs replace them all.
    """

    #: Processor seconds of a crawl without pages.
    start_cpu_seconds: float = 3.8
    page_cpu_seconds: float = 0.04
    #: Processor seconds of the database server per processor second of a crawl.
    server_share: float = 0.13
    #: Seconds of a request beyond the delay, or in all where there is none.
    request_seconds: float = 0.35
    #: Memory of a crawl, and of a worker or service without its crawls.
    crawl_mib: float = 150.0
    worker_mib: float = 200.0
    database_article_kb: float = 14.5
    kept_page_kb: float = 25.0
    #: New articles expected of a portal that was never crawled.
    night_articles: float = 40.0
    requests_per_article: float = 1.5
    #: Names of the measured fields.
    measured: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The measured costs of one complete crawl."""

    portal: str
    seconds: float
    delay_seconds: float
    requests: int
    pages: int
    articles: int
    #: None: it was not measured.
    cpu_seconds: float | None = None
    memory_mib: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The expected costs of a portal's night."""

    portal: str
    requests: float
    pages: float
    articles: float
    seconds: float
    cpu_seconds: float
    #: Days and megabytes for which pages are kept; 0: not kept.
    kept_days: int
    kept_megabytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine for crawls."""

    cores: int
    memory_mib: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Night:
    """The prediction of a night on a number of machines."""

    machines: int
    #: Crawls at once.
    places: int
    #: From the first crawl's beginning to the last one's end; None: there are no crawls.
    length: timedelta | None
    #: Numbers of portals for which no place is free in time, and of those too long even alone.
    late: int
    too_long: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """The machines and resources that a configuration needs."""

    portals: int
    articles: float
    requests: float
    #: Processor seconds of all crawls of a night, and of the database server for them.
    crawl_cpu_seconds: float
    server_cpu_seconds: float
    places_per_machine: int
    #: The limiting resource: memory or cores.
    limited_by: str
    needed: Night
    one_more: Night
    memory_mib: float
    #: Growth in a year: articles with their related rows.
    database_gb_a_year: float
    kept_gb: float
    core_hours_per_million: float
    gb_per_million: float


def fit_costs(crawls: Sequence[Measured], *, database_bytes: int, articles: int, kept_pages: int, kept_bytes: int) -> Costs:
    """Return the costs with measured values where there are any."""
    found: dict[str, float] = {}
    with_cpu = [crawl for crawl in crawls if crawl.cpu_seconds is not None]
    if with_cpu:
        found |= _fit_cpu(with_cpu)
    memories = [crawl.memory_mib for crawl in crawls if crawl.memory_mib]
    if memories:
        found["crawl_mib"] = max(median(memories) * 1.25, 32.0)
    answered = [crawl for crawl in crawls if crawl.requests]
    if answered:
        found["request_seconds"] = max(0.0, median(crawl.seconds / crawl.requests - crawl.delay_seconds for crawl in answered))
    fetched = sum(crawl.requests for crawl in crawls)
    new = sum(crawl.articles for crawl in crawls)
    if new:
        found["requests_per_article"] = fetched / new
        found["night_articles"] = median(crawl.articles for crawl in crawls)
    if articles >= 100:  # with fewer, empty tables dominate the size
        found["database_article_kb"] = database_bytes / articles / 1e3
    if kept_pages:
        found["kept_page_kb"] = kept_bytes / kept_pages / 1e3
    return replace(Costs(), **found, measured=frozenset(found))


def _fit_cpu(crawls: Sequence[Measured]) -> dict[str, float]:
    """Fit processor time per start and per page by least squares; keep the usual start if page counts hardly differ."""
    pages = [float(crawl.pages) for crawl in crawls]
    seconds = [crawl.cpu_seconds or 0.0 for crawl in crawls]
    mean_pages, mean_seconds = sum(pages) / len(pages), sum(seconds) / len(seconds)
    spread = sum((each - mean_pages) ** 2 for each in pages)
    if spread > len(pages) * (0.2 * mean_pages) ** 2 and len(crawls) > 2:
        slope = sum((page - mean_pages) * (second - mean_seconds) for page, second in zip(pages, seconds, strict=True)) / spread
        start = mean_seconds - slope * mean_pages
        if slope > 0 and start > 0:
            return {"page_cpu_seconds": slope, "start_cpu_seconds": start}
    if mean_pages < 1:
        return {"start_cpu_seconds": mean_seconds}
    start = min(Costs().start_cpu_seconds, mean_seconds / 2)
    return {"page_cpu_seconds": (mean_seconds - start) / mean_pages, "start_cpu_seconds": start}


def estimate_loads(portals: Iterable[Portal], crawls: Mapping[str, Sequence[Measured]], costs: Costs) -> list[Load]:
    """Return the expected costs of each portal's night.

    Args:
        portals: portals of the configuration.
        crawls: crawls of each crawled portal, newest first.
        costs: costs of crawls.
    """
    return [_load(portal, crawls.get(portal.name, ())[:_LATEST], costs) for portal in portals if not portal.paused]


def _load(portal: Portal, crawls: Sequence[Measured], costs: Costs) -> Load:
    articles = median(crawl.articles for crawl in crawls) if crawls else costs.night_articles
    requests = median(crawl.requests for crawl in crawls) if crawls else articles * costs.requests_per_article
    pages = median(crawl.pages for crawl in crawls) if crawls else requests
    return Load(
        portal=portal.name,
        requests=requests,
        pages=pages,
        articles=articles,
        seconds=requests * (portal.delay_seconds + costs.request_seconds),
        cpu_seconds=costs.start_cpu_seconds + pages * costs.page_cpu_seconds,
        kept_days=portal.keep_pages_days if portal.keep_pages else 0,
        kept_megabytes=portal.keep_pages_megabytes if portal.keep_pages else 0,
    )


def plan_night_jobs(portals: Iterable[Portal], loads: Sequence[Load], *, max_hours: float, now: datetime) -> list[ExpectedCrawl]:
    """Return the crawls of the next turn of each portal, in the order in which they begin."""
    seconds = {load.portal: load.seconds for load in loads}
    jobs = []
    for portal in portals:
        coming = plan_portal(portal, Past(watched_since=now), now=now)
        if coming is None or portal.name not in seconds:
            continue
        ready_at = max(now, coming.start_at)
        longest = ready_at + timedelta(hours=max_hours)
        ends_at = min(longest, find_closing(portal, ready_at) or longest)
        expected = timedelta(seconds=seconds[portal.name])
        jobs.append(ExpectedCrawl(portal=portal.name, ready_at=ready_at, closes_at=ends_at, expected=expected))
    return sorted(jobs, key=lambda job: (job.ready_at, job.latest_start))


def plan_capacity(loads: Sequence[Load], jobs: Sequence[ExpectedCrawl], machine: Machine, costs: Costs) -> Capacity:
    """Return the resources that the crawls of a night need on such machines."""
    cpu = sum(load.cpu_seconds for load in loads)
    server = cpu * costs.server_share
    articles = sum(load.articles for load in loads)
    by_memory = (machine.memory_mib * _MEMORY_SHARE - costs.worker_mib) / costs.crawl_mib
    rate = max((cpu + server) / max(sum(load.seconds for load in loads), 1e-9), 1e-9)
    by_cpu = machine.cores * _CPU_SHARE / rate
    places = max(1, int(min(by_memory, by_cpu)))
    needed = _find_fewest(jobs, places)
    kept = sum(min(load.pages * load.kept_days * costs.kept_page_kb / 1e6, load.kept_megabytes / 1e3) for load in loads)
    million = _MILLION / articles if articles else 0.0
    return Capacity(
        portals=len(loads),
        articles=articles,
        requests=sum(load.requests for load in loads),
        crawl_cpu_seconds=cpu,
        server_cpu_seconds=server,
        places_per_machine=places,
        limited_by="memory" if by_memory < by_cpu else "cores",
        needed=needed,
        one_more=_plan_night(jobs, needed.machines + 1, places),
        memory_mib=needed.machines * costs.worker_mib + min(needed.places, len(jobs)) * costs.crawl_mib,
        database_gb_a_year=articles * 365 * costs.database_article_kb / 1e6,
        kept_gb=kept,
        core_hours_per_million=(cpu + server) * million / 3600,
        gb_per_million=_MILLION * costs.database_article_kb / 1e6,
    )


def _find_fewest(jobs: Sequence[ExpectedCrawl], places: int) -> Night:
    """Return the night on the fewest machines on which every crawl finds a place in time."""
    low, high = 1, 1
    while _plan_night(jobs, high, places).late and high < MOST_MACHINES:
        low, high = high + 1, high * 2
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if not _plan_night(jobs, middle, places).late else (middle + 1, high)
    return _plan_night(jobs, low, places)


def _plan_night(jobs: Sequence[ExpectedCrawl], machines: int, places: int) -> Night:
    found: Forecast = forecast_crawls(jobs, machines * places)
    begin = min((job.ready_at for job in jobs), default=None)
    length = found.ends_at - begin if begin is not None and found.ends_at is not None else None
    return Night(machines=machines, places=machines * places, length=length, late=len(found.late), too_long=len(found.too_long))


def describe_capacity(found: Capacity, costs: Costs) -> dict[str, Any]:
    """Return the figures for machines."""

    def simplify(value: Any) -> Any:
        if isinstance(value, Night):
            return {field.name: simplify(getattr(value, field.name)) for field in fields(value)}
        if isinstance(value, timedelta):
            return round(value.total_seconds())
        return round(value, 3) if isinstance(value, float) else value

    record = {field.name: simplify(getattr(found, field.name)) for field in fields(found)}
    constants = {field.name: simplify(getattr(costs, field.name)) for field in fields(costs) if field.name != "measured"}
    return record | {"costs": constants, "measured": sorted(costs.measured)}


def read_measurements(store: Store, portals: Iterable[Portal]) -> tuple[dict[str, list[Measured]], Costs]:
    """Return the complete crawls of each portal, newest first, and the costs fitted to all of them."""
    by_name = {portal.name: portal for portal in portals}
    runs = store.runs.of_portals(list(by_name), limit=_MOST_RUNS)
    crawls = {name: [_measure_run(run, by_name[name]) for run in _choose_usual(found)] for name, found in runs.items()}
    sizes = measure_sizes(store.engine)
    costs = fit_costs(
        [crawl for found in crawls.values() for crawl in found],
        database_bytes=sizes.database_bytes,
        articles=sizes.articles,
        kept_pages=sizes.kept_pages,
        kept_bytes=sizes.kept_bytes,
    )
    return {name: found for name, found in crawls.items() if found}, costs


def _choose_usual(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Return the complete crawls, newest first, without a portal's first one, which reads an archive, if there are others."""
    whole = [run for run in runs if _is_whole(run)]
    return [run for run in whole if run.round > 1] or whole


def _is_whole(run: RunRecord) -> bool:
    return run.ended_at is not None and run.ended_because is not None and run.ended_because.word in _WHOLE and not run.resumed


def _measure_run(run: RunRecord, portal: Portal) -> Measured:
    assert run.ended_at is not None
    counts = run.counts
    return Measured(
        portal=run.portal,
        seconds=(run.ended_at - run.started_at).total_seconds(),
        delay_seconds=portal.delay_seconds,
        requests=int(counts.get("requests", 0)),
        pages=int(counts.get("pages", 0)),
        articles=int(counts.get("new_articles", 0)),
        cpu_seconds=counts.get("cpu_seconds"),
        memory_mib=counts.get("memory_mib"),
    )
