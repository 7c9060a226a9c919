"""Releases of real databases: complete, repeatable, checked by their own readers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import yaml
from lxml import etree

from newscrawler.article import Article, Paragraph, Reservation, Reserved
from newscrawler.corpus import Deduplication, Keep, read_parameters
from newscrawler.corpus.releases import (
    MadeAgain,
    ReleasePlan,
    create_release,
    difference,
    find_signature_fault,
    hydrate,
    make_again,
    sign_release,
    verify,
)
from newscrawler.errors import ConfigError, ExportError
from newscrawler.politeness.identity import generate_key
from newscrawler.politeness.rights import Intent, Purpose
from newscrawler.store import Store, open_store
from newscrawler.store.articles import RecordedReservations, ReleaseRecord, Selection
from newscrawler.store.frontier import FoundUrl, PageOutcome
from newscrawler.store.vocabularies import FINISHED

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MADE = NOW + timedelta(days=2)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    with open_store(database_url) as opened:
        fill(opened)
        yield opened


def article(number: int, **changes: Any) -> Article:
    made = Article(
        title=f"Zpráva {number}",
        paragraphs=(Paragraph(text=f"Úvod zprávy číslo {number}."), Paragraph(text="Druhý odstavec.")),
        url=f"http://127.0.0.1/{number}",
        published_at=NOW - timedelta(days=number),
        fetched_at=NOW,
        language="cs",
        method="default",
        confidence=0.9,
    )
    return replace(made, **changes)


def fill(store: Store, *, only: frozenset[int] | None = None, **changes: Any) -> None:
    """Five articles by a crawl: the third reserves text mining since, the fourth answers 404 by now."""
    run, frontier = store.runs.begin("a", now=NOW, version="test")
    numbers = [number for number in range(1, 6) if only is None or number in only]
    frontier.seed([FoundUrl(url=f"http://127.0.0.1/{n}", kind="article", priority=1, depth=1) for n in numbers], now=NOW)
    claimed = {item.url: item.id for item in frontier.lease(10, now=NOW)}
    said = {2: (Reservation(word=Reserved.NOARCHIVE, said="noarchive", place="meta robots"),)}
    said[3] = (Reservation(word=Reserved.TDM, said="1", place="tdm-reservation header"),)
    for number in numbers:
        outcome = PageOutcome(
            url_id=claimed[f"http://127.0.0.1/{number}"], state="done", fetched_at=NOW, outcome="article",
            article=article(number, **changes), said=RecordedReservations(reservations=said.get(number, ())),
            http_status=404 if number == 4 else 200,
        )  # fmt: skip
        frontier.commit([outcome])
    counts = {"requests": 20, "pages": 10, "new_articles": 5, "estimate": {"found": 5, "total": 10.0}}
    store.runs.end(run.id, now=NOW + timedelta(seconds=100), because=FINISHED, counts=counts)


def recipe(store: Store, **changes: Any) -> ReleasePlan:
    values: dict[str, Any] = {
        "name": "news-1", "title": "News: a corpus", "creators": ("Eva Malá", 'Jan "J" Novák'), "licence": "https://example.org/licence",
        "created_at": MADE, "until_id": store.articles.newest_id(), "formats": ("jsonl", "csv", "tei", "parquet", "xlsx", "txt"),
    }  # fmt: skip
    return ReleasePlan(**values | changes)


def release(store: Store, folder: Path, **changes: Any) -> ReleaseRecord:
    changes = {"name": folder.name} | changes
    return create_release(store, recipe(store, **changes), folder, disregarded=lambda _portal: frozenset(), now=MADE)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_release_holds_everything_and_leaves_out_what_was_withdrawn_or_is_gone(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "out" / "news-1"

    record = release(store, folder)

    assert record.articles == 3
    assert [each["id"] for each in lines(folder / "data" / "articles.jsonl")] == [1, 5]
    assert [(each["id"], each["because"]) for each in lines(folder / "tombstones.jsonl")] == [(3, "tdm"), (4, "gone")]
    documents = lines(folder / "documents.jsonl")
    assert [(each["id"], each["has_text"]) for each in documents] == [(1, True), (2, False), (5, True)]
    assert documents[1]["rights_at_fetch"] == documents[1]["rights_at_release"]
    assert documents[1]["rights_at_release"][0].startswith("noarchive reserved ('noarchive', meta robots) from")
    assert len(list((folder / "data" / "txt").iterdir())) == 2
    cff = yaml.safe_load((folder / "CITATION.cff").read_text("utf-8"))
    assert (cff["cff-version"], cff["type"], [each["name"] for each in cff["authors"]]) == (
        "1.2.0",
        "dataset",
        ["Eva Malá", 'Jan "J" Novák'],
    )
    sheet = (folder / "DATASHEET.md").read_text("utf-8")
    assert "| a | 50% | 1 |" in sheet
    assert "| tdm | 1 |" in sheet
    assert verify(folder).is_whole
    _, head, text = (folder / "README.md").read_text("utf-8").split("---\n", 2)
    assert yaml.safe_load(head) == {
        "pretty_name": "News: a corpus", "license": "other", "license_name": "see-link", "license_link": "https://example.org/licence",
        "language": ["cs"], "size_categories": ["n<1K"], "source_datasets": ["original"], "tags": ["news"],
        "configs": [{"config_name": "articles", "data_files": "data/parquet/*.parquet"}],
    }  # fmt: skip
    assert text.startswith("\n# News: a corpus\n")
    assert "Of 1 article it has address, hashes and offsets only, as their publishers reserve copies; `newscrawler release" in text
    assert etree.parse(folder / "data" / "articles.xml").getroot().tag.endswith("teiCorpus")


def again(store: Store, name: str, folder: Path) -> MadeAgain:
    record = store.releases.get(name)
    assert record is not None
    return make_again(store, record, folder, disregarded=lambda _portal: frozenset(), now=MADE + timedelta(days=9))


def visit(store: Store, number: int, *, days: int, **changes: Any) -> None:
    """A later run that fetches one page anew."""
    at = NOW + timedelta(days=days)
    run, frontier = store.runs.begin("a", now=at, version="test")
    frontier.requeue_pages([f"http://127.0.0.1/{number}"])
    (claimed,) = frontier.lease(10, now=at)
    values: dict[str, Any] = {"url_id": claimed.id, "state": "done", "fetched_at": at, "outcome": "article", "http_status": 200}
    frontier.commit([PageOutcome(**values | changes)])
    store.runs.end(run.id, now=at + timedelta(seconds=9), because=FINISHED, counts={"requests": 1, "pages": 1, "new_articles": 0})


def test_a_release_is_made_again_byte_for_byte_though_every_article_has_changed_since(store: Store, tmp_path: Path) -> None:
    store.articles.add("a", article(8, published_at=None, section=None, authors=("Eva Malá",), keywords=("voda", "les")), now=NOW)
    first = release(store, tmp_path / "first", deduplication=Deduplication(near=Keep.EARLIEST))
    assert [each["id"] for each in lines(tmp_path / "first" / "documents.jsonl")] == [1, 2, 5, 6]
    store.articles.add("a", article(9), now=NOW)
    said = RecordedReservations(
        reservations=(Reservation(word=Reserved.AI_TRAIN, said="ai-train=n", place="Content-Usage header"),)
    )
    new = article(1, title="Opraveno", authors=("Jan",), keywords=("jinak",), fetched_at=NOW + timedelta(days=3))
    visit(store, 1, days=3, article=new, said=said)
    visit(store, 1, days=4, article=replace(new, title="Opraveno podruhé"))
    visit(store, 4, days=4, article=article(4))
    stored = store.articles.get(5)
    assert stored is not None
    assert store.articles.revise(stored, replace(stored.article, title="Přečteno znovu", genre="opinion"), why="new template")
    undated = store.articles.get(6)
    assert undated is not None
    assert store.articles.revise(undated, replace(undated.article, published_at=NOW, section="Sport", lead="Úvod."), why="test")

    made = again(store, "first", tmp_path / "second")

    assert tree(tmp_path / "second") == tree(tmp_path / "first")
    assert made == MadeAgain(is_same=True, missing=())
    assert next(each["title"] for each in lines(tmp_path / "second" / "data" / "articles.jsonl")) == "Zpráva 1"
    release(store, tmp_path / "later", formats=("jsonl",))
    assert next(each["title"] for each in lines(tmp_path / "later" / "data" / "articles.jsonl")) == "Opraveno podruhé"
    visit(store, 1, days=5, article=replace(new, title="Opraveno potřetí"))
    assert again(store, "later", tmp_path / "later-again").is_same
    assert again(store, "first", tmp_path / "third").is_same
    with pytest.raises(ConfigError, match="there is a release first already"):
        release(store, tmp_path / "again", name="first")
    assert not (tmp_path / "again").exists()
    with pytest.raises(ConfigError, match="there is a release first already"):
        store.releases.add(first)


def test_what_was_withdrawn_removed_or_not_kept_is_missing_when_a_release_is_made_again(store: Store, tmp_path: Path) -> None:
    store.articles.add("a", article(8, title="Osmá"), now=NOW)
    release(store, tmp_path / "first", formats=("jsonl",))
    changed = article(1, title="Opraveno")
    visit(store, 1, days=3, article=changed, said=RecordedReservations(keeps_copies=False))
    withdrawn = RecordedReservations(reservations=(Reservation(word=Reserved.TDM, said="1", place="tdm-reservation header"),))
    visit(store, 2, days=3, article=article(2), said=withdrawn)
    store.rights.purge({5: None}, now=NOW + timedelta(days=4))

    made = again(store, "first", tmp_path / "second")

    assert not made.is_same
    assert [(each.id, each.because, each.url) for each in made.missing] == [
        (1, "reserved", "http://127.0.0.1/1"),
        (2, "tdm", "http://127.0.0.1/2"),
        (5, "removed", "http://127.0.0.1/5"),
    ]
    assert [each["id"] for each in lines(tmp_path / "second" / "data" / "articles.jsonl")] == [6]
    assert [each["id"] for each in lines(tmp_path / "second" / "tombstones.jsonl")] == [1, 2, 3, 4, 5]
    assert verify(tmp_path / "second").is_whole


def test_paragraphs_that_recurred_are_left_out_again_though_their_articles_have_changed(store: Store, tmp_path: Path) -> None:
    standing = Paragraph(text="Tento odstavec stojí pod každou zprávou této redakce.")
    for number in (11, 12, 13):
        body = (Paragraph(text=f"Vlastní text zprávy číslo {number}."), standing) if number < 13 else (standing,)
        store.articles.add("a", article(number, paragraphs=body), now=NOW)
    release(store, tmp_path / "first", formats=("jsonl",), deduplication=Deduplication(paragraphs=2))
    assert len(lines(tmp_path / "first" / "duplicates.jsonl")) == 2
    for number in (6, 7, 8):
        stored = store.articles.get(number)
        assert stored is not None
        assert store.articles.revise(stored, replace(stored.article, paragraphs=(Paragraph(text=f"Jiný {number}."),)), why="test")

    assert again(store, "first", tmp_path / "second").is_same
    assert tree(tmp_path / "second") == tree(tmp_path / "first")


def test_a_record_that_changed_without_being_kept_is_named(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        release(store, tmp_path / "first", formats=("jsonl",))
        with store.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE article SET title = 'By hand' WHERE id = 2")

        made = again(store, "first", tmp_path / "second")

    assert [(each.id, each.because) for each in made.missing] == [(2, "changed")]


def test_a_release_for_a_purpose_leaves_out_what_is_reserved_for_it_and_says_so(store: Store, tmp_path: Path) -> None:
    plain = release(store, tmp_path / "plain", formats=("jsonl",))
    record = release(store, tmp_path / "kept", formats=("jsonl",), purpose=Purpose.ARCHIVE)

    assert [each["reserved_for"] for each in lines(tmp_path / "plain" / "documents.jsonl")] == [[], ["archive"], []]
    assert "| archiving | 1 |" in (tmp_path / "plain" / "DATASHEET.md").read_text("utf-8")
    assert [each["id"] for each in lines(tmp_path / "kept" / "data" / "articles.jsonl")] == [1, 5]
    left = [(each["id"], each["because"], each["said"]) for each in lines(tmp_path / "kept" / "tombstones.jsonl")]
    assert left == [(2, "noarchive", "noarchive"), (3, "tdm", "1"), (4, "gone", "HTTP 404")]
    manifest = json.loads((tmp_path / "kept" / "manifest.json").read_bytes())
    assert manifest["recipe"]["purpose"] == "archive"
    sheet = (tmp_path / "kept" / "DATASHEET.md").read_text("utf-8")
    assert "They were collected for text analysis. This release is for archiving" in sheet
    assert "No article in it is reserved for any use." in sheet
    assert [read_parameters(ReleasePlan, each.recipe).purpose for each in (plain, record)] == [None, Purpose.ARCHIVE]


def test_what_no_purpose_of_the_corpus_may_use_is_left_out_of_a_release(store: Store, tmp_path: Path) -> None:
    collected = Intent(purposes=frozenset({Purpose.ARCHIVE}))
    research = Intent(legal_basis="§ 60d UrhG")

    release(store, tmp_path / "archive", formats=("jsonl",), intent=collected)
    release(store, tmp_path / "research", formats=("jsonl",), intent=research)

    assert [each["id"] for each in lines(tmp_path / "archive" / "documents.jsonl")] == [1, 5]
    assert [each["id"] for each in lines(tmp_path / "research" / "documents.jsonl")] == [1, 2, 3, 5]


@pytest.mark.filterwarnings("ignore")  # of rdflib and pandas, at each other
@pytest.mark.parametrize("formats", [("jsonl", "csv"), ("parquet",)])
def test_the_metadata_is_valid_croissant_and_leads_to_the_records(tmp_path: Path, formats: tuple[str, ...]) -> None:
    import mlcroissant

    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        release(store, tmp_path / "news-1", formats=formats, with_reserved=True)

    dataset = mlcroissant.Dataset(jsonld=tmp_path / "news-1" / "croissant.json")

    assert not dataset.metadata.ctx.issues.errors
    assert str(dataset.metadata.ctx.conforms_to.value) == "http://mlcommons.org/croissant/1.1"
    assert [record["articles/id"] for record in dataset.records("articles")] == [1, 2, 5]


def test_verification_names_what_was_changed_lost_or_added(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        release(store, tmp_path / "r", formats=("jsonl",))
    (tmp_path / "r" / "CITATION.cff").unlink()
    (tmp_path / "r" / "new.txt").write_text("x")
    with (tmp_path / "r" / "documents.jsonl").open("a") as file:
        file.write(" ")

    found = verify(tmp_path / "r")

    assert (found.changed, found.missing, found.strange) == (("documents.jsonl",), ("CITATION.cff",), ("new.txt",))


def test_the_difference_of_two_releases_is_named_by_article(tmp_path: Path) -> None:
    for number, (only, changes) in enumerate([({1, 2}, {}), ({1, 5}, {}), ({1, 2}, {"title": "Jinak"})]):
        with open_store(f"sqlite:///{tmp_path / f'{number}.sqlite'}") as store:
            fill(store, only=frozenset(only), **changes)
            release(store, tmp_path / f"r{number}", formats=("jsonl",))

    assert [(each.what, each.url[-1]) for each in difference(tmp_path / "r0", tmp_path / "r1")] == [
        ("added", "5"),
        ("removed", "2"),
    ]
    assert [(each.what, each.url[-1]) for each in difference(tmp_path / "r0", tmp_path / "r2")] == [
        ("changed", "1"),
        ("changed", "2"),
    ]
    assert not list(difference(tmp_path / "r0", tmp_path / "r0"))


def test_a_dehydrated_release_holds_no_text_and_is_rebuilt_from_another_crawl(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        release(store, tmp_path / "dry", dehydrated=True, licence="CC-BY-4.0")
        release(store, tmp_path / "wet", formats=("jsonl",), with_reserved=True)
    card = (tmp_path / "dry" / "README.md").read_text("utf-8")
    assert 'license: "cc-by-4.0"\n' in card
    assert '"data_files": "documents.jsonl"' in card
    assert "Druhý odstavec" not in card
    assert not any("zprávy číslo".encode() in content for content in tree(tmp_path / "dry").values())
    assert lines(tmp_path / "dry" / "documents.jsonl")[0]["paragraphs"] == [["paragraph", 0, 20], ["paragraph", 21, 15]]

    with open_store(f"sqlite:///{tmp_path / 'own.sqlite'}") as own:
        own.articles.add("other", article(5), now=NOW)
        own.articles.add("other", article(2), now=NOW)
        own.articles.add("other", article(1, paragraphs=(Paragraph(text="Změněno."),)), now=NOW)
        done = hydrate(own, tmp_path / "dry", tmp_path / "own.jsonl")

    assert (done.written, done.absent, done.changed) == (2, 0, 1)
    texts = {each["id"]: each["body"] for each in lines(tmp_path / "wet" / "data" / "articles.jsonl")}
    assert {each["id"]: each["body"] for each in lines(tmp_path / "own.jsonl")} == {number: texts[number] for number in (2, 5)}
    assert [each["because"] for each in lines(tmp_path / "own.jsonl.missing.jsonl")] == ["changed"]


def test_duplicates_are_left_out_and_listed(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        store.articles.add("b", article(1), now=NOW)
        release(store, tmp_path / "r", deduplication=Deduplication(near=Keep.EARLIEST, paragraphs=2), formats=("jsonl",))

    assert [each["id"] for each in lines(tmp_path / "r" / "documents.jsonl")] == [1, 2, 5]
    assert [(each["article_id"], each["kept_id"]) for each in lines(tmp_path / "r" / "duplicates.jsonl")] == [(6, 1)]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"selection": Selection(language="xx")}, ConfigError, "no article matches the selection"),
        ({"formats": ("docx",)}, ConfigError, "docx is not a format of releases; choose of: jsonl"),
        ({"formats": ("warc",)}, ConfigError, "warc is not a format of releases"),
        ({"name": "../up"}, ConfigError, "cannot be the name of a release"),
        ({"creators": ()}, ConfigError, "--creator"),
    ],
)
def test_a_release_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        with pytest.raises(error, match=message):
            release(store, tmp_path / "r", **changes)

    assert {path.name for path in tmp_path.iterdir()} <= {"s.sqlite", "s.sqlite-wal", "s.sqlite-shm"}


def test_a_full_disk_leaves_nothing_of_a_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with open_store(f"sqlite:///{tmp_path / 's.sqlite'}") as store:
        fill(store)
        monkeypatch.setattr("newscrawler.corpus.releases.create.datasheet", full)
        with pytest.raises(ExportError, match=r"No space left on device; nothing is left of it"):
            release(store, tmp_path / "r")
        assert not list(tmp_path.glob("*r*part"))
        assert not (tmp_path / "r").exists()
        (tmp_path / "r").mkdir()
        with pytest.raises(ConfigError, match="is there already"):
            release(store, tmp_path / "r")
    shutil.rmtree(tmp_path / "r")


@pytest.mark.parametrize("kind", ["link to a folder", "link to a file", "pipe", "changed to a link"])
def test_verification_looks_at_links_and_pipes_and_never_through_them(tmp_path: Path, kind: str) -> None:
    with open_store(f"sqlite:///{tmp_path}/a.sqlite") as store:
        fill(store)
        release(store, tmp_path / "r")
    strange = tmp_path / "r" / "data" / "more"
    if kind == "pipe":
        os.mkfifo(strange)
    elif kind == "changed to a link":
        strange = tmp_path / "r" / "documents.jsonl"
        strange.rename(tmp_path / "elsewhere")
        strange.symlink_to(tmp_path / "elsewhere")
    else:
        strange.symlink_to(tmp_path if kind == "link to a folder" else tmp_path / "a.sqlite")

    found = verify(tmp_path / "r")

    assert found.changed + found.strange == (strange.relative_to(tmp_path / "r").as_posix(),)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("manifest.json", "[]"),
        ("manifest.json", "[" * 100_000),
        ("manifest.json", '{"files": 3}'),
        ("manifest.json", '{"files": [{"path": 3, "sha256": "a"}]}'),
        ("manifest.json", '{"files": [["a", "b"]]}'),
        ("documents.jsonl", "3\n"),
        ("documents.jsonl", '{"url": "http://127.0.0.1/1"}\n'),
        ("documents.jsonl", '{"id": "../x", "url": "u", "title_sha256": "0", "text_sha256": "0"}\n'),
    ],
)
def test_a_release_of_the_wrong_shape_is_refused_with_a_sentence(tmp_path: Path, name: str, content: str) -> None:
    with open_store(f"sqlite:///{tmp_path}/a.sqlite") as store:
        fill(store)
        release(store, tmp_path / "r")
        (tmp_path / "r" / name).write_text(content)

        with pytest.raises(ConfigError, match=name):
            list(difference(tmp_path / "r", tmp_path / "r"))
        with pytest.raises(ConfigError, match=name):
            hydrate(store, tmp_path / "r", tmp_path / "out.jsonl")


@pytest.mark.parametrize("after", ["part", "rename", "record"])
def test_what_a_killed_call_left_is_finished_by_the_next_one(tmp_path: Path, after: str) -> None:
    killed = f"""
