"""Splits texts into words and sentences (UAX 29), and folds words as the index has them."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from itertools import chain
from typing import Any, NamedTuple
from unicodedata import normalize

import regex

_BOUNDARY = regex.compile(r"(?w)\b")
#: After these, `regex` sees no boundary before a vowel, though UAX 29 has one.
_APOSTROPHES = "'’‘"
_WORDLIKE = regex.compile(r"[\p{L}\p{N}]")
#: The same words in one step, in a fifth of the time, for texts of only these characters: Latin, Greek and Cyrillic letters that
#: neither combine nor are more than one letter when they are folded, digits, spaces and common punctuation.
_OTHER = re.compile(
    "[^\x00-\x5e\x60-\xac\xae-\xb1\xb4-\xb7\xba\xbb\xbf-\u012f\u0131-\u01ef\u01f1-\u024f\u0370-\u037d\u037f-\u0386\u0388-\u038f"
    "\u0391-\u03af\u03b1-\u0482\u048a-\u052f\u1e00-\u1e95\u1e9a-\u1eff\u2010-\u2023\u2025\u2026\u2028\u2029\u2030-\u203e\u2041-\u2043"
    "\u20ac\u2116\u2122]"
)
_PLAIN_WORD = re.compile(r"[^\W_]+(?:(?:(?<=[^\W\d_])[.:'‘’·](?=[^\W\d_])|(?<=\d)[.,;'‘’](?=\d))[^\W_]+)*")
#: Terminators with closing marks behind them; in scripts with spaces only before one and a letter that is not small.
_SENTENCE_END = regex.compile(r"(?:[.!?…։؟।۔]+[\p{Pe}\p{Pf}\p{Pi}\"']*\s+(?=[^\p{Ll}\s])|[。！？]+[\p{Pe}\p{Pf}”]*|\n+)")
_HAN, _KANA, _THAI = regex.compile(r"\p{Han}"), regex.compile(r"[\p{Hiragana}\p{Katakana}]"), regex.compile(r"\p{Thai}")

#: Cuts a text into pieces that follow each other without a gap.
Cutter = Callable[[str], Iterator[str]]


#: Of a word of a vocabulary; PostgreSQL cannot index longer ones.
_LONGEST_FORM = 600


def list_forms(text: str) -> list[str]:
    """Return the words of a text, without punctuation, in small letters."""
    if _OTHER.search(text):
        return [text[start:end].casefold()[:_LONGEST_FORM] for start, end, is_word in words(text) if is_word]
    forms = _PLAIN_WORD.findall(text.casefold())
    return forms if len(text) <= _LONGEST_FORM else [form[:_LONGEST_FORM] for form in forms]


def words(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield start, end and whether it is a word (else a punctuation mark) of each piece of a text but white space."""
    for start, end in _split_pieces(text):
        piece = text[start:end]
        if not piece.isspace():
            yield start, end, _WORDLIKE.search(piece) is not None


def _split_pieces(text: str) -> Iterator[tuple[int, int]]:
    cutter = _choose_cutter(text)
    if cutter is None:
        before = 0
        for match in [*_BOUNDARY.finditer(text), None]:
            end = match.start() if match else len(text)
            if text[before : before + 1] in _APOSTROPHES and text[before + 1 : before + 2].isalnum():
                yield before, before + 1
                before += 1
            if end > before:
                yield before, end
                before = end
        return
    place = 0
    for piece in cutter(text):
        found = text.find(piece, place)
        if found >= 0:
            yield found, found + len(piece)
            place = found + len(piece)


def _choose_cutter(text: str) -> Cutter | None:
    if text.isascii():
        return None
    if _KANA.search(text):
        return _cut_japanese()
    if _HAN.search(text):
        return _cut_chinese()
    return _cut_thai() if _THAI.search(text) else None


