"""The time of the chosen day: its most precise statement, on the clock of the page's readers.

News systems often write UTC for machines and local time for readers. The moment is the same; the day is not, in the
evening west of Greenwich and around midnight east of it. Readers and editors know an article by the day on their own clock.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from newscrawler.article import DatePrecision
from newscrawler.dates.candidate import CRAWL, DECLARED, DateCandidate, Role
from newscrawler.dates.day_order import ZONES_OF_COUNTRIES, declared_tags, top_level
from newscrawler.dates.days import BOXES, distance
from newscrawler.dates.zones import localize, zone_of
from newscrawler.languages import alternatives, one_of, table, words
from newscrawler.page import Document

_ZONES_OF_LANGUAGES = {code: zone for zone, codes in table("zones_of_languages").items() for code in codes}
#: What site builders write into every page unless somebody changes it.
_DEFAULT_TAG = ("en", "us")
_NAMED_ZONE = re.compile(
    r"(?:z|Z)(?:one|ONE)[^\n]{0,36}?\b((?:America|Europe|Asia|Australia|Africa|Pacific)(?:\\?/[A-Z][A-Za-z_-]+){1,3})"
)


def zone_named_on(page: Document) -> tzinfo | None:
    """Give the zone that a page's scripts name ("timezone": "America/New_York"); None where they name none, or several."""
    texts = (script.text or "" for script in page.declarations["script"])
    found = {match[1].replace("\\", "") for text in texts for match in _NAMED_ZONE.finditer(text)}
    zone = zone_of(found.pop()) if len(found) == 1 else None
    return zone if isinstance(zone, ZoneInfo) else None


def zone_of_page(page: Document, language: str | None = None) -> tzinfo | None:
    """Guess the zone of a page's readers, at last by the language in which it is written; None where nothing tells."""
    tags = list(declared_tags(page))
    countries = [top_level(page), *(country for tag, country in tags if (tag, country) != _DEFAULT_TAG)]
    named = [*map(ZONES_OF_COUNTRIES.get, countries), *map(_ZONES_OF_LANGUAGES.get, [*(tag for tag, _ in tags), language or ""])]
    zone = zone_of(next(filter(None, named), "UTC"))
    return zone if isinstance(zone, ZoneInfo) else None


#: Offsets that some country keeps, in minutes; another article's time matches one of them only by chance.
_OFFSETS = frozenset({hours * 60 for hours in range(-12, 15)} | {-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765})
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
#: Blocks from the headline in which a page shows the time of its article.
_NEAR = 40.0
#: Blocks from a date that is shown, or from the headline, in which its time stands.
_BESIDE, _BESIDE_HEADLINE = 4, 12
#: A time of the day, also as "14 h 30" and "18時42分"; "3 hours ago" and "3時間前" are moments already.
_HOUR_SIGNS = one_of(sign for sign in words("hour_signs") if sign[0] >= "\u2e80")
_WALL = re.compile(rf"\d(?:[:.h]|\s[hH]\s)\d\d|\d\s?(?:：\s?\d\d|(?!{alternatives('units_ago/hour')}){_HOUR_SIGNS})")


def is_in_utc(c: DateCandidate) -> bool:
    """Tell whether a candidate gives a moment in UTC, which need not be the clock of the page."""
    return c.precision == DatePrecision.MINUTE and c.offset_given and not c.value.utcoffset()


def most_precise(group: Sequence[DateCandidate], role: Role) -> DateCandidate:
    """Return of the statements of a day the one with a time, one with an offset first, nearest to the headline.

    "8 hours ago" is made more precise within its hour only.
    """
    of_role = [c for c in group if c.role is role and not c.exchanged] or list(group)
    best = min(of_role, key=lambda c: (c.family in CRAWL, c.family not in DECLARED, distance(c), c.family in BOXES))
    if best.precision == DatePrecision.MINUTE and (best.offset_given or best.family not in DECLARED):
        return best
    hour_known = best.precision == DatePrecision.DAY and bool(best.value.hour or best.value.minute)
    place = distance(best) if best.spot is not None else None
    timed = [
        c for c in of_role
        if c.precision == DatePrecision.MINUTE and (distance(c) == place or (is_own(c) and _belongs_to(c, best)))
        and (not hour_known or abs(best.value - c.value) <= _HOUR)
    ]  # fmt: skip
    if best.precision == DatePrecision.MINUTE:
        timed = [
            c
            for c in timed
            if c.offset_given and c.value.replace(tzinfo=None, second=0) == best.value.replace(tzinfo=None, second=0)
        ]
    return min(timed, key=lambda c: (not c.offset_given, c.family not in DECLARED, distance(c), c.family in BOXES), default=best)


