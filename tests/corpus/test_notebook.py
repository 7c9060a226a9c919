"""`newscrawler.open`: a corpus in a notebook."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import newscrawler
from newscrawler.article import Article, Paragraph, Reservation, Reserved
from newscrawler.config import Configuration
from newscrawler.corpus import Corpus, remove_matching
from newscrawler.errors import ConfigError, ExportError
from newscrawler.store import open_store
from newscrawler.store.articles import RecordedReservations
from newscrawler.store.frontier import FoundUrl, PageOutcome

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL = "https://www.example.org/{}"
SAID = {2: Reservation(word=Reserved.TDM, said="1", place="meta tdm-reservation")}


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Four articles: 1 and 4 are free, 2 is reserved, 3 was removed."""
    monkeypatch.chdir(tmp_path)
    url = f"sqlite:///{tmp_path / 'corpus.sqlite'}"
    with open_store(url) as store:
        _, frontier = store.runs.begin("p", now=NOW, version="1")
        numbers = {URL.format(number): number for number in range(1, 5)}
        frontier.seed([FoundUrl(url=each, kind="article", priority=1, depth=0) for each in numbers], now=NOW)
        for leased in frontier.lease(4, now=NOW):
            number = numbers[leased.url]
            article = Article(
                title=f"<b>News</b> {number}", paragraphs=(Paragraph(text=f"The flood of street {'abcd'[number - 1]}."),),
                url=leased.url, method="default", confidence=1.0, fetched_at=NOW, published_at=NOW.replace(month=number),
            )  # fmt: skip
            said = RecordedReservations(reservations=(SAID[number],) if number in SAID else ())
            outcome = PageOutcome(
                url_id=leased.id, state="done", outcome="article", http_status=200, fetched_at=NOW, article=article, said=said
            )
            assert frontier.commit([outcome])[0].written
        remove_matching(store, Configuration(), URL.format(3), because="a letter", now=NOW)
    return url


@pytest.fixture
def corpus(database: str) -> Iterator[Corpus]:
    with newscrawler.open(database) as opened:
        yield opened


def test_a_selection_yields_articles_and_is_narrowed_step_by_step(corpus: Corpus) -> None:
    late = corpus.select("flood", since="2026-02-01")

    assert [article.url for article in corpus] == [URL.format(1), URL.format(4)]
    assert [article.url for article in late] == [URL.format(4)]
    assert (len(corpus), len(late.select(portal="q")), repr(late)) == (2, 0, "<Corpus: 1 article>")
    with pytest.raises(ConfigError, match="YYYY-MM-DD"):
        corpus.select(since="1.2.2026")


def test_words_narrow_a_saved_search(corpus: Corpus, database: str) -> None:
    with open_store(database) as store:
        store.saved_searches.save("local", "a", "q=a", now=NOW)

    assert [len(corpus.select(words, saved="a")) for words in (None, "flood", "nowhere", "d")] == [1, 1, 0, 0]


def test_what_is_reserved_from_the_purpose_and_what_was_removed_is_in_no_answer(corpus: Corpus, database: str) -> None:
    frame = corpus.to_arrow()
    words = {row["words"] for row in corpus.frequencies()}

    assert frame.column("url").to_pylist() == [URL.format(1), URL.format(4)]
    assert words == {"the", "flood", "of", "street", "a", "d"}
    assert {row["article"] for row in corpus.concordance("flood")} == {1, 4}
    assert [sum(row["flood"] for row in corpus.trends("flood")), corpus.counts().rows] == [2, [("p", 2)]]
    with newscrawler.open(database, purpose=None) as everything, newscrawler.open(Path("corpus.sqlite"), purpose="search") as found:
        assert (len(everything), len(found)) == (2, 2)
    with pytest.raises(ConfigError, match="not a purpose"):
        newscrawler.open(database, purpose="profit")


def test_frames_have_the_columns_of_parquet_and_those_of_a_statistic_its_heading(corpus: Corpus) -> None:
    pandas = pytest.importorskip("pandas")

    frame = corpus.to_pandas()

    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == corpus.to_arrow().schema.names
    table = corpus.select(since="2026-03-01").keywords(corpus.select(until="2026-02-01"), least=1, limit=1)
    assert table.to_pandas().to_dict("records") == list(table)
    assert table.to_arrow().schema.names == ["word", "A", "B", "log-likelihood", "log ratio"]
    assert corpus.select(portal="nothing").to_arrow().num_rows == 0


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_a_missing_library_is_named(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    convert = {"polars": "to_polars", "pandas": "to_pandas", "pyarrow": "to_arrow"}[library]

    for source in (corpus, corpus.counts()):
        with pytest.raises(ExportError, match=rf"pip install '?({library}|polite-newscrawler\[parquet\])"):
            getattr(source, convert)()


def test_notebooks_show_articles_and_tables_with_escaped_text(corpus: Corpus) -> None:
    article = next(iter(corpus))

    assert "<h2>&lt;b&gt;News&lt;/b&gt; 1</h2>" in article._repr_html_()
    assert "<td>p</td>" in corpus.counts()._repr_html_()


def test_an_analysis_of_a_query_reads_only_a_selection_of_words(corpus: Corpus) -> None:
    assert len(corpus.select("flood").concordance("street")) == 2
    assert len(corpus.select("street a OR nothing").concordance("flood")) == 1
    assert {row["word"] for row in corpus.select("street a OR nothing").collocates("flood", least=1)} == {
        "the",
        "of",
        "street",
        "a",
    }


def test_importing_newscrawler_loads_no_database(tmp_path: Path) -> None:
    code = "import sys, newscrawler; print(*sys.modules); assert newscrawler.open.__module__ == 'newscrawler.corpus.notebook'"

    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert not {"newscrawler.corpus", "newscrawler.store", "sqlalchemy", "pyarrow", "numpy"} & set(done.stdout.split())
