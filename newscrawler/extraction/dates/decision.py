"""Which day is that of publication, and which that of the last change: forests over the features of days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from functools import cache, cached_property
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.forest import Forest, read_model, sigmoid
from newscrawler.extraction.body.headline import find_headline
from newscrawler.extraction.dates.calendar import find_zone, make_clock, move_to_page_clock
from newscrawler.extraction.dates.candidate import CRAWL, Clock, DateCandidate, DateContext, DateRole, Dates, Family
from newscrawler.extraction.dates.day_candidates import (
    FOREIGN_BOXES,
    DatePositions,
    DayCandidates,
    Stage,
    choose_most_precise,
    group_by_day,
    is_in_utc,
    is_own,
    list_readings,
    rank_evidence,
)
from newscrawler.extraction.dates.relative_dates import read_relative
from newscrawler.extraction.dates.structured_data import (
    find_file_dates,
    find_json_ld_dates,
    find_meta_dates,
    find_script_dates,
    find_state_dates,
    find_url_dates,
    make_candidate,
)
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.extraction.dates.visible_dates import find_element_dates, find_text_dates, find_times
from newscrawler.page import Document


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRanker:
    """A forest over the features of days, and its performance on unseen hosts."""

    published: Forest
    #: Points of a rising line from the probability of the best day to how often it was right.
    curve: NDArray[np.float64]
    #: Least probability of the day of publication.
    least: float
    #: Probability of a declared day from which on the text of a page need not be read.
    enough: float

    def rank_published(self, days: DayCandidates) -> list[float]:
        """Return the probability of each day to be that of publication."""
        return sigmoid(self.published.log_odds(days.rows)).tolist() if days.days else []

    def estimate_confidence(self, probability: float) -> float:
        """Return how often the best day was right where it had this probability."""
        return float(np.interp(probability, self.curve[:, 0], self.curve[:, 1]))


def make_ranker(model: Mapping[str, Any]) -> DayRanker:
    """Make a ranker of the plain lists of a model file."""
    curve, least, enough = np.array(model["curve"]), float(model["least"]), float(model["enough"])
    return DayRanker(published=Forest.of(model["published"]), curve=curve, least=least, enough=enough)


@cache
def load_ranker() -> DayRanker:
    """Return the ranker that ships with the program."""
    return make_ranker(read_model("dates"))


_FRESH = timedelta(days=1)
_MOST_SCRIPT_DATES = 60


def find_hint_dates(context: DateContext, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the crawl's hints."""
    for hint in context.hints:
        moment = read_moment(hint.text, clock) or read_relative(hint.text, clock)
        if moment is None or hint.source not in CRAWL:
            continue
        if hint.source == Family.LAST_MODIFIED:
            moment = replace(moment, precision=DatePrecision.DAY)
            if context.fetched_at is None or context.fetched_at - moment.value < _FRESH:
                continue
        yield make_candidate(moment, Family(hint.source), hint.source, DateRole.PUBLISHED, text=hint.text, place="crawl")


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

    def read_stage(self, stage: Stage) -> Iterator[DateCandidate]:
        """Yield the dates that a stage adds."""
        page, clock = self.page, self.clock
        if stage is Stage.DECLARED:
            yield from find_json_ld_dates(page, clock)
            yield from find_meta_dates(page, clock)
            yield from find_url_dates(page, clock)
            yield from find_hint_dates(self.context, clock)
            yield from find_state_dates(page, clock)
        elif stage is Stage.SHOWN:
            yield from find_element_dates(page, clock, self.positions)
            yield from find_text_dates(page, clock, self.positions)
        else:
            yield from islice(find_script_dates(page, clock), _MOST_SCRIPT_DATES)

    def read_times(self, days: Collection[date]) -> list[DateCandidate]:
        """Return dates near the headline that give declared days their times and their clock, and those of the last change."""
        near = {day + _AHEAD * more for day in days for more in (-1, 0, 1)}
        found = (c for c in find_times(self.page, self.clock, self.positions, near) if c.precision != DatePrecision.MONTH)
        latest = self.context.fetched_at + _AHEAD if self.context.fetched_at is not None else None
        found = (c for c in found if latest is None or c.value <= latest)
        return [c for c in found if c.role is DateRole.MODIFIED or c.value.date() in near]

    @cached_property
    def positions(self) -> DatePositions:
        """The places of the page."""
        headline = self.headline
        if headline is None and (found := self.page.view(find_headline)) is not None:
            headline = found.element
        return DatePositions(self.page, headline, self.body, self.likely)


