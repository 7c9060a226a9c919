"""Statistics that read numbers of words give those of a plain reading of the texts, in ten languages and scripts."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

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
from newscrawler.store.articles import ArticleText, Facet, Selection
from newscrawler.store.search import Zone, list_forms, parse, spans, tokens, words

#: Of both databases together; NEWSCRAWLER_ARTICLES=2000 is the number of the issue.
MANY = int(os.environ.get("NEWSCRAWLER_ARTICLES", "300"))
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


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        fill(opened)
        yield opened


def fill(store: Store) -> None:
    generator = random.Random(20261127)
    for number in range(MANY):
        article = Article(
            title=f"Flood {number}", paragraphs=tuple(Paragraph(text=make_text(generator)) for _ in range(generator.randint(1, 4))),
            url=f"https://one.example/{number}", method="default", confidence=0.9,
            published_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number % 200) if number % 7 else None,
            fetched_at=datetime(2026, 3, 1, tzinfo=UTC),
        )  # fmt: skip
        assert store.articles.add(f"portal-{number % 3}", article)


def make_text(generator: random.Random) -> str:
    """Return words of one language in another order, or of two."""
    languages = generator.choices([*SENTENCES], k=generator.choice([1, 1, 2]))
    pieces = [piece for language in languages for piece in SENTENCES[language].split()]
    return " ".join(generator.choices(pieces, k=generator.randint(1, 25)))


def read(store: Store, selection: Selection = Selection()) -> list[ArticleText]:  # noqa: B008  frozen
    return list(store.articles.texts(selection))


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_frequencies_are_those_of_the_texts(store: Store, length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    by_group, sizes, every = dict[tuple[str, str], Counter[str]](), Counter[tuple[str, str]](), Counter[str]()
    for text in read(store):
        group = text.portal, text.day.isoformat()[:7] if text.day else "undated"
        for paragraph in text.paragraphs:
            forms = list_forms(paragraph)
            sizes[group] += len(forms)
            rows = [" ".join(forms[place : place + length]) for place in range(len(forms) - length + 1)]
            by_group.setdefault(group, Counter()).update(rows)
            every.update(rows)
    expected = sorted(every.items(), key=lambda each: (-each[1], each[0]))

    for at_once, bits in ((statistics._AT_ONCE, 22), (10, 8)):  # the second counts in buckets
        monkeypatch.setattr(statistics, "_AT_ONCE", at_once)
        monkeypatch.setattr(statistics, "_BITS", bits)
        for most in (1, 50, 100_000):
            found = count_frequencies(WordReader(store, Selection()), length=length, most=most)
            assert [(each.words, each.count) for each in found] == expected[:most]
            assert all(each.per_million == 1e6 * each.count / sum(sizes.values()) for each in found)
    apart = count_frequencies(WordReader(store, Selection()), length=length, by=[Grouping.PORTAL, Grouping.MONTH], most=3)
    assert [(each.group, each.words, each.count, each.per_million) for each in apart] == [
        (group, words, count, 1e6 * count / sizes[group])
        for group in sorted(by_group)
        for words, count in sorted(by_group[group].items(), key=lambda each: (-each[1], each[0]))[:3]
    ]


@pytest.mark.parametrize("query", QUERIES)
def test_hits_and_collocates_are_those_of_the_texts(store: Store, query: str) -> None:
    node, window, together, near, hits = parse(query), 3, Counter[str](), 0, Counter[str]()
    for stored in store.articles.stream(Selection(words=query)):
        day = stored.article.date or datetime(2026, 3, 1, tzinfo=UTC).date()
        for paragraph in stored.article.paragraphs:
            text, folded = paragraph.text, list(tokens(paragraph.text))
            placed = [(text[start:end].casefold(), start, end) for start, end, is_word in words(text) if is_word]
            for hit in spans(node, folded, Zone.BODY):
                start, end = folded[hit.first].start, folded[hit.last].end
                around = [form for form, _, last in placed if last <= start][-window:]
                around += [form for form, first, _ in placed if first >= end][:window]
                near, hits[day.isoformat()[:7]] = near + len(around), hits[day.isoformat()[:7]] + 1
                together.update(set(around))
    counts = Counter(form for text in read(store) for paragraph in text.paragraphs for form in list_forms(paragraph))
    reader = WordReader(store, Selection())

    found = find_collocates(reader, query, window=window, least=2, most=100_000)

    assert {each.word: (each.together, each.count) for each in found} == {
        word: (min(number, counts[word]), counts[word]) for word, number in together.items() if number >= 2
    }
    size = sum(counts.values())
    for each in found:
        rest = (each.count - each.together, max(1, size - near))
        assert each.log_likelihood == log_likelihood(each.together, near, *rest)
    assert find_collocates(reader, query, window=window, least=2, most=7) == found[:7]
    trends = count_trends(reader, store_totals(store), query, by=Facet.MONTH)
    assert {each.period: each.hits for each in trends if each.hits} == hits
    assert sum(each.articles for each in trends) == store.articles.count(Selection(words=query))


def store_totals(store: Store) -> dict[str, int]:
    return {period: number for period, (_, number) in store.facets.sizes(Selection(), Facet.MONTH).items()}


def test_keywords_are_those_of_the_texts(store: Store) -> None:
    here, there = Selection(portal="portal-0"), Selection(portals=("portal-1", "portal-2"), limit=MANY // 2)
    left, right = (
        Counter(form for text in read(store, each) for paragraph in text.paragraphs for form in list_forms(paragraph))
        for each in (here, there)
    )
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
