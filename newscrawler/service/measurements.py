"""Reads the costs of earlier crawls from the database, for `capacity`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from newscrawler.config.portal import Portal
from newscrawler.service.capacity import Costs, Measured, measured_costs
from newscrawler.store import Store
from newscrawler.store.maintenance import measure_sizes
from newscrawler.store.service import RunRecord
from newscrawler.store.vocabularies import EndReason

#: Number of crawls read per portal.
_MOST_RUNS = 10
#: Ends of crawls whose length is meaningful.
_WHOLE = frozenset({EndReason.FINISHED, EndReason.BUDGET})


def measurements(store: Store, portals: Iterable[Portal]) -> tuple[dict[str, list[Measured]], Costs]:
    """Return the complete crawls of each portal, newest first, and the costs fitted to all of them."""
    by_name = {portal.name: portal for portal in portals}
    runs = store.runs.of_portals(list(by_name), limit=_MOST_RUNS)
    crawls = {name: [_measured(run, by_name[name]) for run in _usual(found)] for name, found in runs.items()}
    sizes = measure_sizes(store.engine)
    costs = measured_costs(
        [crawl for found in crawls.values() for crawl in found],
        database_bytes=sizes.database_bytes,
        articles=sizes.articles,
        kept_pages=sizes.kept_pages,
        kept_bytes=sizes.kept_bytes,
    )
    return {name: found for name, found in crawls.items() if found}, costs


def _usual(runs: Sequence[RunRecord]) -> list[RunRecord]:
    """Return the complete crawls, newest first, without a portal's first one, which reads an archive, if there are others."""
    whole = [run for run in runs if _is_whole(run)]
    return [run for run in whole if run.round > 1] or whole


def _is_whole(run: RunRecord) -> bool:
    return run.ended_at is not None and run.ended_because is not None and run.ended_because.word in _WHOLE and not run.resumed


def _measured(run: RunRecord, portal: Portal) -> Measured:
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
