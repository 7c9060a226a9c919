"""Writing newscrawler.toml: only what is valid, to a temporary file first, which then replaces the old one."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import tomlkit

from newscrawler.config.load import parse_configuration
from newscrawler.errors import ConfigError

TEMPLATE = """\
# Configuration of newscrawler. The README describes every key.

[crawler]
# Where the operator of a portal reaches you: an e-mail or web address. It is part of the name that newscrawler
# gives in every request, and nothing but this machine is crawled without it.
{contact}
# sqlite:///FILE or postgresql+psycopg://user@host/name
database = {database}
# Kept pages, digests and what else is no table; the folder is made when it is needed.
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
    write_configuration(path, TEMPLATE.format(contact=line, database=database, folder=folder))


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
