"""Selection of the pages to learn from and to hold out, evenly over sections and time.

The methods that learn from several pages take a share of them, evenly over time. Source: S. Pogorilyy, A. Kramov (see
`newscrawler.research.site_methods.trinity`), who learn from 20 % of the pages in the order of their dates, so that the layouts of
all years are among them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum
from itertools import zip_longest
from typing import TypeVar

from newscrawler.page import Document
from newscrawler.store.archive import StoredPage

T = TypeVar("T")
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


def select_evenly(pages: Sequence[StoredPage], count: int) -> list[StoredPage]:
    """Select `count` pages: from the sections in turn, within a section evenly over time, one page per article."""
    newest = {page.article_id or -page.id: page for page in sorted(pages, key=lambda page: page.kept.fetched_at)}
    if len(newest) <= count:
        return _by_time(list(newest.values()))
    sections: dict[str, list[StoredPage]] = {}
    for page in _by_time(list(newest.values())):
        sections.setdefault(page.section or "", []).append(page)
    queues = list(sections.values())
    shares = _shares([len(queue) for queue in queues], count)
    return _by_time(
        [page for queue, share in zip(queues, shares, strict=True) for page in spread_evenly(queue, share=0.0, least=share)]
    )


def split(pages: Sequence[T], held_out_share: float) -> tuple[list[T], list[T]]:
    """Split pages into training and held-out pages; of a share of 1/3 every third is held out, so both cover the whole time."""
    if len(pages) < 2:
        return list(pages), []
    step = max(2, round(1 / held_out_share))
    held_out = [number for number in range(len(pages)) if number % step == step - 1] or [len(pages) - 1]
    return [page for number, page in enumerate(pages) if number not in held_out], [pages[number] for number in held_out]


def _by_time(pages: Sequence[StoredPage]) -> list[StoredPage]:
    return sorted(pages, key=lambda page: (page.published_at or _NEVER, page.kept.fetched_at, page.id))


def _shares(sizes: Sequence[int], count: int) -> list[int]:
    """Distribute `count` over groups of these sizes, one to each in turn."""
    found = [0] * len(sizes)
    rounds = zip_longest(*([place] * size for place, size in enumerate(sizes)))
    turns = (place for turn in rounds for place in turn if place is not None)
    for place, _ in zip(turns, range(count), strict=False):
        found[place] += 1
    return found


class PageChoice(StrEnum):
    """How pages to learn from are chosen."""

    EVENLY = "evenly"
    NEWEST = "newest"
    RANDOM = "random"
    VARIETY = "variety"


def choose_pages(
    pages: Sequence[T],
    *,
    share: float,
    least: int = 2,
    choice: PageChoice = PageChoice.EVENLY,
    seed: int = 0,
    parse: Callable[[T], Document | None] | None = None,
) -> list[T]:
    """Choose a share of pages, given in the order of their dates; they stay in that order. `parse`: for the choice by variety."""
    if choice is PageChoice.EVENLY:
        return spread_evenly(pages, share=share, least=least)
    count = min(len(pages), max(least, round(share * len(pages))))
    if choice is PageChoice.VARIETY and parse is not None:
        return _choose_varied(spread_evenly(pages, share=_MOST_COMPARED / max(len(pages), 1)), count, parse)
    if choice is PageChoice.NEWEST:
        return list(pages[len(pages) - count :])
    chosen = sorted(random.Random(seed).sample(range(len(pages)), count))  # noqa: S311 - no secret
    return [pages[place] for place in chosen]


#: Pages whose markup is compared.
_MOST_COMPARED = 200


def _choose_varied(pages: Sequence[T], count: int, parse: Callable[[T], Document | None]) -> list[T]:
    """Choose the pages that together have the most kinds of markup, each in turn by the kinds that those before it lack.

    "The variety of the markup and of the data" of the learned pages makes a template general (Pogorilyy, Kramov).
    """
    markup = [_list_markup(document) if (document := parse(page)) is not None else frozenset[str]() for page in pages]
    known: set[str] = set()
    chosen: list[int] = []
    for _ in range(min(count, len(pages))):
        rest = (number for number in range(len(pages)) if number not in chosen)
        chosen.append(best := max(rest, key=lambda number: (len(markup[number] - known), -number)))
        known |= markup[best]
    return [pages[number] for number in sorted(chosen)]


def _list_markup(page: Document) -> frozenset[str]:
    """Return the tags with their classes, each behind that of its parent."""
    names = {element: f"{element.tag}.{element.get('class') or ''}" for element in page.body.iter("*")}
    return frozenset(f"{name}>{names[child]}" for element, name in names.items() for child in element if child in names)


def spread_evenly(pages: Sequence[T], *, share: float = 0.2, least: int = 2) -> list[T]:
    """Choose a share of the pages at even distances, the first and the last among them; `least`: at least so many, if there are."""
    count = min(len(pages), max(least, round(share * len(pages))))
    if count < 2:
        return list(pages[:count])
    return [pages[round(place * (len(pages) - 1) / (count - 1))] for place in range(count)]
