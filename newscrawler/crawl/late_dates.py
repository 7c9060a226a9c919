"""The date of an article whose page told none, from the feeds, sitemaps and listings that were read after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from newscrawler.config.portal import Portal
from newscrawler.dates import DateContext, DateHint, date_seen
from newscrawler.store.frontier_records import SECTION_HINT, Dating, SeenDate


def dating_of(portal: Portal, day_order: str | None) -> Dating:
    """Make what chooses among the hints of an article of a portal; `day_order` is how the portal writes 3/4/2024."""
    base = DateContext(time_zone=portal.time_zone, language=portal.language, day_order=day_order)

    def dating(hints: Iterable[Sequence[str]], fetched_at: datetime) -> SeenDate | None:
        said = tuple(DateHint(source=source, text=text) for source, text in hints if source != SECTION_HINT)
        if not said:
            return None
        chosen = date_seen(replace(base, fetched_at=fetched_at, hints=said))
        if chosen is None:
            return None
        return SeenDate(
            published_at=chosen.value, precision=str(chosen.precision), source=chosen.source, offset_given=chosen.offset_given
        )

    return dating
