"""Schedule of a portal's crawls: nightly in its window, or by a cron expression, in the portal's time zone.

Cron expressions are evaluated by cronsim, which treats changes of the clock like Debian's cron: a time in the skipped hour moves
right after it, and a time in the repeated hour happens the first time only.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from newscrawler.politeness import Window

NIGHTLY = "nightly"
NEVER = "never"
#: The window of a nightly portal that has none.
NIGHT = Window.parse("22:00-06:00")
#: A window is labelled with the date twelve hours after it opens: the night before Tuesday belongs to Tuesday.
_TO_LABEL = timedelta(hours=12)
#: How far back to search the last time of a cron expression, step by step.
_SPANS = tuple(timedelta(days=days) for days in (0.1, 2, 35, 400, 1700))


@dataclass(frozen=True, slots=True)
class ScheduledCrawl:
    """One planned crawl of a portal."""

    #: In UTC.
    planned_at: datetime
    #: The same for two crawls of one day, even if the window was changed between them.
    label: str


@dataclass(frozen=True, slots=True)
class Nightly:
    """Once in each window."""

    window: Window
    zone: ZoneInfo

    def find_latest(self, now: datetime) -> ScheduledCrawl:
        """Return the window that opened last."""
        return self._plan_window(self.window.latest(now, self.zone)[0])

    def find_following(self, now: datetime) -> ScheduledCrawl:
        """Return the window that opens next."""
        return self._plan_window(self.window.following(now, self.zone)[0])

    def _plan_window(self, opening: datetime) -> ScheduledCrawl:
        return ScheduledCrawl(opening, f"night {(opening.astimezone(self.zone).replace(tzinfo=None) + _TO_LABEL).date()}")


@dataclass(frozen=True, slots=True)
class Cron:
    """At the times of a cron expression."""

    expression: str
    zone: ZoneInfo

    def find_latest(self, now: datetime) -> ScheduledCrawl | None:
        """Search in growing steps backwards; cronsim's own backward search misses repeated times when the clock changes."""
        for span in _SPANS:
            found = None
            for moment in CronSim(self.expression, (now - span).astimezone(self.zone)):
                if moment.astimezone(UTC) > now:
                    break
                found = moment
            if found is not None:
                return _plan_at(found)
        return None

    def find_following(self, now: datetime) -> ScheduledCrawl | None:
        """Return the next crawl; in the repeated hour, times of its first pass are over."""
        for moment in CronSim(self.expression, now.astimezone(self.zone)):
            if moment.astimezone(UTC) > now:
                return _plan_at(moment)
        return None


@dataclass(frozen=True, slots=True)
class Never:
    """No planned crawls."""

    def find_latest(self, now: datetime) -> None:  # noqa: ARG002
        """Return None."""
        return

    def find_following(self, now: datetime) -> None:  # noqa: ARG002
        """Return None."""
        return


Schedule = Nightly | Cron | Never


def parse_schedule(written: str, window: Window | None, zone: ZoneInfo) -> Schedule:
    """Parse a value of the key `schedule`: "nightly", "never", or a cron expression of five fields.

    Raises:
        ValueError: it is none of these, or it never occurs.
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
        raise ValueError(f"{written!r} is not a cron expression: {str(error).lower()}") from error
    except StopIteration:
        raise ValueError(f"{written!r} names no time that ever comes") from None
    return Cron(text, zone)


def _plan_at(moment: datetime) -> ScheduledCrawl:
    planned_at = moment.astimezone(UTC)
    return ScheduledCrawl(planned_at, f"{planned_at:%Y-%m-%d %H:%M} UTC")
