"""The collection that a command names: of the configuration, or a new one, with what the command line says in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from newscrawler.config.build import as_table
from newscrawler.config.collection_schema import CollectionTable, mistakes_of
from newscrawler.config.messages import messages
from newscrawler.config.portal import CONFIGURATION_FILE, Collection, Configuration
from newscrawler.errors import ConfigError

#: Keys that say where URLs come from: one of them on the command line replaces all of the configuration's.
_SOURCES = ("queries", "feeds", "urls")


def chosen_collection(
    configuration: Configuration,
    name: str,
    given: Mapping[str, Any],
    *,
    urls: tuple[str, ...] = (),
    archives: tuple[Path, ...] = (),
) -> Collection:
    """Return a collection to crawl.

    Args:
        configuration: has the collections and the search services.
        name: of a configured collection, or of a new one.
        given: keys of [[collection]] of the command line; None or an empty list: not given.
        urls: listed on the command line, canonical.
        archives: WARC files.

    Raises:
        ConfigError: there is no such collection and nothing to collect, or a value is not allowed.
    """
    changes = {key: value for key, value in given.items() if value not in (None, [], ())}
    has_sources = bool(urls or archives or changes.keys() & set(_SOURCES))
    known = next((each for each in configuration.collections if each.name == name), None)
    if known is None and not has_sources:
        raise ConfigError(_unknown(configuration, name))
    base = _table(known) if known is not None else {**configuration.defaults, "name": name}
    if has_sources:
        base = {key: value for key, value in base.items() if key not in _SOURCES}
    collection = _checked(configuration, base | changes)
    return replace(collection, urls=urls, archives=archives)


def _unknown(configuration: Configuration, name: str) -> str:
    names = [collection.name for collection in configuration.collections]
    nearest = get_close_matches(name, names, n=1)
    hint = f" Did you mean {nearest[0]}?" if nearest else ""
    file = configuration.path or CONFIGURATION_FILE
    there_are = f"{file} has: {', '.join(names)}." if names else f"{file} has none."
    return f"There is no collection {name}.{hint} {there_are} To make a new one, pass a file of URLs, --query or --feed as well."


def _table(collection: Collection) -> dict[str, Any]:
    """Return the keys of [[collection]]."""
    table = {key: value for key, value in as_table(collection).items() if key not in {"start_urls", "hosts"}}
    own = {
        "queries": list(collection.queries),
        "service": collection.service.name if collection.service else None,
        "results": collection.results,
        "feeds": list(collection.feeds),
        "urls": str(collection.url_file.absolute()) if collection.url_file else None,
        "keywords": list(collection.keywords),
        "detector": collection.detector,
        "denylist": list(collection.denylist),
    }
    return table | {key: value for key, value in own.items() if value is not None}


def _checked(configuration: Configuration, table: Mapping[str, Any]) -> Collection:
    place = f"collection {table['name']}"
    try:
        checked = CollectionTable.model_validate(dict(table))
    except ValidationError as error:
        raise ConfigError("\n".join(messages(error, CollectionTable, place))) from error
    services = {service.name: service for service in configuration.search_services}
    found = mistakes_of([(place, checked)], services, [portal.name for portal in configuration.portals])
    if found:
        raise ConfigError("\n".join(found))
    return checked.record(configuration.path.parent if configuration.path else Path(), services)
