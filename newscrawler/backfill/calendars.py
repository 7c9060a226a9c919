"""Archives by month or day with the date in their addresses: by one page that is linked, those of the whole range are known."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import date

from newscrawler.backfill.days import DayRange
from newscrawler.discovery import PRIORITY, Lead, LeadKind, Source, SourceResponse, split_page_number
from newscrawler.discovery.urls import UrlKind

#: `why` of these pages.
ARCHIVE = "archive"
#: A portal has one archive or two, for instance one in each language.
_MOST_ARCHIVES = 6
_YEAR, _MONTH, _DAY = r"(?P<year>(?:19|20)\d\d)", r"(?P<month>0[1-9]|1[0-2]|[1-9])", r"(?P<day>0[1-9]|[12]\d|3[01]|[1-9])"
_END = r"(?P<after>/?|\.\w{2,5}|/index\.\w{2,5})\Z"
#: `/2015/03/`, `/archive/2015-03-04.html`, `?m=201503`, `/archiv/4.3.2015/`, `?year=2015&month=3`.
_FORMS = tuple(
    re.compile(form)
    for form in (
        rf"(?P<before>.*[/=])(?P<date>{_YEAR}(?P<sign>[/.-])(?:{_MONTH})(?:(?P=sign){_DAY})?){_END}",
        r"(?P<before>.*[/=])(?P<date>(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])?)" + _END,
        rf"(?P<before>.*[/=])(?P<date>{_DAY}(?P<sign>[/.-]){_MONTH}(?P=sign){_YEAR}){_END}",
        rf"(?P<before>.*[?&])(?P<date>\w+={_YEAR}&m\w*={_MONTH}(?:&\w+={_DAY})?)(?P<after>)\Z",
        rf"(?P<before>.*[?&])(?P<date>(?:\w+={_DAY}&)?m\w*={_MONTH}&\w+={_YEAR})(?P<after>)\Z",
    )
)


class CalendarSource(Source):
    """The pages of a portal's archive for each month, or else each day, of a range."""

    priority = PRIORITY["sitemap"] + 1

    def __init__(self, days: DayRange) -> None:
        self._days = days
        #: Addresses of the archives, with braces in place of the dates.
        self._known: set[str] = set()

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the pages of the whole range when a listing links to one of them."""
        if answer.page is None or answer.kind == "article":
            return
        for link in answer.links:
            is_article = link.verdict is not None and link.verdict.label is UrlKind.ARTICLE
            if not is_article and answer.portal.scope.allows(link.url) and len(self._known) < _MOST_ARCHIVES:
                yield from self._list_pages(link.url)

    def _list_pages(self, url: str) -> Iterator[Lead]:
        match = next(filter(None, (form.match(url) for form in _FORMS)), None)
        if match is None:
            return
        pattern, write = make_writer(match)
        if pattern not in self._known:
            self._known.add(pattern)
            pages = self._days.list_days() if match["day"] else self._days.list_months()
            yield from (Lead(write(each), LeadKind.SECTION, why=ARCHIVE, depth=1) for each in pages)


def find_archive_days(url: str) -> tuple[date, date] | None:
    """Return the first and last day of an archive page, or a further page of it, by its address; None: it is not one."""
    found = split_page_number(url)
    urls = (url, *found.first_pages) if found is not None else (url,)
    match = next(filter(None, (form.match(each) for each in urls for form in _FORMS)), None)
    if match is None:
        return None
    year, month = int(match["year"]), int(match["month"])
    last = monthrange(year, month)[1]
    if match["day"]:
        day = date(year, month, min(int(match["day"]), last))
        return day, day
    return date(year, month, 1), date(year, month, last)


def make_writer(match: re.Match[str]) -> tuple[str, Callable[[date], str]]:
    """Return the pattern of an archive's addresses, and the function from a day to its address."""
    url = match.string
    parts = sorted((match.span(name), name) for name in ("year", "month", "day") if match[name])
    padded = all(len(match[name]) == 2 for name in ("month", "day") if match[name])

    def fill(year: str, month: str, day: str) -> str:
        filled, end = "", 0
        for (start, stop), name in parts:
            filled += url[end:start] + {"year": year, "month": month, "day": day}[name]
            end = stop
        return filled + url[end:]

    def write(each: date) -> str:
        return fill(str(each.year), f"{each.month:0{1 + padded}}", f"{each.day:0{1 + padded}}")

    return fill("{year}", "{month}", "{day}"), write
