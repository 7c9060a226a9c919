"""The date of an article whose page told none, by what the crawl has seen of it since."""

from __future__ import annotations

from newscrawler.dates.candidate import DateCandidate, DateContext
from newscrawler.dates.choose import choose
from newscrawler.dates.hints import hint_dates
from newscrawler.dates.moment import Clock
from newscrawler.dates.zones import zone_of


def date_seen(context: DateContext) -> DateCandidate | None:
    """Choose among the hints alone, as `find_dates` would on a page that says nothing of time; None: they tell no date.

    Args:
        context: of the fetch of the article, with all that was seen of it.
    """
    languages = (context.language,) if context.language else ()
    month_first = context.day_order == "mdy"
    clock = Clock(zone=zone_of(context.time_zone), fetched_at=context.fetched_at, month_first=month_first, languages=languages)
    return choose(list(hint_dates(context, clock)), context).published
