"""Backfills: a portal with the days whose articles are wanted, and its daily budget."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Any, ClassVar

from newscrawler.config.portal import Portal
from newscrawler.errors import ConfigError
from newscrawler.store.vocabularies import PAST


class FetchOrder(StrEnum):
    """The order in which a backfill fetches articles."""

    NEWEST = "newest"
    #: As many of each month.
    SPREAD = "spread"


class Backfill(Portal):
    """A portal whose articles of a range of days are fetched, in another queue than that of its nightly crawl."""

    internal: ClassVar[frozenset[str]] = Portal.internal | {"since", "until", "order"}

    since: date
    until: date
    order: FetchOrder = FetchOrder.NEWEST

    @property
    def queue(self) -> str:
        """Return the name of the queue of its addresses."""
        return self.name + PAST


def make_backfill(portal: Portal, *, since: date, until: date, per_night: int | None = None, **more: Any) -> Backfill:
    """Return the backfill of a portal; `per_night`: pages from noon to noon; None: as the portal's own crawl.

    Raises:
        ConfigError: the range is empty.
    """
    if since > until:
        raise ConfigError(f"The range from {since} to {until} has no day. Give the earlier day with --since.")
    budget = {"night_pages": per_night} if per_night is not None else {}
    return Backfill.model_construct(**{**dict(portal), **budget, **more, "since": since, "until": until})
