"""The files of languages are as people can review them, and hold what the code asks for."""

from __future__ import annotations

import ast
import json
import re
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

import newscrawler
from newscrawler.languages import languages, table, words

PACKAGE = Path(newscrawler.__file__).parent
DATA = PACKAGE / "languages/data"
TOOL = PACKAGE.parent / "tools/write_languages.py"
FILES = sorted(DATA.glob("*.json"))
LISTS = {topic for language in languages().values() for topic in language.lists}
TABLES = {topic for language in languages().values() for topic in language.tables}
#: Functions of the package that take names of topics.
ASKING = {"words", "table", "alternatives", "pattern"}


def content(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def lists_in(topics: dict[str, Any]) -> list[list[str]]:
    tables = [value for value in topics.values() if isinstance(value, dict)]
    return [value for value in topics.values() if isinstance(value, list)] + [each for one in tables for each in lists_in(one)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_named_by_a_code_and_its_phrases_are_small_sorted_and_given_once(path: Path) -> None:
    topics = content(path)
    found = lists_in(topics)

    assert re.fullmatch("[a-z]{2,3}", path.stem)
    assert all(found), "a topic without phrases"
    assert [phrases for phrases in found if phrases != sorted(set(phrases))] == []
    assert [phrase for phrases in found for phrase in phrases if phrase != phrase.lower()] == []
    assert [phrase for phrases in found for phrase in phrases if not phrase.strip("* ") or phrase != " ".join(phrase.split())] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_cldr_gives_is_not_written_a_second_time(path: Path) -> None:
    topics = content(path)

    twice = [
        (topic, key, phrase)
        for topic, known in topics.get("cldr", {}).items()
        for key, phrases in (known.items() if isinstance(known, dict) else [(None, known)])
        for phrase in set(phrases) & set(topics.get(topic, {}).get(key, ()) if key else topics.get(topic, ()))
    ]

    assert twice == []


def test_a_topic_is_a_list_in_all_files_or_a_table_in_all() -> None:
    assert LISTS.isdisjoint(TABLES)


def test_the_page_for_native_speakers_explains_every_topic_and_no_other() -> None:
    rows = [line for line in (DATA / "README.md").read_text("utf-8").splitlines() if line.startswith("| `")]
    explained = {topic for row in rows for topic in re.findall(r"`(\w+)`", row.split("|")[1])}

    assert explained == LISTS | TABLES


def topics_asked_for() -> set[str]:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKING:
                topics = node.args[:1] if node.func.id in {"words", "table"} else node.args
                found.update(each.value for each in topics if isinstance(each, ast.Constant) and isinstance(each.value, str))
    return found


def test_every_topic_that_code_asks_for_has_phrases() -> None:
    asked = topics_asked_for()

    assert len(asked) > 50
    assert {topic for topic in asked if not words(topic)} == set()


@pytest.mark.parametrize("code", ["cs", "de", "en", "pl", "ru", "sr"])
def test_what_comes_from_cldr_is_what_the_tool_writes(code: str) -> None:
    if find_spec("babel") is None:
        pytest.skip("Babel is not installed")
    spec = spec_from_file_location("write_languages", TOOL)
    assert spec is not None
    assert spec.loader is not None
    tool = module_from_spec(spec)
    spec.loader.exec_module(tool)

    assert tool.written(code) == (DATA / f"{code}.json").read_text("utf-8")


def test_every_day_and_every_month_has_a_name_in_the_languages_of_europe() -> None:
    codes = ("be", "cs", "da", "de", "el", "en", "es", "fi", "fr", "hr", "hu", "it", "nl", "pl", "pt", "ro", "ru", "sk", "sv", "uk")

    assert [code for code in codes if set(table("months", code)) != set(map(str, range(1, 13)))] == []
    assert [code for code in codes if len(table("weekdays", code)) != 7] == []
