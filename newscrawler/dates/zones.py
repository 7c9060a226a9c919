"""From the time on a wall clock to an aware datetime.

Daylight saving leaves a gap in spring and an overlap in autumn. A time in the gap never was: it is moved on by the
length of the gap, as a clock that nobody put forward would show it. A time in the overlap was twice: the first is taken.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from newscrawler.languages import table

_HOURS = {
    "z": 0, "utc": 0, "gmt": 0, "ut": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "mez": 1,
    "cest": 2, "mesz": 2, "eet": 2, "eest": 3, "msk": 3, "trt": 3, "eat": 3, "cat": 2, "sast": 2, "wat": 1,
    "gst": 4, "pkt": 5, "ist": 5.5, "npt": 5.75, "ict": 7, "wib": 7, "wita": 8, "wit": 9, "sgt": 8, "hkt": 8, "pht": 8, "myt": 8,
    "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13, "est": -5, "edt": -4, "cst": -6,
    "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7, "akst": -9, "akdt": -8, "hst": -10, "ast": -4, "adt": -3, "nst": -3.5,
    "ndt": -2.5, "brt": -3, "art": -3, "clt": -4, "clst": -3, "cot": -5, "pet": -5,
    **{name: int(hours) for hours, names in table("time_zones").items() for name in names},
}  # fmt: skip
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
