"""Which stored articles their publishers have withdrawn, by the settings of each portal; and which pages are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from newscrawler.article import Reservation
from newscrawler.config import Configuration
from newscrawler.rights import decide
from newscrawler.store import Store
from newscrawler.store.rights_records import StoredPageRights

#: Answers that mean that a page is not there any more.
GONE = frozenset({404, 410})


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn:
    """A stored article whose text is not to be kept any more."""

    page: StoredPageRights
    because: Reservation
    #: When that was seen first.
    since: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How the stored articles stand towards what publishers reserve."""

    withdrawn: tuple[Withdrawn, ...]
    #: Pages that answer 404 or 410; reported only.
    gone: tuple[StoredPageRights, ...]


def disregarded(configuration: Configuration, portal: str) -> frozenset[str]:
    """What does not count for a portal; for one that is not configured any more, as [crawler.defaults] says."""
    for known in configuration.portals:
        if known.name == portal:
            return known.disregard
    return frozenset(configuration.defaults.get("disregard", ()))


def standing(store: Store, configuration: Configuration, portal: str | None, *, now: datetime) -> Standing:
    """Look at every stored article.

    Raises:
        StoreError: the database cannot be read.
    """
    gone: list[StoredPageRights] = []
    withdrawn = tuple(_withdrawn(store, configuration, portal, gone, now))
    return Standing(withdrawn=withdrawn, gone=tuple(gone))


def _withdrawn(
    store: Store, configuration: Configuration, portal: str | None, gone: list[StoredPageRights], now: datetime
) -> Iterator[Withdrawn]:
    for page in store.rights.stored(portal):
        said = [item.reservation for item in page.kept]
        because = decide(said, disregarded(configuration, page.portal), now, configuration.intent).because
        if because is not None:
            said_at = next((item.first_said_at for item in page.kept if item.reservation == because), None)
            yield Withdrawn(page=page, because=because, since=because.from_at or said_at)
        elif page.http_status in GONE:
            gone.append(page)
