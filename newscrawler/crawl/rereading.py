"""The pages of a run that learned a template, read again by it: without this the first run stays as it was."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from newscrawler.extract import Reading
from newscrawler.replay import Replayer, Totals
from newscrawler.store import Store

_WHY = "read with the template that was learned from it"


def reread(store: Store, folder: Path, reading: Reading, *, since: datetime) -> Totals:
    """Read the kept pages of articles again, and store what a template changes as our own correction.

    Args:
        store: the database.
        folder: of the kept pages.
        reading: of the portal, with the template.
        since: pages that were fetched then or later.

    Raises:
        StoreError: the database fails.
    """
    totals = Totals()
    for change in Replayer.of(store, folder, reading).changes(since=since):
        totals.add(change)
        if change.kind == "changed" and change.article is not None:
            store.articles.revise(change.stored, change.article, why=_WHY)
    return totals