#: Sites write the time of their own clock as UTC, so that a day may lie ahead of the fetch.
_AHEAD = timedelta(days=1)
#: Dates that systems write for an unknown one: the zeros of Unix, spreadsheets, .NET and SQL, also in zones behind or ahead.
_ZERO_DAYS = frozenset(
    {(1970, 1, 1), (1969, 12, 31), (1970, 1, 2), (1900, 1, 1), (1899, 12, 30), (1899, 12, 31), (1, 1, 1), (1753, 1, 1)}
)


def find_dates(
    page: Document,
    context: DateContext,
    *,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
    likely: Sequence[float] = (),
    ranker: DayRanker | None = None,
) -> Dates:
    """Choose among all dates of the page and the crawl; `likely`: probability of each block to be part of the body, if known."""
    ranker, clock = ranker or load_ranker(), make_clock(page, context)
    collector = Collector(page=page, context=context, clock=clock, headline=headline_element, body=body_elements, likely=likely)
    found: list[DateCandidate] = []
    for stage in Stage:
        found += collector.read_stage(stage)
        days, others = rank(found, context, ranker)
        enough = ranker.enough if stage is Stage.DECLARED else ranker.least
        # a day that only the crawl knows is not a reason to skip the page
        is_known = bool(days) and days[0][0].probability >= enough and not all(c.family in CRAWL for c in days[0])
        if is_known and not context.thorough:
            break
    if not days and (of_file := list(find_file_dates(page, clock))):
        days, others = rank([*found, *of_file], context, ranker)
    if stage is Stage.DECLARED and _is_clock_missing(days[0], context):
        groups = {group[0].value.date(): list(group) for group in days}
        for c in list_readings(collector.read_times(groups), find_zone(context.time_zone)):
            group = groups.setdefault(c.value.date(), [c])
            c.probability = 0.0 if group[0] is c else group[0].probability
            group += [c] if group[0] is not c else []
        days = list(groups.values())
    return decide(days, others, ranker, context, page)


def rank(
    found: Iterable[DateCandidate], context: DateContext, ranker: DayRanker
) -> tuple[list[Sequence[DateCandidate]], list[DateCandidate]]:
    """Return the dates by day, the most probable day first, and those that name a month only or cannot be right."""
    zone, fetched_at = find_zone(context.time_zone), context.fetched_at
    usable: list[DateCandidate] = []
    refused: list[DateCandidate] = []
    for c in list_readings(found, zone):
        is_zero = (c.value.year, c.value.month, c.value.day) in _ZERO_DAYS
        is_future = fetched_at is not None and c.value > fetched_at + _AHEAD
        c.why = "zero date of a database" if is_zero else "lies in the future" if is_future else ""
        (refused if c.why else usable).append(c)
    days = group_by_day(usable, fetched_at.astimezone(zone).date() if fetched_at is not None else None)
    for group, probability in zip(days.candidates, ranker.rank_published(days), strict=True):
        is_ruled_out = all(c.role is DateRole.OTHER or c.in_prose for c in group)
        for c in group:
            c.probability = 0.0 if is_ruled_out else probability
            c.why = "" if not is_ruled_out else _IN_PROSE if c.in_prose else _OF_OTHER
    months = (c for c in usable if c.precision == DatePrecision.MONTH)
    ranked = sorted(days.candidates, key=lambda group: -group[0].probability)
    return ranked, [*months, *(c for c in refused if not c.exchanged)]


