"""Words that docs/glossary.md rules out stand in no identifier and in no message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import newscrawler

PACKAGE = Path(newscrawler.__file__).parent
GLOSSARY = (PACKAGE.parent / "docs" / "glossary.md").read_text("utf-8")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def ruled_out() -> tuple[set[str], set[str]]:
    """Return the words, and the phrases of several words, of the table's last column."""
    rows = [line.strip("|").split("|") for line in GLOSSARY.splitlines() if line.startswith("| ")]
    terms = [term.strip() for row in rows[2:] for term in row[-1].split(",") if term.strip()]
    return {term for term in terms if " " not in term}, {term for term in terms if " " in term}


def identifiers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case _:
                pass


def messages(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield string constants that are neither docstrings nor keys without a space."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def violations(folder: Path) -> Iterator[str]:
    words, phrases = ruled_out()
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for line, name in identifiers(tree):
            if words & {part.lower() for part in PART.findall(name)}:
                yield f"{path.relative_to(folder)}:{line}: {name}"
        for line, text in messages(tree):
            folded = text.lower()
            if words & set(re.findall(r"[a-z]+", folded)) or any(phrase in folded for phrase in phrases):
                yield f"{path.relative_to(folder)}:{line}: {text[:80]!r}"


def test_no_identifier_and_no_message_has_a_word_that_the_glossary_rules_out() -> None:
    assert list(violations(PACKAGE)) == []


def test_the_glossary_rules_out_words_that_a_search_would_find(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('"""Told in a docstring."""\ngate_of = 1\nmessage = f"{gate_of} was told"\n', "utf-8")

    assert list(violations(tmp_path)) == ["a.py:2: gate_of", "a.py:3: ' was told'"]
