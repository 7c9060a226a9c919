"""Reads and assesses the nights of a portal, and stores the problems of the last one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newscrawler.service.alerts import change_of
from newscrawler.service.figures import nights_of
from newscrawler.service.health import AlertKind, Assessment, assess
from newscrawler.store import Store
from newscrawler.store.service import PlannedCrawl
from newscrawler.store.vocabularies import CrawlState

#: Number of runs read for a portal; more than two months of nights.
MOST_RUNS = 120


def assessed_nights(
    store: Store, portal: str, known: Sequence[Assessment] = (), *, is_collection: bool = False
) -> list[Assessment]:
    """Return all completed nights of a portal, oldest first, each assessed by those before it; `known`: earlier assessments."""
    runs = store.runs.latest(portal, limit=MOST_RUNS)
    return assess(nights_of(runs, store.service.drift(portal), is_collection=is_collection), known)


def assessed_nights_of(
    store: Store, portals: Sequence[str], known: Mapping[str, Sequence[Assessment]], *, collections: Collection[str]
) -> dict[str, list[Assessment]]:
    """Return for each of several portals what `assessed_nights` returns, in two queries."""
    runs, drift = store.runs.of_portals(portals, limit=MOST_RUNS), store.service.drift_of_portals(portals)
    return {
        portal: assess(
            nights_of(runs.get(portal, ()), drift.get(portal), is_collection=portal in collections), known.get(portal, ())
        )
        for portal in portals
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The problems after a turn, and those that the turn can decide."""

    findings: Mapping[AlertKind, str] = field(default_factory=dict)
    known: frozenset[AlertKind] = frozenset()
    #: The last night; None: this turn has none.
    assessment: Assessment | None = None


def outcome_of(turn: PlannedCrawl, last: Assessment | None) -> Outcome:
    """Return the outcome of a completed turn: whether it crawled at all, and the assessment of the crawl."""
    if turn.state is CrawlState.MISSED:
        return Outcome(findings={AlertKind.NOT_CRAWLED: turn.because}, known=frozenset({AlertKind.NOT_CRAWLED}))
    if last is not None and (turn.began_at is None or (last.figures.ended_at or turn.began_at) < turn.began_at):
        last = None  # an earlier night: this turn's crawl did not begin
    findings = dict(last.findings) if last else {}
    known = {AlertKind.NOT_CRAWLED, AlertKind.BROKEN} | (last.known if last else frozenset())
    if turn.state is CrawlState.GIVEN_UP:
        findings = {AlertKind.BROKEN: turn.because, **findings}
    return Outcome(findings=findings, known=frozenset(known), assessment=last)


def note_outcome(store: Store, portal: str, outcome: Outcome, *, now: datetime) -> int:
    """Store which problems have begun or ended; return how many."""
    before = store.service.open_alerts(portal)
    change = change_of(before, {str(problem): sentence for problem, sentence in outcome.findings.items()}, outcome.known)
    if change.begun or change.over:
        begun = [(portal, problem, sentence) for problem, sentence in change.begun]
        store.service.record_alerts(begun, [alert.id for alert in change.over], now=now)
    return len(change.begun) + len(change.over)
