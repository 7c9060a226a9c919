"""Exports by name: what they hold, and that nothing is written over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from newscrawler.article import Article, Paragraph, Reservation, Reserved
from newscrawler.config import EXPORT_FORMATS, Configuration, Export, Portal
from newscrawler.corpus.formats import FORMATS
from newscrawler.errors import ExportError
from newscrawler.politeness.rights import Purpose
from newscrawler.service import write_export
from newscrawler.store import Store, open_store
from newscrawler.store.articles import FiledKeyword, RecordedReservations, Selection
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.service import Job
from newscrawler.store.vocabularies import FINISHED, KeywordSource

NOW = datetime(2026, 11, 20, 23, 30, tzinfo=UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'store.sqlite'}") as opened:
        yield opened


def keep(store: Store, portal: str, *numbers: int, said: RecordedReservations | None = None) -> None:
    run, frontier = store.runs.begin(portal, now=NOW, version="1")
    articles = [
        Article(
            title=f"Most {number}", paragraphs=(Paragraph(text=f"Text {portal} {number}"),), url=f"http://127.0.0.1/{portal}/{number}",
            language="cs", fetched_at=NOW, portal=portal, method="default", confidence=1.0,
        )
        for number in numbers
    ]  # fmt: skip
    frontier.seed([FoundUrl(url=each.url or "", kind="article", priority=1, depth=1) for each in articles], now=NOW)
    claimed = {item.url: item.id for item in frontier.lease(100, now=NOW)}
    frontier.commit(
        [
            PageOutcome(url_id=claimed[each.url or ""], state="done", fetched_at=NOW, outcome="article", article=each, said=said)
            for each in articles
        ]
    )
    store.runs.end(run.id, now=NOW, because=FINISHED, counts={})


def write(store: Store, export: Export, configuration: Configuration | None = None, now: datetime = NOW) -> Job:
    settings = (configuration or Configuration()).model_copy(update={"exports": (export,)})
    return write_export(store, export.name, settings, now=now)


def headlines(path: str | None) -> list[str]:
    assert path is not None
    return [json.loads(line)["title"] for line in Path(path).read_text().splitlines()]


def test_the_formats_of_the_configuration_are_those_of_the_export() -> None:
    assert set(EXPORT_FORMATS) == {form.name for form in FORMATS.values() if form.write and not form.needs_pages}


def test_what_is_new_is_written_once_and_never_over(store: Store, tmp_path: Path) -> None:
    export = Export(name="new", format="jsonl", path=f"{tmp_path}/{{date}}/{{name}}.jsonl", portals=("one",), only_new=True)
    keep(store, "one", 1, 2)
    keep(store, "two", 3)

    first = write(store, export)
    nothing = write(store, export)
    keep(store, "one", 4)
    second = write(store, export)

    assert headlines(first.path) == ["Most 1", "Most 2"]
    assert (nothing.path, nothing.message) == (None, "no article is new")
    assert headlines(second.path) == ["Most 4"]
    assert Path(second.path or "").name == "new-2.jsonl"


def test_a_whole_export_is_written_anew(store: Store, tmp_path: Path) -> None:
    export = Export(name="all", format="csv", path=f"{tmp_path}/all.csv")
    keep(store, "one", 1)
    write(store, export)
    keep(store, "two", 2)

    written = write(store, export)

    assert written.progress == 2
    assert store.jobs.last_export("all") == written


def test_an_export_for_a_purpose_leaves_out_what_is_reserved_for_it(store: Store, tmp_path: Path) -> None:
    reserved = RecordedReservations(reservations=(Reservation(word=Reserved.AI_TRAIN, said="ai-train=no", place="robots.txt"),))
    keep(store, "one", 1)
    keep(store, "two", 2, said=reserved)
    keep(store, "three", 3, said=reserved)
    spared = Portal(name="three", start_urls=("http://127.0.0.1/",), disregard=frozenset({"ai-train"}))
    configuration = Configuration(portals=(spared,))

    written = {
        purpose: write(store, Export(name="p", format="jsonl", path=f"{tmp_path}/p.jsonl", purpose=purpose), configuration)
        and headlines(f"{tmp_path}/p.jsonl")
        for purpose in (None, Purpose.SEARCH, Purpose.AI_TRAIN)
    }

    assert written == {
        None: ["Most 1", "Most 2", "Most 3"],
        Purpose.SEARCH: ["Most 1", "Most 2", "Most 3"],
        Purpose.AI_TRAIN: ["Most 1", "Most 3"],
    }


def test_an_export_of_a_collection_holds_what_is_filed_there_under_a_keyword(store: Store, tmp_path: Path) -> None:
    """What a portal has stored long before is new for the collection when it is filed there."""
    export = Export(
        name="floods", format="jsonl", path=f"{tmp_path}/floods.jsonl", collection="floods", keyword="HRÁZ", only_new=True
    )
    keep(store, "one", 1, 2)
    keep(store, "floods", 3, 4)
    with pytest.raises(ExportError, match="which the database does not have yet"):
        write(store, export)
    store.collections.add("floods", now=NOW)
    ids = {each.article.title: each.id for each in store.articles.stream(Selection())}
    dam = [FiledKeyword(name="hráz", source=KeywordSource.TOPIC)]

    store.collections.file("floods", ids["Most 3"], dam, now=NOW)
    store.collections.file("floods", ids["Most 4"], [], now=NOW)
    first = write(store, export)
    store.collections.file("floods", ids["Most 1"], dam, now=NOW + timedelta(minutes=1))
    second = write(store, export, now=NOW + timedelta(minutes=2))

    assert headlines(first.path) == ["Most 3"]
    assert headlines(second.path) == ["Most 1"]
