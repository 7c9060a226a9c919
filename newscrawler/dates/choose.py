"""The one place where a date is chosen.

Evidence is gathered in the order of its strength and its cost: what the page states for machines, what its markup names
as a date, the text around the headline, and only then the whole page. Each next kind is looked at only while nothing
conclusive was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, timedelta

from lxml import etree

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, DateContext, Dates, Role
from newscrawler.dates.hints import hint_dates
from newscrawler.dates.markup import markup_dates, times, walk
from newscrawler.dates.moment import Clock
from newscrawler.dates.order import clock_of
from newscrawler.dates.page_clock import is_in_utc, on_the_page_clock, wall_time_as_moment
from newscrawler.dates.place import Places
from newscrawler.dates.structured import addresses, json_ld_dates, meta_dates, state_dates, url_dates
from newscrawler.dates.text import foot_dates, near_dates, page_dates, script_dates
from newscrawler.dates.zones import zone_of
from newscrawler.extraction.declared_kind import declared_kind
from newscrawler.page import Document

#: From these weights on the next, dearer kind of evidence is not looked at.
_CONCLUSIVE, _CLEAR, _USABLE = 0.75, 0.58, 0.4
#: Below it a candidate is no evidence: dates of comments, of other articles, of events.
_LEAST = 0.13
_FIRST_YEAR = 1995
_STRONG_FOR_OLD = 0.8
_AGREEMENT = 0.04
#: Stronger evidence needs no agreement, and agreement must not lift weaker evidence above it.
_CERTAIN = 0.85
_DAY, _HOUR = timedelta(days=1), timedelta(hours=1)
_SHOWN = frozenset({"element", "time element", "text near headline", "text"})
_LEAST_ITEMS = 3
_TEXTS_TO_REFINE = 20
#: Meta elements below this weight do not say which date they hold; shown dates from that weight on stand at the headline.
_VAGUE, _LEAST_SHOWN = 0.6, 0.3
#: A time on a day that is known otherwise.
_LEAST_TIMED = 0.25
#: From that weight on the date of the last change is better than one that hardly anything speaks for.
_LEAST_CHANGE = 0.5
#: What the crawl saw settles nothing while the page itself has not been asked.
_CRAWL = frozenset({"feed", "news sitemap", "listing", "last-modified"})


def find_dates(
    page: Document,
    context: DateContext,
    *,
    headline_element: etree._Element | None = None,
    body_elements: Sequence[etree._Element] = (),
) -> Dates:
    """Choose among everything that the page, and the crawl, say about time."""
    clock = clock_of(page, context)
    dates = choose(_gather(page, context, clock, headline_element, body_elements), context, page)
    return dates if dates.published else _newest_of_a_listing(page, dates)


def _newest_of_a_listing(page: Document, dates: Dates) -> Dates:
    """Give a page that is no article, but lists some, the date of its newest item."""
    shown = [c for c in dates.candidates if c.source in _SHOWN and c.role == Role.PUBLISHED and c.precision != DatePrecision.MONTH]
    days = {c.value.date() for c in shown}
    if len(days) < _LEAST_ITEMS:
        return dates
    declared = declared_kind(page)
    front = any(address.split("://", 1)[-1].strip("/").count("/") == 0 for _, address in addresses(page))
    if declared.article or not (declared.listing or front):
        return dates
    return replace(dates, published=max(shown, key=lambda c: c.value), reason=None, why="the newest item of a listing")


def _gather(
    page: Document, context: DateContext, clock: Clock, headline: etree._Element | None, body: Sequence[etree._Element]
) -> list[DateCandidate]:
    found = [*json_ld_dates(page, clock), *meta_dates(page, clock), *url_dates(page, clock)]
    found += hint_dates(context, clock)
    found += state_dates(page, clock)
    best = _best(found)
    if _weight(best) >= _CONCLUSIVE and not context.thorough:
        return found + _refining(page, clock, headline, body, best, found)
    walked = walk(page, headline)
    places = Places(walked.headline, body)
    found += markup_dates(walked, clock, places)
    best = _best(found)
    if _weight(best) < _CLEAR or context.thorough or _to_be_refined(best, found, clock):
        found += near_dates(walked.headline, clock, places)
        found += foot_dates(clock, body)
    if _weight(_best(found)) < _USABLE or context.thorough:
        found += page_dates(page, walked.headline, clock, places)
        found += script_dates(page, clock)
    return found


def _refining(
    page: Document, clock: Clock, headline: etree._Element | None, body: Sequence[etree._Element],
    best: DateCandidate | None, found: Sequence[DateCandidate],
) -> list[DateCandidate]:  # fmt: skip
    """Look where a page shows its date, if the day is known for sure, but not the time or the clock."""
    if not _to_be_refined(best, found, clock):
        return []
    walked = times(page, headline)
    places = Places(walked.headline, body)
    shown = list(markup_dates(walked, clock, places))
    if _to_be_refined(best, [*found, *shown], clock):
        shown += near_dates(walked.headline, clock, places, around=_TEXTS_TO_REFINE)
    return shown


def _best(found: Iterable[DateCandidate]) -> DateCandidate | None:
    clear = (c for c in found if c.role == Role.PUBLISHED and c.precision != DatePrecision.MONTH and not c.ambiguous)
    return max((c for c in clear if c.source not in _CRAWL), key=_weight, default=None)


def _weight(c: DateCandidate | None) -> float:
    return c.weight if c is not None else 0.0


def _to_be_refined(best: DateCandidate | None, found: Sequence[DateCandidate], clock: Clock) -> bool:
    """Tell whether the day is known, but not yet the time, or not yet the page's clock."""
    if best is None:
        return False
    if best.precision == DatePrecision.DAY:
        return not any(c.precision == DatePrecision.MINUTE and c.value.date() == best.value.date() for c in found)
    return clock.zone is UTC and is_in_utc(best) and not any(c.source in _SHOWN and not is_in_utc(c) for c in found)


