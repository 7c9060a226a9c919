"""Choose and order the articles of a portal to review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from newscrawler.errors import ConfigError
from newscrawler.research.evaluation.data import first_folder
from newscrawler.research.evaluation.sample import sample

if TYPE_CHECKING:
    from newscrawler.store import Store
    from newscrawler.store.articles import ArticleLine

#: An alert is raised after the crawl that it is about.
_BEFORE_ALERT = timedelta(days=1)


class QueueOrder(StrEnum):
    """Order in which articles are chosen."""

    RANDOM = "random"
    CONFIDENCE = "confidence"
    ALERT = "alert"


@dataclass(frozen=True, slots=True)
class Drawn:
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
        return self.line.section or first_folder(self.line.url)


def draw(store: Store, portal: str, count: int, seed: int) -> list[Drawn]:
    """Draw articles whose pages are kept, of every section in proportion; the same seed draws the same.

    Raises:
        ConfigError: there are none.
    """
    drawn = sample([Drawn(line) for line in store.article_lines.with_pages(portal)], count, seed=seed, by_section=True)
    if not drawn:
        raise ConfigError(f"no page of an article of {portal} is kept, so articles cannot be reviewed; crawl it first")
    return drawn


def draw_to_learn(store: Store, portal: str, count: int, done: Container[int] = ()) -> list[Drawn]:
    """Draw the articles that are most useful as labels: of low confidence, and of the largest sections.

    Args:
        store: the database.
        portal: its name.
        count: how many at most.
        done: numbers of articles that are reviewed already.

    Raises:
        ConfigError: there are none.
    """
    drawn = [item for item in draw(store, portal, 2**31, 0) if item.line.id not in done]
    sections = Counter(item.section for item in drawn)
    return sorted(drawn, key=lambda item: (item.line.confidence - 1) * sections[item.section])[:count]


def queue_of(store: Store, portal: str, order: QueueOrder, *, count: int, seed: int) -> list[ArticleLine]:
    """Return the articles to review, in order; the same each time until new articles are stored.

    Raises:
        ConfigError: no page of the portal is kept.
    """
    if order is QueueOrder.RANDOM:
        return [item.line for item in draw(store, portal, count, seed)]
    lines = [item.line for item in draw(store, portal, 2**31, 0)]
    if order is QueueOrder.CONFIDENCE:
        return sorted(lines, key=lambda line: (line.confidence, line.id))[:count]
    since = min((alert.began_at for alert in store.service.open_alerts(portal)), default=None)
    return [line for line in lines if since is not None and line.fetched_at >= since - _BEFORE_ALERT][:count]
