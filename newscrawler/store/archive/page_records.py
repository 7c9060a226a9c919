"""Kept pages as records: as received, and as found in the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from newscrawler.page import Document


class RecordKind(StrEnum):
    """How a page is kept in a WARC file."""

    #: As a server answered.
    RESPONSE = "response"
    #: As it was made of answers: by a browser, or of a page and the answer of its API.
    RESOURCE = "resource"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """What a server answered to one request, or what was made of several answers.

    Raises:
        ValueError: a time without an offset.
    """

    url: str
    fetched_at: datetime
    #: As the server sent it; only the encoding of the content is undone.
    body: bytes = field(repr=False)
    status: int = 200
    #: In the server's order.
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    record: RecordKind = RecordKind.RESPONSE

    def __post_init__(self) -> None:
        if self.fetched_at.tzinfo is None:
            raise ValueError(f"fetched_at is {self.fetched_at!r}, which has no offset")

    @property
    def content_type(self) -> str | None:
        """The header that declares the charset."""
        return next((value for name, value in self.headers if name.lower() == "content-type"), None)

    def parse(self) -> Document:
        """Return the parsed page."""
        from newscrawler.page import Document  # loads lxml

        return Document.parse(self.body, self.url, content_type=self.content_type)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLocation:
    """The location of a kept page."""

    url: str
    fetched_at: datetime
    #: The file, within the folder of pages.
    warc: str
    #: The record within the file, in bytes.
    offset: int
    length: int
    #: Of the content, in bytes.
    size: int
    #: As the record has it: sha1:BASE32.
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """A kept page and its outcome when it was fetched."""

    id: int
    portal: str
    round: int
    kept: PageLocation
    #: article, listing, nothing, or part: a further page of an article.
    outcome: str | None
    reason: str | None
    article_id: int | None
    #: How it was extracted; None: not as an article.
    drift_note: Mapping[str, Any] | None = None
    #: Of the article.
    section: str | None = None
    published_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSelection:
    """Which kept pages; None: all."""

    portal: str | None = None
    #: Fetched at that time or later, or before that time.
    since: datetime | None = None
    before: datetime | None = None
    outcome: str | None = None
    url: str | None = None
    article_id: int | None = None
    #: Leave out pages of articles that are reserved: fields of `Selection`, as of `Configuration.reserved_for`.
    reserved: Mapping[str, Any] = field(default_factory=dict)
    limit: int | None = None
    newest_first: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcFile:
    """A file of pages."""

    id: int
    portal: str
    #: Within the folder of pages.
    path: str
    began_at: datetime
    pages: int
    #: Of its records that the database knows.
    bytes: int
    #: Contains pages that people have reviewed; it is kept longer.
    reviewed: bool
    #: Start of the first and end of the last record that the database knows.
    first: int = 0
    end: int = 0
