"""From the time on a wall clock to an aware datetime.

Daylight saving leaves a gap in spring and an overlap in autumn. A time in the gap never was: it is moved on by the
length of the gap, as a clock that nobody put forward would show it. A time in the overlap was twice: the first is taken.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from newscrawler.languages import table

_HOURS = {name: float(hours) for hours, names in table("time_zones").items() for name in names}
_PLACES = {"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver", "pt": "America/Los_Angeles"}
_WIDEST = timedelta(hours=15)


@lru_cache(maxsize=64)
def zone_of(name: str) -> tzinfo:
    """Give the zone of an IANA name; UTC where there is none of that name (the configuration checks its own)."""
    if name.upper() == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


@lru_cache(maxsize=256)
def zone_of_abbreviation(name: str) -> tzinfo | None:
    """Give what "CEST" or "ET" stands for, in the commonest meaning; None for any other word."""
    name = name.lower().replace(".", "")
    if name in _PLACES:
        return zone_of(_PLACES[name])
    hours = _HOURS.get(name)
    return None if hours is None else timezone(timedelta(hours=hours))


def offset_zone(sign: str, hours: int, minutes: int) -> tzinfo | None:
    """Give the zone of "+02:00"; None where no place on earth is so far off."""
    delta = timedelta(hours=hours, minutes=minutes)
    if delta > _WIDEST or minutes > 59:
        return None
    return timezone(-delta if sign in "-−" else delta)


def localize(wall: datetime, zone: tzinfo) -> datetime:
    """Make a naive time aware; the result exists on the clocks of the zone.

    Raises:
        OverflowError, ValueError: the moment lies outside of the years that datetime knows.
    """
    aware = wall.replace(tzinfo=zone)
    if zone is UTC or isinstance(zone, timezone):
        return aware
    return aware.astimezone(UTC).astimezone(zone)
