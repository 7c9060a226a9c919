"""Loading of newscrawler.toml: a Configuration, or all mistakes in it at once."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from newscrawler.config.backfill import ArchiveTable, BackfillTable, describe_archive_faults
from newscrawler.config.collection import Collection, SearchService, describe_conflicts
from newscrawler.config.configuration import BrowserSettings, Configuration, CrawlerSettings
from newscrawler.config.contact import CONFIGURATION_FILE
from newscrawler.config.portal import Portal, PortalDefaults, check_portal
from newscrawler.config.service import AlertSettings, Export, ServiceSettings, WebSettings
from newscrawler.config.table import Table, check_list, check_table, format_value
from newscrawler.errors import ConfigError

#: Tables of which the file has one each, but [crawler].
_SINGLE: dict[str, type[Table]] = {
    "service": ServiceSettings, "web": WebSettings, "browser": BrowserSettings, "alerts": AlertSettings,
}  # fmt: skip
_TABLES = (
    "[crawler]",
    "[[portal]]",
    "[[collection]]",
    "[[search_service]]",
    "[[archive]]",
    "[[backfill]]",
    *(f"[{name}]" for name in _SINGLE),
    "[[export]]",
)


def load_configuration(path: Path | None = None) -> Configuration:
    """Read and validate a configuration; without a path, that of the current folder or, if there is none, the defaults.

    Raises:
        ConfigError: the file cannot be read or is invalid; the message lists all mistakes.
    """
    if path is None:
        path = Path(CONFIGURATION_FILE)
        if not path.exists():
            return Configuration()
    return parse_configuration(read_text(path), path)


def read_text(path: Path) -> str:
    """Read the file.

    Raises:
        ConfigError: it cannot be read or is not UTF-8.
    """
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError as error:
        raise ConfigError(f"there is no file {path}; `newscrawler init` writes one") from error
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from error


def parse_configuration(text: str, path: Path) -> Configuration:
    """Validate the text of a configuration; relative paths and messages refer to `path`.

    Raises:
        ConfigError: the message lists all mistakes, one per line.
    """
    try:
        tree = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    known = {name.strip("[]") for name in _TABLES}
    mistakes = [_describe_unknown_table(name) for name in tree if name not in known]
    folder = path.parent
    crawler = check_table(CrawlerSettings, tree.get("crawler", {}), "crawler", mistakes, folder)
    defaults = _check_defaults(tree.get("crawler", {}), mistakes)
    portals = _check_portals(tree.get("portal", []), defaults, mistakes)
    single = {  # building the schema of a model takes 2 MB
        name: check_table(model, tree[name], name, mistakes, folder) if name in tree else model.model_construct()
        for name, model in _SINGLE.items()
    }
    names = [portal.name for portal in portals]
    services, collections = _check_collections(tree, defaults, names, folder, mistakes)
    names += [collection.name for collection in collections]
    archives = _check_archives(tree.get("archive", []), folder, mistakes)
    backfills = _check_backfills(tree.get("backfill", []), portals, [archive.name for archive in archives], mistakes)
    exports = _check_exports(tree.get("export", []), names, folder, mistakes)
    if crawler is not None and crawler.research and not crawler.legal_basis:
        mistakes.append(
            'crawler.research is true; it needs the provision that it rests on: legal_basis = "§ 60d UrhG", for example'
        )
    if mistakes or crawler is None:
        raise ConfigError("\n".join(f"{path}: {mistake}" for mistake in mistakes))
    tables: dict[str, Any] = {**dict(crawler), **single}
    return Configuration.model_construct(
        **tables, portals=tuple(portals), collections=tuple(collections), search_services=tuple(services.values()),
        archives=tuple(archives), backfills=tuple(backfills),
        exports=tuple(exports), path=path,
    )  # fmt: skip


def _describe_unknown_table(name: str) -> str:
    return f"{name} is not known at the top; use {', '.join(_TABLES[:-1])} or {_TABLES[-1]}"


def _check_defaults(crawler: Any, mistakes: list[str]) -> Mapping[str, Any]:
    """Return [crawler.defaults]; nothing if it is invalid, so that no portal repeats its mistakes."""
    table = crawler.get("defaults", {}) if isinstance(crawler, Mapping) else {}
    if not isinstance(table, Mapping):  # reported by the validation of [crawler]
        return {}
    return table if table and check_table(PortalDefaults, table, "crawler.defaults", mistakes) else {}


def _check_portals(tables: Any, defaults: Mapping[str, Any], mistakes: list[str]) -> list[Portal]:
    portals: list[Portal] = []
    first: dict[str, str] = {}
    for place, table in check_list("portal", tables, mistakes):
        portal = check_portal({**defaults, **table}, place, mistakes)
        portals.extend([portal] if portal else [])
        name = table.get("name")
        if isinstance(name, str) and first.setdefault(name, place) != place:
            mistakes.append(f"{place}.name is {format_value(name)}, which {first[name]} has already; it must be a separate name")
    return portals


def _check_collections(
    tree: Mapping[str, Any], defaults: Mapping[str, Any], portals: list[str], folder: Path, mistakes: list[str]
) -> tuple[dict[str, SearchService], list[Collection]]:
    """Return the search services by name, and the collections."""
    services: dict[str, SearchService] = {}
    for place, table in check_list("search_service", tree.get("search_service", []), mistakes):
        service = check_table(SearchService, table, place, mistakes)
        if service:
            services[service.name] = service
    collections = []
    for place, table in check_list("collection", tree.get("collection", []), mistakes):
        collection = check_table(Collection, {**defaults, **table}, place, mistakes, folder)
        collections += [(place, collection)] if collection else []
    mistakes += describe_conflicts(collections, services, portals)
    return services, [collection.find_sources(services) for _, collection in collections]


def _check_archives(tables: Any, folder: Path, mistakes: list[str]) -> list[ArchiveTable]:
    archives = []
    for place, table in check_list("archive", tables, mistakes):
        archive = check_table(ArchiveTable, table, place, mistakes, folder)
        if archive is not None:
            mistakes += describe_archive_faults(place, archive)
            archives.append(archive)
    return archives


def _check_backfills(tables: Any, portals: list[Portal], archives: list[str], mistakes: list[str]) -> list[BackfillTable]:
    found: list[BackfillTable] = []
    left = [portal.name for portal in portals]
    for place, table in check_list("backfill", tables, mistakes):
        backfill = check_table(BackfillTable, table, place, mistakes)
        if backfill is None:
            continue
        unknown = [f"{place}.archives has {format_value(name)}" for name in backfill.archives if name not in archives]
        mistakes += [f"{mistake}; it must be names of [[archive]]" for mistake in unknown]
        if backfill.portal not in left:
            mistakes.append(f"{place}.portal is {format_value(backfill.portal)}; it must be the name of a [[portal]], once")
        elif backfill.until is not None and backfill.until < backfill.since:
            mistakes.append(f"{place}.until is {backfill.until}; it must be {backfill.since} or later")
        else:
            left.remove(backfill.portal)
            found.append(backfill)
    return found


def _check_exports(tables: Any, targets: list[str], folder: Path, mistakes: list[str]) -> list[Export]:
    exports: dict[str, Export] = {}
    for place, table in check_list("export", tables, mistakes):
        export = check_table(Export, table, place, mistakes, folder)
        if export is None:
            continue
        if export.name in exports:
            mistakes.append(
                f"{place}.name is {format_value(export.name)}, which another export has already; it must be a separate name"
            )
        exports[export.name] = export
        unknown = next((name for name in export.portals if name not in targets), None)
        if unknown is not None and not mistakes:
            known = ", ".join(targets) or "none"
            mistakes.append(
                f"{place}.portals names {format_value(unknown)}, which is not a portal of this file; there are: {known}"
            )
    return list(exports.values())
