"""Persons, organisations, places and topics: found, stored, counted, and forgotten with the text that mentions them."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count as count_up
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from newscrawler.article import Article, Paragraph, ParagraphKind
from newscrawler.config import Configuration
from newscrawler.corpus import (
    Analysis,
    ExportPlan,
    Measure,
    Tool,
    analyse,
    find_recogniser,
    join_texts,
    place_mentions,
    recognise_entities,
    remove_matching,
    write_export_plan,
)
from newscrawler.errors import ConfigError
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Facet, Mention, Selection
from newscrawler.store.tables import ENTITY
from newscrawler.store.vocabularies import EntityKind

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
TEXTS = (
    ("Starosta otevřel most", "Starosta Jan Novák otevřel most v Poličce.", "„Těší nás to,“ řekl Jan Novák."),
    ("Zima přišla", "Sníh padá v Poličce i v Brně.", "Silničáři firmy Beránek s.r.o. jsou připraveni."),
    ("Bez jmen", "Nikdo tu není.", "Ani tady."),
)


def make_article(number: int) -> Article:
    title, *paragraphs = TEXTS[number]
    return Article(
        title=title, paragraphs=tuple(Paragraph(text=text) for text in paragraphs), url=f"https://www.example.org/{number}",
        language="cs", method="default", confidence=1.0, fetched_at=NOW, published_at=NOW.replace(month=number + 1),
    )  # fmt: skip


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        for number in range(len(TEXTS)):
            opened.articles.add("one", make_article(number), now=NOW)
        yield opened


def count(store: Store, by: Facet, selection: Selection | None = None) -> dict[str, int]:
    return {each.name: each.articles for each in store.facets.counts(selection or Selection(), by, limit=50)}


def test_ontea_finds_persons_places_and_firms_where_they_are(store: Store) -> None:
    assert recognise_entities(store, "ontea", Selection()).articles == len(TEXTS)

    assert count(store, Facet.PERSON) == {"Jan Novák": 1}
    assert count(store, Facet.PLACE) == {"Poličce": 2, "Brně": 1}
    assert count(store, Facet.ORGANISATION) == {"Beránek s.r.o.": 1}
    (first, *_) = store.entities.attach(store.articles.stream(Selection()))
    texts = [first.article.title, *(each.text for each in first.article.paragraphs)]
    (person,) = (each for each in first.entities or () if each.kind is EntityKind.PERSON)
    assert [texts[place][start:end] for place, start, end in person.spans] == ["Jan Novák", "Jan Novák"]
    assert person.mentions == 2


def test_only_new_and_changed_articles_are_read_again(store: Store) -> None:
    recognise_entities(store, "ontea", Selection())
    assert recognise_entities(store, "ontea", Selection()).articles == 0
    stored = store.articles.get(1)
    assert stored
    changed = replace(stored.article, paragraphs=(Paragraph(text="Včera senátor Petr Dlouhý odjel do Vídně."),))

    assert store.articles.revise(stored, changed, why="read anew")

    assert "Jan Novák" not in count(store, Facet.PERSON)
    assert recognise_entities(store, "ontea", Selection()).articles == 1
    with store.engine.connect() as connection:
        assert "Jan Novák" not in connection.execute(select(ENTITY.c.name)).scalars().all()
    assert count(store, Facet.PERSON) == {"Petr Dlouhý": 1}


def test_what_changed_while_it_was_read_is_not_written(store: Store) -> None:
    stored = store.articles.get(1)
    assert stored
    other = replace(stored, article=replace(stored.article, title="Another"))

    assert store.entities.put("ontea", [(other, [Mention(kind=EntityKind.PERSON, name="Nobody")])]) == 0
    assert not count(store, Facet.PERSON)


def test_two_recognisers_count_an_article_once(store: Store) -> None:
    stored = store.articles.get(1)
    assert stored
    one, two = ((1, 9, 18),), ((1, 9, 18), (2, 19, 28))
    for name, spans in (("first", one), ("second", two)):
        store.entities.put(name, [(stored, [Mention(kind=EntityKind.PERSON, name="Jan Novák", span=span) for span in spans])])

    assert count(store, Facet.PERSON) == {"Jan Novák": 1}
    assert store.entities.mentions(Selection(), "jan novák", Facet.MONTH) == {"2026-01": 2}
    lines = [(line.name, line.articles, line.entities) for line in store.entities.recognisers()]
    assert lines == [("first", 1, 1), ("second", 1, 1)]
    (entity,) = store.entities.of_articles([1])[1]
    assert entity.spans == two
    assert store.entities.forget("second") == 1
    assert store.entities.of_articles([1])[1][0].spans == one


def test_filters_facets_and_trends_agree(store: Store) -> None:
    recognise_entities(store, "ontea", Selection())

    assert list(store.articles.numbers(Selection(entity="poličce"))) == [1, 2]
    assert list(store.articles.numbers(Selection(entity="Poličce", words="sníh"))) == [2]
    assert list(store.articles.numbers(Selection(topic="Poličce"))) == []
    beside = store.facets.beside(Selection(), latest=100, most=10).counts
    assert {each.name: each.articles for each in beside[Facet.PLACE]} == count(store, Facet.PLACE)
    trend = Analysis(tool=Tool.TRENDS, queries=("entity:Poličce", "sníh"), by=Facet.MONTH)
    assert [(row[0], row[3]) for row in analyse(store, trend).rows] == [("2026-01", 1), ("2026-02", 1), ("2026-03", 0)]
    rows = analyse(store, replace(trend, measure=Measure.OCCURRENCES, queries=('entity:"Jan Novák"',))).rows
    assert [row[3] for row in rows] == [2, 0, 0]
    assert rows[0][4] == round(2e6 / rows[0][2], 2)


@pytest.mark.parametrize("measure", list(Measure))
def test_a_trend_of_a_name_stays_in_a_selection_by_another(store: Store, measure: Measure) -> None:
    recognise_entities(store, "ontea", Selection())
    trend = Analysis(tool=Tool.TRENDS, queries=("entity:Poličce", "entity:Brně"), by=Facet.MONTH, measure=measure)

    rows = analyse(store, replace(trend, selection=Selection(entity="Jan Novák"))).rows

    assert [(*row[:2], row[3], row[5]) for row in rows] == [("2026-01", 1, 1, 0)]


def test_removed_articles_leave_no_name(store: Store, tmp_path: Path) -> None:
    recognise_entities(store, "ontea", Selection())

    remove_matching(store, Configuration(data_folder=tmp_path), "https://www.example.org/0", because="a letter", now=NOW)

    assert not count(store, Facet.PERSON)
    assert count(store, Facet.PLACE) == {"Brně": 1, "Poličce": 1}
    assert store.entities.recognisers()[0].entities == len(("Brně", "Poličce", "Beránek s.r.o."))
    if store.in_process:
        store.close()
        assert all("Jan Novák".encode() not in file.read_bytes() for file in tmp_path.glob("*.sqlite*"))


def test_topics_are_of_the_whole_article(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("my_topics")
    module.find = lambda article: [Mention(kind=EntityKind.TOPIC, name="weather")] if "Sníh" in article.body else []
    monkeypatch.setitem(sys.modules, "my_topics", module)

    recognise_entities(store, "my_topics:find", Selection())

    assert count(store, Facet.TOPIC) == {"weather": 1}
    assert list(store.articles.numbers(Selection(topic="Weather"))) == [2]
    assert list(store.articles.numbers(Selection(entity="weather"))) == []


def test_spacy_brings_names_and_likely_topics(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library has no models here: the pipeline is one of ours with its interface."""

    def read(text: str) -> Any:
        start = text.find("Jan Novák")
        labels = ("PER", "DATE")
        ents = [SimpleNamespace(label_=label, text="Jan Novák", start_char=start, end_char=start + 9) for label in labels]
        return SimpleNamespace(ents=ents if start >= 0 else [], cats={"bridges": 0.9, "sport": 0.1})

    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=lambda model: {"cs": read}[model]))

    assert recognise_entities(store, "spacy:cs", Selection()).articles == len(TEXTS)

    assert count(store, Facet.PERSON) == {"Jan Novák": 1}
    assert count(store, Facet.TOPIC) == {"bridges": len(TEXTS)}
    assert store.entities.of_articles([1])[1][0].spans == ((1, 9, 18),)


