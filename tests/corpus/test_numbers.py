"""Figures that cannot lie: properties of every analysis, whether all articles are read or a sample."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from newscrawler.article import Article, Paragraph
from newscrawler.corpus import Analysis, Measure, Tool, WordReader, analyse, find_collocates
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection

WORDS = ("flood", "big", "river", "town", "red")
_TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join), min_size=1, max_size=6)
_PLENTY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("numbers")


def fill(store: Store, texts: list[str]) -> None:
    """Add articles with these texts, one every other month, of two portals in turn."""
    for number, text in enumerate(texts):
        article = Article(
            title=f"Title {number}", paragraphs=(Paragraph(text=text),), url=f"https://one.example/{number}-{hash(text)}",
            published_at=datetime(2026, 1 + 2 * number, 1, tzinfo=UTC), method="default", confidence=0.9,
        )  # fmt: skip
        store.articles.add(f"portal-{number % 2}", article)


@_PLENTY
@given(texts=_TEXTS, most=st.sampled_from([None, 1, 2, 3]), window=st.integers(1, 5))
def test_words_are_near_at_most_as_often_as_they_occur(folder: Path, texts: list[str], most: int | None, window: int) -> None:
    with open_store(f"sqlite:///{folder / 'a.sqlite'}") as store:
        fill(store, texts)
        analysis = Analysis(tool=Tool.COLLOCATES, queries=("flood",), window=window, least=1)
        result = analyse(store, analysis, most=most)
        stored = Counter(word for text in store.articles.texts(Selection()) for part in text.paragraphs for word in part.split())

    assert result.read <= result.of
    assert result.read == result.of
    for word, together, count, log_dice, _ in result.rows:
        assert 1 <= together <= count <= stored[word]
        assert log_dice <= 14


@_PLENTY
@given(texts=_TEXTS, measure=st.sampled_from(list(Measure)), most=st.sampled_from([None, 1, 2]), side=st.booleans())
def test_trends_have_each_period_once_and_no_more_matches_than_articles(
    folder: Path, texts: list[str], measure: Measure, most: int | None, *, side: bool
) -> None:
    with open_store(f"sqlite:///{folder / 'b.sqlite'}") as store:
        fill(store, texts)
        selection = Selection(portals=("portal-0", "portal-1")) if side else Selection()
        analysis = Analysis(
            tool=Tool.TRENDS, queries=("flood",), measure=measure, by=Facet.MONTH, selection=selection, by_portal=side, most=400
        )
        result = analyse(store, analysis, most=most)
        stored = store.articles.count(Selection())

    periods = [row[0] for row in result.rows]
    assert periods == sorted(set(periods))
    assert len(periods) == 2 * (int(periods[-1][5:]) // 2) + 1  # from January on, with the months in between
    assert sum(row[1] for row in result.rows) == stored
    for row in result.rows:
        for matches, rate in zip(row[3::2], row[4::2], strict=True):
            assert measure is Measure.OCCURRENCES or matches <= row[1]
            assert rate is None or 0 <= rate <= 1_000_000
            assert rate is not None or matches == 0


@_PLENTY
@given(texts=_TEXTS, tool=st.sampled_from([Tool.FREQUENCIES, Tool.CONCORDANCE, Tool.KEYWORDS]), most=st.sampled_from([None, 1, 2]))
def test_all_is_read_or_the_result_says_how_much(folder: Path, texts: list[str], tool: Tool, most: int | None) -> None:
    with open_store(f"sqlite:///{folder / 'c.sqlite'}") as store:
        fill(store, texts)
        against = Selection(portal="portal-1")
        result = analyse(store, Analysis(tool=tool, queries=("flood",), against=against, least=1), most=most)

    assert result.read <= result.of
    assert most is not None or result.read == result.of
    if tool is Tool.FREQUENCIES:
        assert all(count >= 1 and per_million <= 1_000_000 for _, count, per_million in result.rows)


def test_a_word_between_two_hits_counts_once(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'd.sqlite'}") as store:
        fill(store, ["flood big flood"])
        (found,) = find_collocates(WordReader(store, Selection()), "flood", least=1, window=1)

    assert (found.word, found.together, found.count) == ("big", 1, 1)
    assert found.log_dice <= 14
