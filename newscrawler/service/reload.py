"""Detects changes of the configuration file, and loads it if it is valid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from newscrawler.config.contact import require_contact
from newscrawler.config.load import parse_configuration, read_text
from newscrawler.config.portal import Configuration

Stamp = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A configuration and its text."""

    configuration: Configuration
    text: str


def load(path: Path) -> Loaded:
    """Read and validate the file.

    Raises:
        ConfigError: it cannot be read, is invalid, or has no contact.
    """
    text = read_text(path)
    configuration = parse_configuration(text, path)
    require_contact(configuration, configuration.portals)
    return Loaded(configuration=configuration, text=text)


class Watcher:
    """Watches one file; also detects replaced files and symbolic links."""

    def __init__(self, path: Path, database_url: str) -> None:
        self._path = path
        #: The database named at the start, which stays in use until the end.
        self.database_url = database_url
        self._stamp = self._look()

    def changed(self, *, asked: bool = False) -> Loaded | None:
        """Return the new configuration if the file has changed or a reload was requested; None: no change.

        Raises:
            ConfigError: the file is invalid; raised once until it changes again.
        """
        stamp = self._look()
        if not asked and stamp == self._stamp:
            return None
        self._stamp = stamp
        return load(self._path)

    def _look(self) -> Stamp:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size
