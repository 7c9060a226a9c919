"""Selection of the kept pages to learn from and to hold out, evenly over sections and time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TypeVar

from newscrawler.research.site_methods.sample import spread
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
    return _by_time([page for queue, share in zip(queues, shares, strict=True) for page in spread(queue, share=0.0, least=share)])


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
