"""Which day is that of publication, and which that of the last change: forests over the features of days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, time, timedelta
from functools import cache, partial
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.forest import Forest, read_model, sigmoid
from newscrawler.extraction.dates.calendar import find_zone, make_clock, move_to_page_clock
from newscrawler.extraction.dates.candidate import CRAWL, DECLARED, Clock, DateCandidate, DateContext, DateRole, Dates, Family
from newscrawler.extraction.dates.day_candidates import (
    FOREIGN_BOXES,
    OTHER_BOXES,
    DatePositions,
    choose_most_precise,
    group_by_day,
    is_in_utc,
    is_own,
    list_readings,
    rank_evidence,
)
from newscrawler.extraction.dates.relative_dates import read_relative
from newscrawler.extraction.dates.structured_data import (
    find_json_ld_dates,
    find_meta_dates,
    find_script_dates,
    find_state_dates,
    find_url_dates,
    make_candidate,
)
from newscrawler.extraction.dates.text_dates import read_moment
from newscrawler.extraction.dates.visible_dates import find_attribute_dates, find_element_dates, find_text_dates, find_times
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

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> DayRanker:
        """Make a ranker of the plain lists of a model file."""
        curve, least, enough = np.array(model["curve"]), float(model["least"]), float(model["enough"])
        return cls(published=Forest.of(model["published"]), curve=curve, least=least, enough=enough)


@cache
def load_ranker() -> DayRanker:
    """Return the ranker that ships with the program."""
    return DayRanker.of(read_model("dates"))


def find_hint_dates(context: DateContext, clock: Clock) -> Iterator[DateCandidate]:
    """Yield the dates of the crawl's hints."""
    for hint in context.hints:
        moment = read_moment(hint.text, clock) or read_relative(hint.text, clock)
        if moment is None or hint.source not in CRAWL:
            continue
        is_change = hint.source == Family.LAST_MODIFIED
        if is_change and (context.fetched_at is None or context.fetched_at - moment.value < timedelta(days=1)):
            continue
        if is_change or (moment.offset_given and not moment.value.utcoffset() and moment.value.time() == time.min):
            moment = replace(moment, precision=DatePrecision.DAY, offset_given=False)
        yield make_candidate(moment, Family(hint.source), hint.source, DateRole.PUBLISHED, text=hint.text, place="crawl")


def find_declared_dates(page: Document, context: DateContext, clock: Clock) -> list[DateCandidate]:
    """Return the dates of the head, the address and the crawl."""
    stated = [*find_json_ld_dates(page, clock), *find_meta_dates(page, clock)]
    stated = stated or list(find_state_dates(page, clock))  # which takes as long as all others
    return [*stated, *find_url_dates(page, clock), *find_hint_dates(context, clock)]


def find_shown_dates(page: Document, clock: Clock, positions: DatePositions) -> list[DateCandidate]:
    """Return the dates that elements and lines of the page show."""
    return [*find_element_dates(page, clock, positions), *find_text_dates(page.layout.blocks, clock, positions)]


def _mark_cards(found: Iterable[DateCandidate]) -> None:
    """Take the days of microdata for those of other articles where they are several, and the head states another day."""
    published = [c for c in found if c.role is DateRole.PUBLISHED]
    cards = {c.value.date() for c in published if c.family is Family.MICRODATA}
    stated = {c.value.date() for c in published if c.source in ("json-ld", "meta")}
    for c in published if stated and len(cards) > 1 else ():
        if c.family not in DECLARED and c.value.date() in cards - stated:
            c.role = DateRole.OTHER


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
    find_positions = partial(DatePositions, page, headline_element, body_elements, likely)
    found = find_declared_dates(page, context, clock)
    days, others = rank(found, context, ranker)
    if context.thorough or not _is_day_known(days, ranker.enough):
        found += find_shown_dates(page, clock, find_positions())
        _mark_cards(found)
        days, others = rank(found, context, ranker)
        if context.thorough or not _is_day_known(days, ranker.least):
            found += islice(find_attribute_dates(page, clock, find_positions()), 60)
            found += islice(find_script_dates(page, clock), 60)
            days, others = rank(found, context, ranker)
    elif _is_clock_missing(days[0], context):
        _add_times(days, page, context, clock, find_positions())
    return decide(days, others, ranker, context, page)


def _is_day_known(days: Sequence[Sequence[DateCandidate]], least: float) -> bool:
    """Return whether a day is that probable; one that only the crawl knows is not a reason to skip the page."""
    return bool(days) and days[0][0].probability >= least and not all(c.family in CRAWL for c in days[0])


