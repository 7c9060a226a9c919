"""The explore pages: what they count, what they send to download, and how much one request reads."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path

import pytest
from click.testing import CliRunner
from web_site import Site

from newscrawler.article import Article, Paragraph
from newscrawler.cli import main
from newscrawler.corpus import read_recipe, repeat_analysis
from newscrawler.corpus.formats import make_cell
from newscrawler.store import Store, open_store
from newscrawler.web.requests import selection

HOSTILE = '<img src=x onerror="alert(1)">'
BEGIN = datetime(2026, 1, 10, 12, 0, tzinfo=UTC)


def article(number: int, text: str, **changes: object) -> Article:
    values: dict[str, object] = {
        "title": f"Headline {number}",
        "paragraphs": (Paragraph(text=text),),
        "url": f"https://x.example/{number}",
        "section": "Region",
        "authors": ("Anna Klein",),
        "language": "en",
        "published_at": BEGIN + timedelta(days=number),
        "method": "default",
        "confidence": 0.9,
    }
    return Article(**(values | changes))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def database(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty articles of two portals in two months; every fourth tells of a flood, once or twice."""
    path = tmp_path_factory.mktemp("corpus") / "newscrawler.sqlite"
    shutil.copy(empty_database, path)
    with open_store(f"sqlite:///{path}") as store:
        _fill(store)
    return path


@pytest.fixture
def corpus(site: Site, database: Path) -> Iterator[Site]:
    with open_store(f"sqlite:///{database}") as store:
        yield replace(site, store=store)


def _fill(store: Store) -> None:
    for number in range(40):
        flood = ["The river", "A flood after the flood of"][number % 4 == 0]
        text = f"{flood} year {number} reached the old bridge near Brno."
        store.articles.add("two" if number % 2 else "one", article(number, text, authors=("Eva",) if number % 2 else ("Anna",)))


def table(site: Site, path: str) -> list[dict[str, str]]:
    answer = site.client().get(path)
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment" in answer.headers["content-disposition"]
    return list(csv.DictReader(io.StringIO(answer.text.removeprefix("\ufeff"))))


def test_a_trend_counts_articles_or_occurrences_of_each_period(corpus: Site) -> None:
    articles = table(corpus, "/explore/trends?q=flood&q2=river&download=csv")
    occurrences = table(corpus, "/explore/trends?q=flood&measure=occurrences&download=csv")

    assert [row["month"] for row in articles] == ["2026-01", "2026-02"]
    assert [(row["articles"], row["flood"], row["river"]) for row in articles] == [("22", "6", "16"), ("18", "4", "14")]
    assert float(articles[0]["flood, per 1,000 articles"]) == pytest.approx(1000 * 6 / 22, abs=0.01)
    assert [row["flood"] for row in occurrences] == ["12", "8"]
    words = int(occurrences[0]["words"])
    assert float(occurrences[0]["flood, per million words"]) == pytest.approx(12e6 / words, abs=0.01)
    page = corpus.client().get("/explore/trends?q=flood&q2=river").text
    assert page.count('class="line s') == 4  # two lines, and their key
    assert "2026-02: 222.22 (flood, per 1,000 articles)" in page


def test_a_concordance_is_sorted_by_what_stands_beside_the_hit(corpus: Site) -> None:
    lines = table(corpus, "/explore/concordance?q=river&sort=right&width=2&rows=500&download=csv")
    page = corpus.client().get("/explore/concordance?q=river&width=2&download=html")

    assert [line["right"] for line in lines] == sorted(f"year {number}" for number in range(40) if number % 4)
    assert {(line["left"], line["hit"]) for line in lines} == {("The", "river")}
    assert page.headers["content-type"].startswith("text/html")
    assert 'filename="concordance.html"' in page.headers["content-disposition"]
    assert page.text.count("<tr>") == 30


def test_words_collocates_and_keywords_are_those_of_the_selection(corpus: Site) -> None:
    words = table(corpus, "/explore/frequencies?portal=two&download=csv")
    near = table(corpus, "/explore/collocates?q=flood&window=2&download=csv")
    key = table(corpus, "/explore/keywords?portal=one&b_portal=two&least=2&download=csv")

    assert {row["words"]: row["count"] for row in words}["river"] == "20"
    assert {row["word"]: row["together"] for row in near}["after"] == "10"
    assert key[0]["word"] == "flood"
    assert (key[0]["A"], key[0]["B"]) == ("20", "0")


def test_coverage_and_counts_are_those_of_the_database(corpus: Site) -> None:
    coverage = table(corpus, "/explore/coverage?download=csv")
    authors = table(corpus, "/explore/counts?by=author&portal=one&download=csv")
    days = table(corpus, "/explore/counts?by=day&rows=10&download=csv")

    assert coverage == [
        {"portal": "one", "2026-01": "11", "2026-02": "9"},
        {"portal": "two", "2026-01": "11", "2026-02": "9"},
    ]
    assert authors == [{"author": "Anna", "articles": "20"}]
    assert [row["day"] for row in days][-1] == "2026-02-18"
    assert len(days) == 10


def test_a_request_reads_no_more_than_it_says(corpus: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "TEXTS_READ", 8)
    client = corpus.client()

    lines = client.get("/explore/concordance?q=bridge").text
    rows = table(corpus, "/explore/concordance?q=bridge&rows=500&download=csv")
    part = client.get("/explore/concordance?q=bridge&download=csv").headers["content-disposition"]

    assert "The 8 articles published last of 40" in re.sub(r"\s+", " ", lines)
    assert part == 'attachment; filename="concordance-part.csv"'
    assert sorted(int(row["article"]) for row in rows) == list(range(33, 41))


