"""Lines by which texts are signed: a name alone behind the last sentence, in Chinese and Japanese with a word for who writes."""

from __future__ import annotations

import re

_NAME = r"[\u3040-\u30ff\u4e00-\u9fff々]{2,4}(?:[ \u3000][\u3040-\u30ff\u4e00-\u9fff々]{1,4})?"
_WORD = r"(?:文|撰文|取材・文|執筆|記者|记者|作者)"
_SIGNED = re.compile(rf"[(（【〔]?(?:{_WORD}(?:\s?[・／/:：=＝]\s?|[ \u3000]){_NAME}|{_NAME}[ \u3000](?:記者|记者))[)）】〕]?")
_LONGEST = 24
#: A name alone, and particles within it.
_LONGEST_ALONE, _MOST_WORDS = 40, 4
#: A label and a name behind it; without a colon the label is one of few words.
_LONGEST_LABELLED, _WORDS_OF_LABEL = 60, 3
_BY = frozenset(
    {"by", "von", "par", "por", "di", "da", "de", "od", "av", "af", "door", "przez", "oleh", "fra", "från", "από", "від", "от"}
)
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


def is_name_behind_label(text: str) -> bool:
    """Tell whether a line is a label and a full name, as in "By Jane Doe" and "Text und Foto: Jane Doe"."""
    words = text.split()
    if len(text) > _LONGEST_LABELLED or not 3 <= len(words) <= _MOST_WORDS + _WORDS_OF_LABEL:
        return False
    label, colon, name = text.partition(": ")
    if colon:
        return len(label.split()) <= _WORDS_OF_LABEL and is_name_alone(name)
    return words[0].lower() in _BY and is_name_alone(" ".join(words[1:]))
