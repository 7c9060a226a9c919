"""Crawler traps: calendars, sessions, growing paths, orders and filters.

They are recognised by a single address. Traps that show only over many pages (repeated pages, lists without new articles) are
found by the counts of `learned.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from functools import lru_cache
from itertools import pairwise
from urllib.parse import unquote

from newscrawler.discovery.urls.canonical import split_address
from newscrawler.discovery.urls.vocabulary import OTHER_PARAMETERS, fold
from newscrawler.languages import alternatives, words

#: No page made for people has a longer address, more folders or more parameters.
LONGEST = 700
MOST_FOLDERS = 12
MOST_PARAMETERS = 6

#: The kind of trap whose addresses lead to pages without their parameters.
SESSION = "session"
_CALENDAR = re.compile(rf"/{alternatives('calendar')}(?=/|\Z)")
_CALENDAR_NAMES = words("calendar_parameters")
_DATE_VALUE = re.compile(r"\d{4}-?\d{0,2}(?:-?\d{1,2})?\Z")
#: Years at the place of a date: headlines name future years (`/2026/11/12/what-changes-by-2040`), and numbers look like years.
_PATH_YEARS = re.compile(r"/([12]\d{3})(?=[/-]\d{1,2}(?:[/-]|$))")
_QUERY_YEARS = re.compile(r"[=-]([12]\d{3})(?=[&-]|$)")
#: A quick test for a date in a path.
_DATE_BEGINS = re.compile(r"/\d{4}[/-]\d")
_DATED = re.compile(r"/\d{4}[/-]\d{1,2}(?:[/-]\d{1,2})?(?:/|$)")
_SESSION = re.compile(r"(?:^|[_-])(?:sess(?:ion)?(?:id)?|sid|nonce|csrf|xsrf|nocache|cachebuster|rand(?:om)?|timestamp)(?:$|[_-])")
_OWN_SESSION = re.compile(r"(?:[a-z]+[_-])?(?:sess(?:ion)?(?:[_-]?id)?|sid)")
#: Most digits of a page's number; sessions and timestamps have more.
_LONGEST_COUNTED = 7
_CHANGING = frozenset(("_", "ts", "rnd", "r", "cb", "t"))
_FACET = re.compile(r"(?:f|filters?|facets?)(?:[\[.].*)?\Z")
_FILE = re.compile(r"\.(?:html?|php|aspx?|jsp)\Z")


@lru_cache(maxsize=2_048)  # each page of a portal repeats its menu
def find_trap(url: str, today: date | None = None) -> str | None:
    """Return the kind of trap that an http(s) address looks like, or None; days after next year are a calendar without end.

    Returns:
        "calendar", "session", "growing path", "sort or filter" or "long address".
    """
    address = split_address(url)
    if address is None:
        return None
    if len(address.url) > LONGEST:
        return "long address"
    path, query = address.folded, address.query
    if _has_repeated_parts([segment for segment in path.split("/") if segment]):
        return "growing path"
    if not query:  # only the dates of a path
        return _find_calendar_trap(path, [], "", today) if _DATE_BEGINS.search(path) else None
    names = [fold(unquote(pair)).partition("=")[::2] for pair in query.split("&")]
    return _find_query_trap(names) or _find_calendar_trap(path, names, query, today)


def remove_session(url: str) -> str:
    """Return an address without the parameters of a session, which are another each time."""
    bare, _, query = url.partition("?")
    kept = [pair for pair in query.split("&") if not _OWN_SESSION.fullmatch(fold(unquote(pair.partition("=")[0])))]
    return f"{bare}?{'&'.join(kept)}" if kept else bare


def _has_repeated_parts(segments: list[str]) -> bool:
    """Return whether parts of a path repeat, as with relative links that are resolved in the wrong folder."""
    if len(segments) > MOST_FOLDERS:
        return True
    if len(set(segments)) == len(segments):
        return _is_below_a_file(segments)
    words = [segment for segment in segments if not segment.isdigit()]
    if any(count >= 3 for count in Counter(words).values()):
        return True
    pairs = Counter((a, b) for a, b in pairwise(segments) if not (a.isdigit() and b.isdigit()))
    if any(count >= 2 and pair[0] != pair[1] for pair, count in pairs.items()):
        return True
    return _is_below_a_file(segments)


def _is_below_a_file(segments: list[str]) -> bool:
    """Return whether a file is below another file, except below a program: `/index.php/news/12-title.html`."""
    if len(segments) < 2:
        return False
    files = [found.group() for segment in segments if "." in segment and (found := _FILE.search(segment))]
    return len(files) > 2 or (len(files) == 2 and (files[0].startswith(".htm") or not files[1].startswith(".htm")))


def _find_query_trap(names: list[tuple[str, str]]) -> str | None:
    for name, value in names:
        counted = value.isdigit() and len(value) <= _LONGEST_COUNTED  # `sid=539` is a story
        if (_SESSION.search(name) and not counted) or (name in _CHANGING and value.isdigit() and len(value) >= 8):
            return SESSION
    counts = Counter(name for name, _ in names)
    sorts = any(OTHER_PARAMETERS.get(name) == "sort" or _FACET.match(name) for name in counts)
    if sorts or len(names) > MOST_PARAMETERS or any(count >= 3 for count in counts.values()):
        return "sort or filter"
    return None


def _find_calendar_trap(path: str, names: list[tuple[str, str]], query: str, today: date | None) -> str | None:
    dated = any(name in _CALENDAR_NAMES or (name in words("parameters/date") and _DATE_VALUE.match(value)) for name, value in names)
    if _CALENDAR.search(path) and (dated or _DATED.search(path) or re.search(r"/\d{4}-\d{2}", path)):
        return "calendar"
    if sum(name in _CALENDAR_NAMES for name, _ in names) >= 2 or any(
        name in {"tribe-bar-date", "eventdisplay", "ical"} for name, _ in names
    ):
        return "calendar"
    if today is not None and (_DATED.search(path) or dated):
        years = _PATH_YEARS.findall(path) + _QUERY_YEARS.findall(query.replace("?", "="))
        if any(int(year) > today.year + 1 for year in years):
            return "calendar"
    return None
