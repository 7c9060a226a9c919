"""Sampling as the documents did it: some articles of every portal at random, and of every section of it in proportion.

K. Ulman, K. Rzecki (see `newscrawler.methods.portal_crawler`) took at least a hundred random articles of each portal. Chance comes
from the seed and the pages' names alone, so that the same seed gives the same sample whatever the order of the pages, and a larger
sample of the same seed holds the smaller one of each section.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar


class Sampled(Protocol):
    """What a sample is taken of: pages with expectations, or articles that are to be reviewed."""

    @property
    def id(self) -> str:
        """Tells it from the others of its dataset."""

    @property
    def dataset(self) -> str:
        """Where it comes from."""

    @property
    def portal(self) -> str:
        """Its portal."""

    @property
    def section(self) -> str | None:
        """Its section."""


S = TypeVar("S", bound=Sampled)


def sample(pages: Sequence[S], count: int, *, seed: int = 0, by_section: bool = False) -> list[S]:
    """Take `count` pages of every portal, or all where it has fewer; the order of the pages is kept."""
    taken: set[int] = set()
    for places in _groups(pages, lambda page: page.portal).values():
        strata = list(_groups([pages[place] for place in places], lambda page: page.section or "").values()) if by_section else []
        groups = [[places[place] for place in stratum] for stratum in strata] or [places]
        for group, share in zip(groups, shares([len(group) for group in groups], count), strict=True):
            taken.update(sorted(group, key=lambda place: _lot(pages[place], seed))[:share])
    return [page for place, page in enumerate(pages) if place in taken]


def shares(sizes: Sequence[int], count: int) -> list[int]:
    """Part `count` in proportion to the sizes, by the largest remainders; every stratum gets one while there are enough."""
    total = sum(sizes)
    if count >= total:
        return list(sizes)
    exact = [count * size / total for size in sizes]
    given = [max(int(share), min(1, size)) for size, share in zip(sizes, exact, strict=True)]
    while sum(given) != count:
        step = 1 if sum(given) < count else -1
        # those that are to lose one may lose their only one last
        places = [place for place in range(len(sizes)) if (given[place] < sizes[place] if step > 0 else given[place] > 0)]
        given[max(places, key=lambda place: ((step > 0) or given[place] > 1, step * (exact[place] - given[place]), -place))] += step
    return given


def _groups(pages: Sequence[S], name: Callable[[S], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, page in enumerate(pages):
        found.setdefault(name(page), []).append(place)
    return found


def _lot(page: Sampled, seed: int) -> str:
    return sha256(f"{seed}\0{page.dataset}\0{page.id}".encode("utf-8", "replace")).hexdigest()
