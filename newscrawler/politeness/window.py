"""Hours of the day in which a portal may be crawled, in the portal's time zone.

A window of eight hours lasts seven when daylight saving time begins and nine when it ends. A skipped time counts as the moment of
the change. Of a repeated time, the second opens and the first closes a window, so that local time is never outside it. A window
that is skipped as a whole keeps its usual length from the change on, so that every day has one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_WRITTEN = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*[-–]\s*(?:([01]?\d|2[0-3]):([0-5]\d)|(24):(00))")
_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Window:
    """From one time of the day to another, which may be on the next day."""

    opens: time
    closes: time

    @classmethod
    def parse(cls, text: str) -> Window:
        """Read "22:00-06:00".

        Raises:
            ValueError: it is not written so, or opens and closes at the same time.
        """
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"{text!r} is not a window of hours")
        opens = time(int(found[1]), int(found[2]))
        closes = time(0) if found[5] else time(int(found[3]), int(found[4]))
        if opens == closes:
            raise ValueError(f"{text!r} opens and closes at the same time")
        return cls(opens, closes)

    def __str__(self) -> str:
        return f"{self.opens:%H:%M}-{self.closes:%H:%M}"

    def on(self, day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return when the window that opens on this day opens and closes, in UTC."""
        closing = _to_utc(day if self.closes > self.opens else day + _DAY, self.closes, zone)
        opening = _to_utc(day, self.opens, zone, last=True)
        if opening >= closing:  # both come twice: the first window of the two
            opening = _to_utc(day, self.opens, zone)
        return opening, closing if closing > opening else opening + self._usual_length()

    def _usual_length(self) -> timedelta:
        length = datetime.combine(date.min, self.closes) - datetime.combine(date.min, self.opens)
        return length if length > timedelta(0) else length + _DAY

    def latest(self, now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return when the window that opened last opened, and when it closes or closed, in UTC."""
        today = now.astimezone(zone).date()
        found = (self.on(today + ahead * _DAY, zone) for ahead in (1, 0, -1, -2))
        return next(each for each in found if each[0] <= now)

    def following(self, now: datetime, zone: ZoneInfo) -> tuple[datetime, datetime]:
        """Return the next window that has not opened yet."""
        today = now.astimezone(zone).date()
        found = (self.on(today + ahead * _DAY, zone) for ahead in (-1, 0, 1, 2))
        return next(each for each in found if each[0] > now)

    def closes_at(self, now: datetime, zone: ZoneInfo) -> datetime | None:
        """Return when the open window closes; None: it is closed."""
        _, closing = self.latest(now, zone)
        return closing if now < closing else None

    def open_from(self, now: datetime, zone: ZoneInfo) -> datetime:
        """Return the first moment from now on at which the window is open."""
        return now if self.closes_at(now, zone) else self.following(now, zone)[0]


def _to_utc(day: date, at: time, zone: ZoneInfo, *, last: bool = False) -> datetime:
    """Return a local time in UTC; of a repeated time the first or last, of a skipped time the moment of the change."""
    first, second = (datetime.combine(day, at.replace(fold=fold), zone).astimezone(UTC) for fold in (0, 1))
    if first <= second:
        return second if last else first
    before, after = second, first  # of a time that is jumped over, the folds lie on either side
    offset = after.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            after = middle
        else:
            before = middle
    return (after + _SECOND / 2).replace(microsecond=0)


_NOON = time(12)


def find_night_start(now: datetime, zone: ZoneInfo, window: Window | None = None) -> datetime:
    """Return when the night of a moment began, in UTC: with the window, or at noon of the portal's time zone."""
    if window is not None:
        return window.latest(now, zone)[0]
    local = now.astimezone(zone)
    day = local.date() if local.time() >= _NOON else local.date() - timedelta(days=1)
    return datetime.combine(day, _NOON, zone).astimezone(UTC)
