"""The time of the chosen day: its most precise statement, on the clock of the page's readers.

News systems often write UTC for machines and local time for readers. The moment is the same; the day is not, in the
evening west of Greenwich and around midnight east of it. Readers and editors know an article by the day on their own clock.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, timedelta, timezone, tzinfo
from itertools import chain
from zoneinfo import ZoneInfo

from newscrawler.article import DatePrecision
from newscrawler.extraction.dates.calendar import ZONES_OF_COUNTRIES, find_language_tags, find_zone, get_top_level_domain, localize
from newscrawler.extraction.dates.candidate import CRAWL, DECLARED, DateCandidate, DateRole, Family
from newscrawler.extraction.dates.day_candidates import BOXES, measure_distance
from newscrawler.languages import alternatives, one_of, table, words
from newscrawler.page import Document

_ZONES_OF_LANGUAGES = {code: zone for zone, codes in table("zones_of_languages").items() for code in codes}
#: Default of site builders, written into every page.
_DEFAULT_TAG = ("en", "us")
_NAMED_ZONE = re.compile(
    r"(?:z|Z)(?:one|ONE)[^\n]{0,36}?\b((?:America|Europe|Asia|Australia|Africa|Pacific)(?:\\?/[A-Z][A-Za-z_-]+){1,3})"
)


def find_named_zone(page: Document) -> tzinfo | None:
    """Give the zone that a page's scripts name ("timezone": "America/New_York"); None where they name none, or several."""
    texts = (script.text or "" for script in page.declarations["script"])
    found = {match[1].replace("\\", "") for text in texts for match in _NAMED_ZONE.finditer(text)}
    zone = find_zone(found.pop()) if len(found) == 1 else None
    return zone if isinstance(zone, ZoneInfo) else None


def guess_zone(page: Document, language: str | None = None) -> tzinfo | None:
    """Guess the zone of a page's readers, at last by the language in which it is written; None where nothing tells."""
    tags = list(find_language_tags(page))
    countries = [get_top_level_domain(page), *(country for tag, country in tags if (tag, country) != _DEFAULT_TAG)]
    named = [*map(ZONES_OF_COUNTRIES.get, countries), *map(_ZONES_OF_LANGUAGES.get, [*(tag for tag, _ in tags), language or ""])]
    zone = find_zone(next(filter(None, named), "UTC"))
    return zone if isinstance(zone, ZoneInfo) else None


#: Offsets that some country keeps, in minutes; another article's time matches one of them only by chance.
_OFFSETS = frozenset({hours * 60 for hours in range(-12, 15)} | {-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765})
_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)
#: Blocks from the headline in which a page shows the time of its article.
_NEAR = 40.0
#: Blocks from a shown date, or from the headline, within which its time is shown.
_BESIDE, _BESIDE_HEADLINE = 4, 12
#: A time of the day, also as "14 h 30" and "18時42分"; "3 hours ago" and "3時間前" are moments already.
_HOUR_SIGNS = one_of(sign for sign in words("hour_signs") if sign[0] >= "\u2e80")
_WALL = re.compile(rf"\d(?:[:.h]|\s[hH]\s)\d\d|\d\s?(?:：\s?\d\d|(?!{alternatives('units_ago/hour')}){_HOUR_SIGNS})")


def is_in_utc(c: DateCandidate) -> bool:
    """Return whether a candidate gives a moment in UTC, which need not be the clock of the page."""
    return c.precision == DatePrecision.MINUTE and c.offset_given and not c.value.utcoffset()


def choose_most_precise(group: Sequence[DateCandidate], role: DateRole) -> DateCandidate:
    """Return of the statements of a day the one with a time, one with an offset first, nearest to the headline."""
    of_role = [c for c in group if c.role is role and not c.exchanged] or list(group)
    best = min(of_role, key=_rank_evidence)
    if best.precision == DatePrecision.MINUTE and (best.offset_given or best.family not in DECLARED):
        return best
    timed = [c for c in of_role if c.precision == DatePrecision.MINUTE and _is_refinement(c, best)]
    return min(timed, key=lambda c: (not c.offset_given, _rank_evidence(c)), default=best)


def _rank_evidence(c: DateCandidate) -> tuple[bool, bool, tuple[bool, bool, float], bool]:
    return c.family in CRAWL, c.family not in DECLARED, measure_distance(c), c.family in BOXES


def _is_refinement(c: DateCandidate, best: DateCandidate) -> bool:
    """Return whether a time refines a statement of its day: "8 hours ago" within its hour, a time by its offset."""
    stands_there = best.position is not None and measure_distance(c) == measure_distance(best)
    if not stands_there and not (is_own(c) and _is_time_of(c, best)):
        return False
    if best.precision == DatePrecision.MINUTE:
        return c.offset_given and c.value.replace(tzinfo=None, second=0) == best.value.replace(tzinfo=None, second=0)
    return not (best.value.hour or best.value.minute) or abs(best.value - c.value) <= _HOUR


