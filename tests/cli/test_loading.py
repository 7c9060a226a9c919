"""What a command loads: no more than it works with, so that it answers at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from newscrawler.cli.main import COMMANDS

#: Runs a command, then tells what was loaded and how much CPU time that took.
CODE = """
import json, resource, sys
sys.argv = ["newscrawler", *{arguments!r}]
try:
    from newscrawler.cli import main
    main()
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps([sorted(sys.modules), used.ru_utime + used.ru_stime]), file=sys.stderr)
"""
#: What takes a tenth of a second and more, or belongs to crawling and reading pages.
HEAVY = {
    "lxml",
    "scrapy",
    "twisted",
    "dateparser",
    "alembic",
    "newscrawler.extraction.pipeline",
    "newscrawler.crawl.process.crawl_process",
    "newscrawler.research.methods",
}


def loaded(folder: Path, *arguments: str) -> tuple[set[str], float]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(arguments=arguments)], cwd=folder, env=environment, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    modules, seconds = json.loads(done.stderr.splitlines()[-1])
    return set(modules), seconds


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("loading")
    subprocess.run([sys.executable, "-m", "newscrawler", "db", "upgrade"], cwd=made, check=True, capture_output=True)
    return made


@pytest.mark.parametrize("arguments", [("--help",), ("crawl", "--help"), ("extract", "--help"), ("--version",)])
def test_help_loads_neither_store_nor_extractor(folder: Path, arguments: tuple[str, ...]) -> None:
    modules, seconds = loaded(folder, *arguments)

    assert not modules & (HEAVY | {"sqlalchemy", "pydantic"})
    assert seconds < 1.0  # .14 s on a quiet machine


def test_a_list_of_commands_loads_none_of_them(folder: Path) -> None:
    modules, _ = loaded(folder, "--help")

    assert not modules & {f"newscrawler.cli.{target.partition(':')[0]}" for target, _ in COMMANDS.values()}


@pytest.mark.parametrize("arguments", [("articles",), ("runs",), ("status",), ("rights",), ("pages", "list"), ("template", "list")])
def test_commands_that_read_the_database_load_nothing_that_reads_pages(folder: Path, arguments: tuple[str, ...]) -> None:
    modules, seconds = loaded(folder, *arguments)

    assert "sqlalchemy" in modules
    assert not modules & (HEAVY | {"sqlalchemy.orm"})
    assert seconds < 2.0  # .5 s on a quiet machine


def test_the_extractor_loads_neither_the_crawler_nor_the_database_nor_the_web_application(folder: Path) -> None:
    code = (
        "import sys; from newscrawler import extract; from newscrawler.extraction import read_record; "
        "read_record('<h1>Bridge</h1><p>The council opened the bridge on Monday, 2 November 2026.</p>', 'https://a.example/1'); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)

    heavy = {
        "scrapy", "twisted", "sqlalchemy", "alembic", "fastapi", "starlette", "jinja2", "uvicorn", "rich", "cryptography", "psutil",
        "tomlkit", "prometheus_client", "tldextract",
    }  # fmt: skip
    assert "lxml" in done.stdout.split()
    assert not heavy & set(done.stdout.split())


def test_the_package_exports_the_function_whatever_was_loaded_and_the_extractor_needs_no_published_method(folder: Path) -> None:
    code = (
        "import sys, newscrawler.extraction.pipeline; assert 'newscrawler.research.methods' not in sys.modules; "
        "import newscrawler.extraction.explain; from newscrawler import extract, Article; import newscrawler as n; "
        "assert callable(extract) and n.extract is extract and n.extract is extract; assert Article is n.Article"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
