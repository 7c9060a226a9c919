"""A person's verdict on an article, stored with what is right of its page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from newscrawler.errors import ExportError
from newscrawler.research.evaluation.reviews.pages import gold_of
from newscrawler.store.archive import PagesFolder, keep_for_good
from newscrawler.store.articles import TERMINAL, Fault

if TYPE_CHECKING:
    from newscrawler.store import Store
    from newscrawler.store.archive import StoredPage
    from newscrawler.store.articles import StoredArticle


def save_verdict(
    store: Store,
    folder: PagesFolder,
    stored: StoredArticle,
    page: StoredPage,
    *,
    faults: Sequence[str],
    corrected: dict[str, Any] | None,
    note: str,
    now: datetime,
    reviewer: str = TERMINAL,
) -> None:
    """Store a verdict and keep its page permanently.

    Raises:
        ExportError: the page cannot be kept.
    """
    gold = corrected
    if gold is None and not faults:
        gold = gold_of(stored.article)
    if gold is None and Fault.NO_ARTICLE in faults:
        gold = {"article": False}
    try:
        keep_for_good(store.pages, folder, page)
    except OSError as error:
        raise ExportError(f"the reviewed page cannot be kept in {folder}: {error.strerror or error}") from error
    store.reviews.save(stored.id, page.id, faults=faults, gold=gold, note=note, now=now, reviewer=reviewer)
