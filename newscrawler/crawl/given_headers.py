"""Headers that the operator of a portal gave us for it; secrets among them stand in files, not in the configuration."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from newscrawler.errors import ConfigError

#: Begins a value that names the file in which the header's value stands.
FILE = "file:"


def given_headers(headers: Iterable[tuple[str, str]], folder: Path) -> dict[str, str]:
    """Return the headers with what their files hold.

    Args:
        headers: (name, value) as the configuration has them.
        folder: in which files are looked for whose paths are relative.

    Raises:
        ConfigError: a file cannot be read, or holds more than one line.
    """
    return {name: _read(name, folder / value.removeprefix(FILE)) if value.startswith(FILE) else value for name, value in headers}


def _read(name: str, path: Path) -> str:
    try:
        lines = path.read_text("utf-8").strip().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"the value of the header {name} cannot be read from {path}: {error}") from error
    if len(lines) != 1:
        raise ConfigError(f"{path} holds {len(lines)} lines; write the value of the header {name} on one line")
    return lines[0].strip()
