"""Random samples of a number of articles per portal, stratified by section on request.

K. Ulman, K. Rzecki (see `newscrawler.research.methods.portal_crawler`) took at least a hundred random articles of each portal. A
sample
depends only on the seed and the ids of the pages: the same seed gives the same sample in any order of the pages, and a larger
sample of the same seed includes the smaller one within each section.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar


class Sampled(Protocol):
    """An item that can be sampled: a page with gold, or an article to be reviewed."""

    @property
    def id(self) -> str:
        """Return an id that is unique within the dataset."""

    @property
    def dataset(self) -> str:
        """Return the name of the dataset."""

    @property
    def portal(self) -> str:
        """Return the name of the portal."""

    @property
    def section(self) -> str | None:
        """Return the name of the section; None: not known."""


S = TypeVar("S", bound=Sampled)


def sample(pages: Sequence[S], count: int, *, seed: int = 0, by_section: bool = False) -> list[S]:
    """Sample `count` pages of every portal, or all if it has fewer; keep the order of the pages."""
    taken: set[int] = set()
    for places in _groups(pages, lambda page: page.portal).values():
        strata = list(_groups([pages[place] for place in places], lambda page: page.section or "").values()) if by_section else []
        groups = [[places[place] for place in stratum] for stratum in strata] or [places]
        for group, share in zip(groups, shares([len(group) for group in groups], count), strict=True):
            taken.update(sorted(group, key=lambda place: _sort_key(pages[place], seed))[:share])
    return [page for place, page in enumerate(pages) if place in taken]


def shares(sizes: Sequence[int], count: int) -> list[int]:
    """Divide `count` in proportion to the sizes by largest remainders; every stratum gets at least one if there are enough."""
    total = sum(sizes)
    if count >= total:
        return list(sizes)
    exact = [count * size / total for size in sizes]
    given = [max(int(share), min(1, size)) for size, share in zip(sizes, exact, strict=True)]
    while sum(given) != count:
        step = 1 if sum(given) < count else -1
        # a stratum loses its only one last
        places = [place for place in range(len(sizes)) if (given[place] < sizes[place] if step > 0 else given[place] > 0)]
        given[max(places, key=lambda place: ((step > 0) or given[place] > 1, step * (exact[place] - given[place]), -place))] += step
    return given


def _groups(pages: Sequence[S], name: Callable[[S], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, page in enumerate(pages):
        found.setdefault(name(page), []).append(place)
    return found


def _sort_key(page: Sampled, seed: int) -> str:
    return sha256(f"{seed}\0{page.dataset}\0{page.id}".encode("utf-8", "replace")).hexdigest()
