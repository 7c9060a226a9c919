"""Statistics that read numbers of words give those of a plain reading of the texts, in ten languages and scripts."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

import pytest

from newscrawler.article import Article, Paragraph
from newscrawler.corpus import (
    Grouping,
    WordReader,
    count_frequencies,
    count_trends,
    find_collocates,
    find_distinctive_words,
    log_likelihood,
    statistics,
)
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection, store_article
from newscrawler.store.search import WordToken, Zone, list_forms, parse, spans, tokens, words
from newscrawler.store.service import known_portal

#: Articles of each database; PostgreSQL takes longer to store them, and reads them in the same way.
MANY = {"sqlite": int(os.environ.get("NEWSCRAWLER_ARTICLES", "2000")), "postgresql": 400}
SENTENCES = {
    "en": "The flood came at night and the flood went; it's 3.14 metres, the mayor of the town said to the town.",
    "cs": "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl starosta, a povodeň přišla v noci do města.",
    "de": "Die Straße war überflutet, sagte der Bürgermeister, und die Flut kam in der Nacht in die Stadt.",
    "fr": "L’eau est montée, l'eau a dit le maire d'Argenteuil; aujourd’hui l’État et la naïve ville.",
    "ru": "Наводнение пришло ночью, сказал мэр города, и город ещё не видел такого наводнения.",
    "el": "Η πλημμύρα ήρθε τη νύχτα, είπε ο δήμαρχος της πόλης, και η πόλη περίμενε.",
    "ar": "جاء الفيضان في الليل وقال رئيس البلدية إنّ المدينة لم تر مثل هذا الفيضان",
    "hi": "बाढ़ रात में आई और महापौर ने कहा कि शहर ने ऐसी बाढ़ नहीं देखी",
    "zh": "洪水在夜里来了，市长说这座城市从未见过这样的洪水。ABC123公司café。",
    "ja": "夜に洪水が来たと市長は言った。コーヒーabcカメラーxyz、東京タワー。",
    "th": "น้ำท่วมมาในเวลากลางคืน นายกเทศมนตรีกล่าวว่าเมืองไม่เคยเห็น",
    "ko": "홍수가 밤에 왔다고 시장이 말했다. 도시는 이런 홍수를 본 적이 없다.",
}
QUERIES = (
    "the", "flood", "l'eau", "eau", '"the flood"', '"l eau"', "flo*", "NEAR(mayor town, 3)",
    "NEAR(the of, 1)", '"the mayor of"',
    "flood OR town NOT nothing", '(flood AND "the town") OR mayor', "город*", "洪水", "キ", "コーヒー*", "фло OR город",
    "body:flood",     "title:flood", "povoden", "فيضان OR الفيضان", '"3 14"', "caf*", "शहर",
)  # fmt: skip


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with ExitStack() as stack:
        url = f"sqlite:///{tmp_path_factory.mktemp('words') / 'store.sqlite'}"
        if request.param == "postgresql":
            template, databases = (request.getfixturevalue(f"postgresql_{name}") for name in ("template", "databases"))
            url = stack.enter_context(databases.copy(template)).render_as_string(hide_password=False)
        opened = stack.enter_context(open_store(url))
        fill(opened, MANY[request.param])
        yield opened


def fill(store: Store, number: int) -> None:
    generator, now = random.Random(20261127), datetime(2026, 3, 1, tzinfo=UTC)
    with store.engine.begin() as connection:
        portals = [known_portal(connection, f"portal-{place}", now)[0] for place in range(3)]
        for place in range(number):
            article = Article(
                title=f"Flood {place}", url=f"https://one.example/{place}", method="default", confidence=0.9, fetched_at=now,
                paragraphs=tuple(Paragraph(text=make_text(generator)) for _ in range(generator.randint(1, 4))),
                published_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=place % 200) if place % 7 else None,
            )  # fmt: skip
            assert store_article(connection, portals[place % 3], article).id


def make_text(generator: random.Random) -> str:
    """Return words of one language in another order, or of two."""
    languages = generator.choices([*SENTENCES], k=generator.choice([1, 1, 2]))
    pieces = [piece for language in languages for piece in SENTENCES[language].split()]
    return " ".join(generator.choices(pieces, k=generator.randint(1, 25)))


class PlainText(NamedTuple):
    """A paragraph, read by itself."""

    forms: list[str]
    placed: list[tuple[str, int, int]]
    folded: list[WordToken]


@cache
def read_text(text: str) -> PlainText:
    placed = [(text[start:end].casefold(), start, end) for start, end, is_word in words(text) if is_word]
    return PlainText(list_forms(text), placed, list(tokens(text)))


def read(store: Store, selection: Selection = Selection()) -> list[tuple[str, str, list[PlainText]]]:  # noqa: B008  frozen
    """Return portal, month and paragraphs of each article."""
    return [
        (text.portal, text.day.isoformat()[:7] if text.day else "undated", list(map(read_text, text.paragraphs)))
        for text in store.articles.texts(selection)
    ]


def count_forms(store: Store, selection: Selection = Selection()) -> Counter[str]:  # noqa: B008  frozen
    return Counter(form for _, _, paragraphs in read(store, selection) for paragraph in paragraphs for form in paragraph.forms)


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_frequencies_are_those_of_the_texts(store: Store, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    by_group, sizes, every = dict[tuple[str, str], Counter[str]](), Counter[tuple[str, str]](), Counter[str]()
    for portal, month, paragraphs in read(store):
        for paragraph in paragraphs:
            forms = paragraph.forms
            sizes[portal, month] += len(forms)
            rows = [" ".join(forms[place : place + length]) for place in range(len(forms) - length + 1)]
            by_group.setdefault((portal, month), Counter()).update(rows)
            every.update(rows)
    expected = sorted(every.items(), key=lambda each: (-each[1], each[0]))

    for at_once, bits, few in ((statistics._AT_ONCE, 22, statistics._SORTED), (10, 8, 10)):  # the second counts in buckets
        monkeypatch.setattr(statistics, "_AT_ONCE", at_once)
        monkeypatch.setattr(statistics, "_BITS", bits)
        monkeypatch.setattr(statistics, "_SORTED", few)
        for most in (1, 50, 100_000):
            found = count_frequencies(WordReader(store, Selection()), length=length, most=most)
            assert [(each.words, each.count) for each in found] == expected[:most]
            assert {round(1e6 * each.count / each.per_million) for each in found} == {sizes.total()}
    apart = count_frequencies(WordReader(store, Selection()), length=length, by=[Grouping.PORTAL, Grouping.MONTH], most=3)
    assert [(each.group, each.words, each.count, each.per_million) for each in apart] == [
        (group, words, count, 1e6 * count / sizes[group])
        for group in sorted(by_group)
        for words, count in sorted(by_group[group].items(), key=lambda each: (-each[1], each[0]))[:3]
    ]


@pytest.mark.parametrize(
    ("selection", "step"), [(Selection(), 1), (Selection(portals=("portal-1", "portal-2"), words="the OR flood OR 洪水"), 6)]
)
def test_hits_and_collocates_are_those_of_the_texts(store: Store, selection: Selection, step: int) -> None:
    counts, reader, window = count_forms(store, selection), WordReader(store, selection), 3
    size, texts = sum(counts.values()), dict(zip(store.articles.numbers(selection), read(store, selection), strict=True))
    totals = {period: number for period, (_, number) in store.facets.sizes(selection, Facet.MONTH).items()}
    for query in QUERIES[::step]:
        node, together, near, hits = parse(query), Counter[str](), 0, Counter[str]()
        matching = [number for number in store.articles.numbers(Selection(words=query)) if number in texts]
        for _, month, paragraphs in map(texts.__getitem__, matching):
            for paragraph in paragraphs:
                for hit in spans(node, paragraph.folded, Zone.BODY):
                    start, end = paragraph.folded[hit.first].start, paragraph.folded[hit.last].end
                    around = [form for form, _, last in paragraph.placed if last <= start][-window:]
                    around += [form for form, first, _ in paragraph.placed if first >= end][:window]
                    near += len(around)
                    hits["2026-03" if month == "undated" else month] += 1
                    together.update(set(around))

        found = find_collocates(reader, query, window=window, least=2, most=100_000)

        assert {each.word: (each.together, each.count) for each in found} == {
            word: (min(number, counts[word]), counts[word]) for word, number in together.items() if number >= 2 and counts[word]
        }, query
        for each in found:
            rest = (each.count - each.together, max(1, size - near))
            assert each.log_likelihood == log_likelihood(each.together, near, *rest)
        assert find_collocates(reader, query, window=window, least=2, most=7) == found[:7]
        trends = count_trends(reader, totals, query, by=Facet.MONTH)
        assert {each.period: each.hits for each in trends if each.hits} == hits
        assert sum(each.articles for each in trends) == len(matching)


def test_keywords_are_those_of_the_texts(store: Store) -> None:
    here, there = Selection(portal="portal-0"), Selection(portals=("portal-1", "portal-2"), limit=200)
    left, right = count_forms(store, here), count_forms(store, there)
    sizes = left.total(), right.total()
    expected = [
        (log_likelihood(number, sizes[0], right[word], sizes[1]), word, number, right[word])
        for word, number in left.items()
        if number >= 2 and number * sizes[1] > right[word] * sizes[0]
    ]
    reader = WordReader(store, here)
    for most in (5, 10_000):
        found = find_distinctive_words(reader, reader.select(there), least=2, most=most)
        assert [(each.log_likelihood, each.word, each.here, each.there) for each in found] == sorted(expected, reverse=True)[:most]
