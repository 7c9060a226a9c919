"""Web archives: addresses by their indexes, and copies of pages that are gone, without the archive's toolbar and rewriting.

Each kind of archive is a subclass of `WebArchive`: where its index is, and where its copies are. `[[archive]]` of the configuration
names it (`ArchiveFormat`).
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from newscrawler.backfill.cdx import NARROW, IndexPage, read_index, read_timestamp
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


class Wayback(WebArchive):
    """The Internet Archive, and others with its software (OpenWayback).

    Its index is at /cdx/search/cdx, its copies at /web/TIMEid_/URL: without toolbar and rewriting.
    """

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the address of the index of a host."""
        wanted = {
            "url": f"{host}/*", "from": f"{days.since:%Y%m%d}", "output": "json", "fl": ",".join(NARROW),
            "filter": "statuscode:200", "collapse": "urlkey", "limit": str(PAGE_SIZE), "showResumeKey": "true",
        }  # fmt: skip
        yield f"{self.url}/cdx/search/cdx?{urlencode(wanted)}"

    def read_index(self, body: bytes, url: str) -> tuple[IndexPage, tuple[str, ...]]:
        """Return a page of the index, and the address of the next one."""
        page, parts = read_index(body), urlsplit(url)
        if not page.resume_key:
            return page, ()
        query = urlencode({**dict(parse_qsl(parts.query)), "resumeKey": page.resume_key})
        return page, (urlunsplit(parts._replace(query=query)),)

    def make_copy_url(self, url: str, day: date) -> str:
        """Return the address of the copy nearest to a day."""
        return f"{self.url}/web/{day:%Y%m%d}id_/{url}"


_WEEK = re.compile(r"CC-MAIN-(\d{4})-(\d\d)")
#: A page of an index has up to 15,000 lines; one with fewer of good pages is the last.
_LEAST_ON_A_PAGE = 1_000


class CommonCrawl(WebArchive):
    """/collinfo.json lists an index for each crawl; the last one of each year is read, for a crawl has pages of many years."""

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the list of crawls, with the host and the range, which its server ignores."""
        yield f"{self.url}/collinfo.json?{urlencode({'url': f'{host}/*', 'from': f'{days.since:%Y%m%d}'})}"

    def read_index(self, body: bytes, url: str) -> tuple[IndexPage, tuple[str, ...]]:
        """Return a page of an index; of the list of crawls, the addresses of the indexes."""
        address, _, query = url.partition("?")
        values = dict(parse_qsl(query))
        if not address.endswith("/collinfo.json"):
            values["page"] = str(int(values.get("page", "0")) + 1)
            further = (f"{address}?{urlencode(values)}",) if body.count(b"\n") >= _LEAST_ON_A_PAGE else ()
            return read_index(body), further
        values |= {"output": "json", "filter": "=status:200", "fl": "url,timestamp,status,mime"}
        indexes = (f"{each}?{urlencode(values)}" for each in self._choose_years(body, int(values.get("from", "0")[:4])))
        return IndexPage(captures=()), tuple(indexes)

    def _choose_years(self, body: bytes, since: int) -> Iterator[str]:
        """Yield the last index of each year from one on."""
        try:
            crawls = json.loads(body)
        except (ValueError, RecursionError):
            return
        last: dict[int, str] = {}
        for crawl in crawls if isinstance(crawls, list) else ():
            address = str(crawl.get("cdx-api", "")) if isinstance(crawl, dict) else ""
            week = _WEEK.search(address)
            if week is not None and address.startswith(f"{self.url}/"):
                last[int(week[1])] = max(last.get(int(week[1]), ""), address)
        yield from (address for year, address in sorted(last.items()) if year >= since)


class Pywb(WebArchive):
    """National libraries and others with pywb: the index is at /cdx of the collection, copies are at /TIMEid_/URL."""

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the address of the index of a host."""
        wanted = {"url": f"{host}/*", "from": f"{days.since:%Y%m%d}", "output": "json", "filter": "=status:200"}
        wanted["fl"] = "url,timestamp,status,mime"
        yield f"{self.url}/cdx?{urlencode(wanted)}"

    def make_copy_url(self, url: str, day: date) -> str:
        """Return the address of the copy nearest to a day."""
        return f"{self.url}/{day:%Y%m%d}id_/{url}"
