"""Words that tell what a date is the date of, in the languages of the news."""

from __future__ import annotations

import re
from functools import lru_cache

from newscrawler.extraction.dates.candidate import Role
from newscrawler.extraction.dates.months import month_of
from newscrawler.languages import alternatives, pattern

#: What tells that a date is another's; at the end, what stands directly before a date from or until which something holds.
_OTHER = re.compile(f"{alternatives('not_published', extent='words')}|{alternatives('from_until', extent='words')} ?$")
_ROLES = ((Role.OTHER, _OTHER), (Role.MODIFIED, pattern("modified")), (Role.PUBLISHED, pattern("published")))
_RANGE = re.compile(r"(?<![\d:./-])(?P<day>\d{1,2})\.?(?:\s?(?P<month>[^\W\d_]{3,12})\.?)?\s?[-–—]\s?$")
_COPYRIGHT = re.compile(f"{alternatives('copyright_label')}|©|\\(c\\)")


def is_copyright(text: str) -> bool:
    """Tell whether the words before a date are those of a copyright notice."""
    return _COPYRIGHT.search(text.lower()) is not None


def ends_a_range(before: str, day: int) -> bool:
    """Tell whether the day that stands behind these words is the last of several, as events have them: "9-23 Feb 2017"."""
    match = _RANGE.search(before[-24:])
    if match is None or not 1 <= int(match["day"]) <= 31:
        return False
    return month_of(match["month"]) is not None if match["month"] else int(match["day"]) < day


@lru_cache(maxsize=4096)  # the labels of a site's pages are always the same, and boxes hold what the elements in them hold
def role_of_label(text: str) -> Role | None:
    """Return what the words right before a date say it is the date of; the last of them decides."""
    if not text:
        return None
    text = text.lower()
    best: tuple[int, Role] | None = None
    for role, labels in _ROLES:
        position = max((match.end() for match in labels.finditer(text)), default=-1)
        if position >= 0 and (best is None or position > best[0]):
            best = (position, role)
    return best[1] if best else None
