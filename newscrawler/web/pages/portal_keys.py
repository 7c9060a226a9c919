"""Add a portal after a probe, and change its keys in newscrawler.toml; values are checked before they are written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.responses import HTMLResponse, Response

from newscrawler.config import TableArray, add_table, as_table, build_portal, change_table, get_portal_keys, require_contact
from newscrawler.errors import ConfigError
from newscrawler.politeness import is_local_name, is_public, parse_ip_address
from newscrawler.store.web import Role
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.context import WebContext, require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import KeyForm, parse_whole_number
from newscrawler.web.requests.headers import KEPT_PAGE_POLICY
from newscrawler.web.requests.identity import is_open
from newscrawler.web.requests.probes import BackgroundProbe
from newscrawler.web.requests.problems import report_missing, require
from newscrawler.web.requests.visit import Visit


def check_reach(context: WebContext, urls: Iterable[str], hosts: Iterable[str] = ()) -> None:
    """Refuse hosts of this machine and of private networks, unless only this machine has access and there are no accounts.

    The crawl itself refuses names that resolve to such addresses, when it connects.
    """
    if is_open(context):
        return
    for host in (*map(_get_host, urls), *hosts):
        address = parse_ip_address(host)
        if is_local_name(host) or (address is not None and not is_public(address)):
            raise ConfigError(
                f"{host} is this machine or in a private network; such a portal is added in newscrawler.toml, or with "
                "`newscrawler portal add`, by whoever may log in to the machine"
            )


def _get_host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError as error:
        raise ConfigError(f"{url} is not a web address: {error}") from error


def show_portal_keys(visit: Visit, form: KeyForm | None = None, mistake: str = "") -> Response:
    """Show the keys with their values; with a mistake, those that were sent."""
    name, form = get_portal_name(visit), form or _read_keys(visit)
    return visit.page("portal_keys.html", status=422 if mistake else 200, name=name, form=form, mistake=mistake)


def change_portal_keys(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    name, form = get_portal_name(visit), _read_keys(visit)
    try:
        changes = form.changes(visit.form)
        if changes:
            addresses = (address for key in ("start_urls", "feeds", "sitemaps") for address in changes.get(key) or ())
            check_reach(visit.context, addresses, changes.get("hosts") or ())
            change_table(require_config_path(visit.context), TableArray.PORTAL, name, changes)
    except ConfigError as error:
        return show_portal_keys(visit, form.sent(visit.form), str(error))
    if changes:
        visit.note("portal changed", name, form.difference(visit.form))
    return visit.go(f"/portals/{name}")


def _read_keys(visit: Visit) -> KeyForm:
    name = get_portal_name(visit)
    portal = require(
        next((each for each in visit.context.configuration.portals if each.name == name), None),
        f"portal {name} in the configuration",
    )
    return KeyForm.of([key for key in get_portal_keys() if key.name != "name"], as_table(portal))


FIELDS = ("url", "name", "language", "time_zone")
_EMPTY = dict.fromkeys(FIELDS, "")


def show_new_portal(visit: Visit, values: Mapping[str, str] = _EMPTY, mistake: str = "") -> Response:
    """Show the form; with a mistake, the values that were sent."""
    is_first = not visit.context.configuration.portals
    return visit.page("portal_add.html", status=422 if mistake else 200, values=values, mistake=mistake, is_first=is_first)


def start_probe(visit: Visit) -> Response:
    """Check the form, and start to probe the portal."""
    values = {name: visit.form.text(name)[:2000] for name in FIELDS}
    try:
        _check_new_portal(visit, values)
    except ConfigError as error:
        return show_new_portal(visit, values, str(error))
    probe = visit.context.probes.start(values["url"], values, require_config_path(visit.context))
    visit.note("portal probed", values["url"])
    return visit.go(f"/add-portal/{probe.number}")


def show_probe(visit: Visit) -> Response:
    """Show the result of a probe, or its progress."""
    return visit.page("portal_probe.html", probe=_find_probe(visit), is_first=not visit.context.configuration.portals)


def show_probed_page(visit: Visit) -> Response:
    """Show the page of an article that a probe found, with its parts marked, for a sandboxed frame."""
    probe, place = _find_probe(visit), parse_whole_number(visit.arguments["place"], "place")
    if place >= len(probe.pages) or not probe.pages[place]:
        raise report_missing("page of this probe any more. Probe the portal again")
    headers = {"Content-Security-Policy": KEPT_PAGE_POLICY, "Cache-Control": "private, max-age=300"}
    return HTMLResponse(probe.pages[place].encode("utf-8", "replace"), headers=headers)


def add_portal(visit: Visit) -> Response:
    """Write the portal to the configuration."""
    probe = _find_probe(visit)
    name, is_first = _check_new_portal(visit, probe.values), not visit.context.configuration.portals
    table = {"name": name, "start_urls": [probe.url]}
    configured = [portal.name for portal in visit.context.configuration.portals]
    visit.store.portals.adopt(name, [probe.url], configured=configured, now=visit.now)
    table |= {key: probe.values[key] for key in ("language", "time_zone") if probe.values[key]}
    add_table(require_config_path(visit.context), TableArray.PORTAL, table)
    visit.note("portal added", name, probe.url)
    return visit.go("/setup/crawl" if is_first else f"/portals/{name}")


def _find_probe(visit: Visit) -> BackgroundProbe:
    number = parse_whole_number(visit.arguments["number"], "number")
    return require(visit.context.probes.get(number), "probe of this number any more. Probe the portal again")


def _check_new_portal(visit: Visit, values: dict[str, str]) -> str:
    """Return the name of the new portal."""
    given = {key: values[key] for key in ("name", "language", "time_zone") if values[key]}
    portal = build_portal(values["url"], **given)
    configuration = visit.context.configuration
    if any(known.name == portal.name for known in configuration.portals):
        raise ConfigError(f"there is a portal {portal.name} already; choose another name")
    if (known := configuration.find_portal_at(portal.start_urls[0])) is not None:
        raise ConfigError(f"{portal.start_urls[0]} is the portal {known.name} already")
    require_contact(configuration, [portal])
    check_reach(visit.context, (*portal.start_urls, *portal.feeds, *portal.sitemaps), portal.hosts)
    return portal.name


PAGES = (
    Page(path="/portals/{name}/keys", show=show_portal_keys, role=Role.OPERATOR, change=change_portal_keys),
    Page(path="/add-portal", show=show_new_portal, role=Role.OPERATOR, change=start_probe),
    Page(path="/add-portal/{number}", show=show_probe, role=Role.OPERATOR, change=add_portal),
    Page(path="/add-portal/{number}/pages/{place}", show=show_probed_page, role=Role.OPERATOR),
)
