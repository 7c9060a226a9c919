"""When an article was published: evidence of several kinds, and one place that chooses. The only room with dateparser."""

from __future__ import annotations

from newscrawler.dates.beside import dates_beside_links
from newscrawler.dates.candidate import DateCandidate, DateContext, DateHint, Dates, Role
from newscrawler.dates.choose import find_dates
from newscrawler.dates.day_orders import DayOrders
from newscrawler.dates.seen import date_seen

__all__ = [
    "DateCandidate",
    "DateContext",
    "DateHint",
    "Dates",
    "DayOrders",
    "Role",
    "date_seen",
    "dates_beside_links",
    "find_dates",
]