def is_own(c: DateCandidate) -> bool:
    """Tell whether a date can be the article's by its place: declared, or shown near the headline outside of other texts."""
    return c.family in DECLARED or (not any(distance(c)[:2]) and distance(c)[2] <= _NEAR)


def _belongs_to(c: DateCandidate, best: DateCandidate) -> bool:
    """Tell whether a time is that of a date: declared as well, or shown close to it, on the same side of the body."""
    if c.spot is None or c.family in DECLARED:
        return True
    if best.spot is None:
        return abs(c.spot.from_headline) <= _BESIDE_HEADLINE and not c.spot.from_body_end > 0
    is_behind = c.spot.from_body_end > 0, best.spot.from_body_end > 0
    return is_behind[0] == is_behind[1] and abs(c.spot.from_headline - best.spot.from_headline) <= _BESIDE


def on_the_page_clock(best: DateCandidate, found: Iterable[DateCandidate], zone: tzinfo, page: Document) -> DateCandidate:
    """Show a time that is given in UTC on the clock of the page's readers.

    The clock is that of the portal, where one is configured; else that of another date of the page with an offset, or that of
    the same time without one, or one that its scripts name; where the page shows another day and no time, that of its
    country. A page that shows nothing keeps UTC.
    """
    if not is_in_utc(best) or zone is not UTC:
        return best
    own = [c for c in found if c.family not in CRAWL and c.role is not Role.OTHER and not c.exchanged and is_own(c)]
    if (clock := _stated(best, own) or _read_off(best, own)) is not None:
        return _moved(best, *clock)
    shown = {
        c.value.date() for c in own if c.precision == DatePrecision.DAY and not c.ambiguous and c.source not in ("meta", "json-ld")
    }
    days = {day for day in shown if abs(day - best.value.date()) <= _DAY}
    named = zone_named_on(page)
    if named is not None and (not days or best.value.astimezone(named).date() in days):
        return _moved(best, named, f"on the clock of {named}, which the page names")
    country = zone_of_page(page) if days and best.value.date() not in days else None
    if country is not None and best.value.astimezone(country).date() in days:
        return _moved(best, country, "on the day that the page shows, by a clock that is assumed")
    return best


def wall_time_as_moment(
    best: DateCandidate, found: Iterable[DateCandidate], zone: tzinfo, page: Document, language: str | None
) -> DateCandidate:
    """Take a time that stands on the page without an offset for one on the clock of the page's readers.

    Where no zone is configured, that is the clock by which another date of the same minute is a moment in UTC; else the one that
    its scripts name, or that of its country or language. The day remains, as it is written.
    """
    if zone is not UTC or best.offset_given or best.precision != DatePrecision.MINUTE or not _WALL.search(best.text):
        return best
    moments = (c for c in found if is_in_utc(c) and c.role is Role.PUBLISHED and is_own(c))
    clock = (
        next(filter(None, (_between(best, c) for c in moments)), None) or zone_named_on(page) or zone_of_page(page, language) or UTC
    )
    if clock is UTC or best.value.tzinfo is not UTC:
        return best
    return replace(best, value=localize(best.value.replace(tzinfo=None), clock))


def _between(wall: DateCandidate, moment: DateCandidate) -> tzinfo | None:
    """Return the offset of the clock that shows a moment, given in UTC, as this time; None where no country has it."""
    apart = wall.value.replace(tzinfo=UTC, second=0) - moment.value.replace(second=0, microsecond=0)
    return timezone(apart) if apart.total_seconds() / 60 in _OFFSETS else None


def _moved(best: DateCandidate, clock: tzinfo, why: str) -> DateCandidate:
    return replace(best, value=best.value.astimezone(clock), why=why)


def _stated(best: DateCandidate, own: Iterable[DateCandidate]) -> tuple[tzinfo, str] | None:
    """Return the offset of another of the article's dates, of the same moment if there is one."""
    others = [c for c in own if c.offset_given and c.value.utcoffset()]
    c = min(others, key=lambda c: abs(c.value - best.value) >= _MINUTE, default=None)
    return (timezone(c.value.utcoffset() or timedelta()), f"on the clock of {c.text!r}") if c is not None else None


def _read_off(best: DateCandidate, own: Sequence[DateCandidate]) -> tuple[tzinfo, str] | None:
    """Compare the time that readers see with that for machines; the same time tells that the page's clock is UTC."""
    given = [best, *(other for other in own if other.role is Role.MODIFIED and is_in_utc(other))]
    shown = (c for c in own if c.precision == DatePrecision.MINUTE and not c.offset_given and not c.ambiguous)
    clocks = ((_between(c, moment), f"on the clock of {c.text!r}") for c in shown for moment in given)
    return next(((clock, why) for clock, why in clocks if clock is not None), None)
