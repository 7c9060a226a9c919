"""Reports to operators what one run requested from the hosts of a portal."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from newscrawler.errors import PageReason
from newscrawler.politeness import measure_gaps
from newscrawler.store import Store
from newscrawler.store.hosts import MOST_KEPT, FetchRecord

#: Reasons given by publishers for which a page is not fetched, or its text not stored.
RIGHTS_REASONS = (
    PageReason.ROBOTS, PageReason.NOINDEX, PageReason.TDM_RESERVED, PageReason.USE_RESERVED, PageReason.EXPIRED, PageReason.PAYMENT,
    PageReason.REMOVED,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class HostTraffic:
    """The requests sent to one host."""

    host: str
    requests: int
    #: page, robots, tdm, licence, part.
    kinds: Mapping[str, int]
    bytes: int
    #: By HTTP status, or by the reason why there was none.
    answers: Mapping[str, int]
    #: Between two requests; None: there was only one.
    smallest_gap_seconds: float | None
    median_gap_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transparency:
    """The requests that one run sent to a portal, and the pages it left out."""

    portal: str
    run_id: int
    started_at: datetime
    #: None: it is still running.
    ended_at: datetime | None
    hosts: tuple[HostTraffic, ...]
    #: Pages not fetched or not stored, by reason.
    left_out: Mapping[str, int]

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        ended = self.ended_at.isoformat() if self.ended_at else None
        return asdict(self) | {"started_at": self.started_at.isoformat(), "ended_at": ended}


def report_transparency(store: Store, portal: str, run_id: int | None = None) -> Transparency | None:
    """Return the report of a portal's run; by default the latest.

    Returns:
        None: the portal has no such run.
    """
    run = store.runs.get(run_id) if run_id is not None else next(iter(store.runs.latest(portal, limit=1)), None)
    if run is None or run.portal != portal:
        return None
    by_host: defaultdict[str, list[FetchRecord]] = defaultdict(list)
    for fetch in store.hosts.fetches(run_id=run.id, most=MOST_KEPT):
        by_host[fetch.host].append(fetch)
    return Transparency(
        portal=portal, run_id=run.id, started_at=run.started_at, ended_at=run.ended_at,
        hosts=tuple(_sum_up(host, asked) for host, asked in sorted(by_host.items())), left_out=_count_left_out(run.counts),
    )  # fmt: skip


def write_letter(found: Transparency, agent: str, contact: str | None) -> str:
    """Return the report as text, ready to send to the portal's operator; times are in UTC."""
    return "".join(f"{line}\n" for line in _write_paragraphs(found, agent, contact))


def _write_paragraphs(found: Transparency, agent: str, contact: str | None) -> Iterator[str]:
    until = f"{found.ended_at:%Y-%m-%d %H:%M}" if found.ended_at else "now"
    yield f"What we asked of {found.portal}, {found.started_at:%Y-%m-%d %H:%M} to {until} UTC (run {found.run_id})"
    yield f"User agent: {agent}"
    yield f"Reach us: {contact or 'no contact is configured'}"
    yield ""
    for host in found.hosts:
        kinds = ", ".join(f"{number} {kind}" for kind, number in host.kinds.items())
        yield f"{host.host}: {host.requests} requests ({kinds}), {host.bytes} bytes"
        if host.smallest_gap_seconds is not None and host.median_gap_seconds is not None:
            yield f"  gaps between requests: smallest {host.smallest_gap_seconds:.1f} s, median {host.median_gap_seconds:.1f} s"
        answers = ", ".join(f"{number} × {status}" for status, number in host.answers.items())
        yield f"  answers: {answers or 'none'}"
    if not found.hosts:
        yield "No request of this run is in the log any more; it is kept for 30 days."
    yield ""
    for reason, number in found.left_out.items():
        yield f"Left out, {reason}: {number}"
    if not found.left_out:
        yield "Nothing was left out for your rights."


def _sum_up(host: str, asked: list[FetchRecord]) -> HostTraffic:
    gaps = measure_gaps([fetch.at for fetch in asked])
    return HostTraffic(
        host=host, requests=len(asked), kinds=dict(Counter(fetch.kind for fetch in asked)),
        bytes=sum(fetch.bytes for fetch in asked), answers=dict(Counter(str(fetch.status or fetch.reason) for fetch in asked)),
        smallest_gap_seconds=gaps.smallest_seconds, median_gap_seconds=gaps.median_seconds,
    )  # fmt: skip


def _count_left_out(counts: Mapping[str, Any]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for table in ("refused", "skipped", "failed"):
        found.update({reason: counts.get(table, {}).get(reason, 0) for reason in map(str, RIGHTS_REASONS)})
    return {reason: number for reason, number in found.items() if number}
