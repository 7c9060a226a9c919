"""Nothing reserved leaves by any door: each is walked with articles that are free, reserved, withdrawn and removed.

The doors come from the registries of commands, formats, pages, operations, jobs and functions, so one that is not known here fails.
"""

from __future__ import annotations

import asyncio
import gzip
import io
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from fastapi.routing import APIRoute
from kept_pages import NOON, Archive
from portal_server import address, story
from starlette.testclient import TestClient

import newscrawler
from newscrawler.article import Reservation, Reserved
from newscrawler.cli import main
from newscrawler.config import Configuration, load_configuration
from newscrawler.corpus import (
    Analysis,
    Corpus,
    ExportPlan,
    StatisticsTable,
    Tool,
    analyse,
    make_recipe,
    remove_matching,
    write_export_plan,
    write_figure,
    write_parameters,
)
from newscrawler.corpus.formats import FORMATS
from newscrawler.corpus.reviews import save_verdict
from newscrawler.service.tasks import TASKS, carry_out_job
from newscrawler.store import Store, open_store
from newscrawler.store.articles import Mention
from newscrawler.store.service import JobKind
from newscrawler.store.vocabularies import EntityKind
from newscrawler.store.web import Role
from newscrawler.web import WebContext, create_app
from newscrawler.web.api.application import create_api
from newscrawler.web.application import PAGES

#: A word of the text of each article, by what its publisher says of it. All are stored: the corpus is for text analysis.
FREE, WITHDRAWN, REMOVED, NO_COPIES, NO_MODELS = WORDS = ("quokka", "narwhal", "axolotl", "ocelot", "pangolin")
NUMBERS = range(1, len(WORDS) + 1)
ORIGIN = "https://one.example"
URLS = {number: f"{ORIGIN}{address(number)}" for number in NUMBERS}
SAID = {
    2: Reservation(word=Reserved.TDM, said="1", place="tdmrep.json"),
    4: Reservation(word=Reserved.NOARCHIVE, said="noarchive", place="tdmrep.json"),
    5: Reservation(word=Reserved.AI_INPUT, said="ai-input=no", place="tdmrep.json"),
}
CONFIGURATION = """\
[crawler]
database = "sqlite:///newscrawler.sqlite"

[[portal]]
name = "one"
start_urls = ["https://one.example/"]
licence = "CC BY 4.0"

[[export]]
name = "all"
path = "all.jsonl"
format = "jsonl"
"""
CONCORDANCE = Analysis(tool=Tool.CONCORDANCE, queries=("rada",))
#: What every door keeps back, and those that serve copies to everybody.
ALWAYS, OF_COPIES = {WITHDRAWN, REMOVED}, {WITHDRAWN, REMOVED, NO_COPIES}


def write_page(number: int) -> str:
    return story(number).replace("Rada města", f"Rada {WORDS[number - 1]} města")


def make_release(store: Store, configuration: Configuration, name: str, formats: Sequence[str]) -> Path:
    wanted = {
        "title": "", "creators": ["Eva"], "licence": "CC0", "formats": list(formats), "dehydrated": False, "selection": {},
    }  # fmt: skip
    job = store.jobs.ask(JobKind.RELEASE, name, who="anna", now=NOON, parameters=wanted)
    return Path(carry_out_job(store, job, configuration).path or "")


