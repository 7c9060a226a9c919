"""Changes to newscrawler.toml that keep the user's comments, order and spacing.

A change is written only if the resulting file is valid: to a temporary file first, which then replaces the old one.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Table

from newscrawler.config.load import parse_configuration, read_text
from newscrawler.errors import ConfigError

TEMPLATE = """\
# Configuration of newscrawler. The README describes every key.

[crawler]
# Where the operator of a portal reaches you: an e-mail or web address. It stands in the name that newscrawler
# gives in every request, and nothing but this machine is crawled without it.
{contact}
# sqlite:///FILE or postgresql+psycopg://user@host/name
database = {database}
# Kept pages, digests and what else is not a table; the folder is made when it is needed.
data_folder = {folder}

# What holds for every portal that does not say otherwise.
[crawler.defaults]
delay = 5
"""


def create(path: Path, contact: str | None = None, data: Path | None = None) -> None:
    """Write a first configuration.

    Args:
        path: of the file.
        contact: an e-mail or web address.
        data: folder of the database and the kept pages; None: the folder in which a command is called.

    Raises:
        ConfigError: the file exists already or cannot be written, or the contact is invalid.
    """
    if path.exists():
        raise ConfigError(f"{path} already exists; nothing was changed.")
    line = f"contact = {tomlkit.item(contact).as_string()}" if contact else '# contact = "you@your.domain"'
    root = data.absolute() if data else Path()
    database = tomlkit.item(f"sqlite:///{root / 'newscrawler.sqlite'}").as_string()
    folder = tomlkit.item(str(root if data else "newscrawler-data")).as_string()
    _write(path, TEMPLATE.format(contact=line, database=database, folder=folder))


def add_portal(path: Path, table: Mapping[str, Any]) -> None:
    """Append one [[portal]]; create the file if there is none.

    Raises:
        ConfigError: the portal or the file is invalid, or the file cannot be written.
    """
    before = read_text(path).rstrip() if path.exists() else ""
    parse_configuration(before, path)
    gap = "\n\n" if before else ""
    _write(path, f"{before}{gap}[[portal]]\n{tomlkit.dumps(table)}")


def remove_portal(path: Path, name: str) -> None:
    """Remove one [[portal]]; comments between portals stay.

    Raises:
        ConfigError: there is no such portal, or the file cannot be read or written.
    """
    document = _parse(read_text(path), path)
    found = document.get("portal")
    portals = list(found) if isinstance(found, AoT) else []
    names = [portal.get("name") for portal in portals]
    if name not in names:
        known = ", ".join(str(other) for other in names) or "none"
        raise ConfigError(f"{path} has no portal {name}. Its portals: {known}.")
    _write(path, _without(document, portals[names.index(name)]))


def change_portal(path: Path, name: str, changes: Mapping[str, Any]) -> None:
    """Set keys of one [[portal]]; None removes a key, so that the default holds again.

    Raises:
        ConfigError: there is no such portal, a value is invalid, or the file cannot be read or written.
    """
    document = _parse(read_text(path), path)
    found = document.get("portal")
    portals = list(found) if isinstance(found, AoT) else []
    table = next((portal for portal in portals if portal.get("name") == name), None)
    if table is None:
        raise ConfigError(f"{path} has no portal {name}.")
    for key, value in changes.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
    _write(path, document.as_string())


def _without(document: tomlkit.TOMLDocument, table: Table) -> str:
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


def _write(path: Path, text: str) -> None:
    """Validate the text, write it to a temporary file, replace the file with it."""
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
