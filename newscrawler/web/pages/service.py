"""The service: its state, exports and jobs, its alerts, and the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from starlette.responses import FileResponse, Response

from newscrawler.service import DeliveryError, Notification, create_notifiers, deliver_in_time
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.problems import RequestProblem, report_missing, require
from newscrawler.web.requests.visit import JOBS_WITH_FILE, Visit, find_job_file


def show_service(visit: Visit) -> Response:
    """Show the service."""
    configuration = visit.context.configuration
    return visit.page(
        "service.html", service=visit.store.service.service(now=visit.now), settings=configuration.service,
        lasting=len(visit.store.service.open_alerts()),
        exports=[(export, visit.store.jobs.last_export(export.name)) for export in configuration.exports],
    )  # fmt: skip


def write_export(visit: Visit) -> Response:
    """Ask the service to write an export now."""
    name = visit.form.text("export")
    if name not in {each.name for each in visit.context.configuration.exports}:
        raise report_missing(f"export {name}")
    return visit.request_job(JobKind.EXPORT, name)


#: Lines of a page.
_MOST_ALERTS = _MOST_JOBS = _MOST_ENTRIES = 100


def show_alerts(visit: Visit, trials: Sequence[Mapping[str, str]] = ()) -> Response:
    """List the alerts; `trials`: channels to which a test message was sent."""
    portal, before = visit.query.get("portal", "")[:100], visit.number("before", 0)
    alerts = visit.store.service.alerts(before_id=before or None, portal=portal or None, limit=_MOST_ALERTS + 1)
    return visit.page(
        "alerts.html", lasting=[] if before else list(reversed(visit.store.service.open_alerts(portal or None))),
        over=[alert for alert in alerts[:_MOST_ALERTS] if alert.over_at], portal=portal, trials=trials,
        next_before=alerts[_MOST_ALERTS - 1].id if len(alerts) > _MOST_ALERTS else None,
        settings=visit.context.configuration.alerts,
    )  # fmt: skip


def acknowledge_alert(visit: Visit) -> Response:
    """Record that the user knows of an alert."""
    alert = require(visit.store.service.acknowledge(visit.form.number("alert"), visit.user.name, now=visit.now), "such alert")
    visit.note("alert acknowledged", alert.portal, f"alert {alert.id}: {alert.problem}")
    return visit.go("/alerts")


def send_test_message(visit: Visit) -> Response:
    """Send a test message to each configured channel."""
    ways = create_notifiers(visit.context.configuration.alerts)
    if not ways:
        raise RequestProblem(
            409, "No recipient of alerts is configured. Name recipients in mail_to, or a webhook or command in the file."
        )
    text = f"{visit.user.name} tries at {visit.now:%Y-%m-%d %H:%M} UTC whether alerts arrive. Nothing is wrong."
    message = Notification(subject="newscrawler: a test", text=text, data={"kind": "test"})
    trials = []
    for way in ways:
        try:
            deliver_in_time(way, message)
            trials.append({"way": way.name, "failure": ""})
        except DeliveryError as error:
            trials.append({"way": way.name, "failure": str(error)})
    visit.note("test message", "alerts", "; ".join(f"{trial['way']}: {trial['failure'] or 'sent'}" for trial in trials))
    return show_alerts(visit, trials)


def show_jobs(visit: Visit) -> Response:
    """List the jobs, newest first."""
    service = visit.store.service.service(now=visit.now)
    return visit.page("jobs.html", jobs=visit.store.jobs.latest(_MOST_JOBS), service=service, with_file=JOBS_WITH_FILE)


def download_job_file(visit: Visit) -> Response:
    """Return the file that a job wrote, or its recipe."""
    number = parse_whole_number(str(visit.arguments["number"]), "number")
    file = find_job_file(visit.context, number, recipe="recipe" in visit.query)
    return FileResponse(file, media_type="application/octet-stream", filename=file.name)


def show_audit_log(visit: Visit) -> Response:
    """List the entries, newest first."""
    before = visit.number("before", 0)
    entries = visit.store.audit.entries(before_id=before or None, limit=_MOST_ENTRIES + 1)
    return visit.page(
        "audit.html",
        entries=entries[:_MOST_ENTRIES],
        next_before=entries[_MOST_ENTRIES - 1].id if len(entries) > _MOST_ENTRIES else None,
    )


PAGES = (
    Page(path="/service", show=show_service, change=write_export, change_role=Role.OPERATOR),
    Page(path="/alerts", show=show_alerts, change=acknowledge_alert, change_role=Role.OPERATOR),
    Page(path="/alerts/test", show=show_alerts, change=send_test_message, change_role=Role.OPERATOR),
    Page(path="/jobs", show=show_jobs),
    Page(path="/jobs/{number}/file", show=download_job_file),
    Page(path="/audit", show=show_audit_log, role=Role.OPERATOR),
)
