"""The main menu."""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.store.web import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry."""

    path: str
    name: str
    #: Role that sees it.
    role: Role = Role.READER

    def is_current(self, path: str) -> bool:
        """Return whether a page belongs to the entry."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


MENU = (
    Entry(path="/", name="Overview"),
    Entry(path="/articles", name="Articles"),
    Entry(path="/explore", name="Explore"),
    Entry(path="/releases", name="Releases"),
    Entry(path="/review", name="Review"),
    Entry(path="/alerts", name="Alerts"),
    Entry(path="/service", name="Service"),
    Entry(path="/jobs", name="Jobs"),
    Entry(path="/settings", name="Settings", role=Role.OPERATOR),
    Entry(path="/audit", name="Audit log", role=Role.OPERATOR),
)
