"""Worded dates that the tables do not know, read by dateparser: days of the week, further languages.

dateparser costs 13 MB and a tenth of a second to load, and some 20 ms for the first text of a language, so it is loaded
when the first such text comes, and asked only for short texts that markup calls a date, with the language given. Its
settings are kept for ever by dateparser itself; the base is therefore noon of a day, not the minute of each fetch.
"""

from __future__ import annotations

import re
from datetime import datetime

from newscrawler.extraction.dates.moment import Clock, Moment, on_day, time_in
from newscrawler.extraction.dates.writing import tidy

_LONGEST_TEXT, _MOST_WORDS = 40, 6
_WORD = re.compile(r"[^\W\d_]{3,}")


def read_worded(text: str, clock: Clock) -> Moment | None:
    """Read a short text that stands where a date is expected; None without the time of the fetch or a language."""
    if clock.fetched_at is None or not clock.languages or len(text) > _LONGEST_TEXT or not _WORD.search(text):
        return None
    text = tidy(text)
    if len(text.split()) > _MOST_WORDS:
        return None
    noon = clock.fetched_at.astimezone(clock.zone).replace(hour=12, minute=0, second=0, microsecond=0, tzinfo=None)
    found = _ask(text, clock.languages[0], noon)
    return on_day(found, time_in(text), clock) if found is not None else None


def _ask(text: str, language: str, base: datetime) -> datetime | None:
    import dateparser

    try:
        return dateparser.parse(text, languages=[language], settings={"RELATIVE_BASE": base, "PREFER_DATES_FROM": "past"})
    except Exception:  # noqa: BLE001 - a foreign parser on strings from strangers: whatever it raises means that it can't read this one
        return None
