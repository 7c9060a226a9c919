"""The one place where a date is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, DateContext, Dates, Role
from newscrawler.dates.markup import markup_dates, walk
from newscrawler.dates.moment import Clock
from newscrawler.dates.structured import json_ld_dates, meta_dates, url_dates
from newscrawler.dates.place import Places
from newscrawler.dates.text import foot_dates, near_dates, page_dates, script_dates
from newscrawler.dates.zones import zone_of
from newscrawler.page import Document


def find_dates(
    page: Document,
    context: DateContext,
    *,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
) -> Dates:
    """Choose among everything that the page says about time."""
    clock = Clock(zone=zone_of(context.time_zone), fetched_at=context.fetched_at, languages=tuple(filter(None, (context.language, page.declared_language))))
    found = [*json_ld_dates(page, clock), *meta_dates(page, clock), *url_dates(page, clock)]
    if not any(c.weight > 0.7 and c.role == Role.PUBLISHED for c in found) or context.thorough:
        walked = walk(page, headline_element, body_elements)
        places = Places(walked.headline, body_elements)
        found += markup_dates(walked, clock, places)
        if best(found) < 0.5 or context.thorough:
            found += near_dates(walked.headline, clock, places)
            found += foot_dates(page, clock, body_elements)
        if best(found) < 0.4 or context.thorough:
            found += page_dates(page, clock, places)
            found += script_dates(page, clock)
    found.sort(key=lambda c: (-c.weight, c.order))
    published = [c for c in found if c.role == Role.PUBLISHED and c.precision != DatePrecision.MONTH and c.weight > 0.1]
    modified = [c for c in found if c.role == Role.MODIFIED]
    if not published:
        published = [c for c in found if c.role == Role.MODIFIED and c.weight > 0.2]
    return Dates(published=published[0] if published else None, modified=modified[0] if modified else None, candidates=tuple(found), reason=None if published else "no date on the page")


def best(found):
    return max((c.weight for c in found if c.role == Role.PUBLISHED and c.precision != DatePrecision.MONTH), default=0.0)
