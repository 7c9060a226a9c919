"""Plugins: entries that other installed packages add to our tables by entry points.

A plugin is imported when it is used. A built-in entry takes precedence over a plugin of the same name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar, cast

from newscrawler.errors import ConfigError

T = TypeVar("T")


class PluginGroup(StrEnum):
    """The groups of entry points, and the object that an entry point of each must name."""

    #: A callable that takes a `newscrawler.page.Document` and returns a `newscrawler.article.Body` or None.
    METHODS = "newscrawler.methods"
    #: A `newscrawler.corpus.formats.Format`.
    EXPORTERS = "newscrawler.exporters"
    #: A callable without arguments that returns a `newscrawler.service.notifiers.Notifier`.
    NOTIFIERS = "newscrawler.notifiers"
    #: A callable that takes the text behind "NAME:" and returns a `newscrawler.corpus.annotation.Annotator`.
    TOKENIZERS = "newscrawler.tokenizers"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point of an installed package."""

    group: PluginGroup
    name: str
    #: The package and its version.
    package: str
    version: str
    #: module:attribute
    target: str

    def load(self) -> Any:
        """Import and return the object.

        Raises:
            ConfigError: that fails.
        """
        try:
            return EntryPoint(name=self.name, value=self.target, group=str(self.group)).load()
        except Exception as error:  # a third-party module may raise anything
            what = f"The plugin {self.name} of {self.package} {self.version} ({self.target})"
            raise ConfigError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error


@cache
def plugins_of(group: PluginGroup) -> Mapping[str, Plugin]:
    """Return the installed plugins of a group by name; of two with the same name, the first that Python finds."""
    found: dict[str, Plugin] = {}
    for entry in entry_points(group=str(group)):
        package = entry.dist.name if entry.dist else "an unknown package"
        version = entry.dist.version if entry.dist else ""
        found.setdefault(entry.name, Plugin(group=group, name=entry.name, package=package, version=version, target=entry.value))
    return found


class ExtendedTable(Mapping[str, T], Generic[T]):
    """A table of built-in entries, extended by the plugins of a group."""

    def __init__(self, built_in: Mapping[str, T], group: PluginGroup) -> None:
        self.built_in = built_in
        self.group = group

    def __getitem__(self, name: str) -> T:
        """Return the entry of this name, importing a plugin."""
        if name in self.built_in:
            return self.built_in[name]
        return cast("T", plugins_of(self.group)[name].load())

    def __iter__(self) -> Iterator[str]:
        yield from self.built_in
        yield from (name for name in plugins_of(self.group) if name not in self.built_in)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in plugins_of(self.group)
