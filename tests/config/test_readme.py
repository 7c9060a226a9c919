"""What the README says of the configuration and the export is what the program does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from newscrawler.article import Article, Paragraph
from newscrawler.cli import main
from newscrawler.config.load import parse_configuration
from newscrawler.corpus.formats.json_record import as_record
from newscrawler.store.records import StoredArticle

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_page_on_the_configuration_is_up_to_date() -> None:
    tool = ROOT / "tools" / "write_configuration_page.py"
    page = ROOT / "docs" / "configuration.md"

    written = runpy.run_path(str(tool))["page"]()

    assert page.read_text("utf-8") == written, "run tools/write_configuration_page.py"


def test_the_example_configuration_is_right() -> None:
    example = README.partition("```toml\n")[2].partition("```")[0]

    (portal,) = parse_configuration(example, Path("newscrawler.toml")).portals
    assert portal.exclude[0].search("https://www.example.org/archive/1987/")


def test_the_field_names_of_a_record_are_listed_in_their_order() -> None:
    text = README.partition("One line of JSONL holds ")[2].partition(". These names")[0]
    article = Article(title="a", paragraphs=(Paragraph(text="b"),), method="default", confidence=1.0)

    assert re.findall(r"`(\w+)`", text) == list(as_record(StoredArticle(id=1, article=article)))


def test_every_command_is_listed() -> None:
    commands = README.partition("## Commands")[2].partition("## Configuration")[0]

    assert set(re.findall(r"`newscrawler (\w+)", commands)) >= set(main.list_commands(None))  # type: ignore[arg-type]
