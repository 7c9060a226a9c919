"""Options of extraction for a portal's pages, and learning from them in a run and at its end."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC, datetime

from newscrawler.config import Configuration, Portal
from newscrawler.corpus import Replayer, Totals
from newscrawler.corpus.templates import DriftReport, check_round, find_template, learn_if_missing
from newscrawler.crawl.run.report import RunSummary
from newscrawler.errors import StoreError
from newscrawler.extraction import ExtractionOptions, build_portal_options
from newscrawler.plugins import is_site_method
from newscrawler.store import Store
from newscrawler.store.archive import PagesFolder
from newscrawler.store.vocabularies import INTERRUPTED, EndReason

logger = logging.getLogger(__name__)


def make_extraction_options(portal: Portal, store: Store | None = None) -> ExtractionOptions:
    """Return how to read the pages of a portal; with the store, its template included."""
    return build_portal_options(portal, find_template(store, portal) if store is not None else None)


def learn_after(store: Store, configuration: Configuration, portal: Portal, summary: RunSummary) -> RunSummary:
    """Learn from the pages of a run; return the summary with the result.

    Nothing is learned from a run that the user interrupted, as its round continues, or that ended with an error. A failure here
    is logged and does not affect the crawl.
    """
    if summary.ended_because.word in {EndReason.ERROR, EndReason.BUSY}:
        return summary
    try:
        store.articles.fill_sections(portal.name)
    except StoreError as error:
        logger.warning("%s: sections that only listings name could not be filled in: %s", portal.name, error)
    if not (portal.learn and portal.keep_pages) or summary.ended_because == INTERRUPTED:
        return summary
    begun_at = datetime.now(UTC)
    if is_site_method(portal.method):
        done = learn_if_missing(store, configuration.pages_folder, portal.name, portal.method, now=begun_at)
        return replace(summary, notes=(*summary.notes, *_report(store, configuration, portal, summary, done)))
    drift = _check_round(store, configuration, portal, summary.round)
    if drift is None:
        return summary
    notes = [f"the pages of {portal.name} have changed: {'; '.join(drift.news)}"] if drift.news else []
    notes += _report(store, configuration, portal, summary, drift.done)
    return replace(summary, notes=(*summary.notes, *notes), drift=drift.as_dict())


def learn_early(store: Store, configuration: Configuration, portal: Portal, round_number: int) -> ExtractionOptions:
    """Learn the first template of a portal while its run goes on; return how to read its pages from now on.

    Most articles are so read once: those from before the template are read again at the end of the run, all of them if it does not
    fit the later ones.
    """
    _check_round(store, configuration, portal, round_number)
    return make_extraction_options(portal, store)


def _check_round(store: Store, configuration: Configuration, portal: Portal, round_number: int) -> DriftReport | None:
    reading, now = make_extraction_options(portal), datetime.now(UTC)
    try:
        return check_round(store, configuration.pages_folder, reading, round_number=round_number, now=now)
    except StoreError as error:
        logger.warning("%s: nothing could be learned: %s", portal.name, error)
    except Exception:
        logger.exception("%s: fault while learning from its pages", portal.name)
    return None


def _report(store: Store, configuration: Configuration, portal: Portal, summary: RunSummary, done: str) -> list[str]:
    """Read articles from before a new template again; return what was learned and what changed as sentences."""
    changed = _reread(store, configuration, portal, summary)
    notes = [f"template of {portal.name}: {done}"] if done else []
    return [*notes, f"with this template, {changed}"] if changed else notes


def _reread(store: Store, configuration: Configuration, portal: Portal, summary: RunSummary) -> str:
    """Read the articles of a run from before its new template again, with the first of a site method all that are kept."""
    used = store.templates.in_use(portal.name)
    run = store.runs.get(summary.run_id)
    if used is None or run is None or used.created_at < run.started_at:
        return ""
    reading = make_extraction_options(portal, store)
    since = None if is_site_method(portal.method) else run.started_at
    try:
        totals = reread(store, configuration.pages_folder, reading, since=since, before=used.created_at)
    except StoreError as error:
        logger.warning("%s: its pages could not be read again: %s", portal.name, error)
        return ""
    return totals.sentence(applied=True) if totals.kinds["changed"] else ""


#: Articles without a change after which no more are read again.
_UNCHANGED = 12
_WHY = "read with the template that was learned from it"


def reread(
    store: Store, folder: PagesFolder, reading: ExtractionOptions, *, since: datetime | None, before: datetime | None = None
) -> Totals:
    """Read kept pages of articles again with a template, and store changes as revisions.

    Of the pages of a run, the rest stays where the first dozen does: each takes as long as reading a new one.
    `since`: pages that were fetched then or later; `before`: only articles whose pages were fetched before that time.

    Raises:
        StoreError: the database fails.
    """
    totals = Totals()
    for change in Replayer.of(store, folder, reading).changes(since=since, before=before, why=_WHY):
        totals.add(change)
        if since is not None and totals.kinds.total() >= _UNCHANGED and not totals.kinds["changed"]:
            break
    return totals
