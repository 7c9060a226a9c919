"""When an article was published: evidence of several kinds, and one place that chooses. The only room with dateparser."""

from __future__ import annotations

from newscrawler.dates.candidate import DateCandidate, DateContext, Dates
from newscrawler.dates.choose import find_dates

__all__ = ["DateCandidate", "DateContext", "Dates", "find_dates"]
