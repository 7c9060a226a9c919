"""Every statistic has the same numbers by each face: page, API, command, job, notebook, assistant, and its recipe."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from kept_pages import Archive
from portal_server import address, story
from starlette.testclient import TestClient

import newscrawler
from newscrawler.cli import main
from newscrawler.config import load_configuration
from newscrawler.corpus import StatisticsTable, Tool, write_parameters
from newscrawler.corpus.formats import make_cell
from newscrawler.service.tasks import carry_out_job
from newscrawler.store import Store, open_store
from newscrawler.store.service import JobKind
from newscrawler.web import WebContext, create_app
from newscrawler.web.requests.selection import fill_values, require_analysis


@dataclass(frozen=True, kw_only=True)
class Case:
    """One statistic as each face is asked for it; None: a face does not have it."""

    query: Mapping[str, str]
    command: tuple[str, ...] | None = None
    notebook: Callable[[Any], StatisticsTable] | None = None
    assistant: Mapping[str, Any] | None = None


CASES: dict[Tool, Case] = {
    Tool.TRENDS: Case(
        query={"q": "rada", "measure": "occurrences", "period": "day", "portal": "one"},
        command=("trends", "rada", "--period", "day", "--portal", "one"),
        notebook=lambda corpus: corpus.select(portal="one").trends("rada", period="day"),
        assistant={"queries": ["rada"], "period": "day", "filters": {"portal": "one"}},
    ),
    Tool.CONCORDANCE: Case(
        query={"q": '"rada města"', "width": "5", "rows": "20", "portal": "two"},
        command=("concordance", '"rada města"', "--width", "5", "--limit", "20", "--portal", "two"),
        notebook=lambda corpus: corpus.select(portal="two").concordance('"rada města"', width=5, limit=20),
    ),
    Tool.FREQUENCIES: Case(
        query={"n": "2", "since": "2026-11-04", "rows": "30"},
        command=("frequencies", "--n", "2", "--since", "2026-11-04", "--limit", "30"),
        notebook=lambda corpus: corpus.select(since="2026-11-04").frequencies(n=2, limit=30),
    ),
    Tool.COLLOCATES: Case(
        query={"q": "most", "window": "3", "least": "2", "rows": "40"},
        command=("collocates", "most", "--window", "3", "--least", "2", "--limit", "40"),
        notebook=lambda corpus: corpus.collocates("most", window=3, least=2, limit=40),
    ),
    Tool.KEYWORDS: Case(
        query={"until": "2026-11-04", "b_since": "2026-11-05", "least": "1", "rows": "20"},
        command=("keywords", "until=2026-11-04", "since=2026-11-05", "--least", "1", "--limit", "20"),
        notebook=lambda corpus: (
            corpus.select(until="2026-11-04").keywords(corpus.select(since="2026-11-05"), least=1, limit=20)
        ),
    ),
    Tool.COVERAGE: Case(query={"period": "day"}),
    Tool.COUNTS: Case(query={"by": "portal"}, notebook=lambda corpus: corpus.counts("portal", limit=50)),
}  # fmt: skip
#: In JSON, a command names articles by `article_id`, and does not list the zone last.
_LINE = ("article_id", "portal", "date", "zone", "left", "hit", "right")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two portals with four articles each."""
    made = tmp_path_factory.mktemp("faces")
    portals = "".join(f'[[portal]]\nname = "{name}"\nstart_urls = ["https://{name}.example/"]\n' for name in ("one", "two"))
    (made / "newscrawler.toml").write_text(f'[crawler]\ndatabase = "sqlite:///newscrawler.sqlite"\n{portals}')
    for first, portal in ((1, "one"), (5, "two")):
        numbers = range(first, first + 4)
        Archive(made, portal=portal).night([(f"https://{portal}.example{address(n)}", story(n)) for n in numbers])
    return made


@pytest.fixture
def store(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.chdir(folder)
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as opened:
        yield opened


def read_table(content: str) -> list[list[str]]:
    return list(csv.reader(content.removeprefix("\ufeff").splitlines()))[1:]


def write_cells(rows: Any) -> list[list[str]]:
    return [[str(make_cell(value)) for value in row] for row in rows]


def run(*words: str) -> str:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_each_statistic_is_known_here() -> None:
    assert set(CASES) == set(Tool)


@pytest.mark.parametrize("tool", CASES)
def test_a_statistic_has_the_same_numbers_by_each_face(store: Store, folder: Path, tmp_path: Path, tool: Tool) -> None:
    case, configuration = CASES[tool], load_configuration(folder / "newscrawler.toml")
    client = TestClient(create_app(WebContext.of(store, configuration)), base_url="http://127.0.0.1")
    rows = read_table(client.get(f"/explore/{tool}", params={**case.query, "download": "csv"}).text)
    assert rows

    faces = {"api": write_cells(client.get(f"/api/v1/analyses/{tool}", params=case.query).json()["rows"])}
    analysis = require_analysis(tool, fill_values(case.query))
    job = store.jobs.ask(JobKind.COUNT, tool, who="anna", now=datetime.now(UTC), parameters=write_parameters(analysis))
    faces["job"] = read_table(Path(carry_out_job(store, job, configuration).path or "").read_text("utf-8"))
    (tmp_path / "recipe.json").write_bytes(client.get(f"/api/v1/analyses/{tool}/recipe", params=case.query).content)
    run("again", str(tmp_path / "recipe.json"), "--output", str(tmp_path / "again.csv"))
    faces["recipe"] = read_table((tmp_path / "again.csv").read_text("utf-8"))
    if case.command is not None:
        run(*case.command, "--output", str(tmp_path / "command.csv"))
        faces["command"] = read_table((tmp_path / "command.csv").read_text("utf-8"))
        lines = [json.loads(line) for line in run(*case.command, "--json").splitlines()]
        faces["command as JSON"] = write_cells(
            [line[name] for name in _LINE] if tool is Tool.CONCORDANCE else line.values() for line in lines
        )
    if case.notebook is not None:
        with newscrawler.open() as corpus:
            faces["notebook"] = write_cells(case.notebook(corpus).rows)
    if case.assistant is not None:
        faces["assistant"] = ask_assistant(store, tool, case.assistant)

    assert {name: face for name, face in faces.items() if face != rows} == {}


def ask_assistant(store: Store, tool: Tool, arguments: Mapping[str, Any]) -> list[list[str]]:
    mcp = pytest.importorskip("mcp")
    from newscrawler.web import make_assistant_server

    async def ask() -> Any:
        async with mcp.Client(make_assistant_server(store, load_configuration(None), "a test")) as client:
            return await client.call_tool(str(tool), dict(arguments))

    return write_cells(asyncio.run(ask()).structured_content["rows"])
