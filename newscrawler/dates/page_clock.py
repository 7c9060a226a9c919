"""On which clock a time is to be shown that the page gives to machines in UTC, and what moment a time without an offset is.

News systems often write UTC for machines and local time for readers. The moment is the same; the day is not, in the
evening west of Greenwich and around midnight east of it. Readers and editors know an article by the day on their own clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, timedelta, timezone, tzinfo

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, Role
from newscrawler.dates.regions import zone_named_on, zone_of_page
from newscrawler.dates.zones import localize
from newscrawler.languages import alternatives, one_of, words
from newscrawler.page import Document

_CRAWL = frozenset({"feed", "news sitemap", "listing", "last-modified"})
_SHOWN = frozenset({"element", "time element", "microdata", "text near headline"})
_MINUTE = timedelta(minutes=1)
#: Offsets that some country keeps, in minutes; a related article's time matches one of them only by chance.
_OFFSETS = frozenset({hours * 60 for hours in range(-12, 15)} | {-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765})
#: Hours, the most usual clocks first, for a day that is known without its time.
_HOURS = (1, -4, 2, -5, 3, -6, -7, -8, 5, 6, 7, 8, 9, 10, 11, 12, -9, -10)
_LEAST_SHOWN, _LEAST_DAY, _LEAST_OFFSET = 0.3, 0.5, 0.5
#: A time of the day, also as "14 h 30" and "18時42分"; "3 hours ago" and "3時間前" are moments already.
_HOUR_SIGNS = one_of(sign for sign in words("hour_signs") if sign[0] >= "\u2e80")
_WALL = re.compile(rf"\d(?:[:.h]|\s[hH]\s)\d\d|\d\s?(?:：\s?\d\d|(?!{alternatives('units_ago/hour')}){_HOUR_SIGNS})")


def is_in_utc(c: DateCandidate) -> bool:
    """Tell whether a candidate gives a moment in UTC, which need not be the clock of the page."""
    return c.precision == DatePrecision.MINUTE and c.offset_given and not c.value.utcoffset()


def on_the_page_clock(best: DateCandidate, found: Sequence[DateCandidate], zone: tzinfo, page: Document | None) -> DateCandidate:
    """Show a time that is given in UTC on the clock of the page's readers.

    The clock is that of the portal, where one is configured; else that of another date of the page with an offset, or that of
    the same time without one, or one that its scripts name. Where the page shows another day and no time, the clock of its
    country is assumed, or the most usual one that leads to that day. A page that shows nothing keeps UTC: on the
    development pages the country's clock alone was wrong where it changed the day.
    """
    if not is_in_utc(best):
        return best
    if zone is not UTC:
        return replace(best, value=best.value.astimezone(zone))
    own = [c for c in found if c.source not in _CRAWL and c.role != Role.OTHER]
    if (clock := _stated(best, own) or _read_off(best, own)) is not None:
        return _moved(best, *clock)
    days = _days_shown(best, own)
    named = zone_named_on(page) if page is not None else None
    if named is not None and (not days or best.value.astimezone(named).date() in days):
        return _moved(best, named, f"on the clock of {named}, which the page names")
    if len(days) != 1 or best.value.date() in days:
        return best
    day = days.pop()
    country = zone_of_page(page) if page is not None else None
    clocks = [country] if country is not None else []
    for clock_of_day in (*clocks, *(timezone(timedelta(hours=hours)) for hours in _HOURS)):
        if best.value.astimezone(clock_of_day).date() == day:
            return _moved(best, clock_of_day, "on the day that the page shows, by a clock that is assumed")
    return best


def wall_time_as_moment(
    best: DateCandidate, found: Sequence[DateCandidate], zone: tzinfo, page: Document | None, language: str | None = None
) -> DateCandidate:
    """Take a time that stands on the page without an offset for one on the clock of the page's readers.

    Where no zone is configured, that is the clock by which another date of the same minute is a moment in UTC; else the one that
    its scripts name, or that of its country or language. The day remains, as it is written.
    """
    if zone is not UTC or best.offset_given or best.precision != DatePrecision.MINUTE or not _WALL.search(best.text):
        return best
    clock = _by_moment(best, found) or (page is not None and (zone_named_on(page) or zone_of_page(page, language))) or UTC
    if clock is UTC or best.value.tzinfo is not UTC:
        return best
    return replace(best, value=localize(best.value.replace(tzinfo=None), clock))


def _by_moment(best: DateCandidate, found: Iterable[DateCandidate]) -> tzinfo | None:
    for c in found:
        if is_in_utc(c) and c.role == Role.PUBLISHED and c.weight >= _LEAST_SHOWN and c.source != "last-modified":
            apart = best.value.replace(tzinfo=UTC, second=0) - c.value.replace(second=0, microsecond=0)
            if apart.total_seconds() / 60 in _OFFSETS:
                return timezone(apart) if apart else UTC
    return None


def _moved(best: DateCandidate, clock: tzinfo, why: str) -> DateCandidate:
    return replace(best, value=best.value.astimezone(clock), why=why)


def _stated(best: DateCandidate, own: Iterable[DateCandidate]) -> tuple[tzinfo, str] | None:
    """Take the offset of another of the article's dates, of the same moment if there is one."""
    others = [c for c in own if c.offset_given and c.value.utcoffset() and c.weight >= _LEAST_OFFSET]
    others.sort(key=lambda c: abs(c.value - best.value) >= _MINUTE)
    for c in others[:1]:
        return timezone(c.value.utcoffset() or timedelta()), f"on the clock of {c.text!r}"
    return None


def _read_off(best: DateCandidate, own: Iterable[DateCandidate]) -> tuple[tzinfo, str] | None:
    """Compare the time that readers see with that for machines; the same time tells that the page's clock is UTC."""
    for c in own:
        if c.precision != DatePrecision.MINUTE or c.offset_given or c.ambiguous or c.weight < _LEAST_SHOWN:
            continue
        for given in (best, *(other for other in own if other.role == Role.MODIFIED and is_in_utc(other))):
            apart = c.value.replace(tzinfo=UTC, second=0) - given.value.replace(second=0)
            if apart.total_seconds() / 60 in _OFFSETS:
                return timezone(apart), f"on the clock of {c.text!r}"
    return None


def _days_shown(best: DateCandidate, own: Sequence[DateCandidate]) -> set[date]:
    """Give the day of UTC or those beside it, as far as the page shows them or its address holds them."""
    days = {
        c.value.date()
        for c in own
        if c.precision == DatePrecision.DAY
        and c.weight >= _LEAST_DAY
        and not c.ambiguous
        and (c.source in _SHOWN or c.source == "url")
    }
    return {day for day in days if abs((day - best.value.date()).days) <= 1}
