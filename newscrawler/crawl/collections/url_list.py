"""Lists of URLs: texts with one URL per line. Blank lines and lines that begin with # are skipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from newscrawler.discovery.urls.canonical import canonical_or_none

_MARK = "\N{BYTE ORDER MARK}"


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlList:
    """The URLs of a list, each once and canonical, and the invalid lines."""

    urls: tuple[str, ...]
    #: Number, from 1, and text of each line that is not a URL.
    mistakes: tuple[tuple[int, str], ...]


def read_urls(lines: Iterable[str]) -> UrlList:
    """Read a list of URLs."""
    urls: dict[str, None] = {}
    mistakes = []
    for number, line in enumerate(lines, 1):
        text = line.strip().removeprefix(_MARK).strip()
        if not text or text.startswith("#"):
            continue
        url = canonical_or_none(text) if text.startswith(("http://", "https://")) and len(text.split()) == 1 else None
        if url is None:
            mistakes.append((number, text))
        else:
            urls[url] = None
    return UrlList(urls=tuple(urls), mistakes=tuple(mistakes))
