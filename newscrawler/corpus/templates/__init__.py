"""Layout drift: detect that the pages of a portal have changed, learn a new template, and adopt it if it is better.

`figures` computes statistics of the pages of a crawl run, `limits` derives their usual range from earlier runs, `sampling` selects
pages to learn from and pages to hold out, `comparison` compares two templates on the held-out pages, and `repair` does all of it
at the end of a run.
"""

from __future__ import annotations

from newscrawler.corpus.templates.figures import DriftFigure, figures_of, find_violations, noted
from newscrawler.corpus.templates.repair import DriftReport, candidate, check_round, kept_documents, learn_by_hand
from newscrawler.corpus.templates.sampling import PageChoice, choose_pages, spread_evenly
from newscrawler.corpus.templates.site_template import learn_if_missing, learn_site_template
from newscrawler.corpus.templates.trial import try_template

__all__ = [
    "DriftFigure",
    "DriftReport",
    "PageChoice",
    "candidate",
    "check_round",
    "choose_pages",
    "figures_of",
    "find_violations",
    "kept_documents",
    "learn_by_hand",
    "learn_if_missing",
    "learn_site_template",
    "noted",
    "spread_evenly",
    "try_template",
]  # fmt: skip
