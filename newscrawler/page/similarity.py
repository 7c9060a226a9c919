"""How two texts are compared as headlines: by their letters and digits, whatever stands between these."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

_WORDS = re.compile(r"\w+")
#: Likeness of a text to a much longer one that begins with it.
BEGINNING = 0.85
#: Letters of the beginning of a line that tell the text, and lines that are compared.
_SHORTEST_BEGINNING, _LONGEST_BEGINNING, _FIRST_LINES = 15, 60, 4
#: Longer texts are not headlines; their keys are not kept.
_LONGEST_KEPT = 300
#: Anything but ASCII, and the dashes and quotes that stand in texts otherwise written in it.
_OTHER_LETTER = re.compile("[^\x00-\x7f\u2010-\u203a]")
#: ASCII in small letters, and what of it is not a part of a key.
_FOLDED = bytes(range(256)).lower()
_LEFT_OUT = bytes(code for code in range(128) if not chr(code).isalnum() and chr(code) != "_")


def key_of(text: str) -> str:
    """What two ways to write the same text have in common: its letters and digits, folded."""
    return _short_key(text) if len(text) <= _LONGEST_KEPT else _make_key(text)


def _make_key(text: str) -> str:
    if _OTHER_LETTER.search(text) is None:
        return text.encode("ascii", "ignore").translate(_FOLDED, _LEFT_OUT).decode()
    return "".join(_WORDS.findall(text.casefold()))


_short_key = lru_cache(maxsize=1024)(_make_key)  # a page's headline is compared with all of its headings


def likeness(one: str, other: str) -> float:
    """Likeness of two headlines, 0 to 1: 1 for the same letters, near 1 where one begins with most of the other."""
    first, second = key_of(one), key_of(other)
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    short, long = (first, second) if len(first) < len(second) else (second, first)
    if short in long and 2 * len(short) >= len(long):
        return 0.95 if long.startswith(short) else 0.9
    if len(short) >= 12 and short in long:
        return BEGINNING if long.startswith(short) else 0.5
    words, others = _split_pieces(one), _split_pieces(other)
    return 0.85 * len(words & others) / max(len(words), len(others), 1)


def begins_alike(lines: Iterable[str], other: str) -> bool:
    """Return whether a text contains the beginning of one of the first lines of another."""
    beginnings = (key_of(line)[:_LONGEST_BEGINNING] for line in islice(lines, _FIRST_LINES))
    key = key_of(other)
    return any(len(beginning) >= _SHORTEST_BEGINNING and beginning in key for beginning in beginnings)


@lru_cache(maxsize=512)
def _split_pieces(text: str) -> frozenset[str]:
    words = _WORDS.findall(text.casefold())
    if len(words) < 3:  # a script that parts no words
        joined = "".join(words)
        return frozenset(joined[i : i + 2] for i in range(len(joined) - 1))
    return frozenset(words)
