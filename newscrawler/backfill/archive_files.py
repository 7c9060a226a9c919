"""Archives in a folder: CDX and CDXJ files for addresses, WARC files for addresses and copies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from newscrawler.backfill.cdx import Capture, read_index
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
