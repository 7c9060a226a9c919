"""What the service carries out in a process of its own, on real databases and pages."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from kept_pages import Archive
from portal_server import address, story

from newscrawler.config import Configuration, load_configuration
from newscrawler.corpus import Analysis, Sorting, Tool, read_parameters, write_parameters
from newscrawler.errors import ConfigError, ExportError
from newscrawler.service.tasks import carry_out_job
from newscrawler.store import Store
from newscrawler.store.articles import Selection
from newscrawler.store.search import fold_text
from newscrawler.store.service import Job, JobKind, JobState

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
TEXT = '[crawler]\ndatabase = "sqlite:///newscrawler.sqlite"\n\n[[portal]]\nname = "one"\nstart_urls = ["http://127.0.0.1:1/"]\n'
RELEASE: dict[str, Any] = {"title": "", "creators": ["Eva"], "licence": "CC0", "formats": ["jsonl"], "dehydrated": False}


@pytest.fixture
def configuration(tmp_path: Path) -> Configuration:
    (tmp_path / "newscrawler.toml").write_text(TEXT)
    return load_configuration(tmp_path / "newscrawler.toml")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Four articles with their pages."""
    made = Archive(tmp_path, portal="one")
    made.night([(f"https://one.example{address(number)}", story(number)) for number in range(1, 5)])
    with made.open() as opened:
        yield opened


def done(store: Store, configuration: Configuration, kind: JobKind, target: str, parameters: dict[str, Any]) -> Job:
    """Carry out a job; return how it ended."""
    job = store.jobs.ask(kind, target, who="anna", now=NOW, parameters=parameters)
    try:
        carry_out_job(store, job, configuration)
    except (ConfigError, ExportError) as error:
        assert str(error) == store.jobs.latest(1)[0].message  # noqa: PT017  the job says why, too
    return store.jobs.latest(1)[0]


def test_an_analysis_is_counted_in_all_articles(store: Store, configuration: Configuration) -> None:
    analysis = Analysis(tool=Tool.CONCORDANCE, queries=("most",), sorting=Sorting.RIGHT, selection=Selection(portal="one"))

    job = done(store, configuration, JobKind.COUNT, "concordance", write_parameters(analysis))

    assert read_parameters(Analysis, write_parameters(analysis)) == analysis
    assert job.state is JobState.DONE
    rows = list(csv.DictReader(io.StringIO(Path(job.path or "").read_text("utf-8-sig"))))
    assert {row["article"] for row in rows} == {"1", "2", "3", "4"}
    assert {row["hit"].casefold() for row in rows} == {"most"}
    assert [row["right"] for row in rows] == sorted((row["right"] for row in rows), key=fold_text)


def test_the_articles_of_a_search_are_written(store: Store, configuration: Configuration) -> None:
    found = done(store, configuration, JobKind.SELECTION, "jsonl", {"selection": {"portal": "one", "words": 'title:"3"'}})
    nothing = done(store, configuration, JobKind.SELECTION, "jsonl", {"selection": {"words": "unheardof"}})

    titles = [json.loads(line)["title"] for line in Path(found.path or "").read_text().splitlines()]
    assert len(titles) == 1
    assert "3" in titles[0]
    assert found.message == "1 article written"
    assert nothing.state is JobState.FAILED
    assert "no article matches" in nothing.message


def test_a_release_of_a_search_is_made_verified_and_compared(store: Store, configuration: Configuration) -> None:
    whole = done(store, configuration, JobKind.RELEASE, "all", RELEASE | {"selection": {}})
    part = done(store, configuration, JobKind.RELEASE, "part", RELEASE | {"selection": {"words": 'title:"3"'}})
    again = done(store, configuration, JobKind.RELEASE, "part", RELEASE | {"selection": {}})

    assert (whole.message, part.message) == ("4 articles released", "1 article released")
    assert again.state is JobState.FAILED
    assert store.releases.all()[1].recipe["selection"] == {"words": 'title:"3"'}
    differs = done(store, configuration, JobKind.DIFF, "all", {"other": "part"})
    assert differs.message == "3 removed"
    assert done(store, configuration, JobKind.VERIFY, "part", {}).state is JobState.DONE
    (Path(part.path or "") / "CITATION.cff").write_text("changed")
    broken = done(store, configuration, JobKind.VERIFY, "part", {})
    assert (broken.state, broken.message) == (JobState.FAILED, "1 changed: CITATION.cff")


def test_kept_pages_are_read_again_and_written_only_where_that_is_asked_for(store: Store, configuration: Configuration) -> None:
    before = store.articles.get(2)
    assert before is not None
    with store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE article SET genre = 'opinion' WHERE id = 2")

    looked = done(store, configuration, JobKind.REEXTRACT, "one", {"apply": False})
    kept = store.articles.get(2)
    written = done(store, configuration, JobKind.REEXTRACT, "one", {"apply": True})
    after = store.articles.get(2)

    assert kept is not None
    assert after is not None
    assert looked.message.startswith("4 articles read again; 1 would change (genre 1)")
    assert (kept.article.genre, after.article.genre) == ("opinion", before.article.genre)
    assert "1 was changed" in written.message
    (line,) = Path(looked.path or "").read_text().splitlines()
    assert json.loads(line)["fields"] == {"genre": {"before": "opinion", "after": before.article.genre}}
    assert done(store, configuration, JobKind.REEXTRACT, "two", {"apply": True}).message == "the configuration has no such portal"
