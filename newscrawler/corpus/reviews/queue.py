"""Choose and order the articles of a portal to review, and draw random samples.

K. Ulman, K. Rzecki (see `newscrawler.research.methods.portal_crawler`) took at least a hundred random articles of each portal. A
sample depends only on the seed and the ids of the pages: the same seed gives the same sample in any order of the pages, and a
larger sample of the same seed includes the smaller one within each section.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from newscrawler.corpus.reviews.gold import find_first_folder
from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.store import Store
    from newscrawler.store.articles import ArticleLine, Selection
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Protocol, TypeVar

#: An alert is raised after the crawl that it is about.
_BEFORE_ALERT = timedelta(days=1)


class QueueOrder(StrEnum):
    """Order in which articles are chosen."""

    RANDOM = "random"
    CONFIDENCE = "confidence"
    ALERT = "alert"


@dataclass(frozen=True, slots=True)
class DrawnArticle:
    """An article in a sample."""

    line: ArticleLine

    @property
    def id(self) -> str:
        """Return the address, which seeds the random choice."""
        return self.line.url

    @property
    def portal(self) -> str:
        """The portal."""
        return self.line.portal

    @property
    def dataset(self) -> str:
        """The portal."""
        return self.line.portal

    @property
    def section(self) -> str | None:
        """Return the article's section, or else the first folder of its address."""
        return self.line.section or find_first_folder(self.line.url)


def draw_articles(store: Store, chosen: Selection, count: int, seed: int) -> list[DrawnArticle]:
    """Draw articles of a portal whose pages are kept, of every section in proportion; the same seed draws the same.

    Raises:
        ConfigError: there are none.
    """
    drawn = draw_sample([DrawnArticle(line) for line in store.article_lines.with_pages(chosen)], count, seed=seed, by_section=True)
    if not drawn:
        raise ConfigError(f"no page of an article of {chosen.portal} is kept, so articles cannot be reviewed; crawl it first")
    return drawn


def draw_most_useful(store: Store, chosen: Selection, count: int, done: Container[int] = ()) -> list[DrawnArticle]:
    """Draw the articles that are most useful as labels: of low confidence, and of the largest sections; `done`: reviewed.

    Raises:
        ConfigError: there are none.
    """
    drawn = [item for item in draw_articles(store, chosen, 2**31, 0) if item.line.id not in done]
    sections = Counter(item.section for item in drawn)
    return sorted(drawn, key=lambda item: (item.line.confidence - 1) * sections[item.section])[:count]


def order_queue(store: Store, chosen: Selection, order: QueueOrder, *, count: int, seed: int) -> list[ArticleLine]:
    """Return the articles to review, in order; the same each time until new articles are stored.

    Raises:
        ConfigError: no page of the portal is kept.
    """
    if order is QueueOrder.RANDOM:
        return [item.line for item in draw_articles(store, chosen, count, seed)]
    lines = [item.line for item in draw_articles(store, chosen, 2**31, 0)]
    if order is QueueOrder.CONFIDENCE:
        return sorted(lines, key=lambda line: (line.confidence, line.id))[:count]
    since = min((alert.began_at for alert in store.service.open_alerts(chosen.portal)), default=None)
    return [line for line in lines if since is not None and line.fetched_at >= since - _BEFORE_ALERT][:count]


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


def draw_sample(pages: Sequence[S], count: int, *, seed: int = 0, by_section: bool = False) -> list[S]:
    """Sample `count` pages of every portal, or all if it has fewer; keep the order of the pages."""
    taken: set[int] = set()
    for places in _group(pages, lambda page: page.portal).values():
        strata = list(_group([pages[place] for place in places], lambda page: page.section or "").values()) if by_section else []
        groups = [[places[place] for place in stratum] for stratum in strata] or [places]
        for group, share in zip(groups, divide_in_proportion([len(group) for group in groups], count), strict=True):
            taken.update(sorted(group, key=lambda place: _sort_key(pages[place], seed))[:share])
    return [page for place, page in enumerate(pages) if place in taken]


def divide_in_proportion(sizes: Sequence[int], count: int) -> list[int]:
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


def _group(pages: Sequence[S], name: Callable[[S], str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, page in enumerate(pages):
        found.setdefault(name(page), []).append(place)
    return found


def _sort_key(page: Sampled, seed: int) -> str:
    return sha256(f"{seed}\0{page.dataset}\0{page.id}".encode("utf-8", "replace")).hexdigest()
