"""Notices that the configuration's file has changed, and takes it in only if it is right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from newscrawler.config.contact import require_contact
from newscrawler.config.load import parse_configuration, read_text
from newscrawler.config.portal import Configuration

Stamp = tuple[int, int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A configuration and the text that it was read from."""

    configuration: Configuration
    text: str


def load(path: Path) -> Loaded:
    """Read and check the file.

    Raises:
        ConfigError: it cannot be read, something in it is wrong, or the contact is missing.
    """
    text = read_text(path)
    configuration = parse_configuration(text, path)
    require_contact(configuration, configuration.portals)
    return Loaded(configuration=configuration, text=text)


class Watcher:
    """One file; editors that write anew and systems that exchange links are noticed as well."""

    def __init__(self, path: Path, database_url: str) -> None:
        self._path = path
        #: What the file named at the beginning, and what is used until the end.
        self.database_url = database_url
        self._stamp = self._look()

    def changed(self, *, asked: bool = False) -> Loaded | None:
        """Read the file if it was written since the last time, or if somebody asks; None: it was not.

        Raises:
            ConfigError: what it holds now cannot be used; reported once, until it changes again.
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
