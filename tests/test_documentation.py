"""The documentation: links that lead somewhere, pages that somebody finds, tables that are true."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import click
import pytest
import yaml
from loading import module_of

from newscrawler.cli.evaluate import TABLES
from newscrawler.cli.main import COMMANDS, main
from newscrawler.plugins import load_methods, name_of_written, read_changes
from newscrawler.research.site_methods import SITE_METHODS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def in_navigation(value: object) -> set[Path]:
    """The pages that the navigation of the site names."""
    if isinstance(value, str):
        return {DOCS / value}
    if isinstance(value, dict):
        return set().union(*map(in_navigation, value.values()))
    return set().union(*map(in_navigation, value)) if isinstance(value, list) else set()


def links(page: Path) -> list[Path]:
    """The files that a page links to."""
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = (target.partition("#")[0] for target in _LINK.findall(text) if ":" not in target)
    return [(page.parent / target).resolve() for target in targets if target]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_lead_to_files(page: Path) -> None:
    assert [target for target in links(page) if not target.exists()] == []


def test_every_page_is_in_the_navigation_or_linked() -> None:
    navigation = in_navigation(yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"])
    assert [page for page in navigation if not page.exists()] == [DOCS / "changelog.md"], "tools/site_hooks.py adds CHANGELOG.md"
    linked = {target for page in PAGES for target in links(page)}
    assert [page for page in PAGES if page not in navigation and page.resolve() not in linked] == []


def test_the_page_of_the_record_is_up_to_date() -> None:
    assert (DOCS / "record.md").read_text("utf-8") == module_of(ROOT / "tools" / "write_record_page.py").page()


def options_by_command(page: str) -> dict[str, list[str]]:
    """Every command of the page with its options; how help is laid out differs between versions of Click."""
    sections = re.split(r"^##+ ", page, flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: re.findall(r"^  (?:-\w, )?(--[\w-]+)", section, flags=re.MULTILINE) for section in sections}


def test_the_pages_of_the_commands_name_each_command_and_option() -> None:
    pages = module_of(ROOT / "tools" / "write_command_pages.py").pages()
    written = {place: (DOCS / place).read_text("utf-8") for place in pages}
    assert {place: options_by_command(text) for place, text in written.items()} == {
        place: options_by_command(text) for place, text in pages.items()
    }, "run tools/write_command_pages.py"
    assert {f"commands/{path.name}" for path in (DOCS / "commands").glob("*.md")} == pages.keys() - {"commands.md"}


def document_rows() -> list[list[str]]:
    """The cells of the rows of the page of the source documents."""
    lines = (DOCS / "documents.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return [row for row in rows if row[0] not in {"Section", "---"}]


@pytest.mark.parametrize("row", document_rows(), ids=lambda row: row[0])
def test_each_section_of_a_document_has_a_place_a_command_and_a_test_that_exist(row: list[str]) -> None:
    _, where, shown, held = row
    tests = re.findall(r"`(tests/[^`]+)`", held)
    places = [name for name in re.findall(r"`([\w./]+)`", where) if name.endswith((".py", "/"))]
    commands = [text for text in re.findall(r"`([^`]+)`", shown) if text.split()[0] in COMMANDS]

    assert "missing" not in " ".join(row)
    assert tests
    assert [name for name in tests if not (ROOT / name).exists()] == []
    assert places
    assert [name for name in places if not (ROOT / "newscrawler" / name).exists()] == []
    assert commands
    for text in commands:
        words = text.split()
        context = click.Context(main)
        command: click.Command = main
        while isinstance(command, click.Group) and words and not words[0].startswith("-"):
            found = command.get_command(context, words.pop(0))
            assert found is not None, text
            command, context = found, click.Context(found, parent=context)
        known = {option for parameter in command.params for option in parameter.opts}
        assert [word for word in words if word.startswith("--") and word not in known] == [], text
        values = dict(pairwise(words))
        method = values.get("--method", "mss")
        read_changes(method, {**load_methods(), **SITE_METHODS}[name_of_written(method)])
        assert values.get("--table", TABLES[0]) in TABLES, text
