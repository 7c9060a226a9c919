"""Analyses over the HTTP API: the figures of the pages, of the command line and of jobs, within the same limits."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient
from web_site import Site, client_of

from newscrawler.article import Article, Paragraph
from newscrawler.cli.main import main
from newscrawler.errors import CostlyQueryError
from newscrawler.store import Store
from newscrawler.store.service import JobKind
from newscrawler.store.web import Role, TokenScope
from newscrawler.web.requests import selection

ANALYSES = "/api/v1/analyses"
TEXTS = ["big flood, red river", "a flood in town", "the town by the river", "flood after flood", "red town"]


def fill(store: Store, texts: list[str]) -> None:
    for number, text in enumerate(texts):
        url = f"https://x.example/{number}-{hash(text)}"
        made = datetime(2026, 1 + number % 6, 1, tzinfo=UTC)
        body = (Paragraph(text=text),)
        article = Article(title=f"{number}", paragraphs=body, url=url, published_at=made, method="default", confidence=0.9)
        store.articles.add("one" if number % 2 else "two", article)


def read(client: TestClient, tool: str, **query: Any) -> dict[str, Any]:
    answer = client.get(f"{ANALYSES}/{tool}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("tool", "query", "words"),
    [
        ("frequencies", {"n": 2, "rows": 500}, ["--n", "2", "--limit", "500"]),
        ("collocates", {"q": "flood", "least": 1, "window": 2}, ["flood", "--least", "1", "--window", "2", "--limit", "50"]),
        ("trends", {"q": "flood", "measure": "occurrences"}, ["flood", "--period", "month"]),
        ("concordance", {"q": "flood", "sort": "right"}, ["flood", "--sort", "right"]),
        ("keywords", {"portal": "one", "b_portal": "two", "least": 1}, ["portal=one", "portal=two", "--least", "1"]),
    ],
)
def test_api_page_and_command_line_have_the_same_figures(
    site: Site, monkeypatch: pytest.MonkeyPatch, tool: str, query: dict[str, Any], words: list[str]
) -> None:
    fill(site.store, TEXTS)
    for portal in ("one", "two"):
        site.nights(portal, [3])
    monkeypatch.chdir(site.folder)
    table = read(site.client(), tool, **query)
    page = site.client().get(f"/explore/{tool}", params=query | {"download": "csv"}).text
    typed = CliRunner().invoke(main, [tool, *words, "--output", "table.csv"])

    assert typed.exit_code == 0, typed.output
    shown = list(csv.reader(io.StringIO(page.removeprefix("\ufeff"))))
    assert shown[0] == table["columns"]
    rows = [["" if value is None else str(value) for value in row] for row in table["rows"]]
    assert shown[1:] == rows
    assert len(rows) > 1
    written = list(csv.reader((site.folder / "table.csv").read_text("utf-8-sig").splitlines()))[1:]
    assert written == rows


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(
        st.lists(st.sampled_from(("flood", "big", "river")), min_size=1, max_size=9).map(" ".join), min_size=1, max_size=4
    ),
    window=st.integers(1, 10),
)
def test_words_are_near_at_most_as_often_as_they_occur(site: Site, texts: list[str], window: int) -> None:
    fill(site.store, texts)
    found = read(site.client(), "collocates", q="flood", window=window, least=1)

    assert found["read"] == found["of"]
    for _, together, count, log_dice, _ in found["rows"]:
        assert 1 <= together <= count
        assert log_dice <= 14


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("trends", "words or selections"), ("keywords?portal=one&b_portal=one", "words or selections"), ("nothing", "tool"),
        ("frequencies?rows=501", "rows"), ("trends?q=flood&period=week", "period"), ("trends?q=%22open", "quotation"),
        ("trends?q=flood&since=yesterday", "date"), ("trends?q=flood" + "&portals=a" * 7, "portals"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_value(site: Site, path: str, names: str) -> None:
    answer = site.client().get(f"{ANALYSES}/{path}")

    assert answer.status_code == 422
    assert names in answer.json()["error"]


def refuse(*_: object, **__: object) -> None:
    raise CostlyQueryError("this takes longer")


def test_an_analysis_that_takes_too_long_is_refused_and_becomes_a_job(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(site.store, TEXTS)
    site.store.service.enter(now=site.now)
    writer = client_of(site, "bert", Role.READER, TokenScope.WRITE)
    reading = client_of(site, "anna", Role.READER, TokenScope.READ)
    monkeypatch.setattr(selection, "analyse", refuse)
    refused = reading.get(f"{ANALYSES}/collocates?q=flood")

    assert (refused.status_code, "as a job" in refused.json()["error"]) == (400, True)
    assert reading.post(f"{ANALYSES}/collocates?q=flood").status_code == 403
    made = writer.post(f"{ANALYSES}/collocates?q=flood&window=3").json()
    (job,) = site.store.jobs.open()
    assert (made["id"], job.kind, job.target) == (job.id, JobKind.COUNT, "collocates")
    assert (job.parameters["window"], job.parameters["most"]) == (3, 100_000)
    assert reading.get(f"/api/v1/jobs/{job.id}/file").status_code == 404
