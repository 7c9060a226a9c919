"""When a portal's turns are: nightly in its window, or as a cron expression says; on the clock of the portal's time zone.

Cron expressions are read by cronsim, which treats changes of the clock as Debian's cron does: what falls into the hour that is
jumped over happens right after it, and what falls into the hour that comes twice happens the first time.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from newscrawler.politeness.window import Window

NIGHTLY = "nightly"
NEVER = "never"
#: When a portal without a window of its own is crawled, if nothing comes between.
NIGHT = Window.parse("22:00-06:00")
#: A window is counted to the day on which it is noon twelve hours after it opened: the night to Tuesday is Tuesday's.
_TO_THE_MORNING = timedelta(hours=12)
#: How far back a cron expression is searched for its last time, first a little.
_SPANS = tuple(timedelta(days=days) for days in (0.1, 2, 35, 400, 1700))


@dataclass(frozen=True, slots=True)
class Turn:
    """One time at which a portal is to be crawled."""

    #: In UTC.
    planned_at: datetime
    #: The same for two turns of one night, also if the window was moved between them.
    label: str


class Schedule(Protocol):
    """All turns of a portal."""

    def latest(self, now: datetime) -> Turn | None:
        """The last turn that has come; None: none for years."""
        ...

    def following(self, now: datetime) -> Turn | None:
        """The next turn; None: none for years."""
        ...


@dataclass(frozen=True, slots=True)
class Nightly:
    """Once in each window."""

    window: Window
    zone: ZoneInfo

    def latest(self, now: datetime) -> Turn:
        """The window that opened last."""
        return self._turn(self.window.latest(now, self.zone)[0])

    def following(self, now: datetime) -> Turn:
        """The window that opens next."""
        return self._turn(self.window.following(now, self.zone)[0])

    def _turn(self, opening: datetime) -> Turn:
        return Turn(opening, f"night {(opening.astimezone(self.zone).replace(tzinfo=None) + _TO_THE_MORNING).date()}")


@dataclass(frozen=True, slots=True)
class Cron:
    """At the times of a cron expression."""

    expression: str
    zone: ZoneInfo

    def latest(self, now: datetime) -> Turn | None:
        """Search ever farther back; cronsim's own way back misses what comes twice when the clock is changed."""
        for span in _SPANS:
            found = None
            for moment in CronSim(self.expression, (now - span).astimezone(self.zone)):
                if moment.astimezone(UTC) > now:
                    break
                found = moment
            if found is not None:
                return _at(found)
        return None

    def following(self, now: datetime) -> Turn | None:
        """In the hour that comes twice, times of its first pass are behind us."""
        for moment in CronSim(self.expression, now.astimezone(self.zone)):
            if moment.astimezone(UTC) > now:
                return _at(moment)
        return None


@dataclass(frozen=True, slots=True)
class Never:
    """Not by itself."""

    def latest(self, now: datetime) -> None:  # noqa: ARG002
        """No turn has come."""
        return

    def following(self, now: datetime) -> None:  # noqa: ARG002
        """None will."""
        return


def schedule_of(written: str, window: Window | None, zone: ZoneInfo) -> Schedule:
    """Read what stands at `schedule`: "nightly", "never", or a cron expression of five fields.

    Raises:
        ValueError: it is none of these, or names no time at all.
    """
    text = " ".join(written.split())
    if text == NIGHTLY:
        return Nightly(window or NIGHT, zone)
    if text == NEVER:
        return Never()
    if len(text.split()) != 5:
        raise ValueError(f"{written!r} is neither {NIGHTLY}, {NEVER}, nor a cron expression of five fields")
    try:
        next(CronSim(text, datetime(2024, 1, 1, tzinfo=UTC)))
    except CronSimError as error:
        raise ValueError(f"{written!r} is no cron expression: {str(error).lower()}") from error
    except StopIteration:
        raise ValueError(f"{written!r} names no time that ever comes") from None
    return Cron(text, zone)


def _at(moment: datetime) -> Turn:
    planned_at = moment.astimezone(UTC)
    return Turn(planned_at, f"{planned_at:%Y-%m-%d %H:%M} UTC")
