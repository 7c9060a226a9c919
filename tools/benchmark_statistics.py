"""Generate articles in an empty database and say what statistics cost: tools/benchmark_statistics.py sqlite:///FILE.

Words are made up, a Zipf-Mandelbrot distribution over 800,000 of them; one word in five comes from phrases that recur.
Times are CPU seconds, of a process for each statistic, with the largest memory that it took.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import insert, text

from newscrawler.article import Article, Paragraph
from newscrawler.corpus import Analysis, Grouping, Measure, Tool, WordReader, analyse, count_frequencies
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection, digest, make_row
from newscrawler.store.search import INDEX, IndexedWords, fold_text
from newscrawler.store.search.fold import split_paragraph
from newscrawler.store.search.word_ids import write_word_ids
from newscrawler.store.service import known_portal
from newscrawler.store.tables import ARTICLE

_WORDS, _PHRASES, _PARAGRAPHS, _AT_ONCE, _DAYS = 800_000, 50_000, 5, 1_000, 1_500
_BEGIN = datetime(2021, 1, 1, tzinfo=UTC)
_LANGUAGES = ("cs", "de", "en", "fr", "pl")


def make_words(number: int) -> list[str]:
    """Return made-up words, the first ones short."""
    generator, letters = random.Random(1), ["a", "e", "i", "o", "u", *"bcdfghjklmnprstvz", "á", "ö", "č", "é"]
    found: dict[str, None] = {}
    while len(found) < number:
        length = 2 + int(generator.expovariate(0.5)) + len(found) // 30_000
        found["".join(generator.choices(letters, k=min(length, 18)))] = None
    return list(found)


def generate(store: Store, *, articles: int, length: int) -> None:
    """Write articles of so many words into an empty database."""
    words, generator = np.array(make_words(_WORDS), object), np.random.default_rng(2)
    shares = np.cumsum(1 / (np.arange(_WORDS) + 2.7) ** 1.05)
    draw: Callable[[Any], Any] = lambda shape: np.searchsorted(shares, generator.random(shape) * shares[-1])  # noqa: E731
    phrases = draw((_PHRASES, 6))
    weights = np.cumsum(1 / (np.arange(_PHRASES) + 5))
    with store.engine.begin() as connection:
        portals = [known_portal(connection, f"portal-{number:03}", _BEGIN)[0] for number in range(50)]
    for start in range(1, articles + 1, _AT_ONCE):
        ids = draw((_AT_ONCE, _PARAGRAPHS, length // _PARAGRAPHS))
        for place in range(0, ids.shape[2] - 6, 30):
            chosen = np.searchsorted(weights, generator.random(ids.shape[:2]) * weights[-1])
            ids[:, :, place : place + 6] = phrases[chosen]
        with store.engine.begin() as connection:
            rows, split = [], {}
            for number, texts in enumerate(ids, start):
                paragraphs = [" ".join(each) + "." for each in words[texts]]
                article = _make_article(number, articles, paragraphs)
                key = digest(article.url or "")
                rows.append({"id": number, **make_row(portals[number % 50], article), "url_hash": key, "text_hash": key})
                split[number] = [split_paragraph(each) for each in paragraphs]
            connection.execute(insert(ARTICLE), rows)
            indexed = [
                IndexedWords.join(row["id"], fold_text(row["title"]), (each.folded for each in split[row["id"]])) for row in rows
            ]
            if connection.dialect.name == "sqlite":
                added = text(f"INSERT INTO {INDEX} (rowid, title, body) VALUES (:article, :title, :body)")
                connection.execute(added, [each.as_row() for each in indexed])
            else:
                added = text(f"INSERT INTO {INDEX} (article_id, words) VALUES (:article, CAST(:words AS tsvector))")
                connection.execute(added, [each.as_vector() for each in indexed])
            write_word_ids(connection, split)


def _make_article(number: int, articles: int, paragraphs: list[str]) -> Article:
    at = _BEGIN + timedelta(days=_DAYS * number / articles)
    return Article(
        title=paragraphs[0][:40], paragraphs=tuple(Paragraph(text=each) for each in paragraphs), language=_LANGUAGES[number % 5],
        url=f"https://portal.example/{number}", published_at=at, fetched_at=at, method="default", confidence=1.0,
    )  # fmt: skip


def list_statistics(store: Store) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the names of statistics and what computes them."""
    words = make_words(60_000)
    everything, first = Selection(), Selection(portals=tuple(f"portal-{number:03}" for number in range(25)))
    rest = Selection(portals=tuple(f"portal-{number:03}" for number in range(25, 50)))

    def run(tool: Tool, **values: Any) -> Callable[[], object]:
        return lambda: analyse(store, Analysis(tool=tool, **{"selection": everything, **values}))

    yield "frequencies", run(Tool.FREQUENCIES)
    for length in range(2, 6):
        yield f"{length}-grams", run(Tool.FREQUENCIES, length=length)
    for by in ([Grouping.MONTH], [Grouping.PORTAL], [Grouping.PORTAL, Grouping.MONTH]):
        yield f"frequencies by {' and '.join(by)}", lambda by=by: count_frequencies(WordReader(store, everything), by=by)  # type: ignore[misc]
    for rank in (3, 2_000, 20_000):
        yield f"collocates of the word of rank {rank}", run(Tool.COLLOCATES, queries=(words[rank],))
        yield (
            f"trends of the word of rank {rank}",
            run(Tool.TRENDS, queries=(words[rank],), measure=Measure.OCCURRENCES, by=Facet.MONTH),
        )
    yield (
        "trends of a frequent phrase",
        run(Tool.TRENDS, queries=(f'"{words[0]} {words[1]}"',), measure=Measure.OCCURRENCES, by=Facet.MONTH),
    )
    yield "collocates of a frequent NEAR", run(Tool.COLLOCATES, queries=(f"NEAR({words[20]} {words[10]}, 3)",))
    yield "keywords", run(Tool.KEYWORDS, selection=first, against=rest)


def main() -> None:
    """Print the costs of statistics."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("--articles", type=int, default=200_000)
    parser.add_argument("--words", type=int, default=240, help="of an article")
    parser.add_argument("--only", help="one statistic, in this process")
    chosen = parser.parse_args()
    with open_store(chosen.database) as store:
        if not store.articles.newest_id():
            began = time.process_time()
            generate(store, articles=chosen.articles, length=chosen.words)
            print(f"generated in {time.process_time() - began:.0f} s")
        for name, compute in list_statistics(store):
            if chosen.only == name:
                began = time.process_time()
                compute()
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                print(f"{name:40} {time.process_time() - began:6.2f} s {memory:6} MiB", flush=True)
            elif chosen.only is None:
                subprocess.run([sys.executable, __file__, chosen.database, "--only", name], check=True)


if __name__ == "__main__":
    main()
