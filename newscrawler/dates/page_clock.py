"""On which clock a time is to be shown that the page gives to machines in UTC.

News systems often write UTC for machines and local time for readers. The moment is the same; the day is not, in the
evening west of Greenwich and around midnight east of it. Readers and editors know an article by the day on their own clock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, timedelta, timezone, tzinfo

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import DateCandidate, Role
from newscrawler.dates.regions import zone_of_page
from newscrawler.page import Document

_CRAWL = frozenset({"feed", "news sitemap", "listing", "last-modified"})
_SHOWN = frozenset({"element", "time element", "microdata", "text near headline"})
_MINUTE = timedelta(minutes=1)
#: Offsets that some country keeps, in minutes; a related article's time matches one of them only by chance.
_OFFSETS = frozenset({hours * 60 for hours in range(-12, 15)} | {-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765})
#: Hours, the most usual clocks first, for a day that is known without its time.
_HOURS = (1, -4, 2, -5, 3, -6, -7, -8, 5, 6, 7, 8, 9, 10, 11, 12, -9, -10)
_LEAST_SHOWN, _LEAST_DAY, _LEAST_OFFSET = 0.3, 0.5, 0.5


def is_in_utc(c: DateCandidate) -> bool:
    """Tell whether a candidate gives a moment in UTC, which need not be the clock of the page."""
    return c.precision == DatePrecision.MINUTE and c.offset_given and not c.value.utcoffset()


def on_the_page_clock(best: DateCandidate, found: Sequence[DateCandidate], zone: tzinfo, page: Document | None) -> DateCandidate:
    """Show a time that is given in UTC on the clock of the page's readers.

    The clock is that of the portal, where one is configured; else that of another date of the page with an offset, or that of
    the same time without one. Where the page shows another day and no time, the clock of its country is assumed, or the most
    usual one that leads to that day. A page that shows nothing keeps UTC: on the development pages the country's clock alone
    was wrong where it changed the day.
    """
    if not is_in_utc(best):
        return best
    if zone is not UTC:
        return replace(best, value=best.value.astimezone(zone))
    own = [c for c in found if c.source not in _CRAWL and c.role != Role.OTHER]
    if (clock := _stated(best, own) or _read_off(best, own)) is not None:
        return _moved(best, *clock)
    day = _other_day(best, own)
    if day is None:
        return best
    country = zone_of_page(page) if page is not None else None
    clocks = [country] if country is not None else []
    for clock_of_day in (*clocks, *(timezone(timedelta(hours=hours)) for hours in _HOURS)):
        if best.value.astimezone(clock_of_day).date() == day:
            return _moved(best, clock_of_day, "on the day that the page shows, by a clock that is assumed")
    return best


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
    shown = [c for c in own if c.precision == DatePrecision.MINUTE and not c.offset_given and c.weight >= _LEAST_SHOWN]
    for c in shown:
        if c.ambiguous:
            continue
        apart = c.value.replace(tzinfo=UTC, second=0) - best.value.replace(second=0)
        if apart.total_seconds() / 60 in _OFFSETS:
            return timezone(apart), f"on the clock of {c.text!r}"
    return None


def _other_day(best: DateCandidate, own: Sequence[DateCandidate]) -> date | None:
    """Give the day beside that of UTC which the page shows, or its address holds, if nothing there speaks for the day of UTC."""
    days = {
        c.value.date()
        for c in own
        if c.precision == DatePrecision.DAY
        and c.weight >= _LEAST_DAY
        and not c.ambiguous
        and (c.source in _SHOWN or c.source == "url")
    }
    near = {day for day in days if abs((day - best.value.date()).days) <= 1}
    return near.pop() if len(near) == 1 and best.value.date() not in near else None