import os
from newscrawler.store.articles.releases import Releases
from newscrawler.corpus.releases import create
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from test_releases import fill, release
from newscrawler.store import open_store
from pathlib import Path
die = lambda *_args, **_more: os._exit(9)
folder = Path({str(tmp_path)!r})
with open_store(f"sqlite:///{{folder}}/a.sqlite") as store:
    fill(store)
    if {after!r} == "part":
        create._write_metadata_files = die
    elif {after!r} == "rename":
        store.releases.add = die
    else:
        Path.unlink = die
    release(store, folder / "r")
"""
    assert subprocess.run([sys.executable, "-c", killed], check=False).returncode == 9
    assert (tmp_path / "r").exists() is (after != "part")

    with open_store(f"sqlite:///{tmp_path}/a.sqlite") as store:
        if after == "record":
            with pytest.raises(ConfigError, match="there is a release r already"):
                release(store, tmp_path / "r")
        else:
            release(store, tmp_path / "r")
        assert len(store.releases.all()) == 1

    assert verify(tmp_path / "r").is_whole
    assert sorted(path.name for path in tmp_path.iterdir() if "sqlite" not in path.name) == ["r"]
    assert not (tmp_path / "r" / ".unrecorded").exists()


def test_a_signed_release_is_known_by_its_key_and_by_no_other(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path}/a.sqlite") as store:
        fill(store)
        release(store, tmp_path / "r")
    ours, other = generate_key(NOW), generate_key(NOW)
    assert "not signed" in str(find_signature_fault(tmp_path / "r", [ours.public_jwk()]))

    assert sign_release(tmp_path / "r", [ours], NOW)

    assert verify(tmp_path / "r").is_whole
    assert find_signature_fault(tmp_path / "r", [other.public_jwk(), ours.public_jwk()]) is None
    assert "was not signed by this key" in str(find_signature_fault(tmp_path / "r", [other.public_jwk()]))
    manifest = tmp_path / "r" / "manifest.json"
    manifest.write_text(manifest.read_text().replace("news", "olds"))
    assert "changed since" in str(find_signature_fault(tmp_path / "r", [ours.public_jwk()]))
    assert not sign_release(tmp_path / "r", [], NOW)


def test_texts_whose_publishers_reserve_copies_are_given_away_only_if_requested(store: Store, tmp_path: Path) -> None:
    release(store, tmp_path / "usual", formats=("jsonl", "parquet", "txt", "tei"))
    release(store, tmp_path / "all", formats=("jsonl",), with_reserved=True)
    release(store, tmp_path / "none", formats=("jsonl", "parquet"), selection=Selection(ids=(2,)))

    secret = store.articles.get(2)
    assert secret is not None
    title = secret.article.title.encode()
    assert not [name for name, content in tree(tmp_path / "usual").items() if title in content]
    assert [each["id"] for each in lines(tmp_path / "all" / "data" / "articles.jsonl")] == [1, 2, 5]
    assert not (tmp_path / "none" / "data").exists()
    assert "without texts; `newscrawler release hydrate`" in (tmp_path / "none" / "README.md").read_text("utf-8")
    assert again(store, "usual", tmp_path / "usual-again").is_same
    assert hydrate(store, tmp_path / "usual", tmp_path / "rebuilt.jsonl").written == 3


def test_parquet_has_a_file_for_each_month(store: Store, tmp_path: Path) -> None:
    from pyarrow import parquet

    store.articles.add("a", article(8, published_at=None), now=NOW)
    store.articles.add("a", article(9, published_at=NOW + timedelta(days=40)), now=NOW)
    release(store, tmp_path / "r", formats=("parquet",), with_reserved=True)

    found = {path.stem: parquet.read_table(path)["id"].to_pylist() for path in (tmp_path / "r" / "data" / "parquet").iterdir()}
    later = f"{NOW + timedelta(days=40):%Y-%m}"
    assert found == {f"{NOW:%Y-%m}": [1, 2, 5], later: [7], "undated": [6]}
    assert again(store, "r", tmp_path / "again").is_same


#: What DataCite 4.5 requires of a record, as dotted names, with the values that its schema permits; None: any text.
DATACITE: dict[str, str | None] = {
    "schemaVersion": r"http://datacite\.org/schema/kernel-4", "types.resourceTypeGeneral": "Dataset", "creators.name": None,
    "titles.title": None, "publisher.name": None, "publicationYear": r"\d{4}", "descriptions.descriptionType": "Abstract",
    "descriptions.description": None, "dates.dateType": "Created|Collected", "dates.date": r"\d{4}-\d\d-\d\d(/\d{4}-\d\d-\d\d)?",
    "alternateIdentifiers.alternateIdentifier": "urn:.+", "alternateIdentifiers.alternateIdentifierType": "URN", "version": None,
    "rightsList.rights": None, "subjects.subject": None, "sizes": None, "formats": r"\w+/[\w.+-]+", "language": "[a-z]{2,3}",
}  # fmt: skip
#: What is optional, of the names that the schema permits.
OPTIONAL = {"types.resourceType", "rightsList.rightsUri", "rightsList.rightsIdentifier", "rightsList.rightsIdentifierScheme"}


def flatten(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from flatten(each, f"{name}.{key}".removeprefix("."))
    elif isinstance(value, list):
        assert value
        assert len({json.dumps(each, sort_keys=True) for each in value}) == len(value), "unique items"
        for each in value:
            yield from flatten(each, name)
    else:
        yield name, value


@pytest.mark.parametrize("licence", ["https://example.org/licence", "CC-BY-4.0", "All rights reserved"])
def test_the_metadata_for_datacite_has_what_the_schema_requires(store: Store, tmp_path: Path, licence: str) -> None:
    release(store, tmp_path / "r", licence=licence)

    found: dict[str, list[str]] = {}
    for name, value in flatten(json.loads((tmp_path / "r" / "datacite.json").read_bytes())):
        assert isinstance(value, str)
        found.setdefault(name, []).append(value)
    assert DATACITE.keys() <= found.keys() <= DATACITE.keys() | OPTIONAL
    for name, pattern in DATACITE.items():
        assert all(re.fullmatch(pattern or ".+", value, re.DOTALL) for value in found[name]), name
    assert found["creators.name"] == ["Eva Malá", 'Jan "J" Novák']


def test_the_release_is_an_ro_crate(store: Store, tmp_path: Path) -> None:
    release(store, tmp_path / "r", formats=("jsonl", "parquet"))

    crate = json.loads((tmp_path / "r" / "ro-crate-metadata.json").read_bytes())
    entities = {each["@id"]: each for each in crate["@graph"]}
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
    assert crate["@context"][0] == "https://w3id.org/ro/crate/1.2/context"
    assert (descriptor["@type"], descriptor["about"]) == ("CreativeWork", {"@id": "./"})
    assert descriptor["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.2"}
    assert root["@type"] == "Dataset"
    assert all(root[name] for name in ("name", "description", "license", "datePublished"))
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
    assert len(entities) == len(crate["@graph"]), "each entity once"
    references = {each["@id"] for entity in crate["@graph"] for value in entity.values()
                  for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)}  # fmt: skip
    assert references - entities.keys() == {"https://w3id.org/ro/crate/1.2"}
    assert all(isinstance(each, str | dict) for entity in crate["@graph"] for value in entity.values()
               for each in (value if isinstance(value, list) else [value])), "no nested or empty values"  # fmt: skip
    files = {each["@id"]: each for each in crate["@graph"] if each["@type"] == "File"}
    assert {each["@id"] for each in root["hasPart"]} == files.keys()
    assert {"data/articles.jsonl", "documents.jsonl", "README.md", "croissant.json"} <= files.keys()
    for name, file in files.items():
        content = (tmp_path / "r" / name).read_bytes()
        assert (file["contentSize"], file["sha256"]) == (str(len(content)), sha256(content).hexdigest())
