"""Dates that the crawl saw elsewhere: in a feed, a news sitemap, a listing beside the link, the response's header.

They count where the page has none, or confirm what it says. Last-Modified is the weakest: it tells a day at most, and within
a day of the fetch nothing, as many servers and caches send the time of the response, or of their last filling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, DateContext, Role
from newscrawler.dates.moment import Clock, read_moment
from newscrawler.dates.relative import read_relative
from newscrawler.dates.structured import candidate

_WEIGHTS = {"news sitemap": 0.56, "feed": 0.54, "listing": 0.3, "last-modified": 0.13}
_LAST_MODIFIED = "last-modified"
_FRESH = timedelta(days=1)


def hint_dates(context: DateContext, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the crawl's hints."""
    for order, hint in enumerate(context.hints):
        moment = read_moment(hint.text, clock) or read_relative(hint.text, clock)
        if moment is None:
            continue
        weight, why = _WEIGHTS.get(hint.source, 0.2), ""
        if hint.source == _LAST_MODIFIED:
            moment = replace(moment, precision=DatePrecision.DAY)
            if context.fetched_at is None or context.fetched_at - moment.value < _FRESH:
                weight, why = 0.0, "the server may have sent the time of its answer"
        yield candidate(moment, hint.source, Role.PUBLISHED, weight, text=hint.text, place="crawl", order=order, why=why)
