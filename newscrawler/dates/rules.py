"""The rules for dates of the source documents, a baseline: first elements that are made or named for dates, then the text.

Source: Š. Blanár (see `newscrawler.methods.modified_ttr`), sections 3.2 and 4.1.2. `time`, `datetime` and `pubdate`; elements
whose id or class speaks of a date; then expressions in the text of the body and in the two or three elements around it; never the
day of today above the headline, where it often stands with the name day. The first date that a rule finds is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, DateContext, Dates, Family
from newscrawler.dates.collect import Collector
from newscrawler.dates.day_order import clock_of
from newscrawler.dates.shown import element_dates, text_dates
from newscrawler.dates.zones import zone_of
from newscrawler.page import Document

#: Elements around the body whose text is read.
_BESIDE_BODY = 3
_RULES: Sequence[frozenset[Family]] = (
    frozenset({Family.TIME, Family.TIME_NAMED, Family.ATTRIBUTE}),
    frozenset({Family.NAMED}),
    frozenset({Family.TEXT}),
)


def find_dates_by_rules(
    page: Document,
    context: DateContext,
    *,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
) -> Dates:
    """Return the first date that the rules of the documents find."""
    clock = clock_of(page, context)
    spots = Collector(page=page, context=context, clock=clock, headline=headline_element, body=body_elements).spots
    found = [c for c in (*element_dates(page, clock, spots), *text_dates(page, clock, spots)) if c.precision != DatePrecision.MONTH]
    today = context.fetched_at.astimezone(zone_of(context.time_zone)).date() if context.fetched_at else None
    for families in _RULES:
        for c in _of_rule(found, families):
            is_clock = c.spot is not None and c.spot.from_headline < 0 and c.value.date() == today
            if not is_clock and (today is None or c.value.date() <= today):
                return Dates(published=c, candidates=tuple(found), why="the first that the rules find")
    return Dates(candidates=tuple(found), reason="no rule finds a date")


def _of_rule(found: Sequence[DateCandidate], families: frozenset[Family]) -> Iterator[DateCandidate]:
    """Yield the dates of a rule in page order; in text, those in the body and close around it."""
    for c in found:
        is_near = c.spot is None or (c.spot.from_body >= -_BESIDE_BODY and c.spot.from_body_end <= _BESIDE_BODY)
        if c.family in families and (c.family is not Family.TEXT or is_near):
            yield c
