"""Words and sentences by Unicode text segmentation (UAX 29), and by libraries for scripts that set no spaces, where installed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

import regex

_BOUNDARY = regex.compile(r"(?w)\b")
_WORDLIKE = regex.compile(r"[\p{L}\p{N}]")
#: Terminators with closing marks behind them; in scripts with spaces only before one and a letter that is not small.
_SENTENCE_END = regex.compile(r"(?:[.!?…։؟।۔]+[\p{Pe}\p{Pf}\p{Pi}\"']*\s+(?=[^\p{Ll}\s])|[。！？]+[\p{Pe}\p{Pf}”]*|\n+)")
_HAN, _KANA, _THAI = regex.compile(r"\p{Han}"), regex.compile(r"[\p{Hiragana}\p{Katakana}]"), regex.compile(r"\p{Thai}")

#: Cuts a text into pieces that follow each other without a gap.
Cutter = Callable[[str], Iterator[str]]


def words(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield start, end and whether it is a word (else a punctuation mark) of each piece of a text but white space."""
    for start, end in _pieces(text):
        piece = text[start:end]
        if not piece.isspace():
            yield start, end, _WORDLIKE.search(piece) is not None


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    cutter = _cutter_of(text)
    if cutter is None:
        before = 0
        for match in _BOUNDARY.finditer(text):
            if match.start() > before:
                yield before, match.start()
                before = match.start()
        if before < len(text):
            yield before, len(text)
        return
    place = 0
    for piece in cutter(text):
        found = text.find(piece, place)
        if found >= 0:
            yield found, found + len(piece)
            place = found + len(piece)


def _cutter_of(text: str) -> Cutter | None:
    if text.isascii():
        return None
    if _KANA.search(text):
        return _japanese()
    if _HAN.search(text):
        return _chinese()
    return _thai() if _THAI.search(text) else None


def _loaded(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        return None


@lru_cache(maxsize=1)
def _japanese() -> Cutter | None:
    library = _loaded("fugashi")
    if library is None:
        return None
    tagger = library.Tagger()
    return lambda text: (word.surface for word in tagger(text))


@lru_cache(maxsize=1)
def _chinese() -> Cutter | None:
    library = _loaded("jieba")
    if library is None:
        return None
    library.setLogLevel(logging.WARNING)  # it tells how long its dictionary took to load
    return lambda text: iter(library.cut(text))


@lru_cache(maxsize=1)
def _thai() -> Cutter | None:
    library = _loaded("pythainlp")
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
