"""When an article was published: dates of all kinds, grouped by day, and a model that ranks the days."""

from __future__ import annotations

from newscrawler.extraction.dates.candidate import DateCandidate, DateContext, DateHint, Dates, Role
from newscrawler.extraction.dates.day_order import DayOrders
from newscrawler.extraction.dates.decision import date_seen, find_dates
from newscrawler.extraction.dates.listing_dates import dates_beside_links

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
