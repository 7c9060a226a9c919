"""Recipes: whoever counted, the numbers are the same; the recipe repeats them, and says what changed."""

from __future__ import annotations

import json
import shutil
import struct
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from newscrawler.article import Article, Paragraph
from newscrawler.corpus import (
    Analysis,
    ExportPlan,
    Grouping,
    Measure,
    Recipe,
    Tool,
    analyse,
    cite,
    draw_figure,
    make_recipe,
    read_parameters,
    read_recipe,
    repeat_analysis,
    repeat_export,
    write_export_plan,
    write_figure,
    write_parameters,
)
from newscrawler.errors import ConfigError
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Selection


def add(store: Store, number: int, text: str, portal: str = "one") -> None:
    article = Article(
        title=f"Title {number}", paragraphs=(Paragraph(text=text),), url=f"https://{portal}.example/{number}", language="en",
        published_at=datetime(2026, 1 + number % 6, 1, tzinfo=UTC), method="default", confidence=0.9,
    )  # fmt: skip
    store.articles.add(portal, article)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'corpus.sqlite'}") as opened:
        for number in range(12):
            add(opened, number, f"The river and a flood number{number} reached the bridge.", "one" if number % 3 else "two")
        yield opened


ANALYSES = [
    Analysis(tool=Tool.TRENDS, queries=("flood", "river"), measure=Measure.OCCURRENCES),
    Analysis(tool=Tool.TRENDS, queries=("flood",), selection=Selection(portals=("one", "two")), by_portal=True),
    Analysis(tool=Tool.FREQUENCIES, length=2, groups=(Grouping.PORTAL,)),
    Analysis(tool=Tool.COLLOCATES, queries=("flood",), least=1, with_duplicates=True),
    Analysis(tool=Tool.KEYWORDS, selection=Selection(portal="one"), against=Selection(portal="two"), least=1),
    Analysis(tool=Tool.CONCORDANCE, queries=("flood",), width=2),
    Analysis(tool=Tool.COVERAGE), Analysis(tool=Tool.COUNTS, by=Facet.PORTAL),
]  # fmt: skip


@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda each: f"{each.tool}")
def test_an_analysis_is_repeated_from_its_recipe_and_changes_are_named(store: Store, tmp_path: Path, analysis: Analysis) -> None:
    result = analyse(store, analysis)
    path = tmp_path / "table.csv"
    write_figure(analysis, result, make_recipe(store, analysis, result), path)

    recipe = read_recipe(path)
    assert read_parameters(Analysis, recipe.parameters) == analysis
    assert read_recipe(tmp_path / "table.csv.recipe.json") == recipe
    same = repeat_analysis(store, recipe)
    assert same.is_same
    assert (same.added, same.removed, same.rows) == (0, 0, [])

    add(store, 20, "A flood, the flood again.")
    changed = repeat_analysis(store, recipe)
    assert not changed.is_same
    assert (changed.added, changed.removed) == (1, 0)
    assert changed.rows or analysis.tool is Tool.CONCORDANCE


def test_removed_articles_and_changed_texts_are_told_apart(store: Store) -> None:
    analysis = Analysis(tool=Tool.COUNTS, by=Facet.PORTAL)
    recipe = make_recipe(store, analysis, analyse(store, analysis))
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE article SET text_hash = randomblob(16) WHERE id = 3")
    changed = repeat_analysis(store, recipe)
    assert (changed.added, changed.removed, changed.is_same) == (0, 0, False)

    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE article SET portal_id = 2 - (portal_id = 2) WHERE id IN (5, 6)")
    narrow = Analysis(tool=Tool.COUNTS, by=Facet.PORTAL, selection=Selection(until_id=10, after_id=2))
    before = make_recipe(store, narrow, analyse(store, narrow))
    other = json.loads(before.encode()) | {"parameters": write_parameters(Analysis(tool=Tool.COUNTS, by=Facet.PORTAL))}
    made = repeat_analysis(store, read_parameters(Recipe, other))
    assert (made.added, made.removed) == (4, 0)
    assert before.articles.ids == "3-10"


def test_a_copy_of_a_corpus_with_other_ids_has_the_same_articles(store: Store, tmp_path: Path) -> None:
    analysis = Analysis(tool=Tool.FREQUENCIES)
    recipe = make_recipe(store, analysis, analyse(store, analysis))
    with open_store(f"sqlite:///{tmp_path / 'other.sqlite'}") as other:
        for stored in reversed(list(store.articles.stream(Selection()))):
            other.articles.add(stored.article.portal or "", stored.article)
        assert repeat_analysis(other, recipe).is_same


