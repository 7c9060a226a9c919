"""Archives by day whose months have pages too: one page in place of thirty, most of them empty.

For empty days, the URL of their month is tried: `/archive/2026/11/` above `/archive/2026/11/20/`. A month page replaces its days if
it lists all articles of those of its days that were read. Then its other days are skipped, and the archive continues with the last
day of the month before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from newscrawler.discovery.source import PRIORITY, Lead, LeadKind, Source, SourceResponse

#: Days without a new article, after which the address of a month is tried.
EMPTY_DAYS = 2
#: A list of so many articles may be cut off, unless it has further pages.
MOST_LISTED = 9
#: A portal has one archive or two.
_MOST_ARCHIVES = 50
_DAY = re.compile(r"(?P<before>.*[/=])(?P<year>(?:19|20)\d\d)(?P<sign>[/-])(?P<month>\d\d?)(?P=sign)(?P<day>\d\d?)(?P<after>/?)\Z")


@dataclass(slots=True)
class _Archive:
    """One archive, as far as it is known."""

    #: Articles that its days named first, by month.
    named: dict[str, set[str]] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    empty: int = 0
    #: URLs of months that were offered, and of those that replace their days.
    offered: set[str] = field(default_factory=set)
    covered: set[str] = field(default_factory=set)
    padded: bool = True
    #: A month was not a page, or did not name its articles.
    failed: bool = False


class MonthArchives(Source):
    """The archives of one portal, as far as a crawl has seen them."""

    priority = PRIORITY["article"]

    def __init__(self) -> None:
        self._archives: dict[str, _Archive] = {}
        #: Address of a month → the day by which it was found.
        self._months: dict[str, re.Match[str]] = {}

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the month of a day without articles, or the last day before a month that lists its days' articles."""
        if answer.page is None or answer.kind == "article":
            return
        articles = frozenset(each.url for each in answer.found if each.kind == "article")
        if answer.requested_url in self._months:
            goes_on = any(each.why == "pagination" for each in answer.found)
            leads_to = self.note_month(answer.requested_url, articles, goes_on=goes_on)
        else:
            leads_to = self.note_day(answer.requested_url, articles)
        if leads_to is not None and answer.portal.scope.allows(leads_to):
            yield Lead(leads_to, LeadKind.SECTION, depth=answer.depth)

    def get_reason_to_skip(self, url: str) -> str:
        """Return why a day is superfluous: its month lists its articles."""
        match = _DAY.match(url)
        archive = self._archives.get(match["before"]) if match else None
        return "its month is read" if match and archive and _make_month_url(match) in archive.covered else ""

    def note_day(self, url: str, articles: frozenset[str]) -> str | None:
        """Learn from the page of a day; return the address of its month, if that is to be tried."""
        match = _DAY.match(url)
        if match is None or _parse_date(match) is None:
            return None
        if match["before"] not in self._archives and len(self._archives) >= _MOST_ARCHIVES:
            return None
        archive, month = self._archives.setdefault(match["before"], _Archive()), _make_month_url(match)
        new = articles - archive.seen
        archive.seen |= new
        archive.named.setdefault(month, set()).update(new)
        archive.empty += not new
        archive.padded &= len(match["month"]) == len(match["day"]) == 2
        wanted = archive.covered or archive.empty >= EMPTY_DAYS
        unanswered = archive.offered and not archive.covered
        if archive.failed or unanswered or not wanted or month in archive.offered:
            return None
        archive.offered.add(month)
        self._months[month] = match
        return month

    def note_month(self, url: str, articles: frozenset[str], *, goes_on: bool) -> str | None:
        """Learn from the page of a month; return the last day of the month before, if it replaces its days."""
        match = self._months.get(url)
        if match is None:
            return None
        archive = self._archives[match["before"]]
        named = archive.named.get(url, set())
        proven = bool(archive.covered) or (bool(articles) and bool(named or articles - archive.seen))
        if not proven or not articles >= named or (len(articles) > MOST_LISTED and not goes_on):
            archive.failed = True
            return None
        archive.covered.add(url)
        archive.seen |= articles
        return _make_last_day_url(match, padded=archive.padded)


def _parse_date(match: re.Match[str]) -> date | None:
    try:
        return date(int(match["year"]), int(match["month"]), int(match["day"]))
    except ValueError:
        return None


def _make_month_url(match: re.Match[str]) -> str:
    return f"{match['before']}{match['year']}{match['sign']}{match['month']}{match['after']}"


def _make_last_day_url(match: re.Match[str], *, padded: bool) -> str:
    last = date(int(match["year"]), int(match["month"]), 1) - timedelta(days=1)
    month = f"{last.month:02}" if padded else str(last.month)
    return f"{match['before']}{last.year}{match['sign']}{month}{match['sign']}{last.day}{match['after']}"
