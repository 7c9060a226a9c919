"""Tables 4.3 and 4.4 and figure 4.3 of Š. Blanár (002 §4.2.1.2): pages and seconds that a crawl takes for its articles.

A portal is crawled several times, each time into an empty database. The figures at 100, 200 and 300 articles are read off the same
crawl, at the moment when the last of them was fetched. The deviation is the mean distance from the mean, as in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import TypeAlias

from newscrawler.research.evaluation.document_table import PrintedTable, bar

#: Numbers of articles at which the document measures, besides all.
MARKS = (100, 200, 300)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlMark:
    """The progress of a crawl at one moment."""

    articles: int
    pages: int
    seconds: float


Value: TypeAlias = Callable[[CrawlMark], float]
#: From several numbers to one: the mean, or the deviation from it.
Aggregate: TypeAlias = Callable[[Sequence[float]], float]
_PAGES: Value = attrgetter("pages")
_ARTICLES: Value = attrgetter("articles")
_SECONDS: Value = attrgetter("seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCrawl:
    """One crawl of a portal."""

    #: Those of MARKS that it reached.
    marks: Mapping[int, CrawlMark]
    whole: CrawlMark
    #: Parts of the seconds of the whole crawl, in CPU seconds.
    detection_seconds: float
    extraction_seconds: float
    #: The most that the process took.
    memory_mib: float = 0.0

    @property
    def crawling_seconds(self) -> float:
        """Return the time of everything but detection and extraction."""
        return max(0.0, self.whole.seconds - self.detection_seconds - self.extraction_seconds)


def deviation(values: Sequence[float]) -> float:
    """Return the mean distance of values from their mean."""
    mean = fmean(values)
    return fmean(abs(value - mean) for value in values)


def crawl_table(portal: str, crawls: Sequence[MeasuredCrawl]) -> PrintedTable:
    """Return table 4.3: the pages and seconds of each crawl for 100, 200, 300 and all articles, then their means."""
    columns = [[crawl.marks.get(mark) for crawl in crawls] for mark in MARKS] + [[crawl.whole for crawl in crawls]]
    rows: list[list[str | int]] = []
    for number in range(len(crawls)):
        rows.append([f"{number + 1}."])
        for column in columns:
            rows[-1] += _shown(column[number], is_whole=column is columns[-1])
    figures: tuple[tuple[str, Aggregate], ...] = (("mean", fmean), ("deviation", deviation))
    for title, figure in figures:
        rows.append([title])
        for column in columns:
            values = (_PAGES, _ARTICLES, _SECONDS) if column is columns[-1] else (_PAGES, _SECONDS)
            rows[-1] += [_over(column, value, figure) for value in values]
    for title, value, figure in _RATES:
        rows.append([title])
        for column in columns:
            empty = ["", ""] if column is columns[-1] else [""]
            rows[-1] += [*empty, _over(column, value, figure)]
    heading = [
        "crawl",
        *(f"{mark}: {name}" for mark in MARKS for name in ("pages", "seconds")),
        *("all: pages", "all: articles", "all: seconds"),
    ]
    return PrintedTable(title=f"002 table 4.3: pages and seconds, {portal}", heading=heading, rows=rows)


def _shown(mark: CrawlMark | None, *, is_whole: bool) -> list[str | int]:
    pages, articles, seconds = (mark.pages, mark.articles, f"{mark.seconds:.2f}") if mark else ("–", "–", "–")
    return [pages, articles, seconds] if is_whole else [pages, seconds]


def _over(column: Sequence[CrawlMark | None], value: Value, figure: Aggregate) -> str:
    values = [value(mark) for mark in column if mark is not None and mark.articles]
    return f"{figure(values):.2f}" if values else "–"


def _seconds_an_article(mark: CrawlMark) -> float:
    return mark.seconds / mark.articles


def _pages_an_article(mark: CrawlMark) -> float:
    return mark.pages / mark.articles


_RATES: Sequence[tuple[str, Value, Aggregate]] = (
    ("seconds an article", _seconds_an_article, fmean),
    ("  deviation", _seconds_an_article, deviation),
    ("pages an article", _pages_an_article, fmean),
    ("  deviation", _pages_an_article, deviation),
)


def crawls_table(portals: Mapping[str, Sequence[MeasuredCrawl]]) -> PrintedTable:
    """Return table 4.4: per portal the seconds and pages per article of whole crawls, with their deviations."""
    rows: list[Sequence[str | int]] = [
        (portal, len(crawls), *(_over([crawl.whole for crawl in crawls], value, figure) for _, value, figure in _RATES))
        for portal, crawls in portals.items()
    ]
    heading = ("portal", "crawls", "s an article", "deviation", "pages an article", "deviation of pages")
    return PrintedTable(title="002 table 4.4: seconds and pages an article", heading=heading, rows=rows)


def memory_table(portals: Mapping[str, Sequence[MeasuredCrawl]]) -> PrintedTable:
    """Return the figures of section 4.2.1.3: the memory that crawls took at most."""
    rows: list[Sequence[str | int]] = [
        (portal, len(crawls), f"{max(found):.0f}", f"{fmean(found):.0f}", f"{fmean(each.whole.articles for each in crawls):.0f}")
        for portal, crawls in portals.items()
        for found in [[crawl.memory_mib for crawl in crawls]]
    ]
    rows.append(("the document: idnes.cz; all portals", "", "200", "40", ""))
    return PrintedTable(
        title="002 section 4.2.1.3: memory", heading=("portal", "crawls", "largest, MiB", "mean", "articles"), rows=rows
    )


def stages_figure(portal: str, crawls: Sequence[MeasuredCrawl]) -> PrintedTable:
    """Return figure 4.3: for each crawl the seconds of crawling, then with detection, then with extraction too."""
    longest = max((crawl.whole.seconds for crawl in crawls), default=0.0) or 1.0
    rows: list[Sequence[str | int]] = []
    for number, crawl in enumerate(crawls, 1):
        crawling, detecting = crawl.crawling_seconds, crawl.crawling_seconds + crawl.detection_seconds
        stages = (
            (f"{number}. crawling", crawling), ("   and detection", detecting),
            ("   and extraction", detecting + crawl.extraction_seconds),
        )  # fmt: skip
        rows += [(name, f"{seconds:.2f}", bar(seconds / longest)) for name, seconds in stages]
    return PrintedTable(title=f"002 figure 4.3: seconds by stage, {portal}", heading=("crawl", "seconds", ""), rows=rows)
