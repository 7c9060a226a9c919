"""The keys of a portal in newscrawler.toml, each with its explanation. Values are checked before they are written."""

from __future__ import annotations

from starlette.responses import Response

from newscrawler.config import TableArray, as_table, change_table, get_portal_keys
from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web.pages.portal import get_portal_name
from newscrawler.web.requests.context import require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.key_form import KeyForm
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.reach import check_reach
from newscrawler.web.requests.visit import Visit


def show_portal_keys(visit: Visit) -> Response:
    """Show the keys with their values."""
    return _render_keys(visit, _read_keys(visit), "")


def change_portal_keys(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    name, form = get_portal_name(visit), _read_keys(visit)
    try:
        changes = form.changes(visit.form)
        if changes:
            check_reach(visit.context, changes.get("start_urls") or (), changes.get("hosts") or ())
            change_table(require_config_path(visit.context), TableArray.PORTAL, name, changes)
    except ConfigError as error:
        return _render_keys(visit, form.sent(visit.form), str(error))
    if changes:
        visit.note("portal changed", name, form.difference(visit.form))
    return visit.go(f"/portals/{name}")


def _render_keys(visit: Visit, form: KeyForm, mistake: str) -> Response:
    return visit.page("portal_keys.html", status=422 if mistake else 200, name=get_portal_name(visit), form=form, mistake=mistake)


def _read_keys(visit: Visit) -> KeyForm:
    name = get_portal_name(visit)
    portal = next((each for each in visit.context.configuration.portals if each.name == name), None)
    if portal is None:
        raise report_missing(f"portal {name} in the configuration")
    return KeyForm.of([key for key in get_portal_keys() if key.name != "name"], as_table(portal))


PAGES = (Page(path="/portals/{name}/keys", show=show_portal_keys, role=Role.OPERATOR, change=change_portal_keys),)
