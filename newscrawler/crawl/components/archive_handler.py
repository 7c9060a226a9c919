"""Answer requests from WARC files instead of the network: a download handler of Scrapy.

Nothing is requested, so neither robots.txt nor host slots apply. Reservations do, where the archive has them: in headers and meta
elements of the page, in the origin's tdmrep.json, and in the lines of its robots.txt about uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.crawler import Crawler
from scrapy.exceptions import DownloadFailedError
from scrapy.http import Headers, HtmlResponse, Response

from newscrawler.crawl.components.settings import DOWNLOADER_MIDDLEWARES
from newscrawler.crawl.run.items import FETCHED_AT, STATEMENTS
from newscrawler.discovery.urls import canonicalize_or_none
from newscrawler.errors import ConfigError, PageError
from newscrawler.extraction.batch import WarcPosition, find_warc_pages, read_warc_page
from newscrawler.politeness import get_origin, parse_robots
from newscrawler.politeness.rights import WELL_KNOWN, OriginPolicies, TdmRules, collect_origin_policies, read_tdm_file

#: Our middlewares for requests over the network.
_NETWORK = ("RobotsMiddleware", "RightsMiddleware", "HostSlotMiddleware", "SigningMiddleware")
#: Files with an origin's opt-outs.
_FILES = (WELL_KNOWN, "/robots.txt")


class Archive:
    """The pages of some WARC files by canonical URL; of one URL, the page that comes last."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._places: dict[str, WarcPosition] = {}
        #: Of tdmrep.json and robots.txt, by URL.
        self._files: dict[str, WarcPosition] = {}
        self._statements: dict[str, OriginPolicies] = {}
        for path in paths:
            self._add(path)

    def _add(self, path: Path) -> None:
        try:
            for url, place in find_warc_pages(path, files=_FILES):
                if (canonical := canonicalize_or_none(url)) is not None:
                    (self._files if urlsplit(canonical).path in _FILES else self._places)[canonical] = place
        except PageError as error:
            raise ConfigError(error.detail) from error

    @property
    def urls(self) -> tuple[str, ...]:
        """Return the URLs of its pages, in the order of the files."""
        return tuple(self._places)

    def find_place(self, url: str) -> WarcPosition | None:
        """Return the place of a URL's page in its file; None: there is none."""
        return self._places.get(url)

    def find_statements(self, origin: str) -> OriginPolicies:
        """Return the opt-outs of an origin by the files that the archive has of it."""
        if origin not in self._statements:
            tdm, robots = (self._read_file(f"{origin}{path}") for path in _FILES)
            usage = parse_robots(robots).usage if robots is not None else ()
            self._statements[origin] = collect_origin_policies(TdmRules() if tdm is None else read_tdm_file(tdm), usage, (), {}, {})
        return self._statements[origin]

    def _read_file(self, url: str) -> bytes | None:
        place = self._files.get(canonicalize_or_none(url) or "")
        try:
            return read_warc_page(place).body if place is not None else None
        except PageError:  # damaged: it says nothing
            return None


@lru_cache(maxsize=1)
def open_archive(paths: tuple[Path, ...]) -> Archive:
    """Return the pages of WARC files; the latest result is cached.

    Raises:
        ConfigError: a file cannot be read.
    """
    return Archive(paths)


def make_archive_settings(paths: tuple[Path, ...]) -> dict[str, Any]:
    """Return the settings with which requests are answered from WARC files."""
    handler = f"{ArchiveHandler.__module__}.{ArchiveHandler.__name__}"
    network = {f"newscrawler.crawl.{name}": None for name in _NETWORK}
    return {
        "ARCHIVE_FILES": [str(path) for path in paths],
        "DOWNLOAD_HANDLERS": {"http": handler, "https": handler, "data": None, "file": None, "ftp": None, "s3": None},
        "DOWNLOADER_MIDDLEWARES": DOWNLOADER_MIDDLEWARES | network,
    }


class ArchiveHandler(BaseDownloadHandler):
    """Download handler that answers with pages of WARC files."""

    lazy = False

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._archive = open_archive(tuple(map(Path, crawler.settings.getlist("ARCHIVE_FILES"))))

    async def download_request(self, request: Request) -> Response:
        """Return the archived page.

        Raises:
            DownloadFailedError: the archive has none, or it is damaged.
        """
        place = self._archive.find_place(request.url)
        if place is None:
            raise DownloadFailedError(f"the archive holds no page {request.url}")
        try:
            page = read_warc_page(place)
        except PageError as error:
            raise DownloadFailedError(str(error)) from error
        request.meta[FETCHED_AT] = page.fetched_at
        request.meta[STATEMENTS] = self._archive.find_statements(get_origin(request.url))
        headers = Headers()
        for name, value in page.headers:
            headers.appendlist(name, value)
        return HtmlResponse(request.url, status=200, headers=headers, body=page.body, request=request)