def test_a_recogniser_that_fails_on_an_article_reads_the_others(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = ModuleType("brittle")
    module.find = lambda article: [Mention(kind=EntityKind.PLACE, name=("a", "b")[2 * ("jmen" in article.title)])]
    module.never = lambda article: 1 / 0
    module.endless = lambda article: (Mention(kind=EntityKind.PLACE, name=str(number)) for number in count_up())
    monkeypatch.setitem(sys.modules, "brittle", module)

    done = recognise_entities(store, "brittle:find", Selection())

    assert (done.articles, done.failed) == (2, [(3, "IndexError: tuple index out of range")])
    assert list(store.entities.pending("brittle:find", Selection())) == [3]
    for name, why in (("never", "ZeroDivisionError"), ("endless", "ValueError: more than 100,000 mentions")):
        with pytest.raises(ConfigError, match=f"fails on 3 articles, and reads none; article 1: {why}"):
            recognise_entities(store, f"brittle:{name}", Selection())


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ("Jan", "'J' is not a Mention"),
        ([Mention(kind=EntityKind.PERSON, name=None)], "is not a Mention with a name"),  # type: ignore[arg-type]
        ([Mention(kind="alien", name="a")], "'alien' is not a valid EntityKind"),  # type: ignore[arg-type]
        *(
            ([Mention(kind=EntityKind.PERSON, name="Jan", span=span)], "is not a place of the article")
            for span in ((9, 0, 1), (1, -5, 1), (1, 3, 3), (1, 0, 999), (-1, 0, 1))
        ),
    ],
)
def test_what_is_no_mention_of_the_article_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch, found: Any, why: str) -> None:
    monkeypatch.setitem(sys.modules, "wrong", SimpleNamespace(find=lambda article: found))

    with pytest.raises(ConfigError, match=f"reads none; article 1: .*{why}"):
        recognise_entities(store, "wrong:find", Selection())
    assert not store.entities.recognisers()