def test_statistics_are_complete(corpus: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "TEXTS_READ", 8)
    client = corpus.client()

    for path in ("frequencies?", "collocates?q=bridge", "trends?q=bridge&measure=occurrences"):
        page = re.sub(r"\s+", " ", client.get(f"/explore/{path}").text)
        assert "In 40 articles" in page
        assert "as a job" not in page
        assert "-part" not in client.get(f"/explore/{path}&download=csv").headers["content-disposition"]


def test_what_articles_and_queries_say_is_shown_and_never_run(site: Site) -> None:
    for number in range(6):
        hostile = article(number, f"flood {HOSTILE}", section=HOSTILE, authors=(HOSTILE,), language=f"<{number}>")
        site.store.articles.add("two", hostile)
    client = site.client()

    paths = [
        f"/explore/trends?q=flood&q2={HOSTILE}&period=day", "/explore/concordance?q=flood", "/explore/frequencies",
        "/explore/collocates?q=flood&least=1", "/explore/counts?by=author", "/explore/counts?by=section", "/explore/counts",
        f"/explore/counts?by=section&author={HOSTILE}", f"/explore/keywords?least=1&b_section={HOSTILE}", "/explore/coverage",
        "/explore/concordance?q=flood&download=html",
    ]  # fmt: skip
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert "<img src=x" not in answer.text, path
        assert "<script>" not in answer.text, path
        assert "style=" not in answer.text.partition("<body>")[2], path


def test_a_formula_in_a_query_is_text_in_the_table(corpus: Site) -> None:
    answer = corpus.client().get("/explore/trends?q=%3Dcmd OR flood&download=csv")

    assert "'=cmd OR flood" in answer.text


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/explore/trends", 200, "Which words?"),
        ('/explore/concordance?q="open', 200, 'role="alert"'),
        ("/explore/keywords", 200, "Choose two different selections"),
        ("/explore/nothing", 404, "There is no page nothing."),
        ("/explore/trends?q=flood&period=decade", 422, "It must be one of: year, month, day."),
        ("/explore/counts?rows=many", 422, "It must be a whole number."),
        (f"/explore/counts?until_id={'9' * 30}", 422, "It must be the number of an article."),
    ],
)
def test_what_cannot_be_analysed_is_said(corpus: Site, path: str, status: int, said: str) -> None:
    answer = corpus.client().get(path)

    assert answer.status_code == status
    assert said in answer.text


def test_a_saved_search_is_a_link_with_all_its_words(corpus: Site) -> None:
    corpus.store.saved_searches.save("local", "both", "q=flood&words=brno&until_id=9", now=corpus.now)

    page = corpus.client().get("/explore/frequencies").text

    assert "words=%28brno%29+%28flood%29&amp;until_id=9&amp;" in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("trends?q=flood&q2=river&portals=one&portals=two", ["trends", "flood", "river"]),
        ("frequencies?n=2&language=en", ["frequencies", "--n", "2", "--language", "en", "--limit", "50"]),
        ("collocates?q=flood&least=2", ["collocates", "flood", "--least", "2", "--limit", "50"]),
        ("keywords?author=Anna&b_author=Eva&least=1", ["keywords", "author=Anna", "author=Eva", "--least", "1", "--limit", "50"]),
        ("counts?by=author", []), ("coverage?period=month", []), ("concordance?q=flood", []),
    ],
)  # fmt: skip
def test_page_api_command_and_recipe_have_the_same_numbers(
    corpus: Site, database: Path, tmp_path: Path, path: str, words: list[str]
) -> None:
    rows = table(corpus, f"/explore/{path}&download=csv")
    client, (tool, _, query) = corpus.client(), path.partition("?")
    answer = client.get(f"/api/v1/analyses/{tool}?{query}").json()
    told = client.get(f"/api/v1/analyses/{tool}/recipe?{query}").json()
    page = client.get(f"/explore/{path}&cite=yes").text

    assert [[make_cell(value) for value in row] for row in answer["rows"]] == [list(row.values()) for row in rows]
    assert escape(told["citation"], quote=False) in page.replace("&#34;", '"')
    (tmp_path / "recipe.json").write_bytes(client.get(f"/explore/{path}&download=recipe").content)
    recipe = read_recipe(tmp_path / "recipe.json")
    assert json.loads(recipe.encode()) == told
    assert repeat_analysis(corpus.store, recipe).is_same
    if words and tool != "trends":
        command = CliRunner().invoke(main, [*words, "--json", "--database", str(database)])
        assert [[make_cell(value) for value in json.loads(line).values()] for line in command.stdout.splitlines()] == [
            list(row.values()) for row in rows
        ]


def test_a_chart_has_its_recipe_within(corpus: Site, tmp_path: Path) -> None:
    (tmp_path / "chart.svg").write_bytes(corpus.client().get("/explore/trends?q=flood&download=svg").content)
    assert repeat_analysis(corpus.store, read_recipe(tmp_path / "chart.svg")).is_same


def test_the_api_has_the_recipe_of_an_export(corpus: Site) -> None:
    client = corpus.client()
    recipe = client.get("/api/v1/export/recipe?portal=one").json()
    assert (recipe["kind"], recipe["articles"]["count"]) == ("export", 20)