def choose(found: Sequence[DateCandidate], context: DateContext, page: Document | None = None) -> Dates:
    """Choose the date of publication and that of the last change among candidates."""
    settled = _settle_changes(_settle_order(found, context))
    judged = sorted((_judge(c, context) for c in settled), key=lambda c: (-c.weight, c.order))
    usable = [c for c in judged if c.weight >= _LEAST]
    published = [c for c in usable if c.role == Role.PUBLISHED]
    exact = [c for c in published if c.precision != DatePrecision.MONTH]
    modified = [c for c in usable if c.role == Role.MODIFIED and c.precision != DatePrecision.MONTH]
    why = ""
    best = _heaviest(exact)
    if modified and (best is None or (best.weight < _LEAST_SHOWN and modified[0].weight >= _LEAST_CHANGE)):
        best, why = (
            modified[0],
            "only the date of the last change is given" if best is None else "nothing better than the date of the last change",
        )
    if best is None and published:
        best, why = published[0], "only the month is given"
    if best is None:
        return Dates(modified=modified[0] if modified else None, candidates=tuple(judged), reason=_reason(judged))
    best, older = _older_address(best, exact)
    best = _sharpened(best, exact)
    zone = zone_of(context.time_zone)
    best = wall_time_as_moment(on_the_page_clock(best, usable, zone, page), usable, zone, page, context.language)
    return Dates(
        published=best,
        modified=_later(modified, best),
        candidates=tuple(judged),
        why=why or older or f"the heaviest of {len(published)} candidates",
    )


def _judge(c: DateCandidate, context: DateContext) -> DateCandidate:
    """Take the weight from a date that cannot be one of publication."""
    if context.fetched_at is not None and c.value > context.fetched_at + _DAY:
        return replace(c, weight=0.0, why="lies in the future")
    if c.value.year < _FIRST_YEAR and c.weight < _STRONG_FOR_OLD:
        return replace(c, weight=0.0, why=f"before {_FIRST_YEAR} without strong evidence")
    return c


