"""Figures that were reckoned by hand, or by their definition in another way."""

from __future__ import annotations

import math
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from newscrawler.corpus import (
    Grouping,
    Sorting,
    SpilledCounter,
    Word,
    WordReader,
    count_frequencies,
    count_trends,
    draw_bars,
    find_annotator,
    find_collocates,
    find_distinctive_words,
    find_lines,
    log_likelihood,
    sort_lines,
)
from newscrawler.errors import ConfigError
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection, StoredArticle
from newscrawler.store.search import parse

Make = Callable[..., StoredArticle]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as opened:
        yield opened


def keep(store: Store, *articles: StoredArticle) -> WordReader:
    """Store articles, and return a reader of all."""
    for each in articles:
        store.articles.add(each.article.portal or "", each.article)
    return WordReader(store, Selection())


def upper_tagger(text: str) -> Iterator[list[Word]]:
    """A tagger whose lemma is the first two letters."""
    place, found = 0, []
    for form in text.split():
        start = text.index(form, place)
        place = start + len(form)
        found.append(Word(start=start, end=place, lemma=form[:2], upos="X"))
    yield found


def test_a_concordance_shows_each_occurrence_with_the_words_around_it(make: Make) -> None:
    articles = [make(1, "Old dams break. The flood came at night, and the flood went.", title="Flood!")]

    lines = list(find_lines(articles, parse("flood"), width=2))

    assert [(line.zone, line.left, line.hit, line.right) for line in lines] == [
        ("title", "", "Flood", ""),
        ("body", "break. The", "flood", "came at"),
        ("body", "and the", "flood", "went"),
    ]


def test_lines_are_sorted_from_the_hit_outwards(make: Make) -> None:
    articles = [make(1, "z old flood b"), make(2, "a Žold flood a"), make(3, "a old flood c")]
    lines = list(find_lines(articles, parse("flood")))

    assert [line.article_id for line in sort_lines(lines, Sorting.LEFT, 9)] == [3, 1, 2]
    assert [line.article_id for line in sort_lines(lines, Sorting.RIGHT, 2)] == [2, 1]


def test_signs_without_spaces_have_a_context(make: Make) -> None:
    (line,) = find_lines([make(1, "东京气候变化严重。")], parse("气候"), width=2)

    assert (line.hit, line.right[:2]) == ("气候", "变化")


def test_frequencies_are_counted_by_group_and_per_million(make: Make, store: Store) -> None:
    reader = keep(store, make(1, "the cat the dog"), make(2, "The end.", portal="b"), make(3, "the", "cat"))

    everything = count_frequencies(reader, most=2)
    apart = count_frequencies(reader, by=[Grouping.PORTAL, Grouping.MONTH], most=1)

    assert [(each.words, each.count, each.per_million) for each in everything] == [("the", 4, 500_000.0), ("cat", 2, 250_000.0)]
    assert [(each.group, each.words, each.count) for each in apart] == [
        (("a", "2026-01"), "cat", 1), (("a", "2026-02"), "the", 2), (("b", "2026-03"), "end", 1),
    ]  # fmt: skip


def test_words_in_a_row_do_not_cross_paragraphs(make: Make, store: Store) -> None:
    found = count_frequencies(keep(store, make(1, "a b c", "d a b")), length=2)

    assert [(each.words, each.count) for each in found] == [("a b", 2), ("b c", 1), ("d a", 1)]


def test_log_likelihood_is_that_of_the_contingency_table() -> None:
    # Dunning's example in the form of Rayson and Garside: 2 Σ O ln(O/E) over all four cells
    observed = [[10, 90], [20, 880]]
    total = 1000
    expected = [[30 * 100 / total, 970 * 100 / total], [30 * 900 / total, 970 * 900 / total]]
    by_hand = 2 * sum(
        o * math.log(o / e) for row, also in zip(observed, expected, strict=True) for o, e in zip(row, also, strict=True)
    )

    assert log_likelihood(10, 100, 20, 900) == pytest.approx(by_hand)
    assert log_likelihood(0, 100, 0, 900) == 0


