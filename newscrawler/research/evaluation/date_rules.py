"""The rules for dates of the source documents as a row of a comparison: the default body, and the dates that these rules find.

Source: Š. Blanár (see `newscrawler.research.methods.modified_ttr`), sections 3.2 and 4.1.2. `time`, `datetime` and `pubdate`;
elements
whose id or class speaks of a date; then expressions in the text of the body and in the two or three elements around it; never the
day of today above the headline, where it often stands with the name day. The first date that a rule finds is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from newscrawler.article import Body, DatePrecision
from newscrawler.extraction.body import find_body
from newscrawler.extraction.dates import (
    DateCandidate,
    DateContext,
    DatePositions,
    Dates,
    Family,
    find_shown_dates,
    find_zone,
    make_clock,
)
from newscrawler.page import Document

NAME = "date_rules"
#: Elements around the body whose text is read.
_BESIDE_BODY = 3
_RULES = (frozenset({Family.TIME, Family.TIME_NAMED}), frozenset({Family.NAMED}), frozenset({Family.TEXT}))


@dataclass(frozen=True, slots=True)
class DateRules:
    """Finds the body as the default does, and the date by the rules of the documents."""

    def __call__(self, page: Document, /) -> Body | None:
        """Return the body of a page."""
        return find_body(page)

    def find_dates(self, page: Document, context: DateContext, body: Body | None) -> Dates:
        """Return the first date that the rules find."""
        positions = DatePositions(page, body.headline_element if body else None, body.elements if body else (), ())
        found = tuple(find_shown_dates(page, make_clock(page, context), positions))
        today = context.fetched_at.astimezone(find_zone(context.time_zone)).date() if context.fetched_at else None
        of_rules = (c for families in _RULES for c in found if c.family in families and _may_be(c, today))
        first = next(of_rules, None)
        return Dates(published=first, candidates=found, reason="no rule finds a date" if first is None else None)


def _may_be(c: DateCandidate, today: date | None) -> bool:
    """Tell whether a date can be the article's: not in the future, not the clock of the page, and in text, near the body."""
    day, position = c.value.date(), c.position
    if c.precision == DatePrecision.MONTH or (today is not None and day > today):
        return False
    if position is None:
        return True
    is_near = position.from_body >= -_BESIDE_BODY and position.from_body_end <= _BESIDE_BODY
    return not (position.from_headline < 0 and day == today) and (is_near or c.family is not Family.TEXT)