def _settle_order(found: Sequence[DateCandidate], context: DateContext) -> list[DateCandidate]:
    """Exchange day and month of 3/4/2024 where the rest of the evidence says so, or where it would lie in the future."""
    if not any(c.ambiguous for c in found):
        return list(found)
    clear = {c.value.date() for c in found if not c.ambiguous and c.precision != DatePrecision.MONTH}
    settled = []
    for c in found:
        turned = _turned(c) if c.ambiguous else None
        if turned is not None and c.value.date() not in clear:
            future = context.fetched_at is not None and c.value > context.fetched_at + _DAY
            if turned.value.date() in clear or (future and turned.value <= context.fetched_at + _DAY):  # type: ignore[operator]
                c = replace(turned, why="day and month exchanged, as the rest of the page says")  # noqa: PLW2901
        settled.append(c)
    return settled


def _settle_changes(found: list[DateCandidate]) -> list[DateCandidate]:
    """Take a meta element that only says "date" for the last change, where the page calls that day so and shows an earlier one."""
    changed = {c.value.date() for c in found if c.role == Role.MODIFIED and c.source in _SHOWN}
    if not changed:
        return found
    shown = [c.value.date() for c in found if c.role == Role.PUBLISHED and c.source in _SHOWN and c.weight >= _LEAST_SHOWN]
    return [
        replace(c, role=Role.MODIFIED, why="the page calls this day that of the last change")
        if c.source == "meta" and c.role == Role.PUBLISHED and c.weight < _VAGUE and c.value.date() in changed
        and any(day < c.value.date() for day in shown)
        else c
        for c in found
    ]  # fmt: skip


def _turned(c: DateCandidate) -> DateCandidate | None:
    try:
        return replace(c, value=c.value.replace(month=c.value.day, day=c.value.month), ambiguous=False)
    except ValueError:
        return None


def _heaviest(exact: Sequence[DateCandidate]) -> DateCandidate | None:
    """Give the candidate whose weight, with that of other kinds of evidence for the same day, is the greatest."""
    best: tuple[float, DateCandidate] | None = None
    for c in exact[:40]:
        kinds = {o.source for o in exact if o.value.date() == c.value.date() and o.source != c.source and o.weight >= _USABLE}
        score = c.weight + (_AGREEMENT * min(2, len(kinds)) if c.weight < _CERTAIN else 0.0)
        if best is None or score > best[0] + 1e-9:
            best = (score, c)
    return best[1] if best else None


def _older_address(best: DateCandidate, exact: Sequence[DateCandidate]) -> tuple[DateCandidate, str]:
    """Prefer the day in the address where it is much older.

    Addresses stay; dates are renewed when a site moves or an article is shown again.
    """
    for c in exact:
        if c.source == "url" and c.weight >= 0.75 and best.value - c.value > timedelta(days=7):
            return c, "the address is older than the date on the page"
    return best, ""


def _sharpened(best: DateCandidate, exact: Sequence[DateCandidate]) -> DateCandidate:
    """Prefer, for the same day, the candidate that gives the time, too; "8 hours ago" is sharpened within its hour."""
    if best.precision != DatePrecision.DAY:
        return best
    hour_known = bool(best.value.hour or best.value.minute)
    for c in exact:
        if c.precision == DatePrecision.MINUTE and c.weight >= _LEAST_TIMED and c.value.date() == best.value.date():
            if hour_known and not -_HOUR <= best.value - c.value <= _HOUR:
                continue
            return c
    return best


def _later(modified: Sequence[DateCandidate], best: DateCandidate) -> DateCandidate | None:
    """Give the last change; one that comes before the publication is none."""
    for c in modified:
        if c.value >= best.value or c.value.date() >= best.value.date():
            return c
    return None


def _reason(judged: Sequence[DateCandidate]) -> str:
    if not judged:
        return "no date on the page"
    refused = next((c.why for c in judged if c.why), "")
    return f"no date that is the article's ({len(judged)} others{f', the first {refused}' if refused else ''})"
