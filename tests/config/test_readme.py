"""What the README says of the configuration and the export is what the program does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from newscrawler.cli import main
from newscrawler.config import parse_configuration

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
FIRST_PORTAL = (ROOT / "docs" / "how-to" / "first-portal.md").read_text("utf-8")


def test_the_page_on_the_configuration_is_up_to_date() -> None:
    tool = ROOT / "tools" / "write_configuration_page.py"
    page = ROOT / "docs" / "configuration.md"

    written = runpy.run_path(str(tool))["page"]()

    assert page.read_text("utf-8") == written, "run tools/write_configuration_page.py"


def test_the_example_configuration_is_right() -> None:
    example = FIRST_PORTAL.partition("```toml\n")[2].partition("```")[0]

    (portal,) = parse_configuration(example, Path("newscrawler.toml")).portals
    assert portal.exclude[0].search("https://www.example.org/archive/1987/")


def test_the_readme_fits_a_screen_and_its_commands_exist() -> None:
    assert len(README.splitlines()) <= 60

    named = {word for pair in re.findall(r"^ +newscrawler (\w+)|`newscrawler (\w+)", README, re.MULTILINE) for word in pair if word}
    assert named <= set(main.list_commands(None))  # type: ignore[arg-type]
