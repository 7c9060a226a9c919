"""Keeps the pages of a run in WARC files.

A page is written by the call that commits its outcome, right before that: in a thread of its own, as it was, that took half a
millisecond more of CPU time a page (82 pages of news sites). Where the disk refuses, that is logged once and the crawl goes on
without keeping: articles matter more than their pages.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from newscrawler import __version__
from newscrawler.config.portal import Configuration, Portal
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.outcomes import outcome_of
from newscrawler.errors import StoreError
from newscrawler.pages import PageWriter, Retention, clean_up, mend
from newscrawler.store import Committed, KeptPage, PageOutcome, Store
from newscrawler.store.vocabularies.outcomes import UrlState

logger = logging.getLogger(__name__)


def keeping(
    items: Sequence[FetchedUrl], archive: PageArchive | None, commit: Callable[[list[PageOutcome]], list[Committed]], *,
    delay_seconds: float,
) -> Callable[[], list[Committed]]:  # fmt: skip
    """Return a call that keeps the pages of URLs, then commits the URLs' outcomes.

    Made again, because the database was away, it keeps no page twice.
    """

    @cache
    def outcomes() -> list[PageOutcome]:
        return [
            outcome_of(item, delay_seconds=delay_seconds, pages=archive.keep(item) if archive is not None else ()) for item in items
        ]

    return lambda: commit(outcomes())


class PageArchive:
    """Writes the pages of one run of one portal; for one thread at a time.

    Attributes:
        begun: the first page was to be kept. That call may take long: it also repairs what a killed run has half written.
    """

    def __init__(self, folder: Path, portal: Portal, *, contact: str | None = None) -> None:
        self._folder = folder
        self._portal = portal
        info = {"software": f"newscrawler/{__version__}", "isPartOf": portal.name, "operator": contact or ""}
        self._writer = PageWriter(folder, portal.name, info=info)
        self.begun = False
        self._failed = False

    @classmethod
    def of(cls, configuration: Configuration, portal: Portal) -> PageArchive | None:
        """Make it for a portal; None: its pages are not to be kept."""
        if not portal.keep_pages:
            return None
        return cls(configuration.pages_folder, portal, contact=configuration.contact)

    def keep(self, item: FetchedUrl) -> tuple[tuple[KeptPage, str | None], ...]:
        """Write the pages of a URL, unless it is fetched again.

        Returns:
            Where each is, and what it was taken for; nothing once the disk has refused.
        """
        if self._failed or not item.raw or item.state is not UrlState.DONE:
            return ()
        try:
            if not self.begun:  # the run is ours by now, so the process that wrote half a page is gone
                mend(self._folder, self._portal.name)
                self.begun = True
            written = [(self._writer.write(page), "part" if number else item.outcome) for number, page in enumerate(item.raw)]
            written += [(self._writer.write(page), "source") for page in item.sources]
        except OSError as error:
            self._failed = True
            logger.warning("%s: pages are not kept any more: %s: %s", self._portal.name, self._folder, error.strerror or error)
            return ()
        return tuple(written)

    def close(self, store: Store | None) -> None:
        """End the file, and drop what has outlived its time; without a store nothing is dropped."""
        portal = self._portal
        try:
            self._writer.close()
            if store is None:
                return
            retention = Retention(days=portal.keep_pages_days, megabytes=portal.keep_pages_megabytes)
            clean_up(store.pages, self._folder, portal.name, retention, now=datetime.now(UTC))
        except (OSError, StoreError) as error:
            logger.warning("%s: old pages could not be dropped: %s", portal.name, error)
