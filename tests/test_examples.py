"""Every example of the documentation: command lines run in a folder, or at least name options that exist; Python runs as a file."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from shutil import which

import click
import pytest
from portal_pages import page
from portal_server import Answer, PortalServer
from test_document_commands import COLLECTED, make_folder, path_of, run

from newscrawler import extract
from newscrawler.cli.main import main
from newscrawler.corpus import ExportPlan, write_export_plan
from newscrawler.store import open_store

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]
}
#: Programs that are not ours; their lines are read, not run.
OTHERS = re.compile(
    r"git|cd|curl|hf|kill|osf|zip|python3?|pip|make|docker|dask|export|cqp|sh|java|datasette|apt|apt-get|sudo|useradd|install|ln|mkdir|cp|chown|chmod|mv"
    r"|systemctl|journalctl|editor|[.]|/opt/.*"
)
#: Lines that need what a test does not have: other machines, models, an end of their own, a terminal, or root.
NOT_RUN = re.compile(
    r"worker|--scheduler|--annotate|--archives|postgresql|/etc/|/var/|sudo|scrapy shell|scrapy crawl yours"
    r"|(newscrawler|^) ?(run|web)$|web account|CC-NEWS-2026\*|db upgrade"
)
#: The portal of the tests has other words than the examples.
NOTHING = re.compile("no article matches|No keywords of the language")
#: Their commands run in tests of their own, or on data sets.
RUN_ELSEWHERE = ("docs/corpus.md", "docs/tables.md", "docs/documents.md", "docs/card.md", "docs/commands")


def blocks(name: str, language: str) -> list[str]:
    """The code of a page in a language."""
    return re.findall(rf"^```{language}\b[^\n]*\n(.*?)^```", PAGES[name], re.DOTALL | re.MULTILINE)


def command_lines(name: str) -> list[list[str]]:
    """The command lines of a page, in words."""
    lines = "".join(blocks(name, "sh")).replace("\\\n", "").splitlines()
    lines += [line[2:] for line in "".join(blocks(name, "console")).splitlines() if line.startswith("$ ")]
    parts = [part for line in lines for part in re.split(r" && | & *$", line.replace("…", "x")) if part]
    return [words for part in parts if (words := shlex.split(part, comments=True))]


def with_lines(*, all_of_them: bool) -> list[str]:
    pages = [name for name in PAGES if command_lines(name)]
    return pages if all_of_them else [name for name in pages if not name.startswith(RUN_ELSEWHERE) and runnable(name)]


def runnable(name: str) -> list[str]:
    lines = [shlex.join(words) for words in command_lines(name) if words[0] in {"newscrawler", "scrapy"}]
    return [re.sub(r"'([<>])'", r"\1", line).removeprefix("newscrawler ") for line in lines if not NOT_RUN.search(line)]


@pytest.mark.parametrize("name", PAGES)
def test_code_is_fenced_and_nothing_else_begins_as_a_command(name: str) -> None:
    prose = re.sub(r"^ *```.*?^ *```", "", PAGES[name], flags=re.DOTALL | re.MULTILINE)

    assert not re.findall(r"\n\n(?:    )+(?:newscrawler|scrapy|pip|docker|make|git|\$) .*", prose)
    assert PAGES[name].count("```") % 2 == 0


@pytest.mark.parametrize("name", with_lines(all_of_them=True))
def test_each_line_is_a_command_with_options_that_exist(name: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for line in command_lines(name):
        words = line[3:] if line[0] == "sudo" else line
        words = words[words.index("newscrawler:0.1.0") :] if "newscrawler:0.1.0" in words[2:] and words[1] == "run" else words
        ours = words[0].partition(":")[0] in {"newscrawler", "scrapy"}
        assert ours or OTHERS.fullmatch(line[0]), line
        if "install" in words:
            assert {extra for some in re.findall(r"\[(.+)\]", " ".join(words)) for extra in some.split(",")} <= set(extras), line
            assert not [word for word in words if word.startswith("polite-newscrawler")], "nothing is on the index"
        if words[0].startswith("newscrawler"):
            parse(words[1:])


def parse(words: list[str]) -> None:
    """Fail for a command or an option that does not exist."""
    context, command = click.Context(main), main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        if found is None and command.invoke_without_command:
            break
        assert found is not None, words
        command, context, words = found, click.Context(found, parent=context), words[1:]  # type: ignore[assignment]
    streams = next((number for number, word in enumerate(words) if word in "<>"), len(words))
    command.make_parser(context).parse_args(words[:streams])


@pytest.mark.timeout(280)
@pytest.mark.parametrize("name", with_lines(all_of_them=False))
def test_the_command_lines_of_a_page_run(name: str, tmp_path: Path) -> None:
    lines = runnable(name)
    with PortalServer() as server:
        make_folder(tmp_path, server)
        add_files(tmp_path, server)
        if not any(line.startswith("init") for line in lines):
            lines = ["crawl example", "export --output CC-NEWS-2026.warc.gz", *lines]
        for line in lines:
            if line.startswith("init"):
                (tmp_path / "newscrawler.toml").unlink()
            done = run(
                tmp_path,
                line.replace("https://www.example.org/", server.url).replace("CC-NEWS-20260201000000-00001", "CC-NEWS-2026"),
            )
            assert done.returncode == 0 or NOTHING.search(done.stderr), (
                f"{line}: exit code {done.returncode}\n{done.stdout[-500:]}{done.stderr[-2000:]}"
            )
            if line.startswith("init"):
                (tmp_path / "newscrawler.toml").write_text(
                    '[crawler]\ncontact = "you@your.domain"\n[crawler.defaults]\ndelay = 0\n'
                )


def add_files(folder: Path, server: PortalServer) -> None:
    """The files and answers that the pages name besides those of the source documents."""
    server.routes["/2026/02/title"] = page(12)
    for number in (1, 2):
        urls = [f"{server.url[:-1]}{path_of(number)}" for number in COLLECTED] if number == 1 else []
        results = str({"query": "flood", "results": [{"url": url, "title": "Report"} for url in urls]}).replace("'", '"')
        server.routes[f"/search?q=flood+dam&format=json&pageno={number}"] = Answer(results, kind="application/json")
    items = "".join(f"<item><title>Report</title><link>{server.url[:-1]}{path_of(number)}</link></item>" for number in COLLECTED)
    server.routes["/rss.xml"] = Answer(
        f'<rss version="2.0"><channel><title>x</title>{items}</channel></rss>', kind="application/rss+xml"
    )
    for copy, name in (("mixed", "pages.jsonl"), ("news", "pages.jsonl"), ("other", "pages.jsonl")):
        (folder / f"{copy}.jsonl").write_text((folder / name).read_text("utf-8"), "utf-8")
    (folder / "saved.html").write_text(page(21), "utf-8")


@pytest.mark.parametrize(
    ("name", "code"), [(name, code) for name in PAGES for code in blocks(name, "python") if "PageItem" not in code]
)
def test_the_python_of_a_page_runs_as_a_file(name: str, code: str, tmp_path: Path) -> None:
    if "pandas" in code and find_spec("pandas") is None:
        pytest.skip("pandas is not here")
    with PortalServer() as server:
        make_folder(tmp_path, server)
    (tmp_path / "articles.jsonl").write_text('{"portal": "example", "published_at": "2026-02-01T10:00:00Z", "word_count": 9}\n')
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        store.articles.add("example", extract(page(12), "https://www.example.org/12"))
    (tmp_path / "example.py").write_text(code, "utf-8")

    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("name", "code"), [(name, code) for name in PAGES for code in blocks(name, "r")])
def test_the_r_of_a_page_runs_as_a_file(name: str, code: str, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'newscrawler.sqlite'}") as store:
        store.articles.add("example", extract(page(12), "https://www.example.org/12"))
        for query in re.findall(r'"\s*(SELECT[^"]*)"', code):
            with store.engine.connect() as connection:
                assert connection.exec_driver_sql(query).all()
        for form in re.findall(r'"articles\.(\w+)"', code):
            if form != "parquet" or find_spec("pyarrow"):
                write_export_plan(store, ExportPlan(format=form), tmp_path / f"articles.{form}")
    (tmp_path / "example.R").write_text(code, "utf-8")
    program = which("Rscript")
    if program is None:
        pytest.skip("Rscript is not installed")
    for package in set(re.findall(r"(\w+)::", code)):
        asked = subprocess.run([program, "-e", f"quit(status = !requireNamespace('{package}', quietly = TRUE))"], check=False)
        if asked.returncode:
            pytest.skip(f"R has no package {package}")

    done = subprocess.run([program, "example.R"], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.parametrize(("name", "code"), [(name, code) for name in PAGES for code in blocks(name, "toml")])
def test_the_configuration_of_a_page_is_toml(name: str, code: str) -> None:
    assert tomllib.loads(code)


#: SQL of a page, and the program that a line above it names.
QUERIES = [
    (name, program, code)
    for name, text in PAGES.items()
    for program, code in re.findall(r"^(?:(\w+):\n\n)?```sql\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    if program != "PostgreSQL"  # tests of the schema run these
]


@pytest.mark.parametrize(("name", "program", "code"), QUERIES)
def test_the_sql_of_a_page_runs(name: str, program: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if program == "DuckDB":
        record = {"portal": "example", "date": "2026-02-01", "title": "Bridge", "authors": ["Jana Malá"]}
        Path("articles.jsonl").write_text(json.dumps(record), "utf-8")
        assert pytest.importorskip("duckdb").sql(code).fetchall()
        return
    with open_store("sqlite:///news.sqlite") as store:
        store.articles.add("example", extract(page(12), "https://www.example.org/12"))
    with closing(sqlite3.connect("news.sqlite")) as connection:
        connection.execute(code).fetchall()


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not here")
@pytest.mark.parametrize(("name", "code"), [(name, code) for name in PAGES for code in blocks(name, "r")])
def test_the_r_of_a_page_runs(name: str, code: str, tmp_path: Path) -> None:
    (tmp_path / "articles.jsonl").write_text('{"portal": "example", "date": "2026-02-01"}\n', "utf-8")
    needed = re.findall(r"library\((\w+)\)", code)
    known = subprocess.run(["Rscript", "-e", ";".join(f"library({each})" for each in needed)], capture_output=True, check=False)
    if known.returncode:
        pytest.skip(f"{', '.join(needed)} are not here")

    done = subprocess.run(["Rscript", "-"], input=code, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 0, done.stderr
