"""The pages on the methods say what the docstrings and parameters say."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from loading import module_of

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "methods"

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the documentation is not here")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return module_of(ROOT / "tools" / "write_method_pages.py")


def test_the_pages_are_up_to_date(tool: ModuleType) -> None:
    wanted = tool.pages(json.loads((FOLDER / "figures.json").read_text("utf-8")))

    written = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}

    stale = sorted(name for name in wanted.keys() | written.keys() if wanted.get(name) != written.get(name))
    assert not stale, "run tools/write_method_pages.py"


def test_every_published_method_has_its_source_and_its_choices_on_its_page(tool: ModuleType) -> None:
    own = {"all_text", "longest_paragraph", "default", "portal_template"}
    for _, _, names in tool.FAMILIES:
        for name in set(names) - own:
            page = (FOLDER / f"{name}.md").read_text("utf-8")

            assert re.findall(r"^## (.*)$", page, re.MULTILINE)[:2] == ["Idea", "Source"], name
            assert "## Where the paper is silent" in page, name
            assert "## Known failures" in page, name
            assert "## Figures on the development pages" in page, name


def test_a_docstring_is_parted_by_how_its_paragraphs_begin(tool: ModuleType) -> None:
    text = [
        "Name: idea.",
        "Source: A paper.",
        "More idea.",
        "Where the paper is silent:\n- One.",
        "Reaches .9.",
        "Known failures: long ones.",
    ]

    found = tool.parts_of("\n\n".join(text))

    assert (found.title, found.idea, found.source, found.silent) == ("Name: idea", "More idea.", "A paper.", "- One.")
    assert (found.figures, found.failures) == ("Reaches .9.", "Long ones.")
