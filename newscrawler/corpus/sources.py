"""Data that formats read from the store besides the article: reservations of publishers, and kept pages."""

from __future__ import annotations

from newscrawler.corpus.formats.options import RecordOf, RightsOf
from newscrawler.errors import PageError
from newscrawler.store import Store
from newscrawler.store.archive import PagesFolder, read_page, record_bytes
from newscrawler.store.articles import StoredReservation


def rights_of(store: Store) -> RightsOf:
    """Return a function that returns the reservations of an article, as sentences."""
    return lambda article_id: [sentence(kept) for kept in store.rights.of_article(article_id)]


def sentence(kept: StoredReservation) -> str:
    """Return a sentence: what was reserved, where, and from when to when."""
    said = kept.reservation
    word = f"{said.word} {'granted' if said.granted else 'reserved'} ({said.said!r}, {said.place})"
    until = f" to {kept.ended_at:%Y-%m-%d}" if kept.ended_at else ""
    return f"{word} from {kept.first_said_at:%Y-%m-%d}{until}" + (f"; policy: {said.policy}" if said.policy else "")


def record_of(store: Store, folder: PagesFolder) -> RecordOf:
    """Return a function that returns the WARC record of an article's page; a damaged page counts as not kept."""

    def find(article_id: int) -> bytes | None:
        page = store.pages.of_article(article_id)
        if page is None:
            return None
        try:
            read_page(folder, page.kept)
            return record_bytes(folder, page.kept)
        except PageError:
            return None

    return find
