"""The tables of the source documents: their names, and the record of one table as it is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

#: Characters of the longest bar of a figure.
_WIDEST_BAR = 30


class DocumentTable(StrEnum):
    """A table by the number of its document and its own."""

    ACCURACY = "000.1"
    TWO_EXTRACTORS = "000.4.2"
    SUBSEQUENCE = "001"
    WRAPPERS = "002.4.2"
    CRAWL = "002.4.3"
    CRAWLS = "002.4.4"
    MEMORY = "002.4.2.1.3"
    DETECTORS = "002.5"
    METHODS = "004.1"
    COLLECTED = "004.2"
    TEMPLATES = "004.3"


#: Why the figures of each table are not those of its document, even where the method is.
NOT_COMPARABLE: Mapping[DocumentTable, str] = {
    DocumentTable.ACCURACY: (
        "the document judged 2,098 articles of 14 Polish portals of 2011 by eye, decided doubts for the method, and adapted it to "
        "six of the portals. Judged by gold, four missing or foreign words in a row are an error."
    ),
    DocumentTable.TWO_EXTRACTORS: (
        "the document took ten pages of each portal, up to five of which PortalCrawler had read wrongly, and compared with two "
        "tools of browsers that no longer exist."
    ),
    DocumentTable.SUBSEQUENCE: (
        "the document shows the figures of the paper in a picture that is lost; the paper counts tokens of pages of 2008 and 2009. "
        "Here runs of four words are counted."
    ),
    DocumentTable.WRAPPERS: (
        "the document marks each of nine portals of 2014 as a whole and by eye, and most of its marks are lost. Here each page "
        "counts, and a caption within the body is `over`."
    ),
    DocumentTable.CRAWL: (
        "the document crawled live portals of 2014, again for each number of articles. Here 100, 200 and 300 articles are stages "
        "of one crawl, and seconds depend on the delay of the portal and on this machine."
    ),
    DocumentTable.CRAWLS: (
        "the document crawled live portals of 2014. Here seconds depend on the delay of the portal and on this machine, and feeds "
        "and sitemaps are read where the portal has them."
    ),
    DocumentTable.MEMORY: (
        "the document kept found articles in memory until a section was read, and all addresses until the end; here both are in "
        "the database, and the process holds its models."
    ),
    DocumentTable.DETECTORS: (
        "the document has 100 results of one query in one language, of 2014. The shares of news among the pages differ, and with "
        "them the share that is right."
    ),
    DocumentTable.METHODS: (
        "the document names classes of the worst case. Here the growth of CPU time is measured, on these pages."
    ),
    DocumentTable.COLLECTED: (
        "the document counts all articles of two journals, 2005 to 2017. Here articles of the pages or of the database are counted."
    ),
    DocumentTable.TEMPLATES: (
        "the document learned from about a hundred pages of one layout for each of two journals, and compared four fields with "
        "selectors. Here 20 % of the pages at hand are learned, and only fields that have a group of their own are compared."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """One table: every cell is text or a whole number."""

    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str | int]]

    def as_dict(self) -> Mapping[str, object]:
        """Return the table as JSON has it, a row as an object."""
        return {"table": self.title, "rows": [dict(zip(self.heading, row, strict=True)) for row in self.rows]}


def percent(value: float | None) -> str:
    """Format as per cent with one decimal, as the documents do; None: a dash."""
    return "–" if value is None else f"{value * 100:.1f} %"


def bar(share: float) -> str:
    """Return a bar of a chart, its length in proportion to a share of 0 to 1."""
    return "█" * round(share * _WIDEST_BAR)
