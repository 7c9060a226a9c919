"""When an article was published: dates of all kinds, grouped by day, and a model that ranks the days."""

from __future__ import annotations

from newscrawler.extraction.dates.calendar import DayOrders, find_zone, make_clock
from newscrawler.extraction.dates.candidate import DateCandidate, DateContext, DateHint, DateRole, Dates, Family
from newscrawler.extraction.dates.day_candidates import Stage
from newscrawler.extraction.dates.decision import Collector, choose_seen_date, find_dates
from newscrawler.extraction.dates.listing_dates import find_link_dates

__all__ = [
    "Collector",
    "DateCandidate",
    "DateContext",
    "DateHint",
    "DateRole",
    "Dates",
    "DayOrders",
    "Family",
    "Stage",
    "choose_seen_date",
    "find_dates",
    "find_link_dates",
    "find_zone",
    "make_clock",
]
