"""Precision, recall and F1 of Maximum Subsequence Segmentation, at the document's value of a tag and at others.

The document (see `newscrawler.research.methods.mss`) shows what the paper reaches in a picture that is lost, and says that its
values can be played with.
"""

from __future__ import annotations

from newscrawler.research.evaluation.document_table import PrintedTable
from newscrawler.research.evaluation.run import Evaluation
from newscrawler.research.evaluation.summary import summarise

#: Methods that are compared where none are named: the document's value, 3.25, among others.
MSS_METHODS = ("mss[tag_cost=1]", "mss[tag_cost=2]", "mss[tag_cost=3.25]", "mss[tag_cost=5]", "mss[tag_cost=7]")


def mss_table(evaluation: Evaluation) -> PrintedTable:
    """Return pages, precision, recall and F1 of each method, by four-word shingles."""
    rows = [
        (row.method, row.pages, _shown(row.precision), _shown(row.recall), _shown(row.f1)) for row in summarise(evaluation).rows
    ]
    return PrintedTable(
        title="001: Maximum Subsequence Segmentation", heading=("method", "pages", "precision", "recall", "F1"), rows=rows
    )


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
