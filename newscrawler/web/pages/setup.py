"""The first run in the browser: who crawls, the first portal, the first crawl."""

from __future__ import annotations

from zoneinfo import available_timezones

from starlette.responses import Response

from newscrawler.config import change_settings
from newscrawler.errors import ConfigError
from newscrawler.politeness.rights import Purpose
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.context import WebContext, require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit

#: The purposes of a crawl in words, the usual one first.
PURPOSES = {
    Purpose.TEXT_ANALYSIS: "Research: counts and patterns of texts",
    Purpose.ARCHIVE: "Archive: copies that are kept and shown unchanged",
    Purpose.SEARCH: "Search: an index that leads to the pages",
    Purpose.AI_INPUT: "Input of a generative model: retrieval, summaries",
    Purpose.AI_TRAIN: "Training of generative models",
}


def is_new(context: WebContext) -> bool:
    """Return whether the first run is still to come: there is a file to write to, but neither a contact nor a portal."""
    return context.file.path is not None and not context.configuration.contact and not context.configuration.portals


def show_setup(visit: Visit, mistake: str = "") -> Response:
    """Show the first step: who you are."""
    configuration = visit.context.configuration
    return visit.page(
        "setup.html", status=422 if mistake else 200, mistake=mistake, purposes=PURPOSES, zones=sorted(available_timezones()),
        contact=visit.form.text("contact") or configuration.contact or "", zone=configuration.service.time_zone or "",
        chosen=visit.form.all("purpose") or list(map(str, configuration.purpose)), folder=configuration.data_folder,
        file=visit.context.file.path,
    )  # fmt: skip


def save_setup(visit: Visit) -> Response:
    """Write contact, purposes and time zone."""
    path, zone = require_config_path(visit.context), visit.form.text("time_zone")
    if not visit.form.text("contact"):
        return show_setup(visit, "Enter an e-mail or web address at which publishers reach you.")
    try:
        purposes = visit.form.all("purpose") or [str(Purpose.TEXT_ANALYSIS)]
        change_settings(path, "crawler", {"contact": visit.form.text("contact"), "purpose": purposes})
        if zone:
            change_settings(path, "service", {"time_zone": zone})
    except ConfigError as error:
        return show_setup(visit, str(error))
    visit.note("settings changed", "crawler", "set up in the browser")
    return visit.go("/add-portal")


def show_first_crawl(visit: Visit) -> Response:
    """Show the third step: crawl the first portal."""
    portals = visit.context.configuration.portals
    if not portals:
        return visit.go("/add-portal")
    return visit.page("setup_crawl.html", portal=portals[0])


def follow_crawl(visit: Visit) -> Response:
    """Redirect to the crawl of a portal as soon as it has begun."""
    name = get_portal_name(visit)
    live = next((run for run in visit.store.runs.live(now=visit.now) if run.portal == name), None)
    if live is not None:
        return visit.go(f"/runs/{live.id}")
    job = next((job for job in visit.store.jobs.latest(50) if job.kind is JobKind.CRAWL and job.target == name), None)
    if job is None:
        raise report_missing(f"requested crawl of {name[:100]}")
    latest = next(iter(visit.store.runs.latest(name, limit=1)), None)
    if latest is not None and latest.started_at >= job.planned_at:
        return visit.go(f"/runs/{latest.id}")
    return visit.page("starting.html", name=name, job=job)


PAGES = (
    Page(path="/setup", show=show_setup, role=Role.OPERATOR, change=save_setup),
    Page(path="/setup/crawl", show=show_first_crawl, role=Role.OPERATOR),
    Page(path="/portals/{name}/crawl", show=follow_crawl),
)
