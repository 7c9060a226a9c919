"""Dates that the crawl saw elsewhere: in a feed, a news sitemap, a listing beside the link, the response's header.

Last-Modified tells a day at most, and within a day of the fetch nothing, as many servers and caches send the time of the
response, or of their last filling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import CRAWL, DateCandidate, DateContext, Family, Role
from newscrawler.dates.moment import Clock, read_moment
from newscrawler.dates.relative import read_relative
from newscrawler.dates.structured import candidate

_FRESH = timedelta(days=1)


def hint_dates(context: DateContext, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the crawl's hints."""
    for hint in context.hints:
        moment = read_moment(hint.text, clock) or read_relative(hint.text, clock)
        if moment is None or hint.source not in CRAWL:
            continue
        if hint.source == Family.LAST_MODIFIED:
            moment = replace(moment, precision=DatePrecision.DAY)
            if context.fetched_at is None or context.fetched_at - moment.value < _FRESH:
                continue
        yield candidate(moment, Family(hint.source), hint.source, Role.PUBLISHED, text=hint.text, place="crawl")