def write_selection(store: Store, configuration: Configuration) -> None:
    job = store.jobs.ask(JobKind.SELECTION, "jsonl", who="anna", now=NOON, parameters={"selection": {}})
    carry_out_job(store, store.jobs.put(replace(job, began_at=datetime.now(UTC))), configuration)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with five articles, their pages, and a release and an export from before anything was withdrawn or removed."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "newscrawler.toml").write_text(CONFIGURATION)
    Archive(folder, portal="one").night([(URLS[number], write_page(number)) for number in NUMBERS])
    configuration = load_configuration(folder / "newscrawler.toml")
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as store:
        for number in NUMBERS:
            stored, page = store.articles.get(number), store.pages.of_article(number)
            assert stored
            assert page
            assert WORDS[number - 1] in stored.article.body
            named = Mention(kind=EntityKind.PLACE, name=WORDS[number - 1], span=(1, 0, 4))
            shorter = replace(stored.article, paragraphs=stored.article.paragraphs[:2])
            assert store.articles.revise(stored, shorter, why="read anew")
            assert store.entities.put("ours", [(replace(stored, article=shorter), [named])]) == 1
            if number > 1:
                save_verdict(
                    store, configuration.pages_folder, stored, page, faults=[], corrected=None, note="", now=NOON, reviewer="anna"
                )
        make_release(store, configuration, "early", ["jsonl"])
        write_export_plan(store, ExportPlan(), folder / "early.jsonl")
        lines = analyse(store, CONCORDANCE)
        write_figure(CONCORDANCE, lines, make_recipe(store, CONCORDANCE, lines), folder / "lines.csv")
        write_selection(store, configuration)
        remove_matching(store, configuration, URLS[3], because="a letter", now=NOON)
        write_selection(store, configuration)
        by_url = {URLS[number]: (said,) for number, said in SAID.items()}
        changed = store.rights.restate(ORIGIN, lambda url: by_url.get(url, ()), ["tdmrep.json"], now=datetime.now(UTC))
        assert changed == len(SAID)
        write_selection(store, configuration)
        make_release(store, configuration, "late", ["jsonl"])
        store.saved_searches.save("anna", "bridges", "q=most", now=NOON)
    return folder


