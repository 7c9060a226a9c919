"""Which day is that of publication, and which that of the last change: forests over the features of days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, timedelta
from functools import cache, cached_property
from itertools import islice
from operator import attrgetter, itemgetter
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
    DatePositions,
    DayCandidates,
    Stage,
    choose_most_precise,
    group_by_day,
    is_in_utc,
    list_readings,
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
from newscrawler.extraction.dates.visible_dates import find_element_dates, find_text_dates
from newscrawler.page import Document, Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRanker:
    """Two forests over the same features, and their performance on unseen hosts."""

    published: Forest
    modified: Forest
    #: Points of a rising line from the probability of the best day to how often it was right.
    curve: NDArray[np.float64]
    #: Least probability of the day of publication, and of that of the last change.
    least: float
    least_change: float
    #: Probability of a declared day from which on the text of a page need not be read.
    enough: float

    def rank_published(self, days: DayCandidates) -> NDArray[np.float64]:
        """Return the probability of each day to be that of publication."""
        return sigmoid(self.published.log_odds(days.rows))

    def rank_modified(self, days: DayCandidates) -> NDArray[np.float64]:
        """Return the probability of each day to be that of the last change."""
        return sigmoid(self.modified.log_odds(days.rows))

    def estimate_confidence(self, probability: float) -> float:
        """Return how often the best day was right where it had this probability."""
        return float(np.interp(probability, self.curve[:, 0], self.curve[:, 1]))


def make_ranker(model: Mapping[str, Any]) -> DayRanker:
    """Make a ranker of the plain lists of a model file."""
    return DayRanker(
        published=Forest.of(model["published"]),
        modified=Forest.of(model["modified"]),
        curve=np.array(model["curve"]),
        **{name: float(model[name]) for name in ("least", "least_change", "enough")},
    )


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

    def read_near_headline(self) -> Iterator[DateCandidate]:
        """Yield dates of time elements and of text near the headline, which give a day that is known its time and its clock."""
        yield from find_element_dates(self.page, self.clock, self.positions, by_name=False)
        yield from find_text_dates(self.page, self.clock, self.positions, near=_NEAR)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedDays:
    """The candidates that can be right, by day, with the probabilities of the days."""

    days: DayCandidates
    probabilities: Sequence[float]
    #: Days whose dates cannot be of publication whatever their probability, by number: why.
    ruled_out: Mapping[int, str]
    months: Sequence[DateCandidate]
    refused: Sequence[DateCandidate]

    @property
    def best(self) -> tuple[Sequence[DateCandidate], float]:
        """The candidates of the most probable day, and its probability; nothing and 0 where there is none."""
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
    """Choose among all dates of the page and the crawl; `likely`: probability of each block to be part of the body, if known."""
    ranker, clock = ranker or load_ranker(), make_clock(page, context)
    collector = Collector(page=page, context=context, clock=clock, headline=headline_element, body=body_elements, likely=likely)
    found: list[DateCandidate] = []
    for stage in Stage:
        found += collector.read_stage(stage)
        ranked = rank(found, context, ranker)
        enough = ranker.enough if stage is Stage.DECLARED else ranker.least
        group, probability = ranked.best
        # a day that only the crawl knows is not a reason to skip the page
        if probability >= enough and not CRAWL.issuperset(map(attrgetter("family"), group)) and not context.thorough:
            break
    if not group and (of_file := list(find_file_dates(page, clock))):
        found += of_file
        ranked = rank(found, context, ranker)
    if stage is Stage.DECLARED and _is_clock_missing(group, context):
        near = list(collector.read_near_headline())
        ranked = _add_times(ranked, near, context) or rank([*found, *near], context, ranker)
    return decide(ranked, ranker, context, page)


def rank(found: Sequence[DateCandidate], context: DateContext, ranker: DayRanker) -> RankedDays:
    """Compute the probability of each day on which the page may have been published."""
    zone, fetched_at = find_zone(context.time_zone), context.fetched_at
    usable: list[DateCandidate] = []
    refused: list[DateCandidate] = []
    for c in list_readings(found, zone):
        if (c.value.year, c.value.month, c.value.day) in _ZERO_DAYS:
            refused.append(replace(c, why="zero date of a database"))
        elif fetched_at is None or c.value <= fetched_at + _AHEAD:
            usable.append(c)
        elif not c.exchanged:
            refused.append(replace(c, why="lies in the future"))
    days = group_by_day(usable, fetched_at.astimezone(zone).date() if fetched_at is not None else None)
    likely = ranker.rank_published(days).tolist()
    ruled_out = {}
    for number, group in enumerate(days.candidates):
        if all(c.role is DateRole.OTHER or c.in_prose for c in group):
            likely[number] = 0.0
            ruled_out[number] = _IN_PROSE if all(c.in_prose for c in group) else _OF_OTHER
    months = [c for c in usable if c.precision == DatePrecision.MONTH]
    return RankedDays(days=days, probabilities=likely, ruled_out=ruled_out, months=months, refused=refused)


def _add_times(ranked: RankedDays, near: Sequence[DateCandidate], context: DateContext) -> RankedDays | None:
    """Return the days with further dates of the same days; None if the dates name other days, too."""
    groups = dict(zip(ranked.days.days, map(list, ranked.days.candidates), strict=True))
    for c in list_readings(near, find_zone(context.time_zone)):
        if c.precision == DatePrecision.MONTH or c.value.date() not in groups:
            return None
        groups[c.value.date()].append(c)
    return replace(ranked, days=replace(ranked.days, candidates=list(groups.values())))


def decide(ranked: RankedDays, ranker: DayRanker, context: DateContext, page: Document) -> Dates:
    """Choose the day of publication and that of the last change, and their times."""
    days, (group, probability) = ranked.days, ranked.best
    is_found = bool(group) and probability >= ranker.least
    best = choose_most_precise(group, DateRole.PUBLISHED) if is_found else None
    judged = [
        replace(c, probability=likely, why="" if c is best else ranked.ruled_out.get(number) or _explain(c, each is group, best))
        for number, (each, likely) in enumerate(zip(days.candidates, ranked.probabilities, strict=True)) for c in each
        if not c.exchanged
    ]  # fmt: skip
    month = next((c for c in ranked.months if c.source == "url"), None) if best is None else None
    months = (replace(c, why="" if c is month else "names a month only") for c in ranked.months if not c.exchanged)
    candidates = (*sorted(judged, key=attrgetter("probability"), reverse=True), *months, *ranked.refused)
    if best is None:
        if month is not None:
            return Dates(published=month, candidates=candidates, why="only the month is given")
        return Dates(candidates=candidates, reason=_explain_absence(candidates))
    zone = find_zone(context.time_zone)
    best = replace(move_to_page_clock(best, judged, zone, page, context.language), probability=probability)
    changed = _choose_modified(days, ranker, best, group)
    return Dates(
        published=best,
        modified=move_to_page_clock(changed, judged, zone, page, context.language) if changed is not None else None,
        candidates=candidates,
        confidence=ranker.estimate_confidence(probability),
        why=best.why or (f"the most probable of {len(days.days)} days" if len(days.days) > 1 else "the only day"),
    )


def _choose_modified(
    days: DayCandidates, ranker: DayRanker, published: DateCandidate, of_its_day: Sequence[DateCandidate]
) -> DateCandidate | None:
    """Return the last change; never a date before the publication, or the time of a comment.

    On the day of publication, whose dates are `of_its_day`, only dates that are stated as changes count.
    """
    likely = ranker.rank_modified(days)
    for place in np.argsort(-likely).tolist():
        if likely[place] < ranker.least_change:
            return None
        group = days.candidates[place]
        own = [c for c in group if c.position is None or not c.position.within & Mark.COMMENT]
        if group is of_its_day:
            own = [c for c in own if c.role is DateRole.MODIFIED]
        if not own:
            continue
        found = choose_most_precise(own, DateRole.MODIFIED)
        if found.value >= published.value or found.value.date() >= published.value.date():
            return replace(found, probability=float(likely[place]))
    return None


def _is_clock_missing(group: Sequence[DateCandidate], context: DateContext) -> bool:
    """Return whether the day is known, but not its time, or not the clock of the page."""
    best = choose_most_precise(group, DateRole.PUBLISHED)
    return best.precision == DatePrecision.DAY or (find_zone(context.time_zone) is UTC and is_in_utc(best))


def _explain(c: DateCandidate, of_best_day: bool, best: DateCandidate | None) -> str:  # noqa: FBT001
    """Return why a date is not the one that was chosen."""
    if c.role is DateRole.MODIFIED:
        return "states a change, not the publication"
    if c.role is DateRole.OTHER:
        return _OF_OTHER
    return _UNLIKELY if best is None else "states the same day" if of_best_day else "less probable than the chosen day"


_IN_PROSE, _OF_OTHER = "part of a sentence: of an event", "belongs to something else, as its label or its place says"
_UNLIKELY = "too improbable to be the day of publication"


def _explain_absence(candidates: Sequence[DateCandidate]) -> str:
    if not candidates:
        return "no date on the page"
    reasons = Counter(c.why for c in candidates)
    listed = "; ".join(why if number == len(candidates) == 1 else f"{number}: {why}" for why, number in reasons.most_common())
    return f"{len(candidates)} date{'s' * (len(candidates) > 1)}, none of publication ({listed})"


def choose_seen_date(context: DateContext) -> DateCandidate | None:
    """Choose among the hints only, as `find_dates` does on a page without dates; None: they contain no date."""
    return find_dates(Document(etree.Element("html")), context).published
