"""A portal's nights, read from the database and assessed; and the problems that follow from the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newscrawler.service.alerts import change_of
from newscrawler.service.figures import nights_of
from newscrawler.service.health import AlertKind, Assessment, assess
from newscrawler.store import Store, TurnRecord, TurnState

#: Runs of a portal that are read; more than two months of nights.
MOST_RUNS = 120


def assessed_nights(
    store: Store, portal: str, known: Sequence[Assessment] = (), *, is_collection: bool = False
) -> list[Assessment]:
    """Return all completed nights of a portal, oldest first, each assessed by those before it; `known`: earlier assessments."""
    runs = store.runs.latest(portal, limit=MOST_RUNS)
    return assess(nights_of(runs, store.service.drift(portal), is_collection=is_collection), known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is wrong after a turn, and what the turn can show."""

    findings: Mapping[AlertKind, str] = field(default_factory=dict)
    known: frozenset[AlertKind] = frozenset()
    #: The last night; None: there is none of this turn.
    assessment: Assessment | None = None


def outcome_of(turn: TurnRecord, last: Assessment | None) -> Outcome:
    """Put together what a turn that is completed says: whether there was a crawl at all, and what the crawl says."""
    if turn.state is TurnState.MISSED:
        return Outcome(findings={AlertKind.NOT_CRAWLED: turn.because}, known=frozenset({AlertKind.NOT_CRAWLED}))
    if last is not None and (turn.began_at is None or (last.figures.ended_at or turn.began_at) < turn.began_at):
        last = None  # an earlier night: this turn's crawl did not get so far as to begin
    findings = dict(last.findings) if last else {}
    known = {AlertKind.NOT_CRAWLED, AlertKind.BROKEN} | (last.known if last else frozenset())
    if turn.state is TurnState.GIVEN_UP:
        findings = {AlertKind.BROKEN: turn.because, **findings}
    return Outcome(findings=findings, known=frozenset(known), assessment=last)


def note_outcome(store: Store, portal: str, outcome: Outcome, *, now: datetime) -> int:
    """Write down which problems have begun and which are over; answer how many are news."""
    before = store.service.open_alerts(portal)
    change = change_of(before, {str(problem): sentence for problem, sentence in outcome.findings.items()}, outcome.known)
    if change.begun or change.over:
        begun = [(portal, problem, sentence) for problem, sentence in change.begun]
        store.service.record_alerts(begun, [alert.id for alert in change.over], now=now)
    return len(change.begun) + len(change.over)
