"""Loading of newscrawler.toml: a Configuration, or all mistakes in it at once."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from newscrawler.config.browser_schema import BrowserTable
from newscrawler.config.build import build_portal
from newscrawler.config.messages import messages, shown
from newscrawler.config.portal import CONFIGURATION_FILE, Configuration, Portal, SearchService
from newscrawler.config.schema import CrawlerTable, DefaultsTable
from newscrawler.config.service_schema import AlertsTable, ExportTable, ServiceTable
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.config.collection_schema import CollectionTable

_TABLES = ("crawler", "portal", "collection", "search_service", "service", "browser", "alerts", "export")
_RELATIVE_SQLITE = re.compile(r"(sqlite(?:\+\w+)?:///)(?!/|:memory:|file:)(.+)")

Checked = TypeVar("Checked", bound=BaseModel)


def load_configuration(path: Path | None = None) -> Configuration:
    """Read and validate a configuration.

    Args:
        path: the file; None: newscrawler.toml of the current folder or, without one, the defaults.

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
    found: list[str] = [_unknown_table(name) for name in tree if name not in _TABLES]
    crawler = _check(CrawlerTable, tree.get("crawler", {}), "crawler", found)
    defaults = _defaults(tree.get("crawler", {}), found)
    portals = _portals(tree.get("portal", []), defaults, found)
    service = _check(ServiceTable, tree.get("service", {}), "service", found)
    browser = _check(BrowserTable, tree.get("browser", {}), "browser", found)
    alerts = _check(AlertsTable, tree.get("alerts", {}), "alerts", found)
    services, tables = _collections(tree, defaults, [portal.name for portal in portals], found)
    exports = _exports(tree.get("export", []), [portal.name for portal in portals] + [each.name for each in tables], found)
    if crawler is not None and crawler.research and not crawler.legal_basis:
        found.append('crawler.research is true; it needs the provision that it rests on: legal_basis = "§ 60d UrhG", for example')
    if found or crawler is None or service is None or alerts is None or browser is None:
        raise ConfigError("\n".join(f"{path}: {mistake}" for mistake in found))
    return Configuration(
        contact=crawler.contact,
        database_url=_relative_to(path, crawler.database),
        data_folder=path.parent / crawler.data_folder,
        pages_place=_pages_place(path, crawler.pages_folder),
        identity=crawler.identity.rstrip("/") if crawler.identity else None,
        purpose=tuple(dict.fromkeys(crawler.purpose)),
        purges_withdrawn=crawler.withdrawn == "purge",
        legal_basis=crawler.legal_basis if crawler.research else None,
        denylist=tuple(dict.fromkeys(crawler.denylist)),
        portals=tuple(portals),
        collections=tuple(table.record(path.parent, services) for table in tables),
        search_services=tuple(services.values()),
        service=service.record(path.parent),
        browser=browser.record(),
        alerts=alerts.record(path.parent),
        exports=tuple(export.record(path.parent) for export in exports),
        defaults=MappingProxyType(dict(defaults)),
        path=path,
    )


def _pages_place(path: Path, named: str | None) -> str | Path | None:
    return named if named is None or "://" in named else path.parent / named


def _unknown_table(name: str) -> str:
    tables = "[crawler], [[portal]], [[collection]], [[search_service]], [service], [browser], [alerts] and [[export]]"
    return f"{name} is not known at the top of the file; allowed are: {tables}"


def _check(model: type[Checked], table: Any, place: str, found: list[str]) -> Checked | None:
    """Validate one table; its mistakes are appended to `found`."""
    if not isinstance(table, Mapping):
        found.append(f"{place} is {shown(table)}; it must be a table, [{place}]")
        return None
    try:
        return model.model_validate(dict(table))
    except ValidationError as error:
        found.extend(messages(error, model, place))
        return None


def _defaults(crawler: Any, found: list[str]) -> Mapping[str, Any]:
    """Return [crawler.defaults]; nothing if it is invalid, so that no portal repeats its mistakes."""
    table = crawler.get("defaults", {}) if isinstance(crawler, Mapping) else {}
    if not isinstance(table, Mapping):  # reported by the validation of [crawler]
        return {}
    return table if _check(DefaultsTable, table, "crawler.defaults", found) else {}


def _portals(tables: Any, defaults: Mapping[str, Any], found: list[str]) -> list[Portal]:
    if not isinstance(tables, list):
        found.append(f"portal is {shown(tables)}; it must be a list of tables, each under a line [[portal]] of its own")
        return []
    portals: list[Portal] = []
    first: dict[str, int] = {}
    for number, table in enumerate(tables, 1):
        place = f"portal[{number}]"
        if not isinstance(table, Mapping):
            found.append(f"{place} is {shown(table)}; it must be a table under a line [[portal]]")
            continue
        portal = build_portal({**defaults, **table}, place, found)
        portals.extend([portal] if portal else [])
        name = table.get("name")
        if isinstance(name, str) and first.setdefault(name, number) != number:
            found.append(f"{place}.name is {shown(name)}, which portal[{first[name]}] has already; it must be a name of its own")
    return portals


def _collections(
    tree: Mapping[str, Any], defaults: Mapping[str, Any], portals: list[str], found: list[str]
) -> tuple[dict[str, SearchService], list[CollectionTable]]:
    """Return the search services by name, and the collections."""
    if not tree.keys() & {"collection", "search_service"}:
        return {}, []
    from newscrawler.config.collection_schema import CollectionTable, SearchServiceTable, mistakes_of, table_places

    asked = [
        _check(SearchServiceTable, table, place, found)
        for place, table in table_places("search_service", tree.get("search_service", []), found)
    ]
    services = {table.name: table.record() for table in asked if table is not None}
    places = table_places("collection", tree.get("collection", []), found)
    checked = [(place, _check(CollectionTable, {**defaults, **table}, place, found)) for place, table in places]
    tables = [(place, table) for place, table in checked if table is not None]
    found.extend(mistakes_of(tables, services, portals))
    return services, [table for _, table in tables]


def _exports(tables: Any, portals: list[str], found: list[str]) -> list[ExportTable]:
    if not isinstance(tables, list):
        found.append(f"export is {shown(tables)}; it must be a list of tables, each under a line [[export]] of its own")
        return []
    exports: dict[str, ExportTable] = {}
    for number, table in enumerate(tables, 1):
        place = f"export[{number}]"
        export = _check(ExportTable, table, place, found)
        if export is None:
            continue
        if export.name in exports:
            found.append(f"{place}.name is {shown(export.name)}, which another export has already; it must be a name of its own")
        exports[export.name] = export
        unknown = next((name for name in export.portals if name not in portals), None)
        if unknown is not None and not found:
            known = ", ".join(portals) or "none"
            found.append(f"{place}.portals names {shown(unknown)}, which is not a portal of this file; there are: {known}")
    return list(exports.values())


def _relative_to(path: Path, database_url: str) -> str:
    """Resolve the relative path of an SQLite file against the folder of the configuration, like the data folder's."""
    relative = _RELATIVE_SQLITE.fullmatch(database_url)
    if relative is None or path.parent == Path():
        return database_url
    return f"{relative[1]}{path.parent / relative[2]}"
