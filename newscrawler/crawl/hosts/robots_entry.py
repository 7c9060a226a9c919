"""The meaning of an answer to /robots.txt, how long it is valid, and when to retry an origin that does not answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta

from newscrawler.politeness import LONGEST_CRAWL_DELAY_SECONDS, RobotsRules, find_status_rule, get_host, parse_robots
from newscrawler.store.hosts import RobotsRecord
from newscrawler.store.vocabularies import RobotsVerdict

#: RFC 9309, section 2.4.
LONGEST_CACHED = timedelta(hours=24)
#: It is fetched again after an hour, or sooner by Cache-Control, but not before ten minutes.
ASKED_AGAIN = timedelta(hours=1)
SOONEST_ASKED_AGAIN = timedelta(minutes=10)
#: RFC 9309, section 2.3.1.2.
MOST_REDIRECTS = 5
#: Pause before the first retry of an unreachable robots.txt, doubled with each failure.
FIRST_PAUSE_SECONDS = 2.0
LONGEST_PAUSE_SECONDS = 6 * 3600.0

_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d+)", re.IGNORECASE)
_NO_CACHE = re.compile(r"(?:^|[,\s])no-(?:cache|store)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotsEntry(RobotsRecord):
    """The last response of an origin, as it is stored, with its rules parsed."""

    rules: RobotsRules = field(default=RobotsRules(), repr=False)

    @classmethod
    def from_record(cls, record: RobotsRecord) -> RobotsEntry:
        """Parse the rules of a stored record."""
        values = {each.name: getattr(record, each.name) for each in fields(record)}
        is_read = record.verdict == RobotsVerdict.RULES and record.body
        return cls(**values, rules=parse_robots(record.body) if is_read and record.body else RobotsRules())

    def is_valid(self, now: datetime) -> bool:
        """Return whether it is still valid; a clock that was set back extends nothing."""
        return now < self.expires_at and self.asked_at - LONGEST_CACHED < now

    def allows(self, url: str) -> bool:
        """Return whether a URL of this origin may be fetched."""
        return self.verdict == RobotsVerdict.ALLOW or (self.verdict == RobotsVerdict.RULES and self.rules.allows(url))

    @property
    def capped(self) -> str | None:
        """Return a note if the requested delay is beyond the limit."""
        asks = self.rules.asks_seconds
        if asks is None or asks <= LONGEST_CRAWL_DELAY_SECONDS:
            return None
        return f"{self.origin}/robots.txt asks for {asks:g} s between requests; {LONGEST_CRAWL_DELAY_SECONDS:g} s are kept"

    @property
    def hours(self) -> str | None:
        """Return a sentence with the hours of Visit-time, if given."""
        if self.rules.visit_minutes is None:
            return None
        opens, closes = (f"{minute // 60:02}:{minute % 60:02}" for minute in self.rules.visit_minutes)
        return f"{self.origin}/robots.txt asks for visits from {opens} to {closes} UTC"


def read_robots_response(
    origin: str, *, status: int, body: bytes, now: datetime, before: RobotsEntry | None = None, asked_to_wait_seconds: float = 0.0,
    max_age_seconds: float | None = None,
) -> RobotsEntry:  # fmt: skip
    """Return the entry of an answer; redirects have been followed.

    RFC 9309, section 2.3.1: 2xx is parsed, 4xx and endless redirects allow all, 5xx forbids all. 429 means too many requests,
    not that rules are missing, and forbids all, too.
    """
    lasts = ASKED_AGAIN if max_age_seconds is None else timedelta(seconds=min(max_age_seconds, ASKED_AGAIN.total_seconds()))
    expires_at = now + max(lasts, SOONEST_ASKED_AGAIN)
    if 200 <= status < 300:
        rules = parse_robots(body)
        because = "is an HTML page" if rules.is_markup else None
        kept = None if rules.is_markup else body
        return RobotsEntry(
            origin=origin, host=get_host(origin), verdict=RobotsVerdict.RULES, status=status, because=because, body=kept,
            rules=rules, asks_seconds=rules.asks_seconds, asked_at=now, expires_at=expires_at,
        )  # fmt: skip
    if find_status_rule(status).hides_rules:
        return record_robots_failure(
            origin, because=f"answers {status}", status=status, now=now, before=before, asked_to_wait_seconds=asked_to_wait_seconds
        )
    because = f"answers {status}" if status >= 400 else f"redirects {status} to nowhere"
    return RobotsEntry(
        origin=origin, host=get_host(origin), verdict=RobotsVerdict.ALLOW, status=status, because=because, body=None, asked_at=now,
        expires_at=expires_at,
    )  # fmt: skip


def read_max_age(field: str | None) -> float | None:
    """Return how many seconds Cache-Control permits to store an answer (RFC 9111, section 5.2.2); None: not given."""
    found = _MAX_AGE.search(field or "")
    return float(found[1][:9]) if found else 0.0 if _NO_CACHE.search(field or "") else None


def record_robots_failure(
    origin: str, *, because: str, now: datetime, status: int | None = None, before: RobotsEntry | None = None,
    asked_to_wait_seconds: float = 0.0,
) -> RobotsEntry:  # fmt: skip
    """Return an entry that forbids all until the origin answers; retries have growing pauses, or follow Retry-After."""
    failures = 1 + (before.failures if before is not None and before.verdict == RobotsVerdict.FORBID else 0)
    pause = max(FIRST_PAUSE_SECONDS * 2.0 ** min(failures - 1, 20), asked_to_wait_seconds)
    return RobotsEntry(
        origin=origin, host=get_host(origin), verdict=RobotsVerdict.FORBID, status=status, because=because[:300], body=None,
        asked_at=now,
        expires_at=now + timedelta(seconds=min(pause, LONGEST_PAUSE_SECONDS)), failures=failures,
    )  # fmt: skip
