"""Reviews: articles that people judge, the gold that follows from their verdicts, and the results."""

from __future__ import annotations

from newscrawler.corpus.reviews.gold import (
    Gold,
    JudgedFaulty,
    derive_gold,
    derive_gold_from_faults,
    find_first_folder,
    list_variants,
    read_gold,
    save_verdict,
    split_words,
)
from newscrawler.corpus.reviews.queue import (
    QueueOrder,
    divide_in_proportion,
    draw_articles,
    draw_most_useful,
    draw_sample,
    order_queue,
)
from newscrawler.corpus.reviews.results import (
    ErrorClass,
    PortalResult,
    compute_agreements,
    compute_kappa,
    compute_mean_accuracy,
    compute_wilson_interval,
    find_worst_error,
    summarise_reviews,
)

__all__ = [
    "ErrorClass", "Gold", "JudgedFaulty", "PortalResult", "QueueOrder", "compute_agreements", "compute_kappa",
    "compute_mean_accuracy", "compute_wilson_interval", "derive_gold", "derive_gold_from_faults", "divide_in_proportion",
    "draw_articles", "draw_most_useful", "draw_sample", "find_first_folder", "find_worst_error", "list_variants", "order_queue",
    "read_gold", "save_verdict", "split_words", "summarise_reviews",
]  # fmt: skip
