"""Changes to newscrawler.toml that keep the user's comments, order and spacing.

Only a valid file is written: to a temporary file first, which then replaces the old one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any
from uuid import uuid4

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Table

from newscrawler.config.load import parse_configuration, read_text
from newscrawler.errors import ConfigError

_FIRST = """\
# Configuration of newscrawler. The page Configuration of its documentation describes every key.

[crawler]
# Where the operator of a portal reaches you: an e-mail or web address. It is part of the name that newscrawler
# gives in every request, and nothing but this machine is crawled without it.
{contact}
# sqlite:///FILE or postgresql+psycopg://user@host/name
database = {database}
# Kept pages, digests and other files; the folder is made when it is needed.
data_folder = {folder}

[crawler.defaults]
# Defaults of all portals.
delay = 5
"""


class TableArray(StrEnum):
    """An array of tables of the file; each of its tables has a name."""

    PORTAL = "portal"
    EXPORT = "export"


def read_tables(path: Path) -> dict[str, Any]:
    """Return the tables of the file as TOML.

    Raises:
        ConfigError: it cannot be read or is invalid.
    """
    text = read_text(path)
    parse_configuration(text, path)
    return tomllib.loads(text)


def add_table(path: Path, array: TableArray, table: Mapping[str, Any]) -> None:
    """Append one [[portal]] or [[export]]; create the file if there is none.

    Raises:
        ConfigError: the table or the file is invalid, or the file cannot be written.
    """
    before = read_text(path).rstrip() if path.exists() else ""
    parse_configuration(before, path)
    gap = "\n\n" if before else ""
    write_configuration(path, f"{before}{gap}[[{array}]]\n{tomlkit.dumps(table)}")


def remove_table(path: Path, array: TableArray, name: str) -> None:
    """Remove one [[portal]] or [[export]]; comments between tables stay.

    Raises:
        ConfigError: there is no such table, or the file cannot be read or written.
    """
    document = _parse(read_text(path), path)
    write_configuration(path, _remove_from(document, _find_table(document, array, name, path)))


def change_table(path: Path, array: TableArray, name: str, changes: Mapping[str, Any]) -> None:
    """Set keys of one [[portal]] or [[export]]; None removes a key, so that the default applies again.

    Raises:
        ConfigError: there is no such table, a value is invalid, or the file cannot be read or written.
    """
    document = _parse(read_text(path), path)
    _set_keys(_find_table(document, array, name, path), changes)
    write_configuration(path, document.as_string())


def change_settings(path: Path, place: str, changes: Mapping[str, Any]) -> None:
    """Set keys of a table such as service or crawler.defaults, which is added if it is missing; None removes a key.

    Raises:
        ConfigError: a value is invalid, or the file cannot be read or written.
    """
    document = _parse(read_text(path), path)
    table: Any = document
    for name in place.split("."):
        if name not in table:
            table[name] = tomlkit.table()
        table = table[name]
    _set_keys(table, changes)
    write_configuration(path, document.as_string())


def _set_keys(table: Any, changes: Mapping[str, Any]) -> None:
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value


def _find_table(document: tomlkit.TOMLDocument, array: TableArray, name: str, path: Path) -> Table:
    written = document.get(str(array))
    tables = list(written) if isinstance(written, AoT) else []
    found: Table | None = next((table for table in tables if table.get("name") == name), None)
    if found is not None:
        return found
    known = ", ".join(str(table.get("name")) for table in tables) or "none"
    raise ConfigError(f"{path} has no {array} {name}. It has: {known}.")


def _remove_from(document: tomlkit.TOMLDocument, table: Table) -> str:
    """Format the document without this table's keys and header.

    Removing the table itself would also remove the comment above the next table, which the parser assigns to this one.
    """
    for key in list(table):
        table.remove(key)
    marker = f"# {uuid4()}"
    table.trivia.comment = marker
    return "".join(line for line in document.as_string().splitlines(keepends=True) if marker not in line)


def _parse(text: str, path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except (TOMLKitError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error


def create_configuration(path: Path, contact: str | None = None, data: Path | None = None) -> None:
    """Write a first configuration; `data`: folder of the database and the kept pages, by default the current one.

    Raises:
        ConfigError: the file exists already or cannot be written, or the contact is invalid.
    """
    if path.exists():
        raise ConfigError(f"{path} already exists; nothing was changed.")
    line = f"contact = {tomlkit.item(contact).as_string()}" if contact else '# contact = "you@your.domain"'
    root = data.absolute() if data else Path()
    database = tomlkit.item(f"sqlite:///{root / 'newscrawler.sqlite'}").as_string()
    folder = tomlkit.item(str(root if data else "newscrawler-data")).as_string()
    write_configuration(path, _FIRST.format(contact=line, database=database, folder=folder))


def write_configuration(path: Path, text: str) -> None:
    """Replace the file by a text.

    Raises:
        ConfigError: the text is invalid, or the file cannot be written; it is left as it was.
    """
    parse_configuration(text, path)
    target = Path(os.path.realpath(path))
    name = ""
    try:
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
            name = file.name
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, name)
            with contextlib.suppress(PermissionError):  # only root may change the owner
                os.chown(name, target.stat().st_uid, target.stat().st_gid)
        else:
            Path(name).chmod(0o644)
        Path(name).replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise ConfigError(f"{path} cannot be written: {error.strerror}; it is left as it was") from error
