"""Settings for reading the pages of a portal: configured ones, or defaults where it was crawled as a bare URL."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from newscrawler.config.build import override, portal_from_url
from newscrawler.errors import ConfigError
from newscrawler.extraction.pipeline import ExtractionOptions
from newscrawler.extraction.templates.portal_template import PortalTemplate
from newscrawler.research.site_methods import page_method_name

if TYPE_CHECKING:
    from newscrawler.config import Configuration, Portal
    from newscrawler.store import Store


def settings_of(configuration: Configuration, portal: str, **changes: Any) -> Portal:
    """Return the settings of a portal, with options of the command line in their place.

    Raises:
        ConfigError: a value is not allowed.
    """
    found = next((known for known in configuration.portals if known.name == portal), None)
    if found is not None:
        return override(found, **changes)
    # the address has no influence on how pages are read
    return portal_from_url("http://127.0.0.1/", **{**configuration.defaults, **_given(changes), "name": portal})


def reading_of(settings: Portal) -> ExtractionOptions:
    """Return how the pages of a portal are read one by one."""
    return ExtractionOptions(
        method=page_method_name(settings.method),
        required=settings.required,
        time_zone=settings.time_zone,
        language=settings.language,
        portal=settings.name,
    )


def with_template(reading: ExtractionOptions, store: Store, version: int | None = None) -> ExtractionOptions:
    """Return the same with a version of the portal's template, by default the one in use, if there is one.

    Raises:
        ConfigError: there is no such version, or this program cannot read it.
    """
    portal = reading.portal or ""
    stored = store.templates.in_use(portal) if version is None else store.templates.get(portal, version)
    if stored is None and version is not None:
        raise ConfigError(
            f"{portal} has no template of version {version}; `newscrawler template list {portal}` lists those that are there"
        )
    return replace(reading, template=read_template(stored.document)) if stored else reading


def read_template(document: str) -> PortalTemplate:
    """Return the template that a template file describes.

    Raises:
        ConfigError: the file is not a template.
    """
    return PortalTemplate.from_json(document)


def _given(changes: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in changes.items() if value is not None}
