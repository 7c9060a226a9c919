"""The table of limits is complete: module and page say the same, each limit is enforced, and no other module has such numbers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from write_limits_page import PACKAGE, PAGE, find_users, list_rows, write_page  # noqa: E402

from newscrawler import limits  # noqa: E402

#: How names of limits end that belong into the module: of sizes, of nesting, of counts of what others send.
ENDINGS = ("BYTES", "MEGABYTES", "DEEPEST", "NESTING", "DEPTH", "TAGS", "ATTRIBUTES", "REDIRECTS", "HOPS", "CONNECTIONS")
#: What ends like them and limits nothing that others send: sizes of buffers and of our own files, and trees that are cut above.
OTHERS = {
    "cli/lines.py": {"_BUFFER_BYTES"},
    "corpus/duplicates.py": {"_KEY_BYTES"},
    "crawl/browser/process.py": {"_MOST_BYTES_OF_A_CHARACTER"},
    "crawl/components/decompression.py": {"_TAIL_BYTES"},
    "crawl/process/memory.py": {"_MAPPED_BYTES"},
    "crawl/run/commits.py": {"HEAVY_BYTES"},
    "discovery/markup.py": {"_PIECE_BYTES", "_STEP_BYTES"},
    "extraction/templates/template_files.py": {"_LARGEST_BYTES"},
    "page/encoding.py": {"_HEAD_BYTES", "_SAMPLE_BYTES", "_SNIFFED_BYTES", "_SEARCHED_BYTES"},
    "store/archive/writer.py": {"MOST_BYTES"},
    "store/articles/stored_words.py": {"_MOST_BYTES"},
}


#: Names and numbers that a module defines.
_NUMBERS = re.compile(r"^(_?[A-Z][A-Z_]*(?:, _?[A-Z][A-Z_]*)*)(?:: [^=\n]+)? = (\(?[0-9][^\n]*)", re.MULTILINE)


def test_the_page_is_the_one_of_the_module() -> None:
    assert PAGE.read_text("utf-8") == write_page(), "run tools/write_limits_page.py"


def test_every_limit_has_a_row_with_a_value_and_every_row_a_limit() -> None:
    named = {name for name in vars(limits) if name.isupper()}

    assert {row.name for row in list_rows() if row.name} == named
    assert all(getattr(limits, name) > 0 for name in named)
    assert len(named) > 80


def test_every_limit_is_enforced_by_some_module() -> None:
    users = find_users()

    assert {row.name for row in list_rows() if row.name} == set(users)


def test_no_other_module_has_such_numbers() -> None:
    left = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if place == "limits.py" or place.startswith(("research/", "demo/")):
            continue
        for names, value in _NUMBERS.findall(path.read_text("utf-8")):
            if found := {name for name in names.split(", ") if name.endswith(ENDINGS)} - OTHERS.get(place, set()):
                left[place] = (found, value)

    assert not left


def test_the_threat_model_names_tests_that_exist() -> None:
    named = set(re.findall(r"`((?:tests|tools)/[\w/]+\.py)`", (ROOT / "SECURITY.md").read_text("utf-8")))

    assert len(named) > 20
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
