"""What is news: a problem that begins, and one that is over; each once. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from newscrawler.store.service_records import AlertRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What has changed about one portal."""

    #: (problem, sentence)
    begun: tuple[tuple[str, str], ...] = ()
    over: tuple[AlertRecord, ...] = ()


def change_of(before: Iterable[AlertRecord], findings: Mapping[str, str], known: Collection[str]) -> Change:
    """Compare a night with the problems that last.

    Args:
        before: the portal's problems that last.
        findings: what is wrong now, a sentence each.
        known: problems that the night can decide; all others stay as they were.
    """
    lasting = {alert.problem: alert for alert in before}
    begun = tuple((str(problem), sentence) for problem, sentence in findings.items() if str(problem) not in lasting)
    words = {str(problem) for problem in findings}
    over = tuple(alert for problem, alert in lasting.items() if problem in known and problem not in words)
    return Change(begun=begun, over=over)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A problem's beginning or end, as it is reported."""

    alert: AlertRecord
    over: bool

    @property
    def line(self) -> str:
        """One line."""
        alert = self.alert
        if self.over:
            return f"{alert.portal}: over: {alert.problem} (since {alert.began_at:%Y-%m-%d %H:%M} UTC)"
        return f"{alert.portal}: {alert.problem}: {alert.sentence}"

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        alert = self.alert
        return {
            "portal": alert.portal,
            "problem": alert.problem,
            "event": "over" if self.over else "begun",
            "sentence": alert.sentence,
            "began_at": alert.began_at.isoformat(),
            "over_at": alert.over_at.isoformat() if alert.over_at else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """What is sent: to people as text, to programs as data."""

    subject: str
    text: str
    html: str | None = None
    data: Mapping[str, Any]


def undelivered_news(alerts: Iterable[AlertRecord], way: str) -> list[News]:
    """What one channel has not delivered yet, in the order in which it happened."""
    found = []
    for alert in alerts:
        if way not in alert.delivered:
            found.append(News(alert=alert, over=False))
        if alert.over_at is not None and way not in alert.delivered_over:
            found.append(News(alert=alert, over=True))
    return sorted(found, key=_moment)


def message_of(news: Sequence[News]) -> Message:
    """One message for all that is news."""
    subject = f"newscrawler: {news[0].line}" if len(news) == 1 else f"newscrawler: {len(news)} news of portals"
    text = "\n".join(each.line for each in news)
    return Message(subject=subject, text=text, data={"kind": "alert", "news": [each.as_dict() for each in news]})


def _moment(news: News) -> datetime:
    return news.alert.over_at if news.over and news.alert.over_at else news.alert.began_at
