"""Alerts: open, closed and acknowledged ones, and a test message to each recipient."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.responses import Response

from newscrawler.service import DeliveryError, Notification, create_notifiers
from newscrawler.store.web import Role
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import RequestProblem, report_missing
from newscrawler.web.requests.visit import Visit

_MOST_ALERTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The result of a test message to one channel."""

    way: str
    #: Why it was not sent; empty if it was.
    failure: str


def show_alerts(visit: Visit) -> Response:
    """List the alerts."""
    return _render_alerts(visit)


def acknowledge_alert(visit: Visit) -> Response:
    """Record that the user knows of an alert.

    Raises:
        RequestProblem: there is no such alert.
    """
    alert = visit.store.service.acknowledge(visit.form.number("alert"), visit.user.name, now=visit.now)
    if alert is None:
        raise report_missing("such alert")
    visit.note("alert acknowledged", alert.portal, f"alert {alert.id}: {alert.problem}")
    return visit.go("/alerts")


def send_test_message(visit: Visit) -> Response:
    """Send a test message to each configured channel.

    Raises:
        RequestProblem: no channel is configured.
    """
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
            way.deliver(message)
            trials.append(Trial(way=way.name, failure=""))
        except DeliveryError as error:
            trials.append(Trial(way=way.name, failure=str(error)))
    visit.note("test message", "alerts", "; ".join(f"{trial.way}: {trial.failure or 'sent'}" for trial in trials))
    return _render_alerts(visit, trials)


def _render_alerts(visit: Visit, trials: list[Trial] | None = None) -> Response:
    portal, before = visit.query.get("portal", "")[:100], visit.number("before", 0)
    alerts = visit.store.service.alerts(before_id=before or None, portal=portal or None, limit=_MOST_ALERTS + 1)
    return visit.page(
        "alerts.html",
        lasting=[] if before else list(reversed(visit.store.service.open_alerts(portal or None))),
        over=[alert for alert in alerts[:_MOST_ALERTS] if alert.over_at],
        next_before=alerts[_MOST_ALERTS - 1].id if len(alerts) > _MOST_ALERTS else None,
        portal=portal,
        trials=trials or [],
        settings=visit.context.configuration.alerts,
    )


PAGES = (
    Page(path="/alerts", show=show_alerts, change=acknowledge_alert, change_role=Role.OPERATOR),
    Page(path="/alerts/test", show=show_alerts, change=send_test_message, change_role=Role.OPERATOR),
)
