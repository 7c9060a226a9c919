"""Words of a text: how they are folded for search, how they are segmented, and the query language over them."""

from __future__ import annotations

from newscrawler.store.search.fold import WordToken, fold_text, tokens
from newscrawler.store.search.matches import WordSpan, spans
from newscrawler.store.search.query_language import And, Near, Node, Not, Or, Phrase, Zone, parse
from newscrawler.store.search.segmentation import folded_words, sentences, words

__all__ = [
    "And",
    "Near",
    "Node",
    "Not",
    "Or",
    "Phrase",
    "WordSpan",
    "WordToken",
    "Zone",
    "fold_text",
    "folded_words",
    "parse",
    "sentences",
    "spans",
    "tokens",
    "words",
]
