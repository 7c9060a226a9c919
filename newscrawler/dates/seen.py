"""The date of an article whose page told none, by what the crawl has seen of it since."""

from __future__ import annotations

from lxml import etree

from newscrawler.dates.candidate import DateCandidate, DateContext
from newscrawler.dates.choose import find_dates
from newscrawler.page import Document


def date_seen(context: DateContext) -> DateCandidate | None:
    """Choose among the hints alone, as `find_dates` does on a page that says nothing of time; None: they tell no date.

    Args:
        context: of the fetch of the article, with all that was seen of it.
    """
    return find_dates(Document(etree.Element("html")), context).published
