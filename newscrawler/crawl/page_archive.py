"""Keeps the pages of a run in WARC files.

A page is written by the call that commits its outcome, right before that: in a thread of its own, as it was, that took half a
millisecond more of CPU time a page (82 pages of news sites). Where the disk refuses, that is told once and the crawl goes on
without keeping: articles matter more than their pages.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from newscrawler import __version__
from newscrawler.config.portal import Configuration, Portal
from newscrawler.errors import StoreError
from newscrawler.pages import PageWriter, RawPage, Retention, clean_up, mend
from newscrawler.store import Committed, KeptPage, PageOutcome, Store

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settled:
    """What is written of a URL, and the pages that are to be kept with it: the page, then the further pages of its article."""

    outcome: PageOutcome
    pages: tuple[RawPage, ...] = ()


def keeping(
    settled: Sequence[Settled], archive: PageArchive | None, commit: Callable[[list[PageOutcome]], list[Committed]]
) -> Callable[[], list[Committed]]:
    """A call that keeps the pages of outcomes, then commits them.

    Made again, because the database was away, it keeps no page twice.
    """
    outcomes: list[PageOutcome] = []

    def write() -> list[Committed]:
        if not outcomes:
            outcomes.extend(archive.kept(settled) if archive is not None else [each.outcome for each in settled])
        return commit(outcomes)

    return write


class PageArchive:
    """Writes the pages of one run of one portal; for one thread at a time.

    Attributes:
        begun: the first page was to be kept. That call may take long: it also mends what a killed run left behind.
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

    def keep(self, pages: Sequence[RawPage]) -> tuple[KeptPage, ...]:
        """Write pages; answers where they are, which is nowhere once the disk has refused."""
        if self._failed or not pages:
            return ()
        try:
            if not self.begun:  # the run is ours by now, so whoever left something half written is gone
                mend(self._folder, self._portal.name)
                self.begun = True
            return tuple(self._writer.write(page) for page in pages)
        except OSError as error:
            self._failed = True
            logger.warning("%s: pages are not kept any more: %s: %s", self._portal.name, self._folder, error.strerror or error)
            return ()

    def kept(self, settled: Iterable[Settled]) -> list[PageOutcome]:
        """Write the pages of outcomes; answers the outcomes with where they are, and what each was taken for."""
        return [
            replace(
                each.outcome,
                pages=tuple(
                    (page, "part" if number else each.outcome.outcome) for number, page in enumerate(self.keep(each.pages))
                ),
            )
            for each in settled
        ]

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
