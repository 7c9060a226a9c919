"""Add a portal: probe it first, then write it to newscrawler.toml."""

from __future__ import annotations

from starlette.responses import HTMLResponse, Response

from newscrawler.config import TableArray, add_table, build_portal, require_contact
from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web.requests.context import require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import parse_whole_number
from newscrawler.web.requests.headers import KEPT_PAGE_POLICY
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.reach import check_reach
from newscrawler.web.requests.visit import Visit

FIELDS = ("url", "name", "language", "time_zone")


def show_new_portal(visit: Visit) -> Response:
    """Show the form."""
    return visit.page("portal_add.html", values=dict.fromkeys(FIELDS, ""), mistake="")


def start_probe(visit: Visit) -> Response:
    """Check the form, and start to probe the portal."""
    values = {name: visit.form.text(name)[:2000] for name in FIELDS}
    try:
        _check_new_portal(visit, values)
    except ConfigError as error:
        return visit.page("portal_add.html", status=422, values=values, mistake=str(error))
    probe = visit.context.probes.start(values["url"], values, require_config_path(visit.context))
    visit.note("portal probed", values["url"])
    return visit.go(f"/add-portal/{probe.number}")


def show_probe(visit: Visit) -> Response:
    """Show the result of a probe, or its progress.

    Raises:
        RequestProblem: the probe is no longer stored.
    """
    probe = visit.context.probes.get(parse_whole_number(visit.arguments["number"], "number"))
    if probe is None:
        raise report_missing("such look at a portal any more. Start again")
    return visit.page("portal_probe.html", probe=probe)


def show_probed_page(visit: Visit) -> Response:
    """Show the page of an article that a probe found, with its parts marked, for a sandboxed frame.

    Raises:
        RequestProblem: the probe, or its page, is no longer stored.
    """
    probe = visit.context.probes.get(parse_whole_number(visit.arguments["number"], "number"))
    place = parse_whole_number(visit.arguments["place"], "place")
    if probe is None or place >= len(probe.pages) or not probe.pages[place]:
        raise report_missing("such page any more. Start again")
    headers = {"Content-Security-Policy": KEPT_PAGE_POLICY, "Cache-Control": "private, max-age=300"}
    return HTMLResponse(probe.pages[place].encode("utf-8", "replace"), headers=headers)


def add_portal(visit: Visit) -> Response:
    """Write the portal to the configuration.

    Raises:
        RequestProblem: the probe is no longer stored.
        ConfigError: a value is not allowed.
    """
    probe = visit.context.probes.get(parse_whole_number(visit.arguments["number"], "number"))
    if probe is None:
        raise report_missing("such look at a portal any more. Start again")
    name = _check_new_portal(visit, probe.values)
    table = {"name": name, "start_urls": [probe.url]}
    table |= {key: probe.values[key] for key in ("language", "time_zone") if probe.values[key]}
    add_table(require_config_path(visit.context), TableArray.PORTAL, table)
    visit.note("portal added", name, probe.url)
    return visit.go(f"/portals/{name}")


def _check_new_portal(visit: Visit, values: dict[str, str]) -> str:
    """Return the name of the new portal.

    Raises:
        ConfigError: a value is not allowed, the name is taken, or there is no contact.
    """
    given = {key: values[key] for key in ("name", "language", "time_zone") if values[key]}
    portal = build_portal(values["url"], **given)
    configuration = visit.context.configuration
    if any(known.name == portal.name for known in configuration.portals):
        raise ConfigError(f"there is a portal {portal.name} already; choose another name")
    require_contact(configuration, [portal])
    check_reach(visit.context, portal.start_urls, portal.hosts)
    return portal.name


PAGES = (
    Page(path="/add-portal", show=show_new_portal, role=Role.OPERATOR, change=start_probe),
    Page(path="/add-portal/{number}", show=show_probe, role=Role.OPERATOR, change=add_portal),
    Page(path="/add-portal/{number}/pages/{place}", show=show_probed_page, role=Role.OPERATOR),
)
