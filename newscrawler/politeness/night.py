"""When a night begins: the time over which a portal's budgets count."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from newscrawler.politeness.window import Window

_NOON = time(12)


def night_began(now: datetime, zone: ZoneInfo, window: Window | None = None) -> datetime:
    """When the night began to which a moment belongs, in UTC: with the window, or at noon of the portal's clock."""
    if window is not None:
        return window.latest(now, zone)[0]
    local = now.astimezone(zone)
    day = local.date() if local.time() >= _NOON else local.date() - timedelta(days=1)
    return datetime.combine(day, _NOON, zone).astimezone(UTC)
