"""The one place where a date is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from newscrawler.dates.candidate import DateContext, Dates
from newscrawler.page import Document


def find_dates(
    page: Document,
    context: DateContext,
    *,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
) -> Dates:
    """Choose among everything that the page says about time."""
    return Dates(reason="no date on the page")
