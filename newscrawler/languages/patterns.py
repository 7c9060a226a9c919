"""Regular expressions for the phrases of a topic.

The alternatives are written as a tree of their common beginnings: a list of hundreds of phrases is searched in the time of a few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal

from newscrawler.languages.load import words

Fold = Callable[[str], str]

#: Scripts that part no words by blanks: nothing is asked of the characters beside a phrase in them.
_UNPARTED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]")
_NO_WORD_BEFORE, _NO_WORD_BEHIND = r"(?<![^\W_])", r"(?![^\W_])"
_STANDS_FOR = {"*": r"[^\W_]*", "…": ".{0,25}"}
#: Where a phrase counts: anywhere; between what is not a letter or digit, except at a `*`; only if it is all of the text.
Extent = Literal["anywhere", "words", "all"]


def alternatives(*topics: str, language: str | None = None, extent: Extent = "anywhere", fold: Fold | None = None) -> str:
    """Return a group, without a name, that matches the longest phrase of some topics.

    Args:
        topics: their names; "units/day" for what a table has under a key.
        language: a code; none for all languages.
        extent: where a phrase counts. With "all", a `*` at its ends matches letters, too.
        fold: applied to each phrase, as to the text in which it is looked for.
    """
    phrases = {phrase for topic in topics for phrase in words(topic, language)}
    return one_of(map(fold, phrases) if fold else phrases, extent)


@cache
def pattern(*topics: str, language: str | None = None, extent: Extent = "words", fold: Fold | None = None) -> re.Pattern[str]:
    """Return a compiled pattern that finds the phrases of some topics in a text in small letters; see `alternatives`.

    One that ignores case would take three times as long.
    """
    return re.compile(alternatives(*topics, language=language, extent=extent, fold=fold))


def one_of(phrases: Iterable[str], extent: Extent = "anywhere") -> str:
    """Return a group that matches the longest of some phrases; it matches nothing where there are none."""
    trees: dict[tuple[str, str], dict[str, Any]] = {}
    for phrase in sorted(phrases):
        bare = phrase.strip("*")
        node = trees.setdefault(
            (_allow_beside(phrase[0], bare[0], extent), _allow_beside(phrase[-1], bare[-1], extent, behind=True)), {}
        )
        for sign in bare:
            node = node.setdefault(sign, {})
        node[""] = {}
    found = [f"{before}{_write_words(tree)}{behind}" for (before, behind), tree in sorted(trees.items())]
    return f"(?:{'|'.join(found)})" if found else "(?!)"


def _allow_beside(end: str, sign: str, extent: Extent, *, behind: bool = False) -> str:
    """Write what is asked of the text beside a phrase that ends so, without the `*`s with this sign."""
    if extent == "all":
        return _STANDS_FOR["*"] if end == "*" else ""
    if extent == "anywhere" or end == "*" or _UNPARTED.match(sign):
        return ""
    return _NO_WORD_BEHIND if behind else _NO_WORD_BEFORE


def _write_words(tree: dict[str, Any]) -> str:
    """Write a tree of signs as an expression; what goes on is tried before what ends."""
    branches: list[str] = []
    for first, following in tree.items():
        if not first:
            continue
        text = _sign(first)
        while len(following) == 1 and "" not in following:
            sign, following = next(iter(following.items()))  # noqa: PLW2901
            text += _sign(sign)
        branches.append(text + (_write_words(following) if set(following) != {""} else ""))
    if len(branches) == 1 and "" not in tree:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if "" in tree else "")


@cache
def _sign(sign: str) -> str:
    return _STANDS_FOR.get(sign) or re.escape(sign)
