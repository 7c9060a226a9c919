"""When an article was published: dates of all kinds, grouped by day, and a model that ranks the days."""

from __future__ import annotations

from newscrawler.extraction.dates.calendar import DayOrders
from newscrawler.extraction.dates.candidate import DateCandidate, DateContext, DateHint, Dates, Role
from newscrawler.extraction.dates.decision import choose_seen_date, find_dates
from newscrawler.extraction.dates.listing_dates import find_link_dates

__all__ = [
    "DateCandidate",
    "DateContext",
    "DateHint",
    "Dates",
    "DayOrders",
    "Role",
    "choose_seen_date",
    "find_dates",
    "find_link_dates",
]
