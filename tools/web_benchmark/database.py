"""A database of many portals and articles whose words are as unevenly spread as those of a language."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path

from newscrawler.article import Article, Paragraph
from newscrawler.store import Store, open_store
from newscrawler.store.articles import store_article
from newscrawler.store.service import known_portal
from newscrawler.store.vocabularies import FINISHED

#: The last day of the archive, and how many days it holds.
END, DAYS = datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 900
NIGHTS = 30
_AT_ONCE = 500
#: Words of a share of the texts.
RARE = {"flood": 0.01, "bridge": 0.0001}
_SYLLABLES = tuple(first + last for first in "bcdfghjklmnprstvz" for last in "aeiouy")
_SECTIONS = ("Politics", "Economy", "Sport", "Culture", "Region", "World", "Science", "Opinion")
_LANGUAGES, _GENRES = ("cs", "de", "en", "fr", "pl"), ("news", "news", "news", "news", "opinion", "interview", "live")


class Vocabulary:
    """Words by Zipf's law; `the` is in nearly every text, `flood` in one of a hundred, `bridge` in one of ten thousand."""

    def __init__(self, generator: random.Random, size: int = 40_000) -> None:
        self._generator = generator
        words = ["".join(generator.choices(_SYLLABLES, k=generator.randint(1, 4))) for _ in range(size)]
        self.words: Sequence[str] = ["the", *words]
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self.words) + 1)))

    def text(self, length: int) -> str:
        """Return a text of so many words, and now and then one of the rare ones."""
        found = self._generator.choices(self.words, cum_weights=self._weights, k=length)
        for word, share in RARE.items():
            if self._generator.random() < share:
                found[self._generator.randrange(length)] = word
        return " ".join(found)


def generate(path: Path, *, articles: int, portals: int, seed: int = 1) -> None:
    """Write a database and a configuration into a folder that exists."""
    generator = random.Random(seed)
    names = [f"portal-{number:03}" for number in range(portals)]
    tables = "".join(f'[[portal]]\nname = "{name}"\nstart_urls = ["http://127.0.0.1:1/"]\n\n' for name in names)
    (path / "newscrawler.toml").write_text(f'[crawler]\ndatabase = "sqlite:///newscrawler.sqlite"\n\n{tables}')
    with open_store(f"sqlite:///{path / 'newscrawler.sqlite'}") as store:
        _add_articles(store, names, _articles(generator, articles, names))
        _add_runs(store, names, generator)


def _articles(generator: random.Random, number: int, portals: Sequence[str]) -> Iterator[tuple[str, Article]]:
    vocabulary = Vocabulary(generator)
    authors = [vocabulary.text(2).title() for _ in range(20 * len(portals))]
    begin = END - timedelta(days=DAYS)
    for each in range(number):
        which = generator.randrange(len(portals))
        at = begin + timedelta(days=DAYS * each / number, minutes=generator.randrange(600))
        yield (
            portals[which],
            Article(
                title=vocabulary.text(8).capitalize(),
                paragraphs=tuple(Paragraph(text=vocabulary.text(60).capitalize() + ".") for _ in range(4)),
                url=f"https://{portals[which]}.example/{each}",
                authors=(authors[which * 20 + generator.randrange(20)],),
                section=generator.choice(_SECTIONS),
                language=_LANGUAGES[which % len(_LANGUAGES)],
                genre=generator.choice(_GENRES),
                published_at=at,
                fetched_at=at + timedelta(hours=2),
                method="default",
                confidence=round(generator.uniform(0.6, 1.0), 3),
            ),
        )


def _add_articles(store: Store, portals: Sequence[str], articles: Iterator[tuple[str, Article]]) -> None:
    with store.engine.begin() as connection:
        ids = {name: known_portal(connection, name, END - timedelta(days=DAYS))[0] for name in portals}
    while batch := list(islice(articles, _AT_ONCE)):
        with store.engine.begin() as connection:
            for portal, article in batch:
                store_article(connection, ids[portal], article)


def _add_runs(store: Store, portals: Sequence[str], generator: random.Random) -> None:
    for name in portals:
        for back in range(NIGHTS, 0, -1):
            at = END - timedelta(days=back - 1, hours=10)
            run, _ = store.runs.begin(name, now=at, version="generated")
            counts = {"requests": 50, "pages": 40, "new_articles": generator.randint(15, 25)}
            store.runs.end(run.id, now=at + timedelta(hours=1), because=FINISHED, counts=counts)
