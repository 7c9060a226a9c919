"""Settings for reading the pages of a portal: configured ones, or defaults where it was crawled as a bare URL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from newscrawler.config import build_portal, change_portal
from newscrawler.errors import ConfigError
from newscrawler.extraction import ExtractionOptions
from newscrawler.extraction.templates import PortalTemplate

if TYPE_CHECKING:
    from newscrawler.config import Configuration, Portal
    from newscrawler.store import Store


def find_settings(configuration: Configuration, portal: str, **changes: Any) -> Portal:
    """Return the settings of a portal, with options of the command line in their place.

    Raises:
        ConfigError: a value is not allowed.
    """
    found = next((known for known in configuration.portals if known.name == portal), None)
    if found is not None:
        return change_portal(found, **changes)
    # the address has no influence on how pages are read
    return build_portal("http://127.0.0.1/", **{**configuration.defaults, **_given(changes), "name": portal})


def add_template(reading: ExtractionOptions, store: Store, version: int | None = None) -> ExtractionOptions:
    """Return the same with a version of the portal's template, by default the one in use, if there is one."""
    portal = reading.portal or ""
    stored = store.templates.in_use(portal) if version is None else store.templates.get(portal, version)
    if stored is None and version is not None:
        raise ConfigError(
            f"{portal} has no template of version {version}; `newscrawler template list {portal}` lists those that are there"
        )
    return replace(reading, template=PortalTemplate.from_json(stored.document)) if stored else reading


def _given(changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in changes.items() if value is not None}
