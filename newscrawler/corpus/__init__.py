"""Work with the texts after the crawl: search results, concordances, statistics, exports, releases.

All functions return records or write to streams; only the command line prints.
"""

from __future__ import annotations

from newscrawler.corpus.annotation import Annotator, annotator
from newscrawler.corpus.concordance import Line, Sorting, concordance, ordered
from newscrawler.corpus.snippets import Piece, snippet
from newscrawler.corpus.statistics import (
    Collocate,
    Frequency,
    Grouping,
    Keyword,
    Trend,
    Unit,
    collocates,
    forms,
    frequencies,
    keywords,
    lemmas_of,
    trends,
)

__all__ = [
    "Annotator",
    "Collocate",
    "Frequency",
    "Grouping",
    "Keyword",
    "Line",
    "Piece",
    "Sorting",
    "Trend",
    "Unit",
    "annotator",
    "collocates",
    "concordance",
    "forms",
    "frequencies",
    "keywords",
    "lemmas_of",
    "ordered",
    "snippet",
    "trends",
]
