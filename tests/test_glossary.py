"""The words of the program: docs/glossary.md rules some out, functions begin with verbs, habits of prose may only become rarer."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import newscrawler

PACKAGE = Path(newscrawler.__file__).parent
GLOSSARY = (PACKAGE.parent / "docs" / "glossary.md").read_text("utf-8")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
VERBS, ALSO_NOUNS = (
    frozenset(line.split()) for line in (Path(__file__).parent / "data" / "verbs.txt").read_text("utf-8").splitlines()
)
#: Of the functions at least so many begin with a verb in the imperative, or with is, has and the like.
LEAST_VERBS = 0.55
#: Habits that make sentences hard to read, as patterns of source text, and how often each occurs at most. A count may only fall.
HABITS = {
    "a clause with `what` in place of a noun": (r"\b[Ww]hat (?!(?:is|are|was|were|does|do|to)\b[^.\n]*\?)", 486),
    "`is no` in place of `is not a`": (r"\b(?:is|are|was|were) no\b(?! longer)", 138),
    "`asked` in place of `requested`": (r"\basked\b", 106),
    "`beside` in place of `next to` or `with`": (r"\bbeside\b", 60),
    "`alone` in place of `only`": (r"\balone\b", 34),
    "`of its own`": (r"\bof (?:its|their|his|her|our|your) own\b", 32),
    "`holds` in place of `contains`": (r"\bholds?\b", 144),
    "`stands` in place of `is`": (r"\bstands?\b", 68),
    "`night` where a run is meant": (r"\bnights?\b", 64),
    "`Tell whether` in place of `Return whether`": (r"\bTell whether\b", 1),
}


def ruled_out() -> tuple[set[str], set[str]]:
    """Return the words, and the phrases of several words, of the table's last column."""
    rows = [line.strip("|").split("|") for line in GLOSSARY.splitlines() if line.startswith("| ")]
    terms = [term.strip() for row in rows[2:] for term in row[-1].split(",") if term.strip()]
    return {term for term in terms if " " not in term}, {term for term in terms if " " in term}


def identifiers(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name
            case _:
                pass


def messages(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield string constants that are neither docstrings nor keys without a space."""
    docstrings = {
        id(node.body[0].value)
        for node in nodes
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.lineno, node.value


def violations(folder: Path) -> Iterator[str]:
    words, phrases = ruled_out()
    for path in sorted(folder.rglob("*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        for line, name in identifiers(nodes):
            if words & {part.lower() for part in PART.findall(name)}:
                yield f"{path.relative_to(folder)}:{line}: {name}"
        for line, text in messages(nodes):
            folded = text.lower()
            if words & set(re.findall(r"[a-z]+", folded)) or any(phrase in folded for phrase in phrases):
                yield f"{path.relative_to(folder)}:{line}: {text[:80]!r}"


def test_no_identifier_and_no_message_has_a_word_that_the_glossary_rules_out() -> None:
    assert list(violations(PACKAGE)) == []


def test_the_glossary_rules_out_words_that_a_search_would_find(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('"""Told in a docstring."""\ngate_of = 1\nmessage = f"{gate_of} was told"\n', "utf-8")

    assert list(violations(tmp_path)) == ["a.py:2: gate_of", "a.py:3: ' was told'"]


def functions() -> Iterator[str]:
    """Yield the name of each function and method but those of Python's own protocols."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not re.fullmatch("__.*__", node.name):
                yield node.name


def begins_with_a_verb(name: str) -> bool:
    """Return whether a name begins with a verb; a word that is also a noun counts unless a preposition follows."""
    first, _, rest = name.strip("_").lower().partition("_")
    if first not in ALSO_NOUNS:
        return first in VERBS
    return rest.partition("_")[0] not in {"of", "in", "for", "at", "by", "from", "on", "to"}


def test_most_functions_begin_with_a_verb() -> None:
    names = list(functions())

    assert sum(map(begins_with_a_verb, names)) / len(names) >= LEAST_VERBS


@pytest.mark.parametrize("habit", HABITS)
def test_habits_of_prose_become_rarer(habit: str) -> None:
    pattern, most = HABITS[habit]

    assert sum(len(re.findall(pattern, path.read_text("utf-8"))) for path in PACKAGE.rglob("*.py")) <= most


def test_names_without_a_verb_are_found() -> None:
    names = ["text_of", "_marked", "without_links", "count_words", "count_of_words", "is_article", "read"]

    assert list(map(begins_with_a_verb, names)) == [False, False, False, True, False, True, True]
