"""One portal: its state, its controls, and its template."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from starlette.responses import Response

from newscrawler.config import TableArray, change_table, remove_table
from newscrawler.politeness import MeasuredGaps, measure_gaps
from newscrawler.service import get_day, read_backfill
from newscrawler.store.articles import Selection
from newscrawler.store.hosts import HostRecord
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.requests.context import require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import RequestProblem, require
from newscrawler.web.requests.visit import Visit

_RUNS, _SOURCES, _PATTERNS, _NIGHTS, _MISSING, _NEWEST = 15, 60, 40, 60, 100, 12
#: Requests of the log that are read.
_FETCHES = 5_000
#: Seconds; the last column counts all longer gaps.
_STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 60)
_NAMES = (*(f"{step} s" for step in _STEPS), "more")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPoliteness:
    """The gaps between requests to a host."""

    host: HostRecord
    is_paused: bool
    gaps: MeasuredGaps
    #: Number of gaps of each length, with their names.
    counts: Sequence[int]
    names: Sequence[str]


def show_portal(visit: Visit) -> Response:
    """Show a portal."""
    name = get_portal_name(visit)
    configuration = visit.context.configuration
    overview = visit.context.overviews.read(configuration, now=visit.now)
    portal = require(next((each for each in overview.portals if each.name == name), None), f"portal {name}")
    configured = next((each for each in configuration.portals if each.name == name), None)
    assessments = portal.assessments[-_NIGHTS:]
    runs = visit.store.runs.latest(name, limit=_RUNS)
    return visit.page(
        "portal.html", portal=portal, state=portal.state(visit.now), configured=configured, service=overview.service,
        run=next((run for run in overview.live if run.portal == name), None), assessments=assessments, runs=runs,
        jobs=[job for job in overview.jobs if job.target == name], days=[get_day(crawl) for crawl in assessments],
        tips=[f"{get_day(crawl):%a %d %b}: {crawl.figures.articles:,} new articles" for crawl in assessments],
        newest=visit.store.article_lines.latest(visit.context.restrict(Selection(portal=name)), limit=_NEWEST),
        count=visit.store.articles.count(Selection(portal=name)), sources=visit.store.patterns.sources_of(name)[:_SOURCES],
        patterns=visit.store.patterns.of(name)[:_PATTERNS], account=visit.store.runs.account(runs[0]) if runs else None,
        missing=visit.store.patterns.missing_of(name, _MISSING), rights=visit.store.rights.counts(name),
        versions=list(reversed(visit.store.templates.versions(name))), hosts=_measure_politeness(visit, name),
        past=read_backfill(visit.store, name, visit.now),
    )  # fmt: skip


def control_portal(visit: Visit) -> Response:
    """Ask the service to crawl or to stop a portal, or pause or resume it."""
    name, action = get_portal_name(visit), visit.form.text("action")
    if action in {"pause", "resume"}:
        change_table(require_config_path(visit.context), TableArray.PORTAL, name, {"paused": True if action == "pause" else None})
        visit.note(f"portal {action}d", name)
        return visit.go(f"/portals/{name}")
    if action not in {JobKind.CRAWL, JobKind.STOP}:
        raise RequestProblem(422, "The action must be one of: crawl, stop, pause, resume.")
    visit.request_job(JobKind(action), name)
    return visit.go(f"/portals/{name}/crawl" if action == JobKind.CRAWL else f"/portals/{name}")


def reextract_portal(visit: Visit) -> Response:
    """Ask the service to read the kept pages of a portal again, and to write the changes if requested."""
    return visit.request_job(JobKind.REEXTRACT, get_portal_name(visit), {"apply": visit.form.text("apply") == "yes"})


def show_removal(visit: Visit) -> Response:
    """Ask for a confirmation."""
    return visit.page("remove.html", name=get_portal_name(visit))


def remove_portal(visit: Visit) -> Response:
    """Remove a portal from the configuration; its articles stay."""
    name = get_portal_name(visit)
    if visit.form.text("name") != name:
        raise RequestProblem(422, f"To remove the portal, write its name: {name}.")
    remove_table(require_config_path(visit.context), TableArray.PORTAL, name)
    visit.note("portal removed", name)
    return visit.go("/")


def get_portal_name(visit: Visit) -> str:
    """Return the name of the portal of a path."""
    return str(visit.arguments["name"])


def _measure_politeness(visit: Visit, name: str) -> list[HostPoliteness]:
    fetches = visit.store.hosts.fetches(portal=name, most=_FETCHES)
    found = []
    for host in dict.fromkeys(fetch.host for fetch in fetches):
        moments = [fetch.at for fetch in fetches if fetch.host == host]
        gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(moments)]
        lengths = Counter(bisect_left(_STEPS, gap) for gap in gaps)
        record = visit.store.hosts.of(host)
        is_paused = record.paused_until is not None and record.paused_until > visit.now
        counts = [lengths[number] for number in range(len(_STEPS) + 1)]
        found.append(HostPoliteness(host=record, is_paused=is_paused, gaps=measure_gaps(moments), counts=counts, names=_NAMES))
    return found


PAGES = (
    Page(path="/portals/{name}", show=show_portal, change=control_portal, change_role=Role.OPERATOR),
    Page(path="/portals/{name}/reextract", show=show_portal, change=reextract_portal, change_role=Role.OPERATOR),
    Page(path="/portals/{name}/remove", show=show_removal, role=Role.OPERATOR, change=remove_portal, change_role=Role.OPERATOR),
)
