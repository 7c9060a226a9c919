"""The words of articles as numbers: after each change of the texts they are those of the texts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import delete, select, update

from newscrawler.article import Article, Paragraph
from newscrawler.store import Store, open_store
from newscrawler.store.articles.article_intake import correct_article
from newscrawler.store.maintenance import PruneLimits, check, prune
from newscrawler.store.search import list_forms
from newscrawler.store.search.fold import _OTHER, fold_form, fold_text, split_paragraph
from newscrawler.store.search.word_ids import FIRST_ID, UNALIGNED, find_ids, pack_id, pack_ids, read_forms, unpack_ids
from newscrawler.store.tables import ARTICLE, ARTICLE_WORDS, WORD

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TEXTS = (
    "Hello world, don't stop: 3.14. Straße!", "L’eau est chaude, ﬁnalement.", "東京に行きました。ーabc", "नमस्ते दुनिया",
    "السلام عليكم",
    "Привет, мир", "Γειά σου Κόσμε", "สวัสดีชาวโลก", "안녕하세요 세계", "emoji 😀 text",
)  # fmt: skip


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def make(number: int, *texts: str) -> Article:
    return Article(
        title=f"Title {number}", paragraphs=tuple(Paragraph(text=text) for text in texts), url=f"https://one.example/{number}",
        published_at=NOW, fetched_at=NOW, method="default", confidence=0.9,
    )  # fmt: skip


def read(store: Store) -> dict[int, list[str]]:
    """Return the stored words of each article."""
    with store.engine.connect() as connection:
        stored = {number: unpack_ids(bytes(ids)).tolist() for number, ids in connection.execute(select(ARTICLE_WORDS))}
        forms = read_forms(connection, [*chain.from_iterable(stored.values())])
    return {number: [forms[each] for each in ids if each >= FIRST_ID] for number, ids in stored.items()}


def vocabulary(store: Store) -> set[str]:
    with store.engine.connect() as connection:
        return set(connection.execute(select(WORD.c.form)).scalars())


def test_words_follow_the_texts(store: Store) -> None:
    for number, text in enumerate(TEXTS, 1):
        store.articles.add("portal", make(number, text, "second one"))
    assert read(store) == {number: [*list_forms(text), "second", "one"] for number, text in enumerate(TEXTS, 1)}

    with store.engine.begin() as connection:
        assert correct_article(connection, 1, make(1, "Hello again, world: a rarity was put in, and two more words"))
    before = store.articles.get(2)
    assert before is not None
    assert store.articles.revise(before, make(2, "L’eau est froide."), why="a test")
    assert read(store)[1][:4] == ["hello", "again", "world", "a"]
    assert read(store)[2] == ["l’eau", "est", "froide"]
    assert check(store.engine) == []

    assert store.rights.purge({1: None, 3: None}, now=NOW) == 2
    assert not {"rarity", "straße", "chaude", "東"} & vocabulary(store)
    assert {"froide", "second"} <= vocabulary(store)
    store.articles.add("portal", make(99, "hello rarity"))
    assert read(store)[max(read(store))] == ["hello", "rarity"]
    prune(store.engine, PruneLimits(articles_before=NOW.replace(year=2027)), now=NOW)
    assert read(store) == {}
    assert check(store.engine) == []


def test_missing_and_wrong_words_are_found_and_written_anew(store: Store) -> None:
    for number, text in enumerate(TEXTS, 1):
        store.articles.add("portal", make(number, text))
    right = read(store)
    missing, unknown, other = (
        "1 articles have no words for statistics",
        "1 articles have words that are not in the vocabulary",
        "1 articles have other words for statistics than their texts",
    )
    for damage, found in (
        (delete(ARTICLE_WORDS).where(ARTICLE_WORDS.c.article_id == 3), missing),
        (delete(WORD).where(WORD.c.form == "мир"), unknown),
        (update(WORD).where(WORD.c.form == "hello").values(form="hallo"), other),
        (update(ARTICLE_WORDS).where(ARTICLE_WORDS.c.article_id == 2).values(ids=b"\0"), unknown),
        (update(ARTICLE).where(ARTICLE.c.id == 4).values(paragraphs=[["paragraph", "x"]]), other),
    ):
        with store.engine.begin() as connection:
            connection.execute(damage)  # type: ignore[arg-type]  # whichever statement it is
        assert [fault.what for fault in check(store.engine)] == [found]
        assert "newscrawler db rebuild" in check(store.engine)[0].advice
        assert store.words.rebuild() == len(TEXTS)
        assert check(store.engine) == []
    assert read(store) == right | {4: ["x"]}


def test_nobody_remembers_words_of_a_transaction_that_was_rolled_back(store: Store) -> None:
    with store.engine.begin() as connection:
        find_ids(connection, {*list_forms("here to stay")})
    with store.engine.connect() as connection:
        find_ids(connection, {*list_forms("gone with the wind")})
        connection.rollback()
    store.articles.add("portal", make(1, "here with the wind"))

    assert read(store) == {1: ["here", "with", "the", "wind"]}
    assert check(store.engine) == []


def test_another_process_notices_that_words_were_removed(database_url: str) -> None:
    with open_store(database_url) as one, open_store(database_url) as two:
        one.articles.add("portal", make(1, "rare word"))
        two.articles.add("portal", make(2, "rare word indeed"))
        two.articles.add("portal", make(3, "common word"))
        one.rights.purge({1: None, 2: None}, now=NOW)
        one.articles.add("portal", make(4, "newcomer"))
        two.articles.add("portal", make(5, "rare newcomer word"))

        assert sorted(read(one).values()) == [["common", "word"], ["newcomer"], ["rare", "newcomer", "word"]]
        assert check(one.engine) == []


def test_ids_of_any_size_are_packed(tmp_path: Path) -> None:
    generator = random.Random(20261127)
    ids = {str(number): pack_id(number) for number in (2, 0xBFFF, 0xC000, 0xC001, 0xE000, 0xFFFF, 0x1_0000, 2**20, 2**26)}
    for _ in range(200):
        forms = generator.choices([*ids], k=generator.randint(1, 40))
        split = split_paragraph("x")._replace(forms=forms)
        packed = pack_ids(ids, [split, split._replace(is_aligned=False)])
        expected = [0, *map(int, forms), UNALIGNED, *map(int, forms)]
        assert np.array_equal(unpack_ids(packed), expected)
        assert np.array_equal(unpack_ids(packed * 2), expected * 2)


def test_folding_the_forms_gives_the_words_of_the_index() -> None:
    plain = [chr(code) for code in range(0x3000) if not _OTHER.search(chr(code))]
    generator = random.Random(20261127)
    texts = [form.format(each) for each in plain for form in ("{0}", "a{0}b", "x {0}.{0}", "1{0}2", "{0}'{0}")]
    texts += ["".join(generator.choices(plain, k=12)) for _ in range(5_000)]
    for text in texts:
        assert list(chain.from_iterable(map(fold_form, list_forms(text)))) == fold_text(text), repr(text)
    for text in TEXTS:
        assert split_paragraph(text).folded == fold_text(text)
