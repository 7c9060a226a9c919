"""All that a page, and the crawl, say about time, in the order of what it costs to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cached_property
from itertools import islice

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.headline import headline_of
from newscrawler.extraction.dates.candidate import CRAWL, DateCandidate, DateContext, Family, Role
from newscrawler.extraction.dates.days import Stage
from newscrawler.extraction.dates.moment import Clock, read_moment
from newscrawler.extraction.dates.relative_dates import read_relative
from newscrawler.extraction.dates.spots import Spots
from newscrawler.extraction.dates.structured_data import candidate, json_ld_dates, meta_dates, script_dates, state_dates, url_dates
from newscrawler.extraction.dates.visible_dates import element_dates, text_dates
from newscrawler.page import Document

_FRESH = timedelta(days=1)
_MOST_SCRIPT_DATES = 60


def hint_dates(context: DateContext, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the crawl's hints."""
    for hint in context.hints:
        moment = read_moment(hint.text, clock) or read_relative(hint.text, clock)
        if moment is None or hint.source not in CRAWL:
            continue
        if hint.source == Family.LAST_MODIFIED:
            moment = replace(moment, precision=DatePrecision.DAY)
            if context.fetched_at is None or context.fetched_at - moment.value < _FRESH:
                continue
        yield candidate(moment, Family(hint.source), hint.source, Role.PUBLISHED, text=hint.text, place="crawl")


#: Blocks from the headline in which the time of a day is looked for.
_NEAR = 12


@dataclass(kw_only=True)
class Collector:
    """Reads the dates of one page, stage by stage."""

    page: Document
    context: DateContext
    clock: Clock
    headline: etree._Element | None = None
    body: Sequence[etree._Element] = ()
    #: Probability of each block of the page to be part of the body; empty where that is not known.
    likely: Sequence[float] = ()

    def stage(self, stage: Stage) -> Iterator[DateCandidate]:
        """Yield what one stage adds to those before it."""
        page, clock = self.page, self.clock
        if stage is Stage.DECLARED:
            yield from json_ld_dates(page, clock)
            yield from meta_dates(page, clock)
            yield from url_dates(page, clock)
            yield from hint_dates(self.context, clock)
            yield from state_dates(page, clock)
        elif stage is Stage.SHOWN:
            yield from element_dates(page, clock, self.spots)
            yield from text_dates(page, clock, self.spots)
        else:
            yield from islice(script_dates(page, clock), _MOST_SCRIPT_DATES)

    def near_headline(self) -> Iterator[DateCandidate]:
        """Yield dates of time elements and of text near the headline, which give a day that is known its time and its clock."""
        yield from element_dates(self.page, self.clock, self.spots, by_name=False)
        yield from text_dates(self.page, self.clock, self.spots, near=_NEAR)

    @cached_property
    def spots(self) -> Spots:
        """The places of the page."""
        headline = self.headline
        if headline is None and (found := self.page.view(headline_of)) is not None:
            headline = found.element
        return Spots(self.page, headline, self.body, self.likely)
