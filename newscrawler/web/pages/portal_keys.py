"""The keys of a portal in newscrawler.toml: each with its explanation, checked before anything is written."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from newscrawler.config.build import as_table
from newscrawler.config.edit import change_portal
from newscrawler.config.keys import portal_keys
from newscrawler.errors import ConfigError
from newscrawler.store import Role
from newscrawler.web.pages.portal import name_of
from newscrawler.web.requests.context import config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.problems import missing
from newscrawler.web.requests.visit import Visit


def show(visit: Visit) -> Response:
    """Show the keys with their values."""
    return _page(visit, _values(visit), "")


def change(visit: Visit) -> Response:
    """Write what has changed; what is wrong is said beside what was sent, and nothing is written."""
    name = name_of(visit)
    before = _values(visit)
    sent = {key.name: visit.form.text(key.name, before[key.name]) for key in portal_keys() if key.name != "name"}
    try:
        changes: dict[str, Any] = {
            key.name: key.value_of(sent[key.name])
            for key in portal_keys()
            if key.name in sent and sent[key.name] != before[key.name].strip()
        }
        if changes:
            change_portal(config_path(visit.context), name, changes)
    except ConfigError as error:
        return _page(visit, before | sent, str(error))
    if changes:
        said = "; ".join(f"{key}: {before[key]!r} → {sent[key]!r}" for key in changes)
        visit.note("portal changed", name, said)
    return visit.go(f"/portals/{name}")


def _page(visit: Visit, values: dict[str, str], mistake: str) -> Response:
    keys = [key for key in portal_keys() if key.name != "name"]
    status = 422 if mistake else 200
    return visit.page("portal_keys.html", status=status, name=name_of(visit), keys=keys, values=values, mistake=mistake)


def _values(visit: Visit) -> dict[str, str]:
    """Return the values in force as a form writes them."""
    name = name_of(visit)
    portal = next((each for each in visit.context.configuration.portals if each.name == name), None)
    if portal is None:
        raise missing(f"portal {name} in the configuration")
    table = as_table(portal)
    return {key.name: key.text_of(table.get(key.name)) for key in portal_keys()}


PAGES = (Page(path="/portals/{name}/keys", show=show, role=Role.OPERATOR, change=change),)
