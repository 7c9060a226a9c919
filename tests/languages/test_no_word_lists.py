"""Words of languages stand in their files, and in no module."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import newscrawler

PACKAGE = Path(newscrawler.__file__).parent
#: Modules that may hold letters beyond ASCII outside of character classes, and why.
ALLOWED = {
    "research/methods/portal_crawler.py": "words that the published method names",
    "extraction/dates/calendar.py": "the dotless i of capitals",
    "extraction/dates/text_dates.py": "numerals, and signs of eras and years, which are rewritten",
    "extraction/body/headline.py": "parts of class names, replaced when headlines are ranked",
    "extraction/body/page_kind.py": "signs of currencies",
    "extraction/body/cues.py": "signs that form one word with a name",
    "page/encoding.py": "how often letters occur, by encoding",
    "store/search/fold.py": "letters without a decomposition, and what they are folded to",
    "discovery/urls/vocabulary.py": "letters without a decomposition, and what they are folded to",
}
_CHARACTER_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]")
_WORD = re.compile(r"[^\W\d_]+")
#: Words that are spelled so in no English name of an element or of a parameter; one for each of the largest languages.
_FOREIGN = re.compile(
    r"(?<![a-z])(?:autor(?:in|ka|en)?|kommentar\w*|komentar\w*|coment\w*|artikel|clanek|artykul|beitrag|seite|strana|strona|"
    r"gestern|vcera|wczoraj|ayer|ieri|hier|januar|leden|enero|gennaio|anzeige|werbung|reklama|publicidad|suche|szukaj|hledat|"
    r"wetter|pocasi|pogoda|datum|fecha|rubrik|rubrika|szerzo|uzivatel)(?![a-z])"
)
#: Modules in which such words may stand yet: names of fields in the state of pages; texts of the demo are whole articles.
_MAY_BE_FOREIGN = {
    *ALLOWED,
    "extraction/body/state.py",
    "extraction/dates/structured_data.py",
}


def modules() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(("demo/", "languages/", "migrations/")):
            yield name, path.read_text("utf-8")


def strings_of(source: str) -> Iterator[str]:
    """Yield the string literals as they are written, docstrings aside."""
    documenting = {
        node.body[0].lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    kinds = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in kinds and token.start[0] not in documenting:
            yield token.string


def beyond_ascii(source: str) -> list[str]:
    bare = (_CHARACTER_CLASS.sub("", text) for text in strings_of(source))
    return [word for text in bare for word in _WORD.findall(text) if not word.isascii()]


def test_no_module_holds_letters_beyond_ascii() -> None:
    found = {name: said for name, source in modules() if (said := beyond_ascii(source)) and name not in ALLOWED}

    assert found == {}


def test_what_is_allowed_is_needed() -> None:
    sources = dict(modules())

    assert [name for name in ALLOWED if name in sources and not beyond_ascii(sources[name])] == []


def test_no_module_holds_common_words_of_other_languages_written_in_ascii() -> None:
    found = {
        name: said
        for name, source in modules()
        if name not in _MAY_BE_FOREIGN and (said := [word for text in strings_of(source) for word in _FOREIGN.findall(text)])
    }

    assert found == {}


def test_a_list_of_words_is_seen() -> None:
    assert beyond_ascii('_WORDS = re.compile("komentáře|комментарии")') == ["komentáře", "комментарии"]
    assert beyond_ascii('"""Über."""\n_LETTERS = re.compile("[a-zäöü年月]")') == []
