"""Regular expressions for the phrases of a topic.

The alternatives are written as a tree of their common beginnings: a list of hundreds of phrases is searched in the time of a few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, Literal, cast

from newscrawler.languages.load import words

Fold = Callable[[str], str]

#: Scripts that part no words by blanks: nothing is asked of the characters beside a phrase in them. The first and the last signs.
_UNPARTED = ("\u0e00\u0eff", "\u1000\u109f", "\u1780\u17ff", "\u2e80\ud7ff", "\uf900\ufaff", "\uff00\uffef")
_NO_WORD_BEFORE, _NO_WORD_BEHIND = r"(?<![^\W_])", r"(?![^\W_])"
_ANY_LETTERS = r"[^\W_]*"
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


class _LatePattern:
    """Stands for a pattern until one of its methods is used."""

    def __init__(self, write: Callable[[], str], flags: int) -> None:
        self._write, self._flags = write, flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern, and keep its methods."""
        compiled = re.compile(self._write(), self._flags)
        self.__dict__ |= {each: getattr(compiled, each) for each in dir(compiled) if each[0] != "_"}
        return self.__dict__[name]


def compile_late(write: Callable[[], str], flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is written and compiled on its first use: many take milliseconds, and a page needs few of them."""
    return cast("re.Pattern[str]", _LatePattern(write, flags))


def one_of(phrases: Iterable[str], extent: Extent = "anywhere") -> str:
    """Return a group that matches the longest of some phrases; it matches nothing where there are none."""
    groups: dict[tuple[str, str], set[str]] = {}
    for phrase in phrases:
        bare = phrase.strip("*")
        around = _allow_beside(phrase[0], bare[0], extent), _allow_beside(phrase[-1], bare[-1], extent, behind=True)
        groups.setdefault(around, set()).add(bare)
    found = [f"{before}{_write_words(sorted(group), 0)}{behind}" for (before, behind), group in sorted(groups.items())]
    return f"(?:{'|'.join(found)})" if found else "(?!)"


def _allow_beside(end: str, sign: str, extent: Extent, *, behind: bool = False) -> str:
    """Write what is asked of the text beside a phrase that ends so, without the `*`s with this sign."""
    if extent == "all":
        return _ANY_LETTERS if end == "*" else ""
    if extent == "anywhere" or end == "*" or any(span[0] <= sign <= span[1] for span in _UNPARTED):
        return ""
    return _NO_WORD_BEHIND if behind else _NO_WORD_BEFORE


def _write_words(phrases: list[str], begin: int) -> str:
    """Write sorted phrases from a place on, up to which they are the same, as an expression; the longer ones are tried first."""
    first, last = phrases[0], phrases[-1]
    end = len(first) if len(phrases) == 1 else next((at for at in range(begin, len(first)) if first[at] != last[at]), len(first))
    same = re.escape(first[begin:end]).replace(r"\*", _ANY_LETTERS).replace("…", ".{0,25}")
    is_one = len(first) == end
    if is_one and len(phrases) == 1:
        return same
    branches = [_write_words([*group], end) for _, group in groupby(phrases[is_one:], itemgetter(end))]
    return f"{same}(?:{'|'.join(branches)}){'?' * is_one}"
