"""The one place where a date is chosen: a model ranks the days, and the most precise statement of the best one gives the time.

What a page declares comes first. Where the model is sure of a day on that alone, the text of the page is read only for the time
and the clock of that day; else all that it shows is read, and at last its scripts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from operator import itemgetter

import numpy as np
from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.candidate import CRAWL, DateCandidate, DateContext, Dates, Role
from newscrawler.extraction.dates.collector import Collector
from newscrawler.extraction.dates.day_order import clock_of
from newscrawler.extraction.dates.days import Days, Stage, days_of, readings
from newscrawler.extraction.dates.page_clock import is_in_utc, most_precise, on_the_page_clock
from newscrawler.extraction.dates.ranking import DayRanker, day_ranker
from newscrawler.extraction.dates.zones import zone_of
from newscrawler.page import Document
from newscrawler.page.marks import Mark

#: Sites write the time of their own clock as UTC, so that a day may lie ahead of the fetch.
_AHEAD = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """The candidates that can be right, by day, with the probabilities of the days."""

    days: Days
    probabilities: Sequence[float]
    months: Sequence[DateCandidate]
    refused: Sequence[DateCandidate]

    @property
    def best(self) -> tuple[Sequence[DateCandidate], float]:
        """What falls on the most probable day, and its probability; nothing and 0 where there is none."""
        return max(zip(self.days.candidates, self.probabilities, strict=True), key=itemgetter(1), default=((), 0.0))


def find_dates(
    page: Document,
    context: DateContext,
    *,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
    likely: Sequence[float] = (),
    ranker: DayRanker | None = None,
) -> Dates:
    """Choose among everything that the page, and the crawl, say about time.

    Args:
        page: the page.
        context: what is known besides it.
        headline_element: where its headline stands; searched for where that is not known.
        body_elements: the boxes of its body.
        likely: the probability of each of its blocks to be part of the body, where that is known.
        ranker: ranks its days; by default the one that ships with the program.
    """
    ranker, clock = ranker or day_ranker(), clock_of(page, context)
    collector = Collector(page=page, context=context, clock=clock, headline=headline_element, body=body_elements, likely=likely)
    found: list[DateCandidate] = []
    for stage in Stage:
        found += collector.stage(stage)
        ranked = rank(found, context, ranker)
        enough = ranker.enough if stage is Stage.DECLARED else ranker.least
        group, probability = ranked.best
        # what the crawl alone saw of a day is no reason not to read the page
        if probability >= enough and not CRAWL.issuperset(c.family for c in group) and not context.thorough:
            break
    if stage is Stage.DECLARED and _needs_clock(group, context):
        found += collector.near_headline()
        ranked = rank(found, context, ranker)
    return decide(ranked, ranker, context, page)


def rank(found: Sequence[DateCandidate], context: DateContext, ranker: DayRanker) -> Ranked:
    """Compute the probability of each day on which the page may have been published."""
    zone, fetched_at = zone_of(context.time_zone), context.fetched_at
    usable: list[DateCandidate] = []
    refused: list[DateCandidate] = []
    for c in readings(found, zone):
        if fetched_at is None or c.value <= fetched_at + _AHEAD:
            usable.append(c)
        elif not c.exchanged:
            refused.append(replace(c, why="lies in the future"))
    days = days_of(usable, fetched_at.astimezone(zone).date() if fetched_at is not None else None)
    likely = ranker.published_probabilities(days).tolist()
    likely = [0.0 if all(c.role is Role.OTHER for c in group) else p for group, p in zip(days.candidates, likely, strict=True)]
    months = [c for c in usable if c.precision == DatePrecision.MONTH]
    return Ranked(days=days, probabilities=likely, months=months, refused=refused)


def decide(ranked: Ranked, ranker: DayRanker, context: DateContext, page: Document) -> Dates:
    """Choose the day of publication and that of the last change, and their times."""
    days, (group, probability) = ranked.days, ranked.best
    judged = [
        replace(c, probability=float(likely))
        for each, likely in zip(days.candidates, ranked.probabilities, strict=True) for c in each if not c.exchanged
    ]  # fmt: skip
    candidates = (*sorted(judged, key=lambda c: -c.probability), *ranked.refused)
    if not group or probability < ranker.least:
        month = next((c for c in ranked.months if c.source == "url"), None)
        if month is not None:
            return Dates(published=month, candidates=candidates, why="only the month is given")
        return Dates(candidates=candidates, reason=_reason(candidates))
    zone = zone_of(context.time_zone)
    best = most_precise(group, Role.PUBLISHED)
    best = replace(on_the_page_clock(best, judged, zone, page, context.language), probability=probability)
    changed = _modified(days, ranker, best, group)
    return Dates(
        published=best,
        modified=on_the_page_clock(changed, judged, zone, page, context.language) if changed is not None else None,
        candidates=candidates,
        confidence=ranker.confidence(probability),
        why=best.why or f"the most probable of {len(days.days)} days",
    )


def _modified(days: Days, ranker: DayRanker, published: DateCandidate, of_its_day: Sequence[DateCandidate]) -> DateCandidate | None:
    """Return the last change; one that comes before the publication is none, nor is the time of a comment.

    On the day of publication, whose dates are `of_its_day`, only what is stated as a change is one.
    """
    likely = ranker.modified_probabilities(days)
    for place in np.argsort(-likely).tolist():
        if likely[place] < ranker.least_change:
            return None
        group = days.candidates[place]
        own = [c for c in group if c.spot is None or not c.spot.within & Mark.COMMENT]
        if group is of_its_day:
            own = [c for c in own if c.role is Role.MODIFIED]
        if not own:
            continue
        found = most_precise(own, Role.MODIFIED)
        if found.value >= published.value or found.value.date() >= published.value.date():
            return replace(found, probability=float(likely[place]))
    return None


def _needs_clock(group: Sequence[DateCandidate], context: DateContext) -> bool:
    """Tell whether the day is known, but not yet its time, or not yet the clock of the page."""
    best = most_precise(group, Role.PUBLISHED)
    return best.precision == DatePrecision.DAY or (zone_of(context.time_zone) is UTC and is_in_utc(best))


def _reason(candidates: Sequence[DateCandidate]) -> str:
    if not candidates:
        return "no date on the page"
    refused = next((f", the first {c.why}" for c in candidates if c.why), "")
    return f"no date that is the article's ({len(candidates)} others{refused})"


def date_seen(context: DateContext) -> DateCandidate | None:
    """Choose among the hints alone, as `find_dates` does on a page that says nothing of time; None: they tell no date.

    Args:
        context: of the fetch of the article, with all that was seen of it.
    """
    return find_dates(Document(etree.Element("html")), context).published
