"""Web archives: addresses by their indexes, and copies of pages that are gone, without the archive's toolbar and rewriting.

Each kind of archive is a subclass of `WebArchive`: where its index is, and where its copies are. `[[archive]]` of the configuration
names it (`ArchiveFormat`). Indexes are CDX as text, as a JSON array (Wayback), as JSON lines (pywb, Common Crawl), and CDXJ; lines
that cannot be read are left out, and none raises.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from newscrawler.backfill.days import DayRange
from newscrawler.discovery import PRIORITY, Lead, LeadKind, Source, SourceResponse
from newscrawler.discovery.urls import canonicalize_or_none
from newscrawler.errors import ConfigError, PageError
from newscrawler.extraction.batch import ArchivedPage, WarcPosition, find_warc_pages, read_warc_page

_INDEXES, _PAGES = (".cdx", ".cdxj"), (".warc", ".warc.gz")


class ArchiveFiles:
    """The files of a folder, or one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[str, WarcPosition] | None = None

    def list_captures(self) -> Iterator[Capture]:
        """Yield the pages of all files.

        Raises:
            ConfigError: a file cannot be read.
        """
        for path in self._list_files(_INDEXES):
            try:
                yield from read_index(path.read_bytes()).captures
            except OSError as error:
                raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
        for url in self.places:
            if (page := self.read_copy(url)) is not None and page.fetched_at is not None:
                yield Capture(url=url, captured_at=page.fetched_at)

    @property
    def places(self) -> dict[str, WarcPosition]:
        """Return the places of the pages in WARC files, by canonical URL.

        Raises:
            ConfigError: a file cannot be read.
        """
        if self._places is None:
            self._places = {}
            try:
                for path in self._list_files(_PAGES):
                    found = ((canonicalize_or_none(url), place) for url, place in find_warc_pages(path))
                    self._places |= {url: place for url, place in found if url is not None}
            except PageError as error:
                raise ConfigError(error.detail) from error
        return self._places

    def read_copy(self, url: str) -> ArchivedPage | None:
        """Return the copy of a page; None: there is none, or it is damaged."""
        place = self.places.get(url)
        try:
            return read_warc_page(place) if place is not None else None
        except PageError:
            return None

    def _list_files(self, endings: tuple[str, ...]) -> list[Path]:
        paths = sorted(self._path.rglob("*")) if self._path.is_dir() else [self._path]
        return [path for path in paths if path.name.endswith(endings)]


#: Fields of text lines without a heading, as Wayback's server has them; and the letters of a heading (CDX N b a m s k …).
USUAL = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest", "length")
#: Those that are requested of Wayback's server, which may answer in text all the same.
NARROW = ("original", "timestamp", "statuscode", "mimetype")
_LETTERS = {"N": "urlkey", "b": "timestamp", "a": "original", "m": "mimetype", "s": "statuscode"}
_NAMES: Mapping[str, str] = {"url": "original", "mime": "mimetype", "status": "statuscode"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """A page that a web archive has."""

    #: Canonical.
    url: str
    captured_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPage:
    """A page of an index."""

    captures: tuple[Capture, ...]
    #: Where the next page begins; "": this is the last one.
    resume_key: str = ""


def read_index(body: bytes) -> IndexPage:
    """Return the HTML pages of an index that were answered with 200, each URL once, with its earliest capture."""
    text = body.decode("utf-8", "replace")
    resume_key, rows = _read_array(text) if text.lstrip().startswith("[") else ("", list(read_lines(text.splitlines())))
    if not resume_key and len(lines := text.rstrip("\n").splitlines()) > 2 and not lines[-2].strip() and "[" not in text[:2]:
        resume_key = lines[-1].strip()  # Wayback's text has it behind an empty line
    found: dict[str, Capture] = {}
    for capture in filter(None, map(_make_capture, rows)):
        known = found.get(capture.url)
        if known is None or capture.captured_at < known.captured_at:
            found[capture.url] = capture
    return IndexPage(captures=tuple(found.values()), resume_key=resume_key)


def read_lines(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of an index of lines; those without their fields are left out."""
    names: tuple[str, ...] = USUAL
    for line in lines:
        text = line.strip()
        if text.startswith("CDX "):
            names = tuple(_LETTERS.get(letter, letter) for letter in text.split()[1:])
        elif text.startswith("{"):
            yield from _read_object(text, {})
        elif "{" in text and len(parts := text.split(" ", 2)) == 3 and parts[2].startswith("{"):
            yield from _read_object(parts[2], {"urlkey": parts[0], "timestamp": parts[1]})
        elif len(values := text.split()) >= 3:
            yield dict(zip(NARROW if "://" in values[0] and names is USUAL else names, values, strict=False))


def _read_object(text: str, more: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(found, dict):
        yield {**more, **{_NAMES.get(str(name), str(name)): value for name, value in found.items()}}


def _read_array(text: str) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the resume key and the rows of Wayback's JSON: names come first, the key last, behind an empty row."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return "", []
    rows = [row for row in rows if isinstance(row, list)] if isinstance(rows, list) else []
    names = [str(name) for name in rows[0]] if rows else []
    key = str(rows[-1][0]) if len(rows) > 2 and len(rows[-1]) == 1 and not rows[-2] else ""
    return key, [dict(zip(names, row, strict=True)) for row in rows[1:] if len(row) == len(names)]


def _make_capture(row: Mapping[str, Any]) -> Capture | None:
    is_page = str(row.get("statuscode", "200")) in {"200", "-"} and "html" in str(row.get("mimetype", "html"))
    url = canonicalize_or_none(str(row.get("original", ""))) if is_page else None
    captured_at = read_timestamp(str(row.get("timestamp", "")))
    return Capture(url=url, captured_at=captured_at) if url is not None and captured_at is not None else None


def read_timestamp(text: str) -> datetime | None:
    """Return a time of up to 14 digits, in UTC; None: it is not one."""
    if not (text.isdigit() and 4 <= len(text) <= 14):
        return None
    whole = text + "00000101000000"[len(text) :]
    try:
        return datetime.strptime(whole, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


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
