"""Findings of crawls about a portal: patterns of URLs, its order of day and month, its page for missing URLs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from threading import Lock
from typing import Any

from newscrawler.discovery import VALID_FOR, Fallback, FallbackRecords, MissingPage, describe_missing_page
from newscrawler.discovery.urls import (
    UNPRODUCTIVE_AFTER,
    PatternRecord,
    RedundantParameters,
    TwinRules,
    UrlKind,
    UrlVerdict,
    correct_verdict,
    get_probe_interval,
    make_pattern,
    should_request,
)
from newscrawler.extraction.dates import Dates, PortalCalendar
from newscrawler.limits import URL_PATTERNS
from newscrawler.page import Document

#: Pages of a browser that agree on where their data are, until the API is requested in its place; patterns that are remembered.
_SURE_OF_API, _MOST_API_PATTERNS = 2, 20
#: Articles of a pattern after which other pages of it may be articles, and pages among which one article says so.
_SOME, _FEW_PAGES = 3, 20


class PortalProfile:
    """The findings about one portal; safe for threads."""

    def __init__(self, records: Iterable[Mapping[str, object]] = ()) -> None:
        self._lock = Lock()
        self._records: dict[str, PatternRecord] = {}
        self._changed: set[str] = set()
        self._passed_over: Counter[str] = Counter()
        self.calendar = PortalCalendar()
        self._missing: MissingPage | None = None
        self._missing_asked_at: datetime | None = None
        self._portal_changed = False
        self._fallbacks = FallbackRecords()
        self._api_patterns: Counter[str] = Counter()
        self.parameters = RedundantParameters()
        self.twins = TwinRules()
        self.load(records)

    def load(self, records: Iterable[Mapping[str, object]], portal: Mapping[str, Any] | None = None) -> None:
        """Load the findings of earlier crawls: on patterns of URLs, and on the portal as a whole."""
        for values in records:
            record = PatternRecord(**values)  # type: ignore[arg-type]
            self._records[record.pattern] = record
        if portal:
            self.calendar = PortalCalendar(**portal.get("calendar", {}))
            missing = portal.get("missing_page", {})
            self._missing = MissingPage.from_dict(missing["page"]) if missing.get("page") else None
            self._missing_asked_at = datetime.fromisoformat(missing["asked_at"]) if missing.get("asked_at") else None
            self.parameters.load(portal.get("parameters", {}))
            self.twins.load(portal.get("twins", ()), portal.get("numbered", ()))
            self._fallbacks = FallbackRecords.of(portal.get("ways", {}))
            self._api_patterns = Counter(portal.get("api_patterns", {}))

    def correct(self, url: str, verdict: UrlVerdict) -> UrlVerdict:
        """Return the verdict on a link as the pages with such addresses correct it."""
        record = self._records.get(make_pattern(url))
        return verdict if record is None or not record.fetched else correct_verdict(verdict, record)

    def is_due(self, url: str, verdict: UrlVerdict) -> bool:
        """Return whether to request a link with a corrected verdict: such pages are productive, or a probe is due."""
        record = self._records.get(make_pattern(url))
        return record is None or not record.fetched or record.unproductive == 0 or should_request(verdict, record)

    def is_useless(self, url: str) -> bool:
        """Return whether no page of a URL's pattern was an article, and the next probe of it is not due."""
        record = self._records.get(make_pattern(url))
        if record is None or record.articles or record.unproductive < 2 * UNPRODUCTIVE_AFTER:
            return False
        return record.skipped < get_probe_interval(record)

    def suggests_article(self, url: str) -> bool:
        """Return whether most pages of a URL's pattern were articles, or one of few, or no page of the portal was."""
        record = self._records.get(make_pattern(url))
        if record is None or not record.articles:
            return not any(each.articles for each in self._records.values())
        return record.fetched <= _FEW_PAGES or (record.articles >= _SOME and 2 * record.articles >= record.fetched)

    def note_page(self, url: str, kind: UrlKind, *, fresh: int) -> None:
        """Learn from a page that was fetched."""
        self._update(url, lambda record: record.count_page(kind, fresh=fresh))

    def note_skipped(self, url: str, *, is_link: bool = True) -> None:
        """Count a link, or a URL of the frontier, that was skipped."""
        self._update(url, PatternRecord.count_skipped)
        if is_link:
            with self._lock:
                self._passed_over[make_pattern(url)] += 1

    def take_skipped(self) -> Counter[str]:
        """Return the links skipped since the last call, by pattern."""
        with self._lock:
            passed, self._passed_over = self._passed_over, Counter()
        return passed

    def take_changes(self) -> list[dict[str, object]]:
        """Return the patterns that have changed since the last call."""
        with self._lock:
            changed = [asdict(self._records[pattern]) for pattern in self._changed]
            self._changed.clear()
        return changed

    def _update(self, url: str, change: Callable[[PatternRecord], PatternRecord]) -> None:
        pattern = make_pattern(url)
        with self._lock:
            record = self._records.get(pattern)
            if record is None and len(self._records) >= URL_PATTERNS:
                return
            self._records[pattern] = change(record or PatternRecord(pattern=pattern))
            self._changed.add(pattern)

    def note_dates(self, dates: Dates) -> None:
        """Learn from the dates of a page."""
        with self._lock:
            before, self.calendar = self.calendar, self.calendar.after(dates)
            self._portal_changed |= self.calendar is not before

    def note_text(self, url: str, text: str) -> None:
        """Learn from the text of a page which URL parameters change nothing."""
        if self.parameters.note_text(url, text):
            with self._lock:
                self._portal_changed = True

    def note_article(self, url: str, article_id: int, declared: Mapping[str, str]) -> None:
        """Learn from an article which other addresses lead to it; see `TwinRules`."""
        first = self.twins.get_first(article_id)
        learned = first is not None and self.parameters.note_pair(first, url)
        if self.twins.note_article(url, article_id, declared) or learned:
            with self._lock:
                self._portal_changed = True

    @property
    def has_twins(self) -> bool:
        """Return whether articles of the portal have several addresses."""
        return bool(self.parameters.idle or self.twins.as_lists() or self.twins.patterns)

    def recall(self, articles: Mapping[str, int]) -> None:
        """Load the addresses of articles that earlier crawls have stored, with their numbers."""
        self.parameters.recall(articles)
        self.twins.recall(articles)

    def is_twin(self, url: str) -> bool:
        """Return whether a URL leads to an article that was read, by redundant parameters or the portal's other addresses."""
        return self.parameters.is_seen(url) or self.twins.is_twin(url)

    def note_fallback(self, fallback: Fallback, *, article: bool) -> None:
        """Learn from a page that was read in one way."""
        with self._lock:
            self._fallbacks.note(fallback, article=article)
            self._portal_changed = True

    def allows_fallback(self, fallback: Fallback) -> bool:
        """Return whether to try a way that needs a request on this page; an unsuccessful one is given up."""
        with self._lock:
            self._portal_changed = True
            return self._fallbacks.allows(fallback)

    @property
    def api_pattern(self) -> str | None:
        """Where the site's API has the data of an article, as pages of a browser showed; None: not known."""
        ((pattern, count),) = self._api_patterns.most_common(1) or (("", 0),)
        return pattern if count >= _SURE_OF_API else None

    def note_api(self, pattern: str) -> None:
        """Learn where a page of a browser got its article from."""
        with self._lock:
            if pattern in self._api_patterns or len(self._api_patterns) < _MOST_API_PATTERNS:
                self._api_patterns[pattern] += 1
                self._portal_changed = True

    def get_fallback_rate(self, fallback: Fallback) -> float:
        """Return how often a way has led to an article; 1 before it was tried."""
        return self._fallbacks.get_rate(fallback)

    def wants_missing_page(self, now: datetime) -> bool:
        """Return whether to fetch a URL that does not exist; true once."""
        if self._missing_asked_at is not None and now - self._missing_asked_at < VALID_FOR:
            return False
        self.note_missing_page(None, now)
        return True

    def note_missing_page(self, page: Document | None, now: datetime) -> None:
        """Learn the portal's answer for a missing URL; None: an error status."""
        missing = describe_missing_page(page) if page is not None else None
        with self._lock:
            self._missing, self._missing_asked_at, self._portal_changed = missing, now, True

    def is_missing(self, page: Document) -> bool:
        """Return whether a page is the one that the portal shows for missing URLs with status 200."""
        return self._missing is not None and self._missing.is_shown_by(page)

    def take_portal_changes(self) -> dict[str, Any] | None:
        """Return the findings about the portal as a whole, if they have changed since the last call."""
        with self._lock:
            if not self._portal_changed:
                return None
            self._portal_changed = False
            asked_at = self._missing_asked_at
            missing = {"asked_at": asked_at and asked_at.isoformat(), "page": self._missing and self._missing.as_dict()}
            return {
                "calendar": asdict(self.calendar), "missing_page": missing, "parameters": self.parameters.as_dict(),
                "ways": self._fallbacks.as_dict(), "twins": self.twins.as_lists(), "numbered": self.twins.patterns,
                "api_patterns": dict(self._api_patterns),
            }  # fmt: skip
