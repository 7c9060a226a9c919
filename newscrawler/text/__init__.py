"""Words of a text: how they are folded for search, how they are segmented, and the query language over them."""

from __future__ import annotations

from newscrawler.text.fold import Token, fold_text, tokens
from newscrawler.text.matches import Span, spans
from newscrawler.text.query import And, Near, Node, Not, Or, Phrase, Zone, parse
from newscrawler.text.segmentation import folded_words, sentences, words

__all__ = [
    "And",
    "Near",
    "Node",
    "Not",
    "Or",
    "Phrase",
    "Span",
    "Token",
    "Zone",
    "fold_text",
    "folded_words",
    "parse",
    "sentences",
    "spans",
    "tokens",
    "words",
]
