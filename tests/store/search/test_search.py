"""Search on both stores: the same hits in twenty languages, kept up to date with the articles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from newscrawler.article import Article, Paragraph
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Selection
from newscrawler.store.articles.article_intake import correct_article
from newscrawler.store.maintenance import copy_database
from newscrawler.store.search import Order, parse

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
#: A sentence of each, with a query that finds it alone.
LANGUAGES = {
    "cs": ("Žluťoučký kůň úpěl ďábelské ódy", "zlutoucky KUN"),
    "pl": ("Łódź jest miastem w środkowej Polsce", "lodz srodkowej"),
    "de": ("Die Straße über den Fluss ist gesperrt", '"STRASSE uber"'),
    "fr": ("L’hôtel où l’œuvre fut retrouvée", "hotel retrouv*"),
    "es": ("El niño vio la lluvia en España", "nino espana"),
    "tr": ("İstanbul'da ılık bir gün yaşandı", "istanbul ilik"),
    "vi": ("Người dân Hà Nội đón năm mới", '"ha noi"'),
    "el": ("Η κυβέρνηση ανακοίνωσε νέα μέτρα", "κυβερνηση ΜΕΤΡΑ"),
    "ru": ("Правительство приняло ещё один закон", "еще закон"),
    "uk": ("Уряд ухвалив новий бюджет країни", "краін*"),
    "he": ("הַמֶּמְשָׁלָה אישרה את התקציב", "הממשלה"),
    "ar": ("أَعْلَنَت الحكومة عن الميزانية", "اعلنت"),
    "fa": ("دولت بودجه را تصویب می‌کند", "میکند"),
    "hi": ("हिन्दी में समाचार पढ़ें", "हिन्दी"),
    "bn": ("বাংলাদেশের সরকার ঘোষণা করেছে", "সরকার"),
    "th": ("รัฐบาลไทยประกาศงบประมาณใหม่", "งบประมาณ"),
    "zh": ("气候变化影响全球经济", "气候变化"),
    "ja": ("東京でガラス展が開かれた", "ｶﾞﾗｽ"),
    "ko": ("정부는 새로운 예산을 발표했다", "예산*"),
    "hy": ("Կառավարությունը հաստատեց բյուջեն", "ԲՅՈՒՋԵՆ"),
}
OPERATORS = {
    '"flood hits"': [1],
    "flood*": [1, 2, 4],
    "flood AND dam": [1, 4],
    "dam OR insurance": [1, 3, 4],
    "flood NOT dam": [],
    "(dam OR insurance) NOT title:flood": [3, 4],
    "flood AND dam" + " NOT absent" * 300: [1, 4],
    "NEAR(riv* flood*, 9) OR NEAR(dam da*, 1)": [1, 2, 4],
    "title:flood": [1],
    "body:flood": [4],
    "NEAR(dam flood, 3)": [4],
    "NEAR(dam flood, 1)": [],
    "NEAR(flood flooded*, 5)": [],
    'NEAR("the dam" dam, 0)': [4],
    '"broke the" dam': [4],
    '"dam broke"': [1],
    '"hits town the"': [],  # a phrase does not go from the headline into the text
    '"the ri*"': [2],
}


def article(number: int, title: str, *paragraphs: str, **changes: object) -> Article:
    values: dict[str, object] = {
        "title": title, "paragraphs": tuple(Paragraph(text=each) for each in paragraphs), "url": f"http://127.0.0.1/{number}",
        "language": "en", "fetched_at": NOW, "published_at": NOW.replace(day=number % 20 + 1), "method": "m", "confidence": 1.0,
    }  # fmt: skip
    return Article(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        yield opened


def numbers(store: Store, query: str, **selection: object) -> list[int]:
    return sorted(hit.stored.id for hit in store.search.find(parse(query), Selection(**selection)))  # type: ignore[arg-type]


def fill(store: Store) -> None:
    store.articles.add("a", article(1, "Flood hits town", "The old dam broke at night.", "Nobody was hurt."), now=NOW)
    store.articles.add("a", article(2, "After the rain", "Streets were flooded by the river.", authors=("Eva Nová",)), now=NOW)
    store.articles.add("b", article(3, "Money", "Insurance pays.", section="Economy", genre="opinion", language="de"), now=NOW)
    store.articles.add("b", article(4, "Report", "Water broke the dam, and the flood came."), now=NOW)


def test_both_stores_find_each_of_twenty_languages_by_the_same_queries(store: Store) -> None:
    for number, (language, (sentence, _)) in enumerate(LANGUAGES.items(), 1):
        store.articles.add("portal", article(number, f"Nr. {number}", sentence, language=language), now=NOW)

    found = {language: numbers(store, query) for language, (_, query) in LANGUAGES.items()}

    assert found == {language: [number] for number, language in enumerate(LANGUAGES, 1)}


def test_both_stores_read_the_operators_alike(store: Store) -> None:
    fill(store)

    assert {query: numbers(store, query) for query in OPERATORS} == OPERATORS
    selected = {query: [each.id for each in store.articles.stream(Selection(words=query))] for query in OPERATORS}
    assert selected == OPERATORS


def draw_term(at: Random, pieces: list[str]) -> str:
    words = at.choices(pieces, k=at.choice((1, 1, 2, 3)))
    if len(words) > 1:
        return f'"{" ".join(words)}"{at.choice(("", "*"))}'
    return f"{words[0][: at.randint(1, len(words[0]))]}*" if at.random() < 0.3 else words[0]


def draw_query(at: Random, pieces: list[str], depth: int = 0) -> str:
    zone, operator = at.choice(("", "", "", "title:", "body:")), at.choice(("word", "word", "NEAR", "", "AND", "OR", "NOT"))
    if operator == "word" or (depth == 2 and operator != "NEAR"):
        return f"{zone}{draw_term(at, pieces)}"
    if operator == "NEAR":
        return f"{zone}NEAR({draw_term(at, pieces)} {draw_term(at, pieces)}, {at.choice((0, 1, 3, 10, 50))})"
    return f"({draw_query(at, pieces, depth + 1)} {operator} {draw_query(at, pieces, depth + 1)})"


def test_both_stores_find_the_same_by_a_thousand_queries_drawn_in_twenty_languages(
    postgresql_database: str, tmp_path: Path
) -> None:
    at = Random(34)
    pieces = [sentence.split() if " " in sentence else list(sentence) for sentence, _ in LANGUAGES.values()]
    queries = [draw_query(at, pieces[n % 20] + (at.choice(pieces) if n % 5 == 0 else [])) for n in range(1_000)]
    found = []
    for url in (postgresql_database, f"sqlite:///{tmp_path / 's.sqlite'}"):
        at = Random(35)
        with open_store(url) as store:
            for number in range(1, 201):
                title, *texts = (" ".join(at.choices(pieces[number % 20], k=at.randint(1, 12))) for _ in range(3))
                store.articles.add("portal", article(number, title, *texts), now=NOW)
            found.append({query: list(store.articles.numbers(Selection(words=query))) for query in queries})

    assert found[0] == found[1]
    assert sum(map(bool, found[0].values())) > 500


def test_articles_stored_long_before_the_last_one_are_found_alike(postgresql_database: str) -> None:
    with open_store(postgresql_database) as store:
        fill(store)
        for number, before in ((5, 1_500_000), (6, 2_000_000)):  # bands, wide bands, and all articles are searched
            with store.engine.begin() as connection:
                connection.execute(text("SELECT setval(pg_get_serial_sequence('article', 'id'), :before)"), {"before": before})
            store.articles.add("c", article(number, "Sunshine", f"Sun of the day {number}."), now=NOW)

        assert {query: numbers(store, query) for query in OPERATORS} == OPERATORS
        assert numbers(store, "sun*") == [1_500_001, 2_000_001]
        assert numbers(store, "the AND broke", portal="b") == [4]


@pytest.mark.parametrize(
    ("selection", "found"),
    [
        ({"portal": "b"}, [3, 4]),
        ({"author": "Eva Nová"}, [2]),
        ({"author": "Eva"}, []),
        ({"section": "Economy", "genre": "opinion", "language": "de"}, [3]),
        ({"since": date(2026, 11, 3), "until": date(2026, 11, 4)}, [2, 3]),
    ],
)
def test_a_search_is_narrowed(store: Store, selection: dict[str, object], found: list[int]) -> None:
    fill(store)

    assert numbers(store, "the OR insurance", **selection) == found
    assert store.search.count(parse("the OR insurance"), Selection(**selection)) == len(found)  # type: ignore[arg-type]
    assert [each.id for each in store.articles.stream(Selection(words="the OR insurance", **selection))] == found  # type: ignore[arg-type]


def test_hits_come_by_relevance_or_by_date(store: Store) -> None:
    fill(store)

    best = store.search.find(parse("flood"), Selection())
    latest = store.search.find(parse("flood"), Selection(), order=Order.DATE)

    assert [hit.stored.id for hit in best] == [1, 4]
    assert best[0].score > best[1].score
    assert [hit.stored.id for hit in latest] == [4, 1]
    assert store.search.find(parse("flood"), Selection(), limit=1, offset=1) == best[1:]


def test_a_corrected_article_is_found_by_its_new_text_alone_and_a_removed_one_not_at_all(store: Store) -> None:
    fill(store)
    with store.engine.begin() as connection:
        correct_article(connection, 1, article(1, "Storm hits town", "The old bridge broke at night.", "Nobody was hurt."))

    assert (numbers(store, "flood"), numbers(store, "storm bridge"), numbers(store, "dam")) == ([4], [1], [4])

    assert store.rights.purge({1: None}, now=NOW) == 1
    assert (numbers(store, "storm"), numbers(store, "hurt")) == ([], [])


@pytest.mark.parametrize("letter", ["x", "\U00010428"])
def test_a_long_article_of_long_words_is_found_by_its_first_and_last_ones(store: Store, letter: str) -> None:
    words = [f"{number}{letter * 70}"[:60] for number in range(20_000)]
    store.articles.add("a", article(1, "Hashes", " ".join(words)), now=NOW)

    assert numbers(store, f'"{words[0]} {words[1]}"') == numbers(store, f'"{words[3_000]} {words[3_001]}"') == [1]
    assert numbers(store, words[16_000]) == []


def test_purged_words_are_not_left_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with open_store(f"sqlite:///{path}") as store:
        fill(store)
        store.articles.add("a", article(5, "Secret", "Unforgettable xylophone."), now=NOW)
        assert numbers(store, "xylophone") == [5]
        store.rights.purge({5: None}, now=NOW)

    assert b"xylophone" not in path.read_bytes()


def test_of_a_word_that_occurs_more_often_than_a_store_can_note_the_rest_is_left_out_on_both(store: Store) -> None:
    long = " ".join(["the cat"] * 248 + ["the dog", "the bird", "the fish"])
    store.articles.add("a", article(1, "The animals", long), now=NOW)

    found = {query: numbers(store, query) for query in ('"the dog"', '"the bird"', "fish", '"bird the"')}

    assert found == {'"the dog"': [1], '"the bird"': [], "fish": [1], '"bird the"': []}


def test_a_copy_can_be_searched(store: Store, tmp_path: Path) -> None:
    fill(store)
    with open_store(f"sqlite:///{tmp_path / 'copy.sqlite'}") as copy:
        copy_database(store.engine, copy.engine)

        assert numbers(copy, "flood*") == [1, 2, 4]
