"""Backfills: a portal with the days whose articles are wanted, and its daily budget."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from newscrawler.config.portal import Portal
from newscrawler.config.table import FILE_ONLY, Table, format_value
from newscrawler.config.values import Count, FilePath, Name, Values, WebAddress, word_of
from newscrawler.errors import ConfigError
from newscrawler.store.vocabularies import PAST


class FetchOrder(StrEnum):
    """The order in which a backfill fetches articles."""

    NEWEST = "newest"
    #: As many of each month.
    SPREAD = "spread"


class ArchiveFormat(StrEnum):
    """The kind of a web archive."""

    WAYBACK = "wayback"
    COMMON_CRAWL = "common-crawl"
    PYWB = "pywb"
    #: A folder with CDX, CDXJ and WARC files.
    FILES = "files"


#: Addresses of archives that need none.
_USUAL = {ArchiveFormat.WAYBACK: "https://web.archive.org", ArchiveFormat.COMMON_CRAWL: "https://index.commoncrawl.org"}


class ArchiveTable(Table):
    """[[archive]]: a web archive that backfills may use, for addresses and for copies of pages that are gone."""

    name: Name = Field(description="a name that no other archive has, of letters, digits, dots, hyphens and underscores")
    format: Annotated[ArchiveFormat, word_of(ArchiveFormat)] = Field(
        description='"wayback", "common-crawl" (addresses only), "pywb" (the address is that of a collection), or "files"'
    )
    url: WebAddress | None = Field(
        default=None, description="the address of the archive; without it, web.archive.org or index.commoncrawl.org"
    )
    path: FilePath | None = Field(
        default=None, description='of "files": a folder, or a file, of CDX, CDXJ or WARC', json_schema_extra=FILE_ONLY
    )
    delay_seconds: Annotated[float, Field(ge=0, le=86400, allow_inf_nan=False)] = Field(
        default=10.0, validation_alias="delay", description="a number of seconds, 0 to 86400, between two requests to the archive"
    )

    @property
    def address(self) -> str:
        """Return where the archive is; "": in files."""
        return str(self.url or _USUAL.get(self.format, ""))


def describe_archive_faults(place: str, archive: ArchiveTable) -> list[str]:
    """Return the mistakes of an archive that its keys do not show one by one."""
    if archive.format is ArchiveFormat.FILES:
        return [] if archive.path is not None else [f'{place}.path is missing; an archive of "files" needs it']
    return [] if archive.address else [f"{place}.url is missing; an archive of {format_value(str(archive.format))} needs it"]


class BackfillTable(Table):
    """[[backfill]]: the past of a portal, of which the service fetches a daily share, after the portal's own crawl."""

    portal: Name = Field(description="the name of a [[portal]], once")
    since: date = Field(description="the first day, such as 2015-01-01, without quotation marks")
    until: date | None = Field(default=None, description="the last day; without it, today")
    per_night: Count = Field(default=500, description="a whole number, 1 or more: the pages to fetch a day at most")
    order: Annotated[FetchOrder, word_of(FetchOrder)] = Field(
        default=FetchOrder.NEWEST, description='"newest" or "spread": the newest first, or as many of each month'
    )
    archives: Values[Name] = Field(default=(), description="a list of names of [[archive]]")


class Backfill(Portal):
    """A portal whose articles of a range of days are fetched, in another queue than that of its nightly crawl."""

    internal: ClassVar[frozenset[str]] = Portal.internal | {"since", "until", "order", "archives"}

    since: date
    until: date
    order: FetchOrder = FetchOrder.NEWEST
    archives: tuple[ArchiveTable, ...] = ()

    @property
    def queue(self) -> str:
        """Return the name of the queue of its addresses."""
        return self.name + PAST


def make_backfill(portal: Portal, *, since: date, until: date, per_night: int | None = None, **more: Any) -> Backfill:
    """Return the backfill of a portal; `per_night`: pages from noon to noon; None: as the portal's own crawl.

    Raises:
        ConfigError: the range is empty.
    """
    if since > until:
        raise ConfigError(f"The range from {since} to {until} has no day. Give the earlier day with --since.")
    budget = {"night_pages": per_night} if per_night is not None else {}
    return Backfill.model_construct(**{**dict(portal), **budget, **more, "since": since, "until": until})