def _load_cutter(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


@lru_cache(maxsize=1)
def _cut_japanese() -> Cutter | None:
    library = _load_cutter("fugashi")
    if library is None:
        return None
    tagger = library.Tagger()
    return lambda text: (word.surface for word in tagger(text))


@lru_cache(maxsize=1)
def _cut_chinese() -> Cutter | None:
    library = _load_cutter("jieba")
    if library is None:
        return None
    library.setLogLevel(logging.WARNING)  # it tells how long its dictionary took to load
    return lambda text: iter(library.cut(text))


@lru_cache(maxsize=1)
def _cut_thai() -> Cutter | None:
    library = _load_cutter("pythainlp")
    return None if library is None else lambda text: iter(library.word_tokenize(text))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each sentence, white space around it left out."""
    start = 0
    for match in [*_SENTENCE_END.finditer(text), None]:
        end = match.end() if match else len(text)
        piece = text[start:end]
        if piece.strip():
            yield start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
        start = end


_SIGNS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
#: One sign of an unspaced script with its marks, or a run of letters; joiners, soft hyphens and tatweel are inside of words.
_WORD = regex.compile(
    rf"(?V1)[{_SIGNS}][\p{{M}}\uff9e\uff9f]*|[[\p{{L}}\p{{N}}]--[{_SIGNS}]][[\p{{L}}\p{{N}}\p{{M}}\u00ad\u200c\u200d]--[{_SIGNS}]]*"
)
#: The same for texts without such scripts, four times as fast.
_SPACED_WORD = regex.compile(r"[\p{L}\p{N}][\p{L}\p{N}\p{M}\u00ad\u200c\u200d]*")
_MAY_HOLD_SIGNS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\uffff\U00016f00-\U00016fff\U0001b000-\U0003ffff]")
#: Marks that a reader may leave out, and characters that are not seen.
_MARKS = regex.compile(
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"  # Latin, Greek, Cyrillic
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"  # Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0640"  # Arabic
    "\u00ad\u200c\u200d]"
)
#: Letters with a stroke, which Unicode does not decompose.
_STROKES = str.maketrans("łøđħŧı", "lodhti")
#: PostgreSQL takes no longer lexemes than 2 KiB; nobody searches for words of that length.
LONGEST_WORD = 60


class WordToken(NamedTuple):
    """A folded word and its place in the text."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=10_000)
def _fold(word: str) -> tuple[str, ...]:
    if word.isascii():
        return (word.lower()[:LONGEST_WORD],)
    return tuple(found[:LONGEST_WORD] for found in _WORD.findall(_strip_marks(word)))


def _strip_marks(word: str) -> str:
    plain = _MARKS.sub("", normalize("NFKD", normalize("NFKD", word).casefold())).translate(_STROKES)
    return normalize("NFC", plain)


def _compile_pattern(text: str) -> regex.Pattern[str]:
    return _WORD if _MAY_HOLD_SIGNS.search(text) else _SPACED_WORD


def fold_text(text: str) -> list[str]:
    """Return the folded words of a text, in order."""
    return list(chain.from_iterable(map(_fold, _compile_pattern(text).findall(text))))


def tokens(text: str) -> Iterator[WordToken]:
    """Yield the same words as `fold_text`, each with its place; parts of one word share it."""
    for match in _compile_pattern(text).finditer(text):
        for token in _fold(match[0]):
            yield WordToken(token, match.start(), match.end())


def fold_form(form: str) -> list[str]:
    """Return the folded words of a form."""
    folded = "" if _OTHER.search(form) else form.translate(_FOLDED)
    return [folded[:LONGEST_WORD]] if folded.isalnum() else fold_text(form)


class _FoldedCharacters(dict[int, str]):
    """What each character becomes by folding, for `str.translate`."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _strip_marks(chr(code))
        return folded


_FOLDED = _FoldedCharacters()
_RUN = re.compile(r"[^\W_]+")


class SplitParagraph(NamedTuple):
    """The words of a paragraph."""

    #: As statistics count them.
    forms: list[str]
    #: As the index has them.
    folded: list[str]
    #: The folded words are those of the forms.
    is_aligned: bool


def split_paragraph(text: str) -> SplitParagraph:
    """Split a text into words; folds the characters of a plain text, and otherwise words."""
    if not _OTHER.search(text):
        small = text.casefold()
        forms, folded = _PLAIN_WORD.findall(small), _RUN.findall(small if small.isascii() else small.translate(_FOLDED))
        if len(text) <= LONGEST_WORD or max(map(len, folded), default=0) <= LONGEST_WORD:
            return SplitParagraph(forms, folded, is_aligned=True)
    forms, by_text = list_forms(text), fold_text(text)
    return SplitParagraph(forms, by_text, is_aligned=list(chain.from_iterable(map(fold_form, forms))) == by_text)
