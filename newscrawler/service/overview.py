"""State of the service and of portals: their crawls, problems and next crawls, in a few queries; the problems after a crawl.

`Overviews.read` is the one answer that `status`, `health`, `digest`, the web application and the API show.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from types import MappingProxyType

from newscrawler.config import Configuration, Portal
from newscrawler.corpus import read_saved
from newscrawler.errors import ConfigError, CostlyQueryError
from newscrawler.service.digest import Digest, PortalState, SearchHits
from newscrawler.service.figures import group_crawls
from newscrawler.service.health import AlertKind, Assessment, assess
from newscrawler.service.notifications import compare_problems
from newscrawler.service.planner import Past, plan_portal
from newscrawler.store import Store, limited_queries
from newscrawler.store.service import AlertRecord, Job, JobKind, JobState, RunMark, RunRecord, ServiceRecord

logger = logging.getLogger(__name__)
#: A crawl that begins before this hour belongs to the day before.
NIGHT_BEGINS = timedelta(hours=6)
#: Number of runs read for a portal; more than two months of crawls.
MOST_RUNS = 120
#: Portals whose latest crawls are read in one query; and whose runs, which take much more memory.
_PASTS_TOGETHER, _NIGHTS_TOGETHER = 1_000, 100
#: Saved searches of a digest, and articles of each that are counted.
_MOST_SEARCHES, _MOST_ARTICLES = 100, 100


def get_day(assessment: Assessment) -> date:
    """Return the day to which a crawl belongs."""
    return (assessment.figures.began_at - NIGHT_BEGINS).date()


def list_crawls_of_day(store: Store, portal: str | None, day: date, *, limit: int) -> list[RunRecord]:
    """Return the latest crawls that belong to a day, newest first."""
    begin = datetime.combine(day, time(), UTC) + NIGHT_BEGINS
    return store.runs.latest(portal, limit, since=begin, until=begin + timedelta(days=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The state of all portals and of the service."""

    now: datetime
    #: Portals and collections, configured or crawled without configuration.
    portals: Sequence[PortalState]
    #: None: there never was one.
    service: ServiceRecord | None
    live: Sequence[RunRecord]
    jobs: Sequence[Job]


class Overviews:
    """Reads overviews; caches the assessments of portals without new runs; `known`: earlier states of portals."""

    def __init__(self, store: Store, known: Mapping[str, PortalState] = MappingProxyType({})) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._marks: dict[str, RunMark] = {}
        self._nights = {name: state.assessments for name, state in known.items()}

    def read(self, configuration: Configuration, *, now: datetime) -> Overview:
        """Return the current overview."""
        live = self._store.runs.live(now=now)
        assessments = self.assess_all()
        alerts = _group_alerts(self._store.service.open_alerts())
        running = {run.portal for run in live}
        next_at = self._find_next_starts(configuration.crawled, now)
        collections = {collection.name for collection in configuration.collections}
        collections |= {name for name, known in assessments.items() if known and known[-1].figures.is_collection}
        names = dict.fromkeys([*(portal.name for portal in configuration.crawled), *assessments])
        return Overview(
            now=now,
            portals=[
                PortalState(
                    name=name,
                    is_collection=name in collections,
                    assessments=assessments.get(name, ()),
                    alerts=alerts.get(name, ()),
                    next_at=next_at.get(name),
                    running=name in running,
                )
                for name in names
            ],
            service=self._store.service.service(now=now),
            live=live,
            jobs=self._store.jobs.open(),
        )

    def assess_all(self) -> dict[str, Sequence[Assessment]]:
        """Return the assessed crawls of every portal, oldest first."""
        with self._lock:
            marks = self._store.runs.marks()
            changed = [name for name, mark in marks.items() if self._marks.get(name) != mark]
            if changed:
                self._nights |= _assess_portals(self._store, changed, self._nights)
                self._marks |= {name: marks[name] for name in changed}
            return dict(self._nights)

    def _find_next_starts(self, portals: Sequence[Portal], now: datetime) -> dict[str, datetime | None]:
        watched = self._store.service.watched()
        crawls = self._store.jobs.crawls()
        found = {}
        for portal in portals:
            mark = self._marks.get(portal.name)
            past = Past(
                watched_since=watched.get(portal.name, now),
                crawls=crawls.get(portal.name, ()),
                last_whole_began_at=mark.whole_began_at if mark else None,
            )
            plan = plan_portal(portal, past, now=now)
            found[portal.name] = plan.start_at if plan else None
        return found


def _group_alerts(alerts: Iterable[AlertRecord]) -> dict[str, list[AlertRecord]]:
    found: dict[str, list[AlertRecord]] = {}
    for alert in alerts:
        found.setdefault(alert.portal, []).append(alert)
    return found


def _assess_portals(store: Store, portals: Sequence[str], known: Mapping[str, Sequence[Assessment]]) -> dict[str, list[Assessment]]:
    """Return all completed crawls of portals, oldest first, each assessed by those before it; `known`: earlier assessments."""
    collections = store.collections.names()
    found = {}
    for first in range(0, len(portals), _NIGHTS_TOGETHER):
        names = portals[first : first + _NIGHTS_TOGETHER]
        runs, drift = store.runs.of_portals(names, limit=MOST_RUNS), store.service.drift_of_portals(names)
        for name in names:
            crawls = group_crawls(runs.get(name, ()), drift.get(name), is_collection=name in collections)
            found[name] = assess(crawls, known.get(name, ()))
    return found