def is_own(c: DateCandidate) -> bool:
    """Return whether a date can be the article's by its place: declared, or shown near the headline outside of other texts."""
    return c.family in DECLARED or (not any(measure_distance(c)[:2]) and measure_distance(c)[2] <= _NEAR)


def _is_time_of(c: DateCandidate, best: DateCandidate) -> bool:
    """Return whether a time belongs to a date: declared as well, or shown close to it, on the same side of the body."""
    if c.position is None or c.family in DECLARED:
        return True
    if best.position is None:
        return abs(c.position.from_headline) <= _BESIDE_HEADLINE and not c.position.from_body_end > 0
    is_behind = c.position.from_body_end > 0, best.position.from_body_end > 0
    return is_behind[0] == is_behind[1] and abs(c.position.from_headline - best.position.from_headline) <= _BESIDE


def move_to_page_clock(
    best: DateCandidate, found: Sequence[DateCandidate], zone: tzinfo, page: Document, language: str | None = None
) -> DateCandidate:
    """Return a date whose time is on the clock of the page's readers, where no zone is configured for the portal.

    A time in UTC is moved to that clock, and its day may be another: by a time that readers see of the same moment, or by the zone
    that the page's scripts name; a page that shows nothing keeps UTC. A time without an offset is taken for one on that clock, at
    last on that of the page's country or language; its day remains, as it is written.
    """
    is_wall_time = best.precision == DatePrecision.MINUTE and not best.offset_given and _WALL.search(best.text) is not None
    if zone is not UTC or best.value.tzinfo is not UTC or not (is_in_utc(best) or is_wall_time):
        return best
    own = [c for c in found if c.role is not DateRole.OTHER and not c.exchanged and is_own(c)]
    return _place_wall_time(best, own, page, language) if is_wall_time else _move_moment(best, own, page)


def _place_wall_time(best: DateCandidate, own: Sequence[DateCandidate], page: Document, language: str | None) -> DateCandidate:
    """Return a time without an offset as one on the clock of a moment that the page gives too, or of the page's zone."""
    clocks = (_find_offset(best, c) for c in own if is_in_utc(c) and c.role is DateRole.PUBLISHED)
    clock = next(filter(None, clocks), None) or page.view(find_named_zone) or guess_zone(page, language) or UTC
    return replace(best, value=localize(best.value.replace(tzinfo=None), clock))


def _move_moment(best: DateCandidate, own: Sequence[DateCandidate], page: Document) -> DateCandidate:
    """Return a moment in UTC on the clock of a time that readers see, or of a zone that fits the days on the page."""
    shown = [c for c in own if c.family not in CRAWL and not c.ambiguous and not is_in_utc(c)]
    moments = [best, *filter(is_in_utc, own)]
    walls = (c for c in shown if c.precision == DatePrecision.MINUTE)
    clocks = ((clock, f"on the clock of {c.text!r}") for c in walls for m in moments if (clock := _find_offset(c, m)) is not None)
    days = {c.value.date() for c in shown if c.precision == DatePrecision.DAY and abs(c.value - best.value) < 2 * _DAY}
    clock, why = next(chain(clocks, _assume_zones(best, days, page)), (None, ""))
    if clock is not None:
        return replace(best, value=best.value.astimezone(clock), why=why)
    # a site writes its addresses on its own clock: of that, they tell the day, though not the time
    written = (c for c in shown if c.family is Family.ADDRESS_PATH and c.role is best.role)
    next_day = next((c for c in written if abs(c.value.date() - best.value.date()) == _DAY), None)
    return best if next_day is None else replace(next_day, why=f"the day of the address, on a clock beside that of {best.text!r}")


def _assume_zones(best: DateCandidate, days: Collection[date], page: Document) -> Iterator[tuple[tzinfo, str]]:
    """Yield the zones in which a moment falls on a day that the page shows, or that its scripts name where it shows none."""
    named = page.view(find_named_zone)
    if named is not None and (not days or best.value.astimezone(named).date() in days):
        yield named, f"on the clock of {named}, which the page names"
    country = guess_zone(page) if days else None
    if country is not None and best.value.astimezone(country).date() in days:
        yield country, "on the day that the page shows, by a clock that is assumed"


def _find_offset(wall: DateCandidate, moment: DateCandidate) -> tzinfo | None:
    """Return the offset of the clock that shows a moment, given in UTC, as this time; None where no country has it."""
    apart = wall.value.replace(tzinfo=UTC, second=0) - moment.value.replace(second=0, microsecond=0)
    return timezone(apart) if apart.total_seconds() / 60 in _OFFSETS else None
