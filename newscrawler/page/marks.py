"""What class names, ids and roles say an element is: a small vocabulary of marks, each one bit.

Names are split at everything that is not a letter and at camel case; a word counts wherever it stands. The words are those that
publishing systems share, not those of a publisher. A mark is evidence, not a verdict: it is weighed elsewhere.
"""

from __future__ import annotations

import re
from enum import IntFlag
from functools import lru_cache
from itertools import pairwise

from newscrawler.languages import class_names


class Mark(IntFlag):
    """What a name claims."""

    NAVIGATION = 1
    FOOTER = 2
    ASIDE = 4
    RELATED = 8
    PROMOTION = 16
    SOCIAL = 32
    COMMENT = 64
    CAPTION = 128
    BYLINE = 256
    TAGS = 512
    POPUP = 1024
    WIDGET = 2048
    HIDDEN = 4096
    PULL_QUOTE = 8192
    LEAD = 16384
    BODY = 32768
    ARTICLE = 65536
    HEADER = 131072
    EMBED = 262144
    MAIN = 524288
    FORM = 1048576
    FIGURE = 2097152
    CONSENT = 4194304


#: What stands beside an article, where nothing is its headline.
BOXES_BESIDE = int(
    Mark.NAVIGATION
    | Mark.FOOTER
    | Mark.ASIDE
    | Mark.RELATED
    | Mark.PROMOTION
    | Mark.COMMENT
    | Mark.POPUP
    | Mark.HIDDEN
    | Mark.SOCIAL
)

#: Words by the sum of their marks; those long enough to be recognised inside a longer one, as in "relatedposts"; pairs that only
#: together mean something. Filled from the files of languages.
_BITS: dict[str, int] = {}
_INSIDE: dict[str, int] = {}
_PAIRS: dict[tuple[str, str], int] = {}
for _name, _phrases in class_names().items():
    _bit = int(Mark[_name.upper()])
    for _phrase in _phrases:
        _first, _, _second = _phrase.partition(" ")
        if _second:
            _PAIRS[_first, _second] = _PAIRS.get((_first, _second), 0) | _bit
        elif _phrase.startswith("*"):
            _INSIDE[_phrase.strip("*")] = _INSIDE.get(_phrase.strip("*"), 0) | _bit
        else:
            _BITS[_phrase] = _BITS.get(_phrase, 0) | _bit

_FIRST_OF_PAIR = frozenset(first for first, _ in _PAIRS)
#: Beside the marks of a word.
_BEGINS_PAIR = 1 << 40
_BODY, _ARTICLE = int(Mark.BODY), int(Mark.ARTICLE)
_FOREIGN_NAMES = int(
    Mark.RELATED
    | Mark.PROMOTION
    | Mark.SOCIAL
    | Mark.COMMENT
    | Mark.CAPTION
    | Mark.BYLINE
    | Mark.TAGS
    | Mark.CONSENT
    | Mark.PULL_QUOTE
)

#: Words of letters; a capital behind a small letter begins a new one.
_PARTS = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
_LONGEST_NAME = 400
#: Names in which something else is hidden: what overflows, a label (of every field in Drupal), on some screens or on paper.
_OF_LOOKS = re.compile(r"overflow(?:-[xy])?-hidden|label-(?:hidden|visually_hidden|above|inline)|(?:sm|md|lg|xl|print):hidden")
#: Names, and words, that are kept with what they say.
_MOST_KNOWN = 4_096
#: A class list this long is a list of utilities (Tailwind and the like), whose words describe looks.
_MOST_WORDS = 40


#: All but small letters as blanks: parts names in small letters, as most are, in half the time of a pattern.
_SMALL = "".join(sign if sign.islower() else " " for sign in map(chr, range(128)))


@lru_cache(maxsize=_MOST_KNOWN)
def marks_of(name: str) -> int:
    """Read the marks from class names and ids; a sum of `Mark` bits."""
    parts = _parts_of(name[:_LONGEST_NAME])
    found = 0
    for part in parts:
        found |= _WORD_BITS[part]
    if found >= _BEGINS_PAIR:
        found = found & ~_BEGINS_PAIR | _pairs_in(parts)
    if found & _FOREIGN_NAMES and not found & _ARTICLE:
        found &= ~_BODY  # "comment-body", "caption-text": what kind of text it is counts for more than that it is text
    return found


def _parts_of(name: str) -> list[str]:
    """The words of a name."""
    if "hidden" in name or "label-" in name:
        name = _OF_LOOKS.sub(" ", name)
    parts = name.translate(_SMALL).split() if name.islower() and name.isascii() else _PARTS.findall(name)
    return parts[:_MOST_WORDS]


def _pairs_in(parts: list[str]) -> int:
    """What two words say together."""
    words = [part.lower() for part in parts]
    found = 0
    for pair in pairwise(words):
        found |= _PAIRS.get(pair, 0)
    return found


class _WordBits(dict[str, int]):
    """What words say by themselves, and whether they may begin a pair; read as they come, and kept."""

    def __missing__(self, part: str) -> int:
        word = part.lower()
        bits = _BITS.get(word, 0)
        if len(word) > 7:
            for inside, bit in _INSIDE.items():
                if inside in word:
                    bits |= bit
        if word in _FIRST_OF_PAIR:
            bits |= _BEGINS_PAIR
        if len(self) >= _MOST_KNOWN:
            self.clear()
        self[part] = bits
        return bits


_WORD_BITS = _WordBits()
