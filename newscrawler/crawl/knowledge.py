"""What fetching showed of a portal's patterns of URLs; it corrects the first guess for a link, and is kept for the next night."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict

from newscrawler.urls import Verdict
from newscrawler.urls.learned import Outcome, PatternRecord, asks, corrected
from newscrawler.urls.patterns import pattern_of

#: A portal has some hundreds; more are the work of a trap.
MOST_PATTERNS = 5_000


class Knowledge:
    """The records of one portal's patterns."""

    def __init__(self, records: Iterable[Mapping[str, object]] = ()) -> None:
        self._records: dict[str, PatternRecord] = {}
        self._changed: set[str] = set()
        self.load(records)

    def load(self, records: Iterable[Mapping[str, object]]) -> None:
        """Take in what the nights before found out."""
        for values in records:
            record = PatternRecord(**values)  # type: ignore[arg-type]
            self._records[record.pattern] = record

    def judge(self, url: str, verdict: Verdict) -> tuple[Verdict, bool]:
        """Correct a verdict on a link; the second value says whether the link is worth a request."""
        record = self._records.get(pattern_of(url))
        if record is None or not record.asked:
            return verdict, True
        better = corrected(verdict, record)
        return better, record.barren == 0 or asks(better, record)

    def saw(self, url: str, outcome: Outcome, *, fresh: int) -> None:
        """Learn from a page that was fetched."""
        self._change(url, lambda record: record.after(outcome, fresh=fresh))

    def passed_over(self, url: str) -> None:
        """Count a link that was not asked for."""
        self._change(url, PatternRecord.after_passing_over)

    def changes(self) -> list[dict[str, object]]:
        """What has changed since the last call, to be stored."""
        changed = [asdict(self._records[pattern]) for pattern in self._changed]
        self._changed.clear()
        return changed

    def _change(self, url: str, change: Callable[[PatternRecord], PatternRecord]) -> None:
        pattern = pattern_of(url)
        record = self._records.get(pattern)
        if record is None:
            if len(self._records) >= MOST_PATTERNS:
                return
            record = PatternRecord(pattern=pattern)
        self._records[pattern] = change(record)
        self._changed.add(pattern)
