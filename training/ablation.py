"""What each group of features is worth: how much worse the forests choose blocks of unseen hosts when they train without it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from newscrawler.extraction.body.features import GROUPS, NAMES
from training.models import find_probabilities, list_folds, train_forests
from training.page_kinds import f1_of_blocks
from training.samples import Sample

FIGURES = Path(__file__).parent / "ablation.json"


def ablate(samples: Sequence[Sample], seeds: int = 1) -> dict[str, float]:
    """Return the mean F1 of all data sets with every feature ("all"), and by how much it changes without each group."""
    whole = f1_without((), samples, seeds)
    return {"all": whole} | {group: round(f1_without(names, samples, seeds) - whole, 4) for group, names in GROUPS.items()}


def write_ablation(figures: dict[str, float]) -> None:
    """Write the figures where the model card finds them."""
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def read_ablation() -> dict[str, float]:
    """Return the figures that were written last; empty where nobody has measured them."""
    found: dict[str, float] = json.loads(FIGURES.read_text("utf-8")) if FIGURES.is_file() else {}
    return found


def f1_without(without: Sequence[str], samples: Sequence[Sample], seeds: int) -> float:
    """Return the F1 of chosen blocks by characters: the mean of the data sets' means, cross-validated by host."""
    columns = [NAMES.index(name) for name in without]
    pages: dict[str, list[float]] = {}
    for seed in range(seeds):
        forests = train_forests(samples, list_folds(samples, seed), seed, columns)
        likely = find_probabilities(samples, forests.odds)
        for sample, probabilities in zip(samples, likely, strict=True):
            if sample.gold_size and not sample.disturbed:
                pages.setdefault(sample.dataset, []).append(f1_of_blocks(sample, probabilities))
    return round(float(np.mean([np.mean(figures) for figures in pages.values()])), 4)