def _add_times(
    days: list[Sequence[DateCandidate]], page: Document, context: DateContext, clock: Clock, positions: DatePositions
) -> None:
    """Add the times near the headline to declared days, and those of the last change."""
    groups = {group[0].value.date(): list(group) for group in days}
    near = {day + _AHEAD * more for day in groups for more in (-1, 0, 1)}
    for c in list_readings(find_times(page, clock, positions, near), find_zone(context.time_zone)):
        is_future = context.fetched_at is not None and c.value > context.fetched_at + _AHEAD
        day = c.value.date()
        if c.precision == DatePrecision.MONTH or is_future or (c.role is not DateRole.MODIFIED and day not in near):
            continue
        c.probability = groups[day][0].probability if day in groups else 0.0
        groups.setdefault(day, []).append(c)
    days[:] = groups.values()


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
        c.why = "zero date of a database" if is_zero else "lies in the future" if is_future else _IN_PROSE if c.in_prose else ""
        (refused if c.why else usable).append(c)
    today = fetched_at.astimezone(zone).date() if fetched_at is not None else None
    days = group_by_day(usable, today)
    likely = sigmoid(ranker.published.log_odds(days.rows)).tolist() if days.days else []
    for group, probability in zip(days.candidates, likely, strict=True):
        is_today = group[0].value.date() == today
        reasons = [_rule_out(c, is_today=is_today) for c in group]
        is_ruled_out = all(reasons)
        for c, why in zip(group, reasons, strict=True):
            c.probability, c.why = (0.0, why) if is_ruled_out else (probability, "")
    months = (c for c in usable if c.precision == DatePrecision.MONTH)
    ranked = sorted(days.candidates, key=lambda group: -group[0].probability)
    return ranked, [*months, *(c for c in refused if not c.exchanged)]


#: The first year of the World Wide Web with news.
_FIRST_YEAR = 1994


def _rule_out(c: DateCandidate, *, is_today: bool) -> str:
    """Return why a date is certainly not that of publication; "" if it may be."""
    is_below = c.position is not None and c.position.from_body_end > 0 and c.family not in DECLARED and not c.labelled
    is_foreign = is_below and c.position is not None and c.position.within & FOREIGN_BOXES != 0
    if c.role is DateRole.OTHER or is_foreign or (is_below and c.value.year < _FIRST_YEAR):
        return _OF_OTHER
    is_clock = is_today and c.position is not None and c.position.before_box > 0 and not c.labelled
    return _CLOCK if is_clock else ""


def decide(
    days: Sequence[Sequence[DateCandidate]],
    others: Sequence[DateCandidate],
    ranker: DayRanker,
    context: DateContext,
    page: Document,
) -> Dates:
    """Choose the day of publication and that of the last change, and their times; arguments as `rank` returns them."""
    group = days[0] if days else ()
    least = _LEAST_OF_DATELINE if len(days) == 1 and _is_dateline(group) else ranker.least
    is_enough = bool(group) and group[0].probability >= least
    best = choose_most_precise(group, DateRole.PUBLISHED) if is_enough else None
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
    best = move_to_page_clock(best, judged, zone, page, context.language, context.calendar)
    changed = _choose_modified(judged, best)
    return Dates(
        published=best,
        modified=changed and move_to_page_clock(changed, judged, zone, page, context.language, context.calendar),
        candidates=candidates,
        confidence=float(np.interp(best.probability, ranker.curve[:, 0], ranker.curve[:, 1])),
        why=best.why or (f"the most probable of {len(days)} days" if len(days) > 1 else "the only day"),
    )


#: Least probability of the only day of a page that shows it where datelines are.
_LEAST_OF_DATELINE = 0.05


def _is_dateline(group: Sequence[DateCandidate]) -> bool:
    """Return whether a page shows a date by itself between its headline and its text."""
    own = [c.position for c in group if c.position is not None and not c.year_guessed and c.role is DateRole.PUBLISHED]
    places = [place for place in own if not place.within & OTHER_BOXES]
    return any(
        0 < place.from_headline <= 6 and place.from_body <= 2 and place.from_body_end < 0 and place.rest <= 40 and not place.prose
        for place in places
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
_CLOCK = "the day of the fetch, in front of the box with headline and text"


def _explain_absence(candidates: Sequence[DateCandidate]) -> str:
    if not candidates:
        return "no date on the page"
    reasons = Counter(c.why for c in candidates)
    listed = "; ".join(why if number == len(candidates) == 1 else f"{number}: {why}" for why, number in reasons.most_common())
    return f"{len(candidates)} date{'s' * (len(candidates) > 1)}, none of publication ({listed})"


def choose_seen_date(context: DateContext) -> DateCandidate | None:
    """Choose among the hints only, as `find_dates` does on a page without dates; None: they contain no date."""
    return find_dates(Document(etree.Element("html")), context).published
