"""Regular expressions for the phrases of a topic.

The alternatives are written as a tree of their common beginnings: a list of hundreds of phrases is searched in the time of a few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from newscrawler.languages.load import words

#: Scripts that part no words by blanks: nothing is asked of what stands beside a phrase in them.
_UNPARTED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef]")
_NO_WORD_BEFORE, _NO_WORD_BEHIND = r"(?<![^\W_])", r"(?![^\W_])"
_STANDS_FOR = {"*": r"[^\W_]*", "…": ".{0,25}", " ": r"\s"}


@cache
def alternatives(*topics: str, language: str | None = None, whole: bool = False, fold: Callable[[str], str] | None = None) -> str:
    """Return a group, without a name, that matches the longest phrase of some topics.

    Args:
        topics: their names.
        language: a code; none for all languages.
        whole: a phrase is found only where no letters or digits stand beside it, except at a `*`.
        fold: applied to each phrase, as to the text in which it is looked for.
    """
    phrases = {phrase for topic in topics for phrase in words(topic, language)}
    return one_of(map(fold, phrases) if fold else phrases, whole=whole)


@cache
def pattern(
    *topics: str, language: str | None = None, whole: bool = True, fold: Callable[[str], str] | None = None
) -> re.Pattern[str]:
    """Return a compiled pattern, blind to case, that finds the phrases of some topics; for the rest see `alternatives`."""
    return re.compile(alternatives(*topics, language=language, whole=whole, fold=fold), re.IGNORECASE)


def one_of(phrases: Iterable[str], *, whole: bool = False) -> str:
    """Return a group that matches the longest of some phrases; it matches nothing where there are none."""
    groups: dict[tuple[bool, bool], dict[str, Any]] = {}
    for phrase in sorted(phrases):
        bare = phrase.strip("*")
        before = whole and not phrase.startswith("*") and not _UNPARTED.match(bare)
        behind = whole and not phrase.endswith("*") and not _UNPARTED.match(bare[-1:])
        node = groups.setdefault((before, behind), {})
        for sign in bare:
            node = node.setdefault(sign, {})
        node[""] = {}
    found = [
        f"{_NO_WORD_BEFORE * before}{_written(tree)}{_NO_WORD_BEHIND * behind}" for (before, behind), tree in sorted(groups.items())
    ]
    return f"(?:{'|'.join(found)})" if found else "(?!)"


def _written(tree: dict[str, Any]) -> str:
    """Write a tree of signs as an expression; what goes on is tried before what ends."""
    branches: list[str] = []
    for sign, following in tree.items():
        text = _STANDS_FOR.get(sign) or re.escape(sign) if sign else ""
        while len(following) == 1 and "" not in following:
            sign, following = next(iter(following.items()))  # noqa: PLW2901
            text += _STANDS_FOR.get(sign) or re.escape(sign)
        if sign:
            branches.append(text + (_written(following) if set(following) != {""} else ""))
    if len(branches) == 1 and "" not in tree:
        return branches[0]
    return f"(?:{'|'.join(branches)})" + ("?" if "" in tree else "")
