"""Methods side by side: pages with expectations in, measured and judged results out.

The rooms of the methods know nothing of this one. What a method gave on a page is kept in a cache, by the page's hash and by the
method's name, parameters and source, so that an evaluation that is run again only measures what has changed.
"""

from __future__ import annotations

from newscrawler.evaluate.cache import Cache
from newscrawler.evaluate.candidates import Candidate, candidates, swept
from newscrawler.evaluate.data import Gold, Problem, TestPage, read_data
from newscrawler.evaluate.run import Evaluation, evaluate
from newscrawler.evaluate.sample import sample
from newscrawler.evaluate.summary import Summary, summarise

__all__ = [
    "Cache",
    "Candidate",
    "Evaluation",
    "Gold",
    "Problem",
    "Summary",
    "TestPage",
    "candidates",
    "evaluate",
    "read_data",
    "sample",
    "summarise",
    "swept",
]