def test_names_are_stored_as_every_format_and_database_can_hold_them(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ("a\0b \ud800\n c", " ", "", "עברית", 'O\'Neil "50%": x/y|z', "L" * 10_000)
    monkeypatch.setitem(
        sys.modules, "odd", SimpleNamespace(find=lambda article: [Mention(kind=EntityKind.PERSON, name=name) for name in odd])
    )

    assert recognise_entities(store, "odd:find", Selection()).articles == len(TEXTS)
    assert set(count(store, Facet.PERSON)) == {"ab c", "עברית", 'O\'Neil "50%": x/y|z', "L" * 300}
    assert list(store.articles.numbers(Selection(entity='O\'Neil "50%": x/y|z'))) == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", "is not a recogniser; write one of ontea, spacy, or MODULE:FUNCTION"),
        ("no_such_module:find", "check that the module no_such_module can be imported"),
        ("json:nothing", "cannot be loaded"),
        (".json:loads", "cannot be loaded: TypeError"),
        ("this_module_is_broken:find", "cannot be loaded: SyntaxError"),
        ("ontea:no-such-file.tsv", "no-such-file.tsv cannot be read"),
    ],
)
def test_an_unknown_recogniser_says_what_there_is(name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "this_module_is_broken.py").write_text("def find(:")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ConfigError, match=said):
        find_recogniser(name)


def test_exports_have_columns_spans_and_an_attribute(store: Store, tmp_path: Path) -> None:
    recognise_entities(store, "ontea", Selection())
    for name in ("jsonl", "csv", "vertical", "parquet"):
        write_export_plan(store, ExportPlan(format=name, with_entities=True), tmp_path / f"all.{name}")

    records = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
    assert records[0]["entities"][0] == {"kind": "person", "name": "Jan Novák", "mentions": 2, "spans": [[1, 9, 18], [2, 20, 29]]}
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text("utf-8-sig"))))
    assert [row["persons"] for row in rows] == ["Jan Novák", "", ""]
    assert rows[1]["places"].split("; ") == ["Brně", "Poličce"]
    words = Counter(line.split("\t")[1] for line in (tmp_path / "all.vertical").read_text().splitlines() if "\t" in line)
    assert words["person"] == 4
    assert "ATTRIBUTE entity" in (tmp_path / "all.vertical.registry").read_text()
    assert "name: entity" in (tmp_path / "all.vertical.blf.yaml").read_text()
    assert " -P entity " in (tmp_path / "all.vertical.cwb.sh").read_text()
    table = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "all.parquet")
    assert table["persons"].to_pylist() == [["Jan Novák"], [], []]


def test_a_vertical_marks_the_words_of_a_preformatted_text_that_it_shortens(store: Store, tmp_path: Path) -> None:
    text = "  Zde\n    bydlel   Jan Novák,\n  a dlouho."
    stored = store.articles.get(1)
    assert stored
    paragraph = Paragraph(text=text, kind=ParagraphKind.PREFORMATTED)
    store.articles.revise(stored, replace(stored.article, paragraphs=(paragraph,)), why="read anew")
    stored, start = store.articles.get(1), text.index("Jan")
    assert stored
    store.entities.put("ours", [(stored, [Mention(kind=EntityKind.PERSON, name="Jan Novák", span=(1, start, start + 9))])])

    write_export_plan(store, ExportPlan(format="vertical", with_entities=True), tmp_path / "all.vertical")

    lines = (tmp_path / "all.vertical").read_text().splitlines()
    assert [line for line in lines if line.endswith("\tperson")] == ["Jan\tperson", "Novák\tperson"]


@settings(max_examples=200, deadline=None)
@given(texts=st.lists(st.text(st.characters(exclude_characters="\n"), max_size=12), min_size=1, max_size=6), data=st.data())
def test_spans_of_the_joined_text_are_those_of_the_paragraphs(texts: list[str], data: st.DataObject) -> None:
    title, *paragraphs = texts
    article = Article(title=title, paragraphs=tuple(Paragraph(text=each) for each in paragraphs), method="default", confidence=1)
    joined = join_texts(article)
    pairs = st.tuples(*(st.integers(0, len(joined)),) * 2).map(sorted)
    spans = sorted((first, last) for first, last in data.draw(st.lists(pairs, max_size=5)) if first < last)

    found = place_mentions(article, ((EntityKind.PLACE, f"{first} {last}", first, last) for first, last in spans))
    placed = {each.name: each.span for each in found}
    for first, last in spans:
        span = placed.get(f"{first} {last}")
        if "\n" in joined[first:last]:
            assert span is None or joined[first] == "\n"
        else:
            assert span is not None
            assert texts[span[0]][span[1] : span[2]] == joined[first:last]
