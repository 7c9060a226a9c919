"""A copy with a word changed is found, however many articles share sentences with it."""

from __future__ import annotations

import random
from pathlib import Path

from sqlalchemy import insert
from sqlalchemy.engine import Connection

from newscrawler.discovery import Sketch, make_sketch
from newscrawler.store import open_store
from newscrawler.store.articles.article_intake import COMMON, MOST_COMPARED, band_hashes, candidates
from newscrawler.store.tables import MINHASH_BAND

WORDS = [a + b for a in "ba ce di fo gu ha je ki lo mu na pe ri so tu va ze".split() for b in "lka men nit ror sta vy".split()]  # noqa: SIM905
#: Stands in every article.
COMMON_SENTENCE = " ".join(random.Random("common").choices(WORDS, k=40))
ARTICLES = 400


def text(number: int) -> str:
    dice = random.Random(number)
    return f"{' '.join(dice.choices(WORDS, k=70))} {COMMON_SENTENCE} {' '.join(dice.choices(WORDS, k=30))}"


def sketch(words: str) -> Sketch:
    found = make_sketch(words)
    assert found is not None
    return found


def fill(connection: Connection) -> None:
    """Add fingerprints of articles that all share a sentence, and one band."""
    rows = [
        {"article_id": number, "hash": band} for number in range(ARTICLES) for band in {*band_hashes(sketch(text(number)))[:15], 7}
    ]
    connection.execute(insert(MINHASH_BAND), rows)


def test_a_copy_with_one_word_changed_is_compared_with_its_original(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as opened, opened.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        fill(connection)
        for number in range(0, ARTICLES, 5):
            words = text(number).split()
            words[random.Random(number).randrange(len(words))] = "jiný"
            bands = [*band_hashes(sketch(" ".join(words))), 7]

            found = candidates(connection, bands)

            assert found[0] == number
            assert len(found) <= MOST_COMPARED
        connection.rollback()


def test_of_common_bands_a_few_articles_are_read(tmp_path: Path) -> None:
    """Without a rare band in common, articles with most common ones come first."""
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as opened, opened.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
        rows = [{"article_id": number, "hash": place} for number in range(3 * COMMON) for place in range(3)]
        connection.execute(insert(MINHASH_BAND), rows)

        assert len(candidates(connection, [0, 1, 2, 99])) == MOST_COMPARED
        assert candidates(connection, [99]) == []
        connection.rollback()
