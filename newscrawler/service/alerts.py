"""Finds problems that begin or end, each reported once. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from newscrawler.store.service import AlertRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The changed problems of one portal."""

    #: (problem, sentence)
    begun: tuple[tuple[str, str], ...] = ()
    over: tuple[AlertRecord, ...] = ()


def change_of(before: Iterable[AlertRecord], findings: Mapping[str, str], known: Collection[str]) -> Change:
    """Compare the findings of a night with the open problems; return what begins and ends.

    Args:
        before: the portal's open problems.
        findings: current problems, a sentence each.
        known: problems that the night can decide; all others stay unchanged.
    """
    lasting = {alert.problem: alert for alert in before}
    begun = tuple((str(problem), sentence) for problem, sentence in findings.items() if str(problem) not in lasting)
    words = {str(problem) for problem in findings}
    over = tuple(alert for problem, alert in lasting.items() if problem in known and problem not in words)
    return Change(begun=begun, over=over)


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The beginning or end of a problem, as reported."""

    alert: AlertRecord
    over: bool

    @property
    def line(self) -> str:
        """Return the news as one line."""
        alert = self.alert
        if self.over:
            return f"{alert.portal}: over: {alert.problem} (since {alert.began_at:%Y-%m-%d %H:%M} UTC)"
        return f"{alert.portal}: {alert.problem}: {alert.sentence}"

    def as_dict(self) -> dict[str, Any]:
        """Return the news for programs."""
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
    """A notification: text for people, data for programs."""

    subject: str
    text: str
    html: str | None = None
    data: Mapping[str, Any]


def undelivered_news(alerts: Iterable[AlertRecord], way: str) -> list[News]:
    """Return the news that one channel has not delivered yet, in order of time."""
    found = []
    for alert in alerts:
        if way not in alert.delivered:
            found.append(News(alert=alert, over=False))
        if alert.over_at is not None and way not in alert.delivered_over:
            found.append(News(alert=alert, over=True))
    return sorted(found, key=_moment)


def message_of(news: Sequence[News]) -> Message:
    """Return one message for all news."""
    subject = f"newscrawler: {news[0].line}" if len(news) == 1 else f"newscrawler: {len(news)} news of portals"
    text = "\n".join(each.line for each in news)
    return Message(subject=subject, text=text, data={"kind": "alert", "news": [each.as_dict() for each in news]})


def _moment(news: News) -> datetime:
    return news.alert.over_at if news.over and news.alert.over_at else news.alert.began_at
