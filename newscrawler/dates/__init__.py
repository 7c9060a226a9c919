"""When an article was published: dates of all kinds, grouped by day, and a model that ranks the days."""

from __future__ import annotations

from newscrawler.dates.candidate import DateCandidate, DateContext, DateHint, Dates, Role
from newscrawler.dates.day_order import DayOrders
from newscrawler.dates.decision import date_seen, find_dates
from newscrawler.dates.listing_dates import dates_beside_links

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