def test_collocates_have_the_log_dice_of_their_definition(make: Make, store: Store) -> None:
    reader = keep(store, *(make(n, "heavy flood came", "heavy rain", "a dry day") for n in range(8)))

    found = find_collocates(reader, "flood", window=1, least=2)

    by_word = {each.word: each for each in found}
    assert set(by_word) == {"heavy", "came"}
    assert (by_word["heavy"].together, by_word["heavy"].count) == (8, 16)
    assert by_word["heavy"].log_dice == pytest.approx(14 + math.log2(2 * 8 / (8 + 16)))
    assert found[0].word == "came"


def test_a_trend_counts_occurrences_per_million_words_of_each_period(make: Make, store: Store) -> None:
    reader = keep(store, make(1, "flood flood dry"), make(2, "flood"))

    found = count_trends(reader, {"2026-01": 50, "2026-02": 100, "2026-03": 10}, "flood", by=Facet.MONTH)

    assert [(each.period, each.articles, each.hits, each.per_million) for each in found] == [
        ("2026-01", 0, 0, 0.0), ("2026-02", 1, 2, 20_000.0), ("2026-03", 1, 1, 100_000.0),
    ]  # fmt: skip


def test_keywords_are_those_of_the_first_selection(make: Make, store: Store) -> None:
    keep(store, make(1, "tax tax tax tax the the"), make(2, "the the the the the tax goal goal", portal="b"))
    here = WordReader(store, Selection(portal="a"))

    found = find_distinctive_words(here, here.select(Selection(portal="b")), least=1)

    assert [(each.word, each.here, each.there) for each in found] == [("tax", 4, 1)]
    assert found[0].log_ratio == pytest.approx(math.log2((4 / 6) / (1 / 8)))


def test_a_tagger_gives_lemmas(make: Make, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "a_tagger", sys.modules[upper_tagger.__module__])
    keep(store, make(1, "runs runner ran"), make(2, "runs ran ran ran", portal="b"))
    reader = WordReader(store, Selection(portal="a"), annotate=find_annotator("a_tagger:upper_tagger"))

    assert [(each.words, each.count) for each in count_frequencies(reader)] == [("ru", 2), ("ra", 1)]
    assert [(each.words, each.count) for each in count_frequencies(reader, length=2)] == [("ru ra", 1), ("ru ru", 1)]
    keywords = find_distinctive_words(reader, reader.select(Selection(portal="b")), least=1)
    assert [(each.word, each.here, each.there) for each in keywords] == [("ru", 2, 1)]
    collocates = find_collocates(reader, "runner", least=1, window=1)
    assert {(each.word, each.together, each.count) for each in collocates} == {("ru", 1, 2), ("ra", 1, 1)}


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("spacy:cs_none", "pip install spacy"),
        ("nothing", "spacy:MODEL"),
        ("absent_module:f", "absent_module"),
        ("math:none", "none"),
    ],
)
def test_a_tagger_that_is_not_there_is_refused_with_what_to_do(name: str, advice: str) -> None:
    with pytest.raises(ConfigError, match=advice):
        find_annotator(name)


def test_a_spilled_counter_counts_like_one_in_memory() -> None:
    keys = [f"k{number * number % 997}" for number in range(20_000)]

    with SpilledCounter(most_keys=10) as counter:
        for start in range(0, len(keys), 7):
            counter.add(keys[start : start + 7])
        assert list(counter.items()) == sorted(Counter(keys).items())


def test_memory_does_not_grow_with_the_number_of_different_words() -> None:
    def peak(count: int) -> int:
        tracemalloc.start()
        try:
            with SpilledCounter(most_keys=60) as counter:
                for number in range(count):
                    counter.add([str(number)])
                assert sum(1 for _ in counter.items()) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(12_000) < peak(6_000) + 500_000


def test_bars_show_each_point() -> None:
    points = [("2026-01", 5.0), ("2026-02", 10.0), ("<b>", 0.0)]

    assert draw_bars(points, width=10) == ["2026-01  █████ 5.0", "2026-02  ██████████ 10.0", "<b>       0.0"]
