"""Dates that the crawl saw elsewhere: in a feed, a news sitemap, a listing beside the link, the response's header.

They count where the page has none, or confirm what it says; Last-Modified is often only the time of the response.
"""

from __future__ import annotations

from collections.abc import Iterator

from newscrawler.dates.candidate import DateCandidate, DateContext, Role
from newscrawler.dates.moment import Clock, read_moment
from newscrawler.dates.relative import read_relative
from newscrawler.dates.structured import candidate

_WEIGHTS = {"news sitemap": 0.56, "feed": 0.54, "listing": 0.3, "last-modified": 0.13}


def hint_dates(context: DateContext, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the crawl's hints."""
    for order, hint in enumerate(context.hints):
        moment = read_moment(hint.text, clock) or read_relative(hint.text, clock)
        if moment:
            yield candidate(
                moment, hint.source, Role.PUBLISHED, _WEIGHTS.get(hint.source, 0.2), text=hint.text, place="crawl", order=order
            )
