"""Add, change and remove the exports of newscrawler.toml. Their files stay below one folder."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from starlette.responses import Response

from newscrawler.config import Export, TableArray, add_table, as_table, change_table, get_keys, read_tables, remove_table
from newscrawler.errors import ConfigError
from newscrawler.store.web import Role
from newscrawler.web.requests.context import require_config_path
from newscrawler.web.requests.endpoint import Page
from newscrawler.web.requests.forms import KeyForm
from newscrawler.web.requests.problems import report_missing
from newscrawler.web.requests.visit import Visit

#: The only folder that a form may name: a path elsewhere could replace any file of the service's user.
FOLDER = "exports"
_PATH = f"{FOLDER}/{{name}}-{{date}}.jsonl"
_NEW: dict[str, Any] = as_table(Export(name="new", path=_PATH)) | {"name": ""}


def show_new_export(visit: Visit) -> Response:
    """Show the form of a new export."""
    return _render_export(visit, KeyForm.of(get_keys(Export), _NEW), "")


def add_export(visit: Visit) -> Response:
    """Write a new export to the file."""
    form = KeyForm.of(get_keys(Export), _NEW)
    try:
        table = {"path": _PATH} | {name: value for name, value in form.changes(visit.form).items() if value is not None}
        _check_path(table)
        add_table(require_config_path(visit.context), TableArray.EXPORT, table)
    except ConfigError as error:
        return _render_export(visit, form.sent(visit.form), str(error))
    visit.note("export added", table["name"], form.difference(visit.form))
    return visit.go("/settings")


def show_export(visit: Visit) -> Response:
    """Show the keys of an export with their values."""
    return _render_export(visit, _read_form(visit), "")


def change_export(visit: Visit) -> Response:
    """Write the changed keys. If a value is wrong, write nothing and show the form again with the error."""
    name, form = _get_name(visit), _read_form(visit)
    try:
        changes = form.changes(visit.form)
        if changes:
            _check_path(changes)
            change_table(require_config_path(visit.context), TableArray.EXPORT, name, changes)
    except ConfigError as error:
        return _render_export(visit, form.sent(visit.form), str(error))
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
    tables = read_tables(require_config_path(visit.context)).get("export", [])
    table = next((each for each in tables if each["name"] == _get_name(visit)), None)
    if table is None:
        raise report_missing(f"export {_get_name(visit)[:100]}")
    return KeyForm.of(get_keys(Export), as_table(Export.model_validate(table, by_alias=True, by_name=False)))


def _get_name(visit: Visit) -> str:
    return str(visit.arguments["name"])


def _render_export(visit: Visit, form: KeyForm, mistake: str) -> Response:
    name = visit.arguments.get("name")
    return visit.page("export_keys.html", status=422 if mistake else 200, name=name, form=form, mistake=mistake)


PAGES = (
    Page(path="/settings/exports", show=show_new_export, role=Role.OPERATOR, change=add_export),
    Page(path="/settings/exports/{name}", show=show_export, role=Role.OPERATOR, change=change_export),
    Page(path="/settings/exports/{name}/remove", show=show_export, role=Role.OPERATOR, change=remove_export),
)