def read_portals(store: Store, portals: Sequence[str], known: Mapping[str, PortalState]) -> dict[str, PortalState]:
    """Return the crawls and problems of portals, in a few queries; `known`: earlier states."""
    collections = store.collections.names()
    alerts = _group_alerts(store.service.open_alerts(portals[0] if len(portals) == 1 else None))
    assessments = _assess_portals(store, portals, {name: known[name].assessments for name in portals if name in known})
    return {
        name: PortalState(name=name, is_collection=name in collections, assessments=assessments[name], alerts=alerts.get(name, ()))
        for name in portals
    }


def read_pasts(store: Store, portals: Sequence[str], since: Mapping[str, datetime], *, now: datetime) -> dict[str, Past]:
    """Return the history of portals that planning needs, in a few queries; `since`: when their scheduling began."""
    found = {}
    for first in range(0, len(portals), _PASTS_TOGETHER):
        names = portals[first : first + _PASTS_TOGETHER]
        whole, crawls = store.runs.whole_began_at(names), store.jobs.crawls(names)
        for name in names:
            found[name] = Past(watched_since=since.get(name, now), crawls=crawls.get(name, ()), last_whole_began_at=whole.get(name))
    return found


def make_digest(
    store: Store, configuration: Configuration, *, now: datetime, known: Mapping[str, PortalState] = MappingProxyType({})
) -> Digest:
    """Return the digest of the day; `known`: earlier states of portals."""
    overview = Overviews(store, known).read(configuration, now=now)
    configured, zone = {portal.name for portal in configuration.crawled}, configuration.service.zone
    lines = []
    for export in configuration.exports:
        last = store.jobs.last_export(export.name)
        if last is not None and last.ended_at is not None and now - last.ended_at <= timedelta(days=1):
            lines.append(f"{export.name}: {last.progress} articles in {last.path}")
    return Digest(
        day=now.astimezone(zone).date(),
        now=now,
        zone=zone,
        portals=[portal for portal in overview.portals if portal.name in configured],
        over=[alert for alert in store.service.open_alerts(since=now - timedelta(days=1)) if alert.over_at is not None],
        problem=overview.service.problem if overview.service else "",
        exports=lines,
        searches=_find_hits(store, now, zone),
    )


def _find_hits(store: Store, now: datetime, zone: tzinfo | None) -> list[SearchHits]:
    """Return the saved searches with articles that were fetched within a day and published since yesterday."""
    found, since = [], now.astimezone(zone).date() - timedelta(days=1)
    for search in store.saved_searches.of(None)[:_MOST_SEARCHES]:
        with suppress(ConfigError, CostlyQueryError), limited_queries():
            selection = read_saved(search)
            selection = replace(selection, since=max(since, selection.since or since))
            lines = store.article_lines.latest(selection, limit=_MOST_ARTICLES)
            new = [(line.title, line.url) for line in lines if now - line.fetched_at <= timedelta(days=1)]
            owner = "" if search.owner == "local" else f" ({search.owner})"
            found += [SearchHits(name=f"{search.name}{owner}", articles=new)] if new else []
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOutcome:
    """The problems after a scheduled crawl, and those that it can decide."""

    findings: Mapping[AlertKind, str] = field(default_factory=dict)
    known: frozenset[AlertKind] = frozenset()
    #: None: the crawl did not begin.
    assessment: Assessment | None = None


def judge_crawl(job: Job, last: Assessment | None) -> CrawlOutcome:
    """Return the outcome of a crawl that is over: whether it crawled at all, and the assessment of the crawl."""
    if job.state is JobState.MISSED:
        return CrawlOutcome(findings={AlertKind.NOT_CRAWLED: job.message}, known=frozenset({AlertKind.NOT_CRAWLED}))
    if last is not None and (job.began_at is None or (last.figures.ended_at or job.began_at) < job.began_at):
        last = None  # an earlier crawl: this one did not begin
    findings = dict(last.findings) if last else {}
    known = {AlertKind.NOT_CRAWLED, AlertKind.BROKEN} | (last.known if last else frozenset())
    if job.state is JobState.FAILED:
        findings = {AlertKind.BROKEN: job.message, **findings}
    return CrawlOutcome(findings=findings, known=frozenset(known), assessment=last)


def note_outcome(store: Store, portal: str, outcome: CrawlOutcome, *, now: datetime) -> int:
    """Store which problems have begun or ended; return how many."""
    before = store.service.open_alerts(portal)
    begun, over = compare_problems(before, {str(problem): text for problem, text in outcome.findings.items()}, outcome.known)
    if begun or over:
        store.service.record_alerts([(portal, *each) for each in begun.items()], [alert.id for alert in over], now=now)
    return len(begun) + len(over)


def assess_job(store: Store, job: Job, portals: dict[str, PortalState], *, now: datetime) -> int:
    """Assess a crawl or an export that is over; store and return how many problems have begun or ended.

    `portals`: states of portals that are known; that of the job's portal is added.
    """
    if job.kind is JobKind.EXPORT:
        findings = {} if job.state is JobState.DONE else {AlertKind.EXPORT: job.message}
        outcome = CrawlOutcome(findings=findings, known=frozenset({AlertKind.EXPORT}))
        return note_outcome(store, f"export {job.target}", outcome, now=now)
    if job.kind is not JobKind.CRAWL:
        return 0
    name = job.target
    portals |= read_portals(store, [name], portals)
    assessments = portals[name].assessments
    outcome = judge_crawl(job, assessments[-1] if assessments else None)
    if changes := note_outcome(store, name, outcome, now=now):
        portals |= read_portals(store, [name], portals)
    verdict = outcome.assessment.verdict if outcome.assessment else str(job.state)
    facts = {"portal": name, "turn": job.label, "verdict": verdict, "problems": [str(each) for each in outcome.findings]}
    logger.info("crawl assessed", extra={"facts": facts})
    return changes
