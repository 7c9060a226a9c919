"""The rules for dates of the source documents as a row of a comparison: the default body, and the dates that these rules find."""

from __future__ import annotations

from dataclasses import dataclass

from newscrawler.article import Body
from newscrawler.dates import DateContext, Dates, find_dates_by_rules
from newscrawler.page import Document
from newscrawler.page_methods import PAGE_METHODS

NAME = "date_rules"


@dataclass(frozen=True, slots=True)
class DateRules:
    """Finds the body as the default does, and the date by the rules of the documents."""

    def __call__(self, page: Document, /) -> Body | None:
        """Return the body of a page."""
        return PAGE_METHODS["default"](page)

    def find_dates(self, page: Document, context: DateContext, body: Body | None) -> Dates:
        """Return the first date that the rules find."""
        return find_dates_by_rules(
            page, context, headline_element=body.headline_element if body else None, body_elements=body.elements if body else ()
        )
