"""Finds stored articles that their publishers have withdrawn, by the settings of each portal, and pages that are gone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from newscrawler.article import Reservation
from newscrawler.politeness.rights import Intent, decide_rights
from newscrawler.store import Store
from newscrawler.store.articles import StoredPageRights

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
    """Return the stored articles that are withdrawn or gone.

    Raises:
        StoreError: the database cannot be read.
    """
    gone: list[StoredPageRights] = []
    withdrawn = tuple(_withdrawn(store, disregarded, portal, gone, now, intent))
    return Withdrawals(withdrawn=withdrawn, gone=tuple(gone))


def _withdrawn(
    store: Store,
    disregarded: Disregarded,
    portal: str | None,
    gone: list[StoredPageRights],
    now: datetime,
    intent: Intent | None,
) -> Iterator[Withdrawn]:
    for page in store.rights.stored(portal):
        because = decide_rights([item.reservation for item in page.kept], disregarded(page.portal), now, intent).because
        if because is not None:
            said_at = next((item.first_said_at for item in page.kept if item.reservation == because), None)
            yield Withdrawn(page=page, because=because, since=because.from_at or said_at)
        elif page.http_status in GONE:
            gone.append(page)
