"""Keeps the pages of a run in WARC files, in a thread beside the reactor's.

Whoever asks for a page to be kept waits until it is written, so no more pages are in memory than the run has in hand. Where the
disk refuses, that is told once and the crawl goes on without keeping: articles matter more than their pages.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from newscrawler import __version__
from newscrawler.config.portal import Configuration, Portal
from newscrawler.errors import StoreError
from newscrawler.pages import PageWriter, RawPage, Retention, clean_up, mend
from newscrawler.store import KeptPage, Store

logger = logging.getLogger(__name__)


class Keeper:
    """Writes the pages of one run of one portal."""

    def __init__(self, folder: Path, portal: Portal, *, contact: str | None = None) -> None:
        self._folder = folder
        self._portal = portal
        info = {"software": f"newscrawler/{__version__}", "isPartOf": portal.name, "operator": contact or ""}
        self._writer = PageWriter(folder, portal.name, info=info)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"pages-{portal.name}")
        self._begun = False
        self._failed = False

    @classmethod
    def of(cls, configuration: Configuration, portal: Portal) -> Keeper | None:
        """Make it for a portal; None: its pages are not to be kept."""
        if not portal.keep_pages:
            return None
        return cls(configuration.pages_folder, portal, contact=configuration.contact)

    async def keep(self, pages: Sequence[RawPage]) -> tuple[KeptPage, ...]:
        """Write pages; answers where they are, which is nowhere once the disk has refused."""
        if self._failed or not pages:
            return ()
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(self._write, tuple(pages)))

    def _write(self, pages: tuple[RawPage, ...]) -> tuple[KeptPage, ...]:
        try:
            if not self._begun:  # the run is ours by now, so whoever left something half written is gone
                mend(self._folder, self._portal.name)
                self._begun = True
            return tuple(self._writer.write(page) for page in pages)
        except OSError as error:
            if not self._failed:
                self._failed = True
                logger.warning("%s: pages are not kept any more: %s: %s", self._portal.name, self._folder, error.strerror or error)
            return ()

    async def close(self, store: Store | None) -> None:
        """End the file, and drop what has outlived its time; without a store nothing is dropped."""
        await asyncio.get_running_loop().run_in_executor(self._thread, partial(self._end, store))
        self._thread.shutdown(wait=False)

    def _end(self, store: Store | None) -> None:
        portal = self._portal
        try:
            self._writer.close()
            if store is None:
                return
            retention = Retention(days=portal.keep_pages_days, megabytes=portal.keep_pages_megabytes)
            clean_up(store.pages, self._folder, portal.name, retention, now=datetime.now(UTC))
        except (OSError, StoreError) as error:
            logger.warning("%s: old pages could not be dropped: %s", portal.name, error)
