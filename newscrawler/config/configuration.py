"""A whole newscrawler.toml as a frozen record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field

from newscrawler.config.backfill import ArchiveTable, Backfill, BackfillTable, make_backfill
from newscrawler.config.collection import Collection, SearchService, describe_conflicts
from newscrawler.config.contact import CONFIGURATION_FILE, find_foreign_hosts
from newscrawler.config.portal import Portal, build_portal, change_portal
from newscrawler.config.schedule import NIGHT
from newscrawler.config.service import AlertSettings, Export, ServiceSettings, WebSettings
from newscrawler.config.table import FILE_ONLY, Table, as_table, check_table
from newscrawler.config.values import (
    NON_EMPTY,
    Contact,
    DatabaseUrl,
    FilePath,
    HostName,
    PagesPlace,
    Text,
    Values,
    WebAddress,
    one_of,
)
from newscrawler.errors import ConfigError
from newscrawler.politeness.rights import Intent, Purpose, list_reserving_words

if TYPE_CHECKING:
    from newscrawler.store.archive import PagesFolder

#: Keys that say where URLs come from: one of them on the command line replaces all of the configuration's.
_SOURCES = ("queries", "feeds", "urls")
DEFAULT_PURPOSE = (str(Purpose.TEXT_ANALYSIS),)


class BrowserSettings(Table):
    """[browser]: settings of the browser that builds pages."""

    executable: Text | None = Field(
        default=None, description="the path of Chromium; without it, the system's is looked for", json_schema_extra=FILE_ONLY
    )
    sandbox: bool = Field(
        default=True,
        description="true or false: whether Chromium's sandbox has to be on; with false, for kernels that do not allow it, a page "
        "that finds a fault of Chromium is held back by the user `nobody` and the missing network alone",
        json_schema_extra=FILE_ONLY,
    )
    memory_megabytes: Annotated[int, Field(ge=300)] = Field(
        default=1500, description="a whole number, 300 or more: the megabytes that one browser may take, all its processes together"
    )
    deadline_seconds: Annotated[float, Field(ge=1, le=600, allow_inf_nan=False)] = Field(
        default=30.0,
        description="a number of seconds, 1 to 600, in which a page has to be complete; waiting for its requests does not count",
    )


class CrawlerSettings(Table):
    """[crawler]: who crawls, for which purpose, and where everything is kept."""

    contact: Contact | None = Field(
        default=None, description="an e-mail address or a web address at which the operator of a portal reaches you"
    )
    database_url: DatabaseUrl = Field(
        default="sqlite:///newscrawler.sqlite",
        validation_alias="database",
        validate_default=True,
        description="an address such as sqlite:///newscrawler.sqlite or postgresql+psycopg://user@host/name",
        json_schema_extra=FILE_ONLY,
    )
    identity: Annotated[WebAddress, AfterValidator(lambda address: address.rstrip("/"))] | None = Field(
        default=None,
        description="the address of your site at which `newscrawler identity` files are published; with it requests are signed "
        "(Web Bot Auth), and the user agent names it",
    )
    purpose: Annotated[Values[Annotated[str, one_of(tuple(Purpose))]], NON_EMPTY] = Field(
        default=DEFAULT_PURPOSE, description=f"a list of what the texts are collected for, of: {', '.join(Purpose)}"
    )
    withdrawn: Annotated[str, one_of(("keep", "purge"))] = Field(
        default="keep",
        description='"keep" or "purge": what becomes of stored articles that their publisher withdraws later; kept ones are listed '
        "by `newscrawler rights` and left out of exports for a purpose",
    )
    research: bool = Field(
        default=False,
        description="true or false: whether a research organisation crawls for scientific research, which reservations of text "
        "mining do not bind (Article 3 of Directive (EU) 2019/790); it needs legal_basis",
    )
    legal_basis: Annotated[str, Field(min_length=3, max_length=200)] | None = Field(
        default=None, description='the provision that research rests on, such as "§ 60d UrhG"; it is kept in the record of each run'
    )
    recognisers: Values[Text] = Field(
        default=(),
        description="a list of recognisers that find persons, organisations, places and topics after each crawl, such as "
        '"ontea"; `newscrawler entities find --help` lists them',
    )
    denylist: Values[HostName] = Field(
        default=(), description="a list of host names that are never asked for anything, each with its subdomains"
    )
    data_folder: FilePath = Field(
        default=Path("newscrawler-data"), validate_default=True, description="the path of a folder", json_schema_extra=FILE_ONLY
    )
    pages_place: PagesPlace | None = Field(
        default=None,
        validation_alias="pages_folder",
        description="the path of a folder, or s3://BUCKET/PREFIX for an object store that several workers share; without it, "
        "`pages` in data_folder",
        json_schema_extra=FILE_ONLY,
    )
    defaults: dict[str, Any] = Field(
        default={}, description="a table of keys that hold for every portal that does not set them itself"
    )


def _drop_scheme(url: str) -> str:
    return url.partition("://")[2].rstrip("/")


class Configuration(CrawlerSettings):
    """All tables of the file; it has the attributes of [crawler]."""

    portals: tuple[Portal, ...] = ()
    collections: tuple[Collection, ...] = ()
    search_services: tuple[SearchService, ...] = ()
    archives: tuple[ArchiveTable, ...] = ()
    backfills: tuple[BackfillTable, ...] = ()
    service: ServiceSettings = Field(default_factory=ServiceSettings)
    web: WebSettings = Field(default_factory=WebSettings)
    browser: BrowserSettings = Field(default_factory=BrowserSettings)
    alerts: AlertSettings = Field(default_factory=AlertSettings)
    exports: tuple[Export, ...] = ()
    #: The file; None: there is none.
    path: Path | None = None

    @property
    def crawled(self) -> tuple[Portal, ...]:
        """Return all that is crawled on a schedule: portals and collections."""
        return (*self.portals, *self.collections)

    def list_backfills(self, today: date) -> tuple[Backfill, ...]:
        """Return the backfills of portals that are not paused, as the service carries them out, in their windows."""
        portals = {portal.name: portal for portal in self.portals if not portal.paused}
        return tuple(
            make_backfill(
                portals[each.portal], since=each.since, until=each.until or today, per_night=each.per_night, order=each.order,
                archives=choose_archives(self, each.archives), window=portals[each.portal].window or NIGHT,
            )
            for each in self.backfills if each.portal in portals and each.since <= (each.until or today)
        )  # fmt: skip

    def find_portal_at(self, url: str) -> Portal | None:
        """Return the portal that starts at an address, over http or https; None where none does."""
        place = _drop_scheme(url)
        return next((portal for portal in self.portals if place in map(_drop_scheme, portal.start_urls)), None)

    @property
    def purges_withdrawn(self) -> bool:
        """Return whether articles that their publisher withdraws are removed at the end of a run; else they are reported."""
        return self.withdrawn == "purge"

    @property
    def intent(self) -> Intent:
        """Return the operator's declaration about the use of the texts."""
        return Intent(purposes=frozenset(map(Purpose, self.purpose)), legal_basis=self.legal_basis if self.research else None)

    def reserved_for(self, purpose: Purpose | None = None) -> dict[str, Any]:
        """Return the fields of a `store.Selection` that leave out withdrawn articles, and those that are reserved from a purpose.

        An article is withdrawn if its publisher reserves it from every purpose of the corpus.
        """
        words = {each: frozenset(map(str, list_reserving_words(each, self.intent))) for each in Purpose}
        return {
            "reserved": words[purpose] if purpose else frozenset(),
            "withdrawn": tuple(words[each] for each in Purpose if each in self.intent.purposes),
            "disregarded": tuple((portal.name, portal.disregard) for portal in self.portals if portal.disregard),
        }

    @property
    def identity_folder(self) -> Path:
        """Return the folder of the keys and of the files to publish."""
        return self.data_folder / "identity"

    @property
    def pages_folder(self) -> PagesFolder:
        """Return the folder of the kept pages of all portals."""
        from newscrawler.store.archive import pages_folder  # which few commands need

        return pages_folder(self.pages_place or self.data_folder / "pages")


