"""Web archives: addresses by their indexes, and copies of pages that are gone, without the archive's toolbar and rewriting.

Each kind of archive is a module of this package: where its index is, and where its copies are. A new one is a row of `ARCHIVES`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from urllib.parse import urlsplit

from newscrawler.backfill.cdx import IndexPage, read_index, read_timestamp
from newscrawler.backfill.days import DayRange
from newscrawler.discovery import PRIORITY, Lead, LeadKind, Source, SourceResponse

#: `why` of pages of an index, and of copies.
COPIES, COPY = "copies", "copy"
#: Between the address of a page and the time of its capture, of a copy in a file.
IN_FILE = "#copy="
#: Captures of one request.
PAGE_SIZE = 5_000
_REPLAY = re.compile(r"/(?P<timestamp>\d{4,14})(?:[a-z]{2}_)?/(?P<url>https?:/{1,2}.*)\Z")
#: What replays insert: toolbars and scripts between comments, and comments at the end.
_INSERTED = (
    re.compile(rb"<!--\s*BEGIN WAYBACK TOOLBAR INSERT\s*-->.*?<!--\s*END WAYBACK TOOLBAR INSERT\s*-->", re.DOTALL),
    re.compile(rb"(?<=<head>)\s*<script[^>]*(?:/_static/|/static/wombat).*?<!--\s*End Wayback Rewrite JS Include\s*-->", re.DOTALL),
    re.compile(rb"<!--\s*WB Insert\s*-->.*?<!--\s*End WB Insert\s*-->", re.DOTALL),
    re.compile(rb"<!--\s*(?:FILE ARCHIVED ON|playback timings).*?-->", re.DOTALL),
)


class WebArchive(ABC):
    """A web archive."""

    def __init__(self, url: str) -> None:
        #: All its pages begin with it.
        self.url = url.rstrip("/")

    @abstractmethod
    def list_indexes(self, host: str, days: DayRange) -> Iterable[str]:
        """Return the addresses of the index of a host, for captures since the beginning of the range."""

    def read_index(self, body: bytes, url: str) -> tuple[IndexPage, tuple[str, ...]]:  # noqa: ARG002  for further pages
        """Return a page of the index, and the addresses of further ones."""
        return read_index(body), ()

    def make_copy_url(self, url: str, day: date) -> str | None:  # noqa: ARG002  for archives with copies
        """Return the address of the copy of a page that is nearest to a day; None: the archive shows none."""
        return None


class ArchiveSource(Source):
    """The articles of a portal that web archives know."""

    priority = PRIORITY["sitemap"]

    def __init__(self, archives: Sequence[WebArchive], days: DayRange, hosts: Sequence[str]) -> None:
        self._archives = archives
        self._days = days
        self._hosts = hosts

    def start(self, portal: object) -> Iterator[Lead]:  # noqa: ARG002  as the base asks
        """Yield the first pages of all indexes."""
        for archive in self._archives:
            for host in self._hosts:
                yield from (Lead(url, LeadKind.SITEMAP, why=COPIES, depth=0) for url in archive.list_indexes(host, self._days))

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the pages of an index, with the time of their capture as that of a change, and its next page."""
        archive = find_archive(self._archives, answer.requested_url) if answer.why == COPIES else None
        if archive is None:
            return
        page, further = archive.read_index(answer.body, answer.requested_url)
        yield from (Lead(capture.url, changed_at=capture.captured_at) for capture in page.captures)
        yield from (Lead(url, LeadKind.SITEMAP, why=COPIES) for url in further)


def find_archive(archives: Iterable[WebArchive], url: str) -> WebArchive | None:
    """Return the archive to which an address belongs."""
    return next((archive for archive in archives if url.startswith(f"{archive.url}/")), None)


def split_copy_url(url: str) -> tuple[str, datetime | None] | None:
    """Return the original address of a copy, and the time of the capture by its address; None: it is not a copy."""
    original, mark, timestamp = url.partition(IN_FILE)
    if mark:
        return original, read_timestamp(timestamp)
    match = _REPLAY.search(url)
    if match is None:
        return None
    original = re.sub(r"\A(https?:/)(?!/)", r"\1/", match["url"])
    return (original, read_timestamp(match["timestamp"])) if urlsplit(original).hostname else None


def clean_copy(body: bytes, archive_url: str) -> bytes:
    """Return a page as it was captured: without the archive's toolbar, and with original addresses."""
    for inserted in _INSERTED:
        body = inserted.sub(b"", body)
    parts = urlsplit(archive_url)
    origin = re.escape(f"{parts.scheme}://{parts.netloc}".encode())
    path = re.escape(parts.path.rstrip("/").encode())
    rewritten = rb"(?:" + origin + rb")?" + path + rb"(?:/web)?/\d{4,14}(?:[a-z]{2}_)?/(?=https?:)"
    return re.sub(rewritten, b"", body)
