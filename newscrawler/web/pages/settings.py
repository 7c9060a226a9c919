"""The settings of newscrawler.toml except portals: the crawler, the defaults of all portals, the service, alerts, and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from starlette.responses import Response

from newscrawler.config import (
    AlertSettings,
    BrowserSettings,
    CrawlerSettings,
    Export,
    PortalDefaults,
    ServiceSettings,
    Table,
    TableArray,
    WebSettings,
    add_table,
    as_table,
    change_settings,
    change_table,
    get_keys,
    read_tables,
    remove_table,
)
from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web.requests.context import require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import KeyForm
from newscrawler.web.requests.problems import require
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
        name="crawler", place="crawler", about="The operator, purposes and denylist", model=CrawlerSettings, inner="defaults"
    ),
    SettingsTable(name="defaults", place="crawler.defaults", about="Defaults for all portals", model=PortalDefaults),
    SettingsTable(name="service", place="service", about="How `newscrawler run` works", model=ServiceSettings),
    SettingsTable(name="web", place="web", about="How others reach the web application", model=WebSettings),
    SettingsTable(name="browser", place="browser", about="The browser of portals with `render`", model=BrowserSettings),
    SettingsTable(
        name="alerts", place="alerts", about="Who is notified of problems and, each morning, of articles", model=AlertSettings
    ),
)


def list_settings(visit: Visit) -> Response:
    """List the tables and the exports."""
    return visit.page("settings.html", settings=SETTINGS, exports=visit.context.configuration.exports)


def show_settings(visit: Visit, form: KeyForm | None = None, mistake: str = "") -> Response:
    """Show the keys of a table with their values; with a mistake, those that were sent."""
    settings = _find_settings(visit)
    form = form or settings.form(read_tables(require_config_path(visit.context)))
    return visit.page("settings_keys.html", status=422 if mistake else 200, settings=settings, form=form, mistake=mistake)


def change_keys(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    settings, path = _find_settings(visit), require_config_path(visit.context)
    form = settings.form(read_tables(path))
    try:
        changes = form.changes(visit.form)
        if changes:
            change_settings(path, settings.place, changes)
    except ConfigError as error:
        return show_settings(visit, form.sent(visit.form), str(error))
    if changes:
        visit.note("settings changed", settings.place, form.difference(visit.form))
    return visit.go("/settings")


def _find_settings(visit: Visit) -> SettingsTable:
    name = str(visit.arguments["table"])
    return require(next((each for each in SETTINGS if each.name == name), None), f"table {name[:40]} of settings")


#: The only folder that a form may name: a path elsewhere could replace any file of the service's user.
FOLDER = "exports"
_PATH = f"{FOLDER}/{{name}}-{{date}}.jsonl"
_NEW: dict[str, Any] = as_table(Export(name="new", path=_PATH)) | {"name": ""}


def add_export(visit: Visit) -> Response:
    """Write a new export to the file."""
    form = _read_form(visit)
    try:
        table = {"path": _PATH} | {name: value for name, value in form.changes(visit.form).items() if value is not None}
        _check_path(table)
        add_table(require_config_path(visit.context), TableArray.EXPORT, table)
    except ConfigError as error:
        return show_export(visit, form.sent(visit.form), str(error))
    visit.note("export added", table["name"], form.difference(visit.form))
    return visit.go("/settings")


def show_export(visit: Visit, form: KeyForm | None = None, mistake: str = "") -> Response:
    """Show the keys of an export, or of a new one, with their values; with a mistake, those that were sent."""
    name, form = visit.arguments.get("name"), form or _read_form(visit)
    return visit.page("export_keys.html", status=422 if mistake else 200, name=name, form=form, mistake=mistake)


def change_export(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    name, form = _get_name(visit), _read_form(visit)
    try:
        changes = form.changes(visit.form)
        if changes:
            _check_path(changes)
            change_table(require_config_path(visit.context), TableArray.EXPORT, name, changes)
    except ConfigError as error:
        return show_export(visit, form.sent(visit.form), str(error))
    if changes:
        visit.note("export changed", name, form.difference(visit.form))
    return visit.go("/settings")


def remove_export(visit: Visit) -> Response:
    """Remove an export from the file. The files that it wrote stay."""
    name, form = _get_name(visit), _read_form(visit)
    remove_table(require_config_path(visit.context), TableArray.EXPORT, name)
    visit.note("export removed", name, f"path: {form.values['path']!r}")
    return visit.go("/settings")


def _check_path(table: dict[str, Any]) -> None:
    path = PurePath(str(table.get("path", FOLDER)))
    if path.parts[:1] != (FOLDER,) or ".." in path.parts:
        raise ConfigError(f"path is {str(path)!r}; an export that is set here writes to the folder {FOLDER}, such as {_PATH}")


def _read_form(visit: Visit) -> KeyForm:
    """Return the keys of the export that the address names, or of a new one."""
    if "name" not in visit.arguments:
        return KeyForm.of(get_keys(Export), _NEW)
    tables = read_tables(require_config_path(visit.context)).get("export", [])
    table = require(next((each for each in tables if each["name"] == _get_name(visit)), None), f"export {_get_name(visit)[:100]}")
    return KeyForm.of(get_keys(Export), as_table(Export.model_validate(table, by_alias=True, by_name=False)))


def _get_name(visit: Visit) -> str:
    return str(visit.arguments["name"])


PAGES = (
    Page(path="/settings/exports", show=show_export, role=Role.OPERATOR, change=add_export),
    Page(path="/settings/exports/{name}", show=show_export, role=Role.OPERATOR, change=change_export),
    Page(path="/settings/exports/{name}/remove", show=show_export, role=Role.OPERATOR, change=remove_export),
    Page(path="/settings", show=list_settings, role=Role.OPERATOR),
    Page(path="/settings/{table}", show=show_settings, role=Role.OPERATOR, change=change_keys),
)