def require_contact(configuration: Configuration, portals: Sequence[Portal]) -> None:
    """Require a contact before a portal on another machine is crawled, and a key where requests are to be signed.

    Raises:
        ConfigError: a portal is on another machine and there is no contact, or `identity` is set and there is no key.
    """
    if configuration.identity and not any(configuration.identity_folder.glob("*.private.jwk")):
        raise ConfigError(
            f"identity is set, but {configuration.identity_folder} contains no key. Run `newscrawler identity init` to create one."
        )
    if configuration.contact:
        return
    hosts = [host for portal in portals for host in find_foreign_hosts(portal.start_urls, portal.hosts)]
    if hosts:
        file = configuration.path or CONFIGURATION_FILE
        raise ConfigError(
            f"A contact address is required before crawling {hosts[0]}, so that its operator can reach you. "
            f'Add contact = "you@your.domain" under [crawler] in {file}, or pass --contact.'
        )


def find_settings(configuration: Configuration, name: str, **changes: Any) -> Portal:
    """Return the settings for the pages of a portal: configured ones, or defaults where it was crawled as a bare URL.

    Args:
        configuration: of the project.
        name: of the portal.
        changes: values in place of those; None: unchanged.

    Raises:
        ConfigError: a value is not allowed.
    """
    found = next((known for known in configuration.portals if known.name == name), None)
    # the address has no influence on how pages are read
    found = found or build_portal("http://127.0.0.1/", **configuration.defaults | {"name": name})
    return change_portal(found, **changes)


def choose_collection(
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
        raise ConfigError(_describe_unknown(configuration, name))
    base = as_table(known) if known is not None else {**configuration.defaults, "name": name}
    if has_sources:
        base = {key: value for key, value in base.items() if key not in _SOURCES}
    services = {service.name: service for service in configuration.search_services}
    place = f"collection {name}"
    mistakes: list[str] = []
    collection = check_table(Collection, base | changes, place, mistakes)
    if collection is None or (
        mistakes := describe_conflicts([(place, collection)], services, [portal.name for portal in configuration.portals])
    ):
        raise ConfigError("\n".join(mistakes))
    return collection.find_sources(services).model_copy(update={"given_urls": urls, "archives": archives})


def choose_archives(configuration: Configuration, names: Sequence[str]) -> tuple[ArchiveTable, ...]:
    """Return the web archives of these names.

    Raises:
        ConfigError: the configuration does not have one.
    """
    known = {archive.name: archive for archive in configuration.archives}
    for name in names:
        if name not in known:
            file, there = configuration.path or CONFIGURATION_FILE, ", ".join(known) or "none"
            raise ConfigError(f"There is no archive {name}. Add it as [[archive]] in {file}, which has: {there}.")
    return tuple(known[name] for name in names)


def _describe_unknown(configuration: Configuration, name: str) -> str:
    names = [collection.name for collection in configuration.collections]
    nearest = get_close_matches(name, names, n=1)
    hint = f" Did you mean {nearest[0]}?" if nearest else ""
    file = configuration.path or CONFIGURATION_FILE
    there_are = f"{file} has: {', '.join(names)}." if names else f"{file} has none."
    return f"There is no collection {name}.{hint} {there_are} To make a new one, pass a file of URLs, --query or --feed as well."
