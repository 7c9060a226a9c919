"""Comparison of methods on pages with gold: scores, verdicts, tables and a report.

The packages of the methods do not import this one. The answer of a method to a page is cached by the page's hash and the method's
name, parameters and source, so that a repeated evaluation measures only what has changed.
"""

from newscrawler.corpus.reviews import Gold
from newscrawler.research.evaluation.cache import Cache
from newscrawler.research.evaluation.candidates import MethodCandidate, candidates, parse_sweep
from newscrawler.research.evaluation.data import DataProblem, TestPage, read_data
from newscrawler.research.evaluation.run import Evaluation, evaluate
from newscrawler.research.evaluation.summary import Summary, summarise

__all__ = [
    "Cache", "DataProblem", "Evaluation", "Gold", "MethodCandidate", "Summary", "TestPage", "candidates", "evaluate", "parse_sweep",
    "read_data", "summarise",
]  # fmt: skip
