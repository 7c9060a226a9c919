"""The size of the program, so that it can be known as a whole. Each figure may only fall; a commit that raises one says why."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import newscrawler

PACKAGE = Path(newscrawler.__file__).parent
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if "migrations" not in path.parts]
ON_TOP = {
    "backfill", "cli", "config", "corpus", "crawl", "demo", "discovery", "extraction", "languages", "page", "politeness",
    "research", "service",
    "store", "web", "__init__.py", "__main__.py", "article.py", "errors.py", "limits.py", "formats", "plugins.py",
}  # fmt: skip
#: One file each: published methods, sources of URLs, tasks of the command line.
MOST_MODULES = 490
MOST_LINES = 90_940
MOST_SHARED_CLASS_NAMES = 2


def test_fifteen_packages_the_languages_and_four_modules_are_on_top() -> None:
    assert {path.relative_to(PACKAGE).parts[0] for path in MODULES} == ON_TOP


def test_the_program_has_few_modules_and_lines() -> None:
    assert len(MODULES) <= MOST_MODULES
    assert sum(len(path.read_text("utf-8").splitlines()) for path in MODULES) <= MOST_LINES


def test_a_class_name_has_one_meaning() -> None:
    places = defaultdict(set)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].add(path.relative_to(PACKAGE).as_posix())
    shared = {name: sorted(paths) for name, paths in places.items() if len(paths) > 1}

    assert len(shared) <= MOST_SHARED_CLASS_NAMES, shared
