"""Removal: articles that their publishers have withdrawn, or that an operator wants removed, with their texts and kept pages.

A record that they existed stays.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from newscrawler.article import Reservation
from newscrawler.config import Configuration
from newscrawler.politeness.rights import Intent, decide_rights
from newscrawler.store import Store
from newscrawler.store.archive import PageLocation, PageSelection
from newscrawler.store.articles import Removal, StoredPageRights

#: Returns the reservations ignored for a portal.
Disregarded = Callable[[str], Collection[str]]

#: Statuses of pages that no longer exist.
GONE = frozenset({404, 410})


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """A stored article whose text must no longer be kept."""

    page: StoredPageRights
    because: Reservation
    #: Time at which that was first seen.
    since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawals:
    """The stored articles that are withdrawn or gone."""

    withdrawn: tuple[Withdrawn, ...]
    #: Pages that answer 404 or 410; reported only.
    gone: tuple[StoredPageRights, ...]


def find_withdrawals(
    store: Store, disregarded: Disregarded, portal: str | None, *, now: datetime, intent: Intent | None = None
) -> Withdrawals:
    """Return the stored articles that are withdrawn or gone."""
    withdrawn, gone = list[Withdrawn](), list[StoredPageRights]()
    for page in store.rights.stored(portal):
        because = decide_rights([item.reservation for item in page.kept], disregarded(page.portal), now, intent).because
        if because is not None:
            said_at = next((item.first_said_at for item in page.kept if item.reservation == because), None)
            withdrawn.append(Withdrawn(page=page, because=because, since=because.from_at or said_at))
        elif page.http_status in GONE:
            gone.append(page)
    return Withdrawals(withdrawn=tuple(withdrawn), gone=tuple(gone))


def list_disregarded(configuration: Configuration, portal: str) -> frozenset[str]:
    """Return the reservations that do not count for a portal, by [crawler.defaults] if it is no longer configured."""
    for known in configuration.portals:
        if known.name == portal:
            return known.disregard
    return frozenset(configuration.defaults.get("disregard", ()))


logger = logging.getLogger(__name__)


def purge_articles(store: Store, configuration: Configuration, withdrawn: Sequence[Withdrawn], *, now: datetime) -> int:
    """Remove withdrawn articles, and return their number."""
    forget_in_templates(store, [(each.page.article_id, each.page.portal, each.page.url) for each in withdrawn])
    _erase_copies(store, configuration, [each.page.article_id for each in withdrawn])
    because: dict[int, Reservation | None] = {each.page.article_id: each.because for each in withdrawn}
    return store.rights.purge(because, now=now)


def purge_withdrawn(store: Store, configuration: Configuration, portal: str, *, now: datetime) -> int:
    """Remove the articles that a portal has withdrawn, if the configuration says so, and return their number."""
    if not configuration.purges_withdrawn:
        return 0
    withdrawn = find_withdrawals(
        store, partial(list_disregarded, configuration), portal, now=now, intent=configuration.intent
    ).withdrawn
    return purge_articles(store, configuration, withdrawn, now=now) if withdrawn else 0


def remove_matching(store: Store, configuration: Configuration, pattern: str, *, because: str, now: datetime) -> Removal:
    """Remove articles at the request of a portal's operator, and record it, so that they are not fetched or stored again."""
    removal = Removal(pattern=pattern, because=because, asked_at=now)
    store.rights.add_removal(removal)  # first, since a crawl may be running
    chosen = list(store.rights.articles_under(pattern))
    forget_in_templates(store, chosen)
    _erase_copies(store, configuration, [article_id for article_id, _, _ in chosen])
    for page in [page for page in store.pages.select(PageSelection()) if removal.covers(page.kept.url)]:
        _erase(configuration, page.kept)
        store.rights.forget_page(page.id)
    removal = replace(removal, articles=store.rights.purge({article_id: None for article_id, _, _ in chosen}, now=now))
    store.rights.add_removal(removal)
    return removal


def forget_in_templates(store: Store, articles: Sequence[tuple[int, str, str]]) -> None:
    """Remove articles, each (id, portal, URL), from all versions of their portals' templates."""
    from newscrawler.extraction.templates import forget_article  # here: it reads pages, which listing does not need

    for article_id, portal, url in articles:
        stored = store.articles.get(article_id)
        if stored is None:
            continue
        texts = [stored.article.title, stored.article.lead or "", *(paragraph.text for paragraph in stored.article.paragraphs)]
        for earlier in store.articles.revisions(article_id):
            texts += [earlier.title, *(paragraph.text for paragraph in earlier.paragraphs)]
        kept = store.pages.select(PageSelection(article_id=article_id))
        urls = [each for each in (url, stored.article.url, stored.article.canonical_url) if each]
        urls += [page.kept.url for page in kept]
        for version in store.templates.versions(portal):
            document = forget_article(version.document, urls, texts)
            if document is not None:
                store.templates.rewrite(version.portal, version.version, document)


def _erase_copies(store: Store, configuration: Configuration, article_ids: Sequence[int]) -> None:
    """Erase the kept pages, and the results of jobs, which may have the texts. It can be repeated while there are articles."""
    for result in (configuration.data_folder / "results").glob("*"):
        result.unlink(missing_ok=True)
    for article_id in article_ids:
        for page in list(store.pages.select(PageSelection(article_id=article_id))):
            _erase(configuration, page.kept)


def _erase(configuration: Configuration, page: PageLocation) -> None:
    from newscrawler.store.archive import erase

    folder = configuration.pages_folder
    try:
        erase(folder, page)
    except OSError as error:
        logger.warning("the kept page %s in %s cannot be erased: %s", page.url, folder / page.warc, error.strerror or error)
