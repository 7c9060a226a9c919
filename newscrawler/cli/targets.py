"""The targets of a crawl: portals of the configuration by name, or a bare URL."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from newscrawler.config import CONFIGURATION_FILE, Configuration, Portal, build_portal, change_portal, require_contact
from newscrawler.errors import ConfigError, NoDatabaseError
from newscrawler.limits import OUTAGE_SECONDS
from newscrawler.store import open_store, wait_until_unlocked

logger = logging.getLogger(__name__)


def choose_portals(configuration: Configuration, targets: Sequence[str], **changes: Any) -> list[Portal]:
    """Return the portals to crawl, by default all of the configuration; `changes`: keys of [[portal]], None: not given."""
    if not targets and not configuration.portals:
        file = configuration.path or CONFIGURATION_FILE
        raise ConfigError(f"there is no portal to crawl: name a URL, or write one into {file} with `newscrawler portal add URL`")
    if targets:
        portals = [_make_portal(configuration, target, changes) for target in targets]
    else:
        portals = [change_portal(portal, **changes) for portal in configuration.portals]
    portals = _remove_duplicates(portals)
    require_contact(configuration, portals)
    return portals


def find_portal(configuration: Configuration, name: str) -> Portal:
    """Return the portal of this name, or the one that starts at this URL."""
    names = [portal.name for portal in configuration.portals]
    if name in names:
        return configuration.portals[names.index(name)]
    if "://" in name:
        if (portal := configuration.find_portal_at(name)) is not None:
            return portal
        raise ConfigError(f"no configured portal starts at {name}; add one: newscrawler portal add {name}")
    nearest = get_close_matches(name, names, n=1)
    hint = f" (did you mean {nearest[0]}?)" if nearest else ""
    known = f"; there are: {', '.join(names)}" if names else ", and none is configured"
    address = f"; an address begins with https://, as in https://{name}/" if "." in name else ""
    raise ConfigError(f"there is no portal {name}{hint}{known}{address}")


def _make_portal(configuration: Configuration, target: str, changes: dict[str, Any]) -> Portal:
    if not target.strip():
        raise ConfigError("a portal's name or a URL is empty; leave it out to crawl all portals")
    if "://" not in target:
        return change_portal(find_portal(configuration, target), **changes)
    if (portal := configuration.find_portal_at(target)) is not None:
        return change_portal(portal, **changes)
    given = {key: value for key, value in changes.items() if value is not None}
    portal = build_portal(target, **{**configuration.defaults, **given})
    return portal.model_copy(update={"name": _find_stored_name(configuration, portal)})


def _find_stored_name(configuration: Configuration, portal: Portal) -> str:
    """Return the name under which a portal without configuration was crawled before, or its own."""
    wait_until_unlocked(configuration.database_url, seconds=OUTAGE_SECONDS, report=logger.warning)
    try:
        with open_store(configuration.database_url, create=False) as store:
            names = store.portals.starting_at(portal.start_urls)
    except NoDatabaseError:
        return portal.name
    return portal.name if not names or portal.name in names else names[0]


def _remove_duplicates(portals: Sequence[Portal]) -> list[Portal]:
    """Return each portal once. Two different portals of the same name are refused: their articles would be mixed."""
    by_name: dict[str, Portal] = {}
    for portal in portals:
        if by_name.setdefault(portal.name, portal) != portal:
            both = f"{by_name[portal.name].start_urls[0]} and {portal.start_urls[0]}"
            raise ConfigError(
                f"{both} would both be named {portal.name}; give each a name of its own with `newscrawler portal add`"
            )
    return list(by_name.values())
