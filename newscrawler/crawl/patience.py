"""When to stop asking for pages of a kind that brings nothing: endless calendars, tag clouds, archives of archives."""

from __future__ import annotations

import re
from collections import Counter
from urllib.parse import parse_qsl, urlsplit

#: This many pages of one shape in a row without an article or a link to one, then the rest of the shape is left.
MOST_BARREN = 12
#: The same for pages that only repeat what the sections show.
MOST_BARREN_OTHER = 5
_DIGITS = re.compile(r"\d+")


def shape_of(url: str) -> str:
    """Give the URL with its numbers taken out: pages that differ only in a number are one shape."""
    parts = urlsplit(url)
    keys = ",".join(sorted(key for key, _ in parse_qsl(parts.query, keep_blank_values=True)))
    return f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{keys}"


class Patience:
    """Counts, for each shape, the pages in a row that brought nothing."""

    def __init__(self) -> None:
        self._barren: Counter[str] = Counter()

    def is_lost(self, url: str, kind: str, why: str | None) -> bool:
        """Say whether asking for this URL is in vain by all we have seen."""
        key, most = self._key(url, kind, why)
        return self._barren[key] >= most

    def note(self, url: str, kind: str, why: str | None, *, fruitful: bool) -> None:
        """Learn from a page that was fetched."""
        key, _ = self._key(url, kind, why)
        self._barren[key] = 0 if fruitful else self._barren[key] + 1

    @staticmethod
    def _key(url: str, kind: str, why: str | None) -> tuple[str, int]:
        if kind == "other" and why:
            return why, MOST_BARREN_OTHER
        return shape_of(url), MOST_BARREN
