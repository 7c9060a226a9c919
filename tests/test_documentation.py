"""The documentation: links that lead somewhere, pages that somebody finds, tables that are true."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from loading import module_of

from newscrawler import Article, Paragraph
from newscrawler.corpus.formats.json_record import as_record
from newscrawler.store.records import StoredArticle

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
    assert [page for page in navigation if not page.exists()] == []
    linked = {target for page in PAGES for target in links(page)}
    assert [page for page in PAGES if page not in navigation and page.resolve() not in linked] == []


def test_the_page_of_the_record_names_every_field_and_no_other() -> None:
    record = Article(
        title="Ferry returns",
        paragraphs=(Paragraph(text="It sails."),),
        fetched_at=datetime.now(UTC),
        method="default",
        confidence=1,
    )
    rows = re.findall(r"^\| `(\w+)` \|", (DOCS / "record.md").read_text("utf-8"), flags=re.MULTILINE)
    assert sorted(rows) == sorted(as_record(StoredArticle(id=1, article=record)))


def options_by_command(page: str) -> dict[str, list[str]]:
    """Every command of the page with its options; how help is laid out differs between versions of Click."""
    sections = re.split(r"^##+ ", page, flags=re.MULTILINE)[1:]
    return {section.partition("\n")[0]: re.findall(r"^  (?:-\w, )?(--[\w-]+)", section, flags=re.MULTILINE) for section in sections}


def test_the_page_of_the_commands_names_each_command_and_option() -> None:
    tool = module_of(ROOT / "tools" / "write_command_pages.py")
    written = (DOCS / "commands.md").read_text("utf-8")
    assert options_by_command(written) == options_by_command(tool.page()), "run tools/write_command_pages.py"