def decide(
    days: Sequence[Sequence[DateCandidate]],
    others: Sequence[DateCandidate],
    ranker: DayRanker,
    context: DateContext,
    page: Document,
) -> Dates:
    """Choose the day of publication and that of the last change, and their times; arguments as `rank` returns them."""
    group = days[0] if days else ()
    best = choose_most_precise(group, DateRole.PUBLISHED) if group and group[0].probability >= ranker.least else None
    judged = [c for each in days for c in each if not c.exchanged]
    same_day = set(map(id, group))
    for c in judged:
        c.why = "" if c is best else c.why or _explain(c, best, is_same_day=id(c) in same_day)
    month = next((c for c in others if c.precision == DatePrecision.MONTH and c.source == "url" and not c.why), None)
    for c in others:
        c.why = c.why or ("" if best is None and c is month else "names a month only")
    candidates = (*judged, *others)
    if best is None:
        if month is not None:
            return Dates(published=month, candidates=candidates, why="only the month is given")
        return Dates(candidates=candidates, reason=_explain_absence(candidates))
    zone = find_zone(context.time_zone)
    best = move_to_page_clock(best, judged, zone, page, context.language)
    changed = _choose_modified(judged, best)
    return Dates(
        published=best,
        modified=move_to_page_clock(changed, judged, zone, page, context.language) if changed is not None else None,
        candidates=candidates,
        confidence=ranker.estimate_confidence(best.probability),
        why=best.why or (f"the most probable of {len(days)} days" if len(days) > 1 else "the only day"),
    )


def _choose_modified(judged: Sequence[DateCandidate], published: DateCandidate) -> DateCandidate | None:
    """Return the last change that the page declares, or else shows as its own; never a date before the publication."""
    changes = [c for c in judged if c.role is DateRole.MODIFIED and c.family not in _OF_OTHER_OBJECTS]
    later = (c for c in changes if c.value >= published.value or c.value.date() >= published.value.date())
    own = [c for c in later if is_own(c) or (c.labelled and not (c.position and c.position.within & FOREIGN_BOXES))]
    best = min(own, key=lambda c: (rank_evidence(c), -c.value.timestamp()), default=None)
    if best is None:
        return None
    return choose_most_precise([c for c in own if c.value.date() == best.value.date()], DateRole.MODIFIED)


#: Objects of JSON-LD that are not the article.
_OF_OTHER_OBJECTS = frozenset({Family.LD_OTHER, Family.LD_MEDIA, Family.LD_NESTED})


def _is_clock_missing(group: Sequence[DateCandidate], context: DateContext) -> bool:
    """Return whether the day is known, but not its time, or not the clock of the page."""
    best = choose_most_precise(group, DateRole.PUBLISHED)
    return best.precision == DatePrecision.DAY or (find_zone(context.time_zone) is UTC and is_in_utc(best))


def _explain(c: DateCandidate, best: DateCandidate | None, *, is_same_day: bool) -> str:
    """Return why a date is not the one that was chosen."""
    if c.role is not DateRole.PUBLISHED:
        return "states a change, not the publication" if c.role is DateRole.MODIFIED else _OF_OTHER
    if best is None:
        return "too improbable to be the day of publication"
    return "states the same day" if is_same_day else "less probable than the chosen day"


_IN_PROSE, _OF_OTHER = "part of a sentence: of an event", "belongs to something else, as its label or its place says"


def _explain_absence(candidates: Sequence[DateCandidate]) -> str:
    if not candidates:
        return "no date on the page"
    reasons = Counter(c.why for c in candidates)
    listed = "; ".join(why if number == len(candidates) == 1 else f"{number}: {why}" for why, number in reasons.most_common())
    return f"{len(candidates)} date{'s' * (len(candidates) > 1)}, none of publication ({listed})"


def choose_seen_date(context: DateContext) -> DateCandidate | None:
    """Choose among the hints only, as `find_dates` does on a page without dates; None: they contain no date."""
    return find_dates(Document(etree.Element("html")), context).published