@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda each: f"{each.tool}")
def test_postgresql_repeats_the_recipe_of_sqlite(store: Store, postgresql_database: str, analysis: Analysis) -> None:
    recipe = make_recipe(store, analysis, analyse(store, analysis))
    with open_store(postgresql_database) as copy:
        for stored in store.articles.stream(Selection()):
            copy.articles.add(stored.article.portal or "", stored.article)
        assert repeat_analysis(copy, recipe).is_same


def test_a_chart_has_its_recipe_and_its_source(store: Store, tmp_path: Path) -> None:
    analysis = ANALYSES[0]
    result = analyse(store, analysis)
    recipe = make_recipe(store, analysis, result)
    (tmp_path / "chart.svg").write_text(draw_figure(analysis, result, recipe), "utf-8")
    chunk = b"tEXtnewscrawler recipe\0" + recipe.encode().encode()
    chunks = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    (tmp_path / "chart.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks + b"\0\0\0\0IEND")

    assert read_recipe(tmp_path / "chart.svg") == read_recipe(tmp_path / "chart.png") == recipe
    said = " ".join(cite(recipe))
    assert said.startswith("Trends of flood / river (measure occurrences, by month). Selection: all articles. Source: newscrawler ")
    assert f"12 articles, SHA-256 {recipe.articles.sha256[:12]}." in said
    with pytest.raises(ConfigError, match="only counts over several periods have a chart"):
        draw_figure(ANALYSES[2], analyse(store, ANALYSES[2]), recipe)


def test_an_export_is_repeated_from_its_recipe(store: Store, tmp_path: Path) -> None:
    plan = ExportPlan(format="csv", selection=Selection(language="en"), delimiter=";", title="News")
    written, recipe = write_export_plan(store, plan, tmp_path / "news.csv")
    assert written.articles == 12
    assert read_recipe(tmp_path / "news.csv") == recipe
    assert repeat_export(store, recipe, None).is_same
    assert repeat_export(store, recipe, tmp_path / "again.csv").is_same
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "news.csv").read_bytes()

    add(store, 30, "Snow.")
    changed = repeat_export(store, recipe, tmp_path / "later.csv")
    assert (changed.added, changed.is_same) == (1, False)
    write_export_plan(store, ExportPlan(format="txt"), tmp_path / "texts", in_folder=True)
    assert read_recipe(tmp_path / "texts").result == {"articles": 13}
    assert {path.suffix for path in (tmp_path / "texts").iterdir()} == {".txt"}


def test_a_recipe_has_no_texts_of_articles(store: Store) -> None:
    analysis = Analysis(tool=Tool.CONCORDANCE, queries=("flood",))
    recipe = make_recipe(store, analysis, analyse(store, analysis)).encode()
    assert "bridge" not in recipe
    assert "number3" not in recipe


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": {"tool": "trends", "selection": {"mood": "good"}}}, "selection.mood|mood is unknown here"),
        ({"parameters": {"tool": "spells"}}, "tool: Input should be"),
        ({"parameters": {"tool": "counts", "most": "many"}}, "most: Input should be"),
        ({"parameters": {"tool": "counts", "selection": {"since": "yesterday"}}}, "selection.since: Input should be"),
        ({"articles": {"count": 1, "sha256": "", "ids": "1-x"}}, "is not a list of ids"),
        ({"articles": {"count": 1, "sha256": "", "ids": "--"}}, "is not a list of ids"),
    ],
)
def test_a_damaged_or_newer_recipe_is_refused_with_a_sentence(store: Store, change: dict[str, object], message: str) -> None:
    analysis = Analysis(tool=Tool.COUNTS, by=Facet.PORTAL)
    said = json.loads(make_recipe(store, analysis, analyse(store, analysis)).encode()) | change
    with pytest.raises(ConfigError, match=message):
        repeat_analysis(store, read_parameters(Recipe, said))


@pytest.mark.parametrize(
    "content", [b"", b"[1]", b"7", b"{}", b"\x89PNG\r\n\x1a\n", b"<svg><metadata>no</metadata></svg>", b"[" * 100_000, b"\xff\xfe",
                b'{"recipe": {}}', b'{"recipe": 1, "files": []}'],
)  # fmt: skip
def test_a_file_without_a_recipe_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(ConfigError):
        read_recipe(tmp_path / "file")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_recipe(tmp_path / "absent")
    shutil.rmtree(tmp_path)


def test_ids_of_a_foreign_recipe_cost_nothing(store: Store) -> None:
    analysis = Analysis(tool=Tool.COUNTS, by=Facet.PORTAL)
    said = json.loads(make_recipe(store, analysis, analyse(store, analysis)).encode())
    said["articles"] |= {"ids": "1-99999999999999999999", "sha256": "0"}
    assert repeat_analysis(store, read_parameters(Recipe, said)).added == 0
