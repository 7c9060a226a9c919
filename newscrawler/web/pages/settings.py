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
from newscrawler.web.requests.context import config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.key_form import KeyForm
from newscrawler.web.requests.problems import missing
from newscrawler.web.requests.visit import Visit


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
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


SETTINGS: Sequence[Settings] = (
    Settings(
        name="crawler",
        place="crawler",
        about="The operator, purposes and denylist",
        model=CrawlerSettings,
        inner="defaults",
    ),
    Settings(
        name="defaults",
        place="crawler.defaults",
        about="Defaults for all portals",
        model=PortalDefaults,
    ),
    Settings(name="service", place="service", about="How `newscrawler run` works", model=ServiceSettings),
    Settings(name="browser", place="browser", about="The browser of portals with `render`", model=BrowserSettings),
    Settings(
        name="alerts", place="alerts", about="Who is notified of problems and, each morning, of articles", model=AlertSettings
    ),
)


def show_all(visit: Visit) -> Response:
    """List the tables and the exports."""
    return visit.page("settings.html", settings=SETTINGS, exports=visit.context.configuration.exports)


def show(visit: Visit) -> Response:
    """Show the keys of a table with their values."""
    settings = _settings(visit)
    return _page(visit, settings, settings.form(read_tables(config_path(visit.context))), "")


def change(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    settings, path = _settings(visit), config_path(visit.context)
    form = settings.form(read_tables(path))
    try:
        changes = form.changes(visit.form)
        if changes:
            change_settings(path, settings.place, changes)
    except ConfigError as error:
        return _page(visit, settings, form.sent(visit.form), str(error))
    if changes:
        visit.note("settings changed", settings.place, form.difference(visit.form))
    return visit.go("/settings")


def _settings(visit: Visit) -> Settings:
    name = str(visit.arguments["table"])
    found = next((each for each in SETTINGS if each.name == name), None)
    if found is None:
        raise missing(f"table {name[:40]} of settings")
    return found


def _page(visit: Visit, settings: Settings, form: KeyForm, mistake: str) -> Response:
    return visit.page("settings_keys.html", status=422 if mistake else 200, settings=settings, form=form, mistake=mistake)


PAGES = (
    Page(path="/settings", show=show_all, role=Role.OPERATOR),
    Page(path="/settings/{table}", show=show, role=Role.OPERATOR, change=change),
)
