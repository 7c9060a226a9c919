"""Write the pages of a run to WARC files.

A page is written by the call that commits its outcome, just before the commit: a thread of its own took half a millisecond more
of CPU time a page (82 pages of news sites). If writing fails, that is logged once, and the crawl continues without the files.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache

from newscrawler import __version__
from newscrawler.config.portal import Configuration, Portal
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.crawl.run.outcomes import outcome_of
from newscrawler.errors import StoreError
from newscrawler.store import Committed, KeptPage, PageOutcome, Store
from newscrawler.store.archive import ObjectFolder, PagesFolder, Retention, clean_up, mend, writer_for
from newscrawler.store.vocabularies.outcomes import UrlState

logger = logging.getLogger(__name__)


def keeping(
    items: Sequence[FetchedUrl], archive: PageArchive | None, commit: Callable[[list[PageOutcome]], list[Committed]], *,
    delay_seconds: float,
) -> Callable[[], list[Committed]]:  # fmt: skip
    """Return a call that writes the pages of URLs, then commits the outcomes.

    A repeated call, after the database was away, writes no page twice.
    """

    @cache
    def outcomes() -> list[PageOutcome]:
        return [
            outcome_of(item, delay_seconds=delay_seconds, pages=archive.keep(item) if archive is not None else ()) for item in items
        ]

    return lambda: commit(outcomes())


class PageArchive:
    """Writer of the pages of one run; for one thread at a time.

    Attributes:
        begun: the first page was written; that call may take long, as it repairs files that a killed run left incomplete.
    """

    def __init__(self, folder: PagesFolder, portal: Portal, *, contact: str | None = None) -> None:
        self._folder = folder
        self._portal = portal
        info = {"software": f"newscrawler/{__version__}", "isPartOf": portal.name, "operator": contact or ""}
        self._writer = writer_for(folder, portal.name, info=info)
        self.begun = False
        self._failed = False

    @classmethod
    def of(cls, configuration: Configuration, portal: Portal) -> PageArchive | None:
        """Return the archive of a portal; None: its pages are not kept.

        Raises:
            ConfigError: the object store of its pages cannot be used.
        """
        if not portal.keep_pages:
            return None
        folder = configuration.pages_folder
        if isinstance(folder, ObjectFolder):
            try:
                folder.check()
            except OSError as error:
                logger.warning("%s: pages may not be kept: %s: %s", portal.name, folder, error.strerror or error)
        return cls(folder, portal, contact=configuration.contact)

    @property
    def is_quick(self) -> bool:
        """Return whether the next pages are written without waiting for a network or a repair."""
        return self.begun and not isinstance(self._folder, ObjectFolder)

    def keep(self, item: FetchedUrl) -> tuple[tuple[KeptPage, str | None], ...]:
        """Write the pages of a URL, unless it is fetched again.

        Returns:
            The place and the outcome of each page; nothing after the disk failed.
        """
        if self._failed or not item.raw or item.state is not UrlState.DONE:
            return ()
        try:
            if not self.begun:  # this process owns the run, so the one that wrote half a page has ended
                mend(self._folder, self._portal.name)
                self.begun = True
            # of records of one address, a reader of the file takes the last
            sources = [(self._writer.write(page), "source") for page in item.sources]
            written = [(self._writer.write(page), "part" if number else item.outcome) for number, page in enumerate(item.raw)]
        except OSError as error:
            self._failed = True
            logger.warning("%s: pages are not kept any more: %s: %s", self._portal.name, self._folder, error.strerror or error)
            return ()
        return (*written, *sources)

    def close(self, store: Store | None) -> None:
        """Close the file, and delete pages beyond their retention; without a store nothing is deleted."""
        portal = self._portal
        try:
            self._writer.close()
            if store is None:
                return
            retention = Retention(days=portal.keep_pages_days, megabytes=portal.keep_pages_megabytes)
            clean_up(store.pages, self._folder, portal.name, retention, now=datetime.now(UTC))
        except (OSError, StoreError) as error:
            logger.warning("%s: old pages could not be dropped: %s", portal.name, error)