@pytest.fixture
def folder(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which is the current folder."""
    copied = tmp_path / "corpus"
    shutil.copytree(corpus, copied)
    monkeypatch.chdir(copied)
    return copied


@pytest.fixture
def configuration(folder: Path) -> Configuration:
    return load_configuration(folder / "newscrawler.toml")


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{folder / 'newscrawler.sqlite'}") as opened:
        yield opened


def unpack(content: bytes) -> Iterator[bytes]:
    """Yield a file, or the files in it."""
    if content[:2] == b"\x1f\x8b":
        with gzip.open(io.BytesIO(content)) as records:
            yield records.read()
    elif content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            yield from map(packed.read, packed.namelist())
    elif content[:4] == b"PAR1":
        yield str(pytest.importorskip("pyarrow.parquet").read_table(io.BytesIO(content)).to_pylist()).encode()
    else:
        yield content


def find_words(*contents: bytes) -> set[str]:
    """Return which of the words occur, in any case."""
    return {word for content in contents for part in unpack(content) for word in WORDS if word.encode() in part.lower()}


def read_files(*folders: Path) -> set[str]:
    return find_words(*(path.read_bytes() for each in folders for path in each.rglob("*") if path.is_file()))


# ---------------------------------------------------------------------- commands

_OUT = ("--output", "out/articles.jsonl")
#: The calls of commands that read articles or pages.
CALLS: dict[str, list[tuple[str, ...]]] = {
    "articles": [(), ("--json",)],
    "show": [(str(number), *more) for number in NUMBERS for more in ((), ("--json",))],
    "search": [("most",), ("rada", "--json"), ("most", "--order", "date")],
    "revisions": [(str(number), *more) for number in NUMBERS for more in ((), ("--json",))],
    "concordance": [("rada",), ("rada", "--json"), ("rada", "--output", "out/lines.html")],
    "frequencies": [("--n", "3", "--limit", "1000"), ("--by", "portal", "--json")],
    "collocates": [("rada", "--least", "1"), ("rada", "--least", "1", "--json")],
    "trends": [("rada", "--json"), *((word, "--json") for word in WORDS)],
    "keywords": [("until=2026-11-02", "since=2026-11-03", "--least", "1")],
    "export": [
        *(("--format", name, "--output", f"out/{name}{'' if form.write else '/'}") for name, form in FORMATS.items()),
        ("--revisions", *_OUT), ("--entities", *_OUT), ("--named", "all"), ("--deduplicate", "near", *_OUT),
    ],
    "release create": [
        ("new", "--creator=Eva", "--output=out/new", *(f"--format={each.name}" for each in FORMATS.values() if each.document)),
        ("newer", "--creator=Eva", "--output=out/newer"),
    ],
    "entities list": [("--kind", "place"), ("--kind", "place", "--json")],
    "again": [("early.jsonl", "--output", "out/again.jsonl"), ("lines.csv", "--output", "out/lines.csv"), ("lines.csv", "--json")],
    "release again": [("early", "--output", "out/again")],
    "release hydrate": [("newscrawler-data/releases/early", *_OUT)],
    "review sample": [("one", "--json"), ("one",)],
    "review show": [(str(number), *more) for number in NUMBERS for more in ((), ("--json",), ("--html", "out/side.html"))],
    "review start": [("one", "--html", "out/side.html")],
    "pages export": [("--output", "out/pages.jsonl"), ("--output", "out/pages.warc.gz")],
    "pages show": [
        *((str(number), *more) for number in NUMBERS for more in (("--body",), ("--html", "out/page.html"))),
        *((url, "--body") for url in URLS.values()), *((str(number), "--page", "--body") for number in NUMBERS),
    ],
    "texts": [("portal:one", "--method", "node_energy")],
    "digest": [(), ("--html",), ("--json",)],
    "web": [("--export", "out/public")],
    "reextract": [("one", "--no-template", "--limit", "0"), ("one", "--method", "longest_paragraph", "--json")],
}  # fmt: skip
#: Commands that write copies for everybody.
PUBLIC = {"web"}
#: Commands that give no text of a stored article, by the reason.
NO_TEXTS = {
    "Figures, addresses, headlines and settings.": """
        portal add, portal forget, portal import, portal list, portal probe, portal remove, portal show, web account add,
        web account change, web account close, web account list, release diff, release list, release verify, status, health, runs,
        runs compare, runs show, review judge, review list, review remove, pages files, pages list, politeness, rights,
        rights purge, rights removals, rights remove, rights report, collection keywords, collection list, collection show,
        saved add, saved list, saved remove, entities find, entities forget, identity check, identity headers, identity init,
        identity rotate, plugins, completion, init, evaluate""",
    "Texts of pages that are fetched or given.": "demo, extract, annotate, explain, classify",
    "Tools for assistants, which have doors of their own.": "mcp",
    "Crawls and jobs, whose results have doors of their own.": "crawl, run, worker, backfill, collect",
    "The database itself, for its operator.": "db backup, db check, db copy, db prune, db rebuild, db upgrade, db vacuum",
    "Rules learned of pages, from which `rights purge` and `rights remove` take the articles.": """
        template compare, template field find, template field learn, template groups, template name, template learn, template test,
        template override, template diff, template export, template import, template list, template rollback, template schema,
        template show""",
}


def list_commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(command, click.Group):
        if path and command.invoke_without_command:
            yield " ".join(path)
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found
            yield from list_commands(found, (*path, name))
    else:
        yield " ".join(path)


def test_every_command_is_walked_or_gives_no_text() -> None:
    known = {name.strip() for names in NO_TEXTS.values() for name in names.split(",")}

    assert sorted(list_commands(main)) == sorted(known | set(CALLS))


@pytest.mark.parametrize("name", CALLS)
def test_no_command_gives_what_is_reserved(folder: Path, name: str) -> None:
    given: set[str] = set()
    for call in CALLS[name]:
        shutil.rmtree("out", ignore_errors=True)
        Path("out").mkdir()
        done = CliRunner().invoke(main, [*name.split(), *call], input="\n")
        queried = {word for word in WORDS if word in call}
        shown = find_words(done.stdout_bytes, done.stderr_bytes) | read_files(Path("out"))
        shown |= find_words(Path("all.jsonl").read_bytes()) if "--named" in call else set()
        assert not (shown - queried) & (OF_COPIES if name in PUBLIC else ALWAYS), (call, done.output[-2000:])
        assert not isinstance(done.exception, Exception), call
        given |= shown - queried
    assert (FREE in given) is (name not in {"digest", "review sample", "trends"}), name


# ---------------------------------------------------------------------- pages and operations

#: Values of the variables in the paths of pages.
VALUES: dict[str, Sequence[object]] = {
    "number": (*NUMBERS, 6), "name": ("one", "early", "late", "all"), "version": (1,), "revision": (1, 2), "tool": tuple(Tool),
    "ending": ("csv", "json"), "place": (0,), "table": ("crawler", "service"), "path": ("data/articles.jsonl", "manifest.json"),
}  # fmt: skip
#: Queries of every page, and further ones of some.
QUERIES = ("", "?portal=one", "?q=rada")
FURTHER = {
    "/explore/{tool}": (
        "?q=rada&n=3&rows=500&least=1&b_language=cs", "?q=rada&download=csv&n=3&rows=500&least=1", "?q=rada&download=html",
        *(f"?q=rada&context={number}" for number in NUMBERS),
    ),
    "/portals/{name}/field": tuple(f"?field=body&block={number}" for number in range(6)),
    "/portals/{name}/field/page": tuple(f"?page={number}" for number in NUMBERS),
}  # fmt: skip
#: Pages that give texts, and the API's operations that do.
GIVING = {
    "/articles", "/articles/{number}", "/articles/{number}/page", "/articles/{number}/revisions/{revision}", "/explore/{tool}",
    "/releases/{name}/files/{path:path}", "/review/{number}", "/review/{number}/undo", "/review/{number}/correct",
    "/portals/{name}/field", "/portals/{name}/field/page", "/jobs/{number}/file",
}  # fmt: skip
GIVING_OPERATIONS = {
    "/articles/{number}", "/articles/{number}/revisions", "/facets", "/analyses/{tool}", "/analyses/{tool}/recipe", "/export",
    "/feed", "/jobs/{number}/file", "/searches/{number}/feed",
}  # fmt: skip
#: Operations that copies are made of.
OF_FEEDS = {"/feed", "/searches/{number}/feed"}


def fill_path(path: str) -> Iterator[str]:
    names = [part.partition("}")[0].partition(":")[0] for part in path.split("{")[1:]]
    pattern = path.replace(":path}", "}")
    for values in product(*(VALUES[name] for name in names)):
        yield pattern.format(**dict(zip(names, values, strict=True)))


@pytest.fixture
def client(store: Store, configuration: Configuration) -> Iterator[TestClient]:
    context = WebContext.of(store, configuration, user_header="X-User")
    with TestClient(create_app(context), client=("127.0.0.1", 50000), headers={"X-User": "anna"}) as client:
        store.accounts.add("anna", password="-", role=Role.OPERATOR, now=NOON)
        yield client


@pytest.mark.parametrize("path", [page.path for page in PAGES])
def test_no_page_gives_what_is_reserved(client: TestClient, path: str) -> None:
    given: set[str] = set()
    for filled, query in product(fill_path(path), (*QUERIES, *FURTHER.get(path, ()))):
        answer = client.get(filled + query, follow_redirects=False)
        assert answer.status_code in {200, 303, 400, 404, 409, 422, 451}, (filled, query, answer.text)
        shown = find_words(answer.content)
        assert not shown & ALWAYS, (filled, query)
        given |= shown
    assert (FREE in given) is (path in GIVING)


def test_no_operation_gives_what_is_reserved(client: TestClient, store: Store, configuration: Configuration) -> None:
    context = WebContext.of(store, configuration)
    giving = set()
    for route in create_api(context).routes:
        assert isinstance(route, APIRoute)
        if route.methods != {"GET"}:  # changes, whose results have doors of their own
            continue
        for filled, query in product(fill_path(route.path), ("", "?q=rada", "?form=json", "?q=rada&order=date")):
            answer = client.get(filled + query)
            shown, path = find_words(answer.content), route.path.removeprefix("/api/v1")
            assert not shown & (OF_COPIES if path in OF_FEEDS else ALWAYS), (filled, query)
            giving |= {path} if FREE in shown else set()
    assert giving == GIVING_OPERATIONS


# ---------------------------------------------------------------------- jobs, notebooks


JOBS: dict[JobKind, tuple[str, dict[str, Any]]] = {
    JobKind.COUNT: ("concordance", write_parameters(CONCORDANCE)),
    JobKind.EXPORT: ("all", {}),
    JobKind.SELECTION: ("jsonl", {"selection": {}}),
    JobKind.RELEASE: (
        "new",
        {"title": "", "creators": ["Eva"], "licence": "", "formats": ["jsonl"], "dehydrated": False, "selection": {}},
    ),
    JobKind.VERIFY: ("late", {}),
    JobKind.DIFF: ("late", {"other": "early"}),
    JobKind.REEXTRACT: ("one", {"apply": False}),
}


@pytest.mark.parametrize("kind", TASKS)
def test_no_job_writes_what_is_reserved(folder: Path, store: Store, configuration: Configuration, kind: JobKind) -> None:
    target, parameters = JOBS[kind]
    path = carry_out_job(store, store.jobs.ask(kind, target, who="anna", now=NOON, parameters=parameters), configuration).path
    shown = set() if path is None else read_files(Path(path)) if Path(path).is_dir() else find_words(Path(path).read_bytes())

    assert not shown & ALWAYS
    assert (FREE in shown) is (kind not in {JobKind.VERIFY, JobKind.DIFF})


#: Calls of all functions of a corpus in a notebook, and of a table; None: it returns no texts.
NOTEBOOK: dict[str, tuple[Any, ...] | None] = {
    "select": ("rada",), "to_arrow": (), "to_pandas": None, "to_polars": None, "frequencies": (), "collocates": ("rada",),
    "keywords": None, "trends": ("rada",), "concordance": ("rada",), "counts": (), "close": None,
}  # fmt: skip


def test_no_function_of_a_notebook_gives_what_is_reserved(folder: Path) -> None:
    assert set(newscrawler.__all__) == {
        "Article", "ConfigError", "PageError", "PageReason", "PageResult", "Paragraph", "ParagraphKind", "extract", "extract_many",
        "open",
    }  # fmt: skip
    assert {name for name in vars(Corpus) if not name.startswith("_")} == set(NOTEBOOK)
    assert {name for name in vars(StatisticsTable) if name.startswith("to_")} == {"to_arrow", "to_pandas", "to_polars"}
    for purpose, reserved in (
        (None, ALWAYS),
        ("text-analysis", ALWAYS),
        ("archive", OF_COPIES),
        ("ai-input", {NO_MODELS, *ALWAYS}),
    ):
        with newscrawler.open(purpose=purpose) as opened:
            answers = [getattr(opened, name)(*given) for name, given in NOTEBOOK.items() if given is not None]
            shown = find_words(
                *(str([*answer] if not hasattr(answer, "to_pylist") else answer.to_pylist()).encode() for answer in answers)
            )
            shown |= find_words(str([article.as_dict() for article in opened]).encode())
        assert FREE in shown
        assert not shown & reserved, purpose


# ---------------------------------------------------------------------- assistants

ASSISTANTS: dict[str, list[dict[str, Any]]] = {
    "describe_corpus": [{}], "explain_syntax": [{}], "count_articles": [{"query": "rada"}],
    "search": [{"query": "rada"}, {"query": "most", "order": "date"}], "concordance": [{"query": "rada", "limit": 100}],
    "trends": [{"queries": ["rada", "most"]}], "get_article": [{"number": number} for number in NUMBERS],
}  # fmt: skip


def test_no_tool_of_assistants_gives_what_is_reserved(store: Store, configuration: Configuration) -> None:
    mcp = pytest.importorskip("mcp")

    async def ask() -> dict[str, set[str]]:
        given: dict[str, set[str]] = {}
        async with mcp.Client(make_assistant_server(store, configuration, "a test")) as client:
            for tool in (await client.list_tools()).tools:
                answers = [await client.call_tool(tool.name, arguments) for arguments in ASSISTANTS[tool.name]]
                given[tool.name] = find_words(*(answer.model_dump_json().encode() for answer in answers))
        return given

    from newscrawler.web import make_assistant_server

    given = asyncio.run(ask())

    assert set(given) == set(ASSISTANTS)
    assert not set().union(*given.values()) & {NO_MODELS, *ALWAYS}
    assert {name for name, shown in given.items() if FREE in shown} == {"search", "concordance", "get_article"}
