"""Stop rules: when to skip the rest of unproductive URLs, such as endless calendars, tag clouds and archives of archives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

from newscrawler.discovery import split_page_number
from newscrawler.discovery.urls import is_day_archive, make_pattern
from newscrawler.store.vocabularies import FrontierKind

#: Pages of one shape in a row without a new article after which the rest is skipped.
MOST_EMPTY = 12
#: The same for archives by day, many of which are empty.
MOST_EMPTY_DAYS = 31
#: One page more for each earlier productive one, up to this.
MOST_TRUST = 30
#: The same for pages that only repeat sections: tags, authors.
MOST_EMPTY_OTHER = 5
#: New sections that the front page does not link to are counted by folder, too; those of more links than this from it, wherever
#: they are: filters combine.
FAR, FAR_SECTION, NEW_SECTION = 3, "far section", "new section"
#: Links to known articles at other addresses in a row, of one pattern: addresses change with each page, as with sessions in them.
MOST_TWINS, NEW_ARTICLE = 60, "new article"
#: The same for further pages of listings, if a sitemap has listed the articles.
MOST_EMPTY_LISTED = 4
#: Sitemaps in a row, of any shape; an endless index makes them up.
MOST_EMPTY_SITEMAPS = 40
#: Recent shapes and series that are remembered.
_MOST_REMEMBERED = 2_000
#: Skipped URLs of one shape after which all others are skipped in one step; and after twice as many.
MOST_SINGLE = 16
_DIGITS = re.compile(r"\d+")
_BEFORE_DIGITS = re.compile(r"[^\d?]*")


def make_shape(url: str) -> str:
    """Return the URL without its numbers: pages that differ only in a number have one shape."""
    parts = urlsplit(url)
    keys = ",".join(sorted(key for key, _ in parse_qsl(parts.query, keep_blank_values=True)))
    return f"{parts.netloc}{_DIGITS.sub('0', parts.path)}?{keys}"


@dataclass(slots=True)
class _Series:
    """The numbered pages of one listing."""

    lowest: int
    highest: int
    empty: set[int] = field(default_factory=set)

    def is_known_at_both_ends(self) -> bool:
        """Return whether both ends of the linked pages were unproductive, so that those between them are skipped.

        If the real end is not linked yet, the page at the known end links to it, and it is fetched first.
        """
        return self.highest - self.lowest >= 2 and {self.lowest, self.highest} <= self.empty


class _LatestCounts:
    """Counts by key, limited to the recent keys."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def __getitem__(self, key: str) -> int:
        return self._counts.get(key, 0)

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, key: str) -> None:
        """Count a key once more."""
        self._counts[key] = self._counts.pop(key, 0) + 1  # behind all others
        if len(self._counts) > _MOST_REMEMBERED:
            del self._counts[next(iter(self._counts))]

    def forget(self, key: str) -> None:
        """Count a key from 0 again."""
        self._counts.pop(key, None)


class StopRules:
    """Counts, for each shape, the pages in a row that brought nothing."""

    def __init__(self) -> None:
        self._empty = _LatestCounts()
        self._skipped = _LatestCounts()
        self._found = _LatestCounts()
        self._series: dict[str, _Series] = {}
        self._empty_sitemaps = 0
        #: A sitemap has named the articles.
        self.listed = False

    def is_unproductive(self, url: str, kind: FrontierKind, why: str | None) -> bool:
        """Return whether requesting this URL is useless by earlier responses of the run."""
        (key, most), *others = _make_keys(url, kind, why)
        if why == "pagination" and self.listed:
            most = min(most, MOST_EMPTY_LISTED)
        elif kind == FrontierKind.ARTICLE:
            most += min(self._found[key], MOST_TRUST)
        has_none = any(self._empty[key] >= most + min(self._found[key], MOST_TRUST) for key, most in others)
        if has_none or self._empty[key] >= most or (kind == FrontierKind.SITEMAP and self._empty_sitemaps >= MOST_EMPTY_SITEMAPS):
            return True
        found = split_page_number(url) if why == "pagination" else None
        series = self._series.get(found.series) if found else None
        return series is not None and series.is_known_at_both_ends()

    def count_skipped(
        self, url: str, kind: FrontierKind, why: str | None, *, pattern: str | None
    ) -> tuple[str, Callable[[str], bool]] | None:
        """Count a skipped URL; return how all others begin that are to be skipped too, and a test for them; None: not now.

        `pattern`: that of the URL, if it is skipped because of that.
        """
        key = pattern or _make_keys(url, kind, why)[0][0]
        self._skipped.count(key)
        count, start = self._skipped[key], url.index("/", 8)
        if kind == FrontierKind.SITEMAP or count < MOST_SINGLE or count & (count - 1):
            return None
        if pattern is not None:
            return url[: start + 1], lambda other: make_pattern(other) == pattern
        if key == why:
            return "", lambda _: True
        before = _BEFORE_DIGITS.match(url[start:])
        return url[:start] + (before[0] if before else ""), lambda other: make_shape(other) == key

    def note_linked(self, urls: Iterable[str]) -> None:
        """Learn the numbers of further pages of listings."""
        for url in urls:
            found = split_page_number(url)
            if found is None:
                continue
            series = self._series.pop(found.series) if found.series in self._series else _Series(found.number, found.number)
            self._series[found.series] = series  # behind all others
            if len(self._series) > _MOST_REMEMBERED:
                del self._series[next(iter(self._series))]
            series.lowest, series.highest = min(series.lowest, found.number), max(series.highest, found.number)

    def note(self, url: str, kind: FrontierKind, why: str | None, *, fruitful: bool, is_twin: bool = False) -> None:
        """Learn from a page that was fetched; `is_twin`: it is that of an article that another address has led to."""
        if kind == FrontierKind.SITEMAP:
            self._empty_sitemaps = 0 if fruitful else self._empty_sitemaps + 1
        for number, (key, _) in enumerate(_make_keys(url, kind, why)):
            if fruitful and not (is_twin and number):
                self._empty.forget(key)
                self._found.count(key)
            else:
                self._empty.count(key)
        found = split_page_number(url) if why == "pagination" else None
        series = self._series.get(found.series) if found else None
        if found and series:
            if fruitful:
                series.empty.clear()
            else:
                series.empty.add(found.number)


def _make_keys(url: str, kind: FrontierKind, why: str | None) -> list[tuple[str, int]]:
    """Return what pages that brought nothing are counted by, and after how many of each the rest is skipped."""
    if kind == FrontierKind.OTHER and why:
        return [(why, MOST_EMPTY_OTHER)]
    pattern = make_pattern(url)
    keys = [(make_shape(url), MOST_EMPTY_DAYS if is_day_archive(pattern) else MOST_EMPTY)]
    if why == NEW_ARTICLE:
        keys.append((f"{why}: {pattern}", MOST_TWINS))
    elif why in {NEW_SECTION, FAR_SECTION}:
        folder = url.partition("?")[0].rstrip("/").rpartition("/")[0]
        keys.append((f"{NEW_SECTION}: {make_shape(folder)}/{'?' if '?' in url else ''}", MOST_EMPTY))
    return [*keys, (why, MOST_EMPTY)] if why == FAR_SECTION else keys
