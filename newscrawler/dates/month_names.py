"""The number of a month by its name, in any language: nominative, genitive and the usual short forms."""

from __future__ import annotations

from functools import cache

from newscrawler.dates.writing import fold
from newscrawler.languages import languages, table

#: Languages in which some months are called as other months are in Czech and Polish; their names count last.
_LAST = frozenset({"hr", "bs"})
_SHORTEST_FOLDED = 4


def month_of(word: str, languages_of_page: tuple[str, ...] = ()) -> int | None:
    """Return the number of a month's name, with or without its accents; in the first language of the page, if that has it."""
    word = word.lower().rstrip("'")
    if languages_of_page and (own := _names_in(languages_of_page[0]).get(word)) is not None:
        return own
    found = _names().get(word)
    if found is None and not word.isascii():
        found = _names().get(word.replace("i̇", "i"))
    if found is None and len(word) >= _SHORTEST_FOLDED:
        found = _folded().get(_plain(word))
    return found


@cache
def _names_in(language: str) -> dict[str, int]:
    return {name: int(number) for number, names in table("months", language).items() for name in names}


@cache
def _names() -> dict[str, int]:
    """Return the names of all languages."""
    found: dict[str, int] = {}
    for code in sorted(languages(), key=lambda code: (code in _LAST, code)):
        for name, number in _names_in(code).items():
            found.setdefault(name, number)
    return found


@cache
def _folded() -> dict[str, int]:
    found: dict[str, int] = {}
    for name, number in _names().items():
        found.setdefault(_plain(name), number)
    return found


def _plain(word: str) -> str:
    """Fold a word; Turkish capitals lose their dotless i in small letters ("KASIM")."""
    return fold(word).replace("ı", "i")
