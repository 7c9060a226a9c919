"""The settings of newscrawler.toml except portals: the crawler, the defaults of all portals, the service, and alerts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from newscrawler.config import (
    AlertSettings,
    BrowserSettings,
    CrawlerSettings,
    PortalDefaults,
    ServiceSettings,
    Table,
    as_table,
    change_settings,
    get_keys,
    read_tables,
)
from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web.requests.context import require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import KeyForm
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsTable:
    """One table of the file."""

    #: Its name in the address.
    name: str
    #: Where it is in the file.
    place: str
    about: str
    model: type[Table]
    #: A nested table, which has a separate page.
    inner: str = ""

    def form(self, tables: Mapping[str, Any]) -> KeyForm:
        """Return the form of the table's values."""
        table: Any = tables
        for name in self.place.split("."):
            table = table.get(name, {})
        keys = [key for key in get_keys(self.model) if key.name != self.inner]
        return KeyForm.of(keys, as_table(self.model.model_validate(dict(table), by_alias=True, by_name=False)))


SETTINGS: Sequence[SettingsTable] = (
    SettingsTable(
        name="crawler",
        place="crawler",
        about="The operator, purposes and denylist",
        model=CrawlerSettings,
        inner="defaults",
    ),
    SettingsTable(
        name="defaults",
        place="crawler.defaults",
        about="Defaults for all portals",
        model=PortalDefaults,
    ),
    SettingsTable(name="service", place="service", about="How `newscrawler run` works", model=ServiceSettings),
    SettingsTable(name="browser", place="browser", about="The browser of portals with `render`", model=BrowserSettings),
    SettingsTable(
        name="alerts", place="alerts", about="Who is notified of problems and, each morning, of articles", model=AlertSettings
    ),
)


def list_settings(visit: Visit) -> Response:
    """List the tables and the exports."""
    return visit.page("settings.html", settings=SETTINGS, exports=visit.context.configuration.exports)


def show_settings(visit: Visit) -> Response:
    """Show the keys of a table with their values."""
    settings = _find_settings(visit)
    return _render_settings(visit, settings, settings.form(read_tables(require_config_path(visit.context))), "")


def change_keys(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    settings, path = _find_settings(visit), require_config_path(visit.context)
    form = settings.form(read_tables(path))
    try:
        changes = form.changes(visit.form)
        if changes:
            change_settings(path, settings.place, changes)
    except ConfigError as error:
        return _render_settings(visit, settings, form.sent(visit.form), str(error))
    if changes:
        visit.note("settings changed", settings.place, form.difference(visit.form))
    return visit.go("/settings")


def _find_settings(visit: Visit) -> SettingsTable:
    name = str(visit.arguments["table"])
    found = next((each for each in SETTINGS if each.name == name), None)
    if found is None:
        raise report_missing(f"table {name[:40]} of settings")
    return found


def _render_settings(visit: Visit, settings: SettingsTable, form: KeyForm, mistake: str) -> Response:
    return visit.page("settings_keys.html", status=422 if mistake else 200, settings=settings, form=form, mistake=mistake)


PAGES = (
    Page(path="/settings", show=list_settings, role=Role.OPERATOR),
    Page(path="/settings/{table}", show=show_settings, role=Role.OPERATOR, change=change_keys),
)
