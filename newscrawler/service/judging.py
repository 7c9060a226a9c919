"""A portal's nights, read from the database and judged; and the troubles that follow from the last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from newscrawler.service.alerts import change_of
from newscrawler.service.figures import nights_of
from newscrawler.service.health import Judgement, Trouble, judge
from newscrawler.store import Store, TurnRecord, TurnState

#: Runs of a portal that are read; more than two months of nights.
MOST_RUNS = 120


def judged_nights(store: Store, portal: str, known: Sequence[Judgement] = ()) -> list[Judgement]:
    """All nights of a portal that are over, oldest first, each judged by those before it; `known`: what came of it before."""
    return judge(nights_of(store.runs.latest(portal, limit=MOST_RUNS), store.service.drift(portal)), known)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What is wrong after a turn, and what the turn can tell."""

    findings: Mapping[Trouble, str] = field(default_factory=dict)
    known: frozenset[Trouble] = frozenset()
    #: The last night; None: there is none of this turn.
    judgement: Judgement | None = None


def outcome_of(turn: TurnRecord, last: Judgement | None) -> Outcome:
    """Put together what a turn that is settled says: whether there was a crawl at all, and what the crawl says."""
    if turn.state is TurnState.MISSED:
        return Outcome(findings={Trouble.NOT_CRAWLED: turn.because}, known=frozenset({Trouble.NOT_CRAWLED}))
    if last is not None and (turn.began_at is None or (last.figures.ended_at or turn.began_at) < turn.began_at):
        last = None  # an earlier night: this turn's crawl did not get so far as to begin
    findings = dict(last.findings) if last else {}
    known = {Trouble.NOT_CRAWLED, Trouble.BROKEN} | (last.known if last else frozenset())
    if turn.state is TurnState.GIVEN_UP:
        findings = {Trouble.BROKEN: turn.because, **findings}
    return Outcome(findings=findings, known=frozenset(known), judgement=last)


def note_outcome(store: Store, portal: str, outcome: Outcome, *, now: datetime) -> int:
    """Write down which troubles have begun and which are over; answer how many are news."""
    before = store.service.open_alerts(portal)
    change = change_of(before, {str(trouble): sentence for trouble, sentence in outcome.findings.items()}, outcome.known)
    if change.begun or change.over:
        begun = [(portal, trouble, sentence) for trouble, sentence in change.begun]
        store.service.note_troubles(begun, [alert.id for alert in change.over], now=now)
    return len(change.begun) + len(change.over)
