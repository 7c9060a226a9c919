"""Lines by which texts are signed: a name alone behind the last sentence, in Chinese and Japanese with a word for who writes."""

from __future__ import annotations

import re

_NAME = r"[\u3040-\u30ff\u4e00-\u9fff々]{2,4}(?:[ \u3000][\u3040-\u30ff\u4e00-\u9fff々]{1,4})?"
_WORD = r"(?:文|撰文|取材・文|執筆|記者|记者|作者)"
_SIGNED = re.compile(rf"[(（【〔]?(?:{_WORD}(?:\s?[・／/:：=＝]\s?|[ \u3000]){_NAME}|{_NAME}[ \u3000](?:記者|记者))[)）】〕]?")
_LONGEST = 24
#: A name alone, and particles within it.
_LONGEST_ALONE, _MOST_WORDS = 40, 4
_ALONE = re.compile(r"[^\W\d_]+(?:[-'’.][^\W\d_]*)*")
_PARTICLES = frozenset({
    "von", "van", "der", "den", "de", "da", "di", "del", "della", "dos", "das", "du", "la", "le", "y", "e", "al", "bin", "ibn",
    "ter", "ten", "zu", "af", "av",
})  # fmt: skip


def signs(text: str) -> bool:
    """Tell whether a line signs a text, as in "文・佐藤英樹" and "记者 王小明"."""
    return len(text) <= _LONGEST and not text.isascii() and _SIGNED.fullmatch(text.strip()) is not None


def is_name_alone(text: str) -> bool:
    """Tell whether a line is written as a full name is, and as nothing else: two words to four, each with a capital."""
    words = text.strip(" ()[]–—-,").split()
    if len(text) > _LONGEST_ALONE or not 2 <= len(words) <= _MOST_WORDS:
        return False
    if not all(map(_ALONE.fullmatch, words)) or text.isupper() or not (words[0][0].isupper() and words[-1][0].isupper()):
        return False
    return all((word[0].isupper() and not word[1:].isupper()) or word in _PARTICLES for word in words) and words[-1][-1] != "."
