"""A random sample of a portal's articles, of every section in proportion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from typing import TYPE_CHECKING

from newscrawler.errors import ConfigError

if TYPE_CHECKING:
    from newscrawler.store import Store, StoredArticle


@dataclass(frozen=True, slots=True)
class Drawn:
    """An article in a sample."""

    stored: StoredArticle
    portal: str

    @property
    def id(self) -> str:
        """The address, by which chance draws."""
        return str(self.stored.article.url)

    @property
    def dataset(self) -> str:
        """The portal."""
        return self.portal

    @property
    def section(self) -> str | None:
        """What the article says, or else the first folder of its address."""
        from newscrawler.evaluate.data import first_folder

        return self.stored.article.section or first_folder(self.stored.article.url)


def draw(store: Store, portal: str, count: int, seed: int) -> list[Drawn]:
    """Draw articles whose pages are kept; the same seed draws the same.

    Raises:
        ConfigError: there are none.
    """
    from newscrawler.evaluate.sample import sample

    articles = (store.articles.get(number) for number in store.pages.articles_of(portal))
    drawn = sample([Drawn(stored, portal) for stored in articles if stored], count, seed=seed, by_section=True)
    if not drawn:
        raise ConfigError(
            f"no page of an article of {portal} is kept, so there is nothing to hold articles against; crawl it first"
        )
    return drawn


def draw_to_learn(store: Store, portal: str, count: int, done: Container[int] = ()) -> list[Drawn]:
    """Draw the articles that would teach most as labels: least sure, and of the sections that have most articles.

    Args:
        store: the database.
        portal: its name.
        count: how many at most.
        done: numbers of articles that are reviewed already.

    Raises:
        ConfigError: there are none.
    """
    drawn = [item for item in draw(store, portal, len(store.pages.articles_of(portal)), 0) if item.stored.id not in done]
    sections = Counter(item.section for item in drawn)
    return sorted(drawn, key=lambda item: (item.stored.article.confidence - 1) * sections[item.section])[:count]
