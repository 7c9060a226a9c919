"""Cross-validates the whole decision by host: each page is read by the program with models that saw no page of its host."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.extraction.metadata.language import detect_language
from newscrawler.page import Document
from training.forests import fold_of
from training.models import Models, train
from training.pages import SETS, LabelledPage, load
from training.samples import Sample
from training.scores import score, total
from training.wording import Vocabulary

_PARTS = 4
_RESAMPLED = 400
#: The samples, in a process that trains: a fork shares them, the work it gets would be copies of them.
_SHARED: list[Sample] = []
_KNOWN: Vocabulary = {}


@dataclass(slots=True, kw_only=True)
class Answers:
    """Figures of pages by data set, and what the models expected of each."""

    pages: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def totals(self) -> dict[str, dict[str, float]]:
        """Return the figures of each data set."""
        return {dataset: total(dataset, pages) for dataset, pages in self.pages.items()}

    def intervals(self, seed: int = 0) -> dict[str, dict[str, tuple[float, float]]]:
        """Return the middle 95 % of the figures of resampled pages."""
        rng = random.Random(seed)
        found: dict[str, dict[str, tuple[float, float]]] = {}
        for dataset, pages in self.pages.items():
            rounds = [total(dataset, rng.choices(pages, k=len(pages))) for _ in range(_RESAMPLED)]
            found[dataset] = {name: _middle([each.get(name, 0.0) for each in rounds]) for name in rounds[0]}
        return found

    def by_language(self, fewest: int = 10) -> dict[str, dict[str, tuple[int, float]]]:
        """Return the pages and their mean F1 by data set and language; languages with fewer pages together as "others"."""
        found: dict[str, dict[str, tuple[int, float]]] = {}
        for dataset, pages in self.pages.items():
            known = [page for page in pages if "f1" in page and page["language"]]
            number = Counter(page["language"] for page in known)
            groups: dict[str, list[float]] = defaultdict(list)
            for page in known:
                groups[page["language"] if number[page["language"]] >= fewest else "others"].append(page["f1"])
            if len(groups) > 1:
                found[dataset] = {name: (len(each), fmean(each)) for name, each in sorted(groups.items())}
        return found

    def confidence_rank(self) -> float:
        """Return Spearman's rank correlation of the expected and the real F1 of articles."""
        known = np.array([(page["confidence"], page["f1"]) for pages in self.pages.values() for page in pages if "f1" in page])
        return float(np.corrcoef(_ranks(known[:, 0]), _ranks(known[:, 1]))[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rank of each value, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    found: NDArray[np.float64] = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return found


def _middle(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values)
    cut = round(0.025 * len(ordered))
    return ordered[cut], ordered[-1 - cut]


def cross_validate(
    root: Path, samples: Sequence[Sample], known: Vocabulary, *, seed: int, folds: int = 5, datasets: Sequence[str] = SETS
) -> Answers:
    """Read every page of the data sets by models that were trained without its host."""
    with TemporaryDirectory() as folder, Pool(2, _share, (samples, known)) as pool:
        pool.starmap(_train_without, [(seed, folds, fold, folder) for fold in range(folds)], chunksize=1)
        read = partial(_read, root, Path(folder), seed, folds)
        parts = pool.starmap(read, [(dataset, part) for dataset in (*datasets, "own") for part in range(_PARTS)], chunksize=1)
    answers = Answers()
    for dataset, pages in parts:
        answers.pages.setdefault(dataset, []).extend(pages)
    return answers


def _share(samples: Sequence[Sample], known: Vocabulary) -> None:
    _SHARED.extend(samples)
    _KNOWN.update(known)


def _train_without(seed: int, folds: int, fold: int, folder: str) -> None:
    models = train([sample for sample in _SHARED if fold_of(sample.host, folds, seed) != fold], _KNOWN, seed)
    target = Path(folder, str(fold))
    target.mkdir()
    models.write(target)


def _read(root: Path, folder: Path, seed: int, folds: int, dataset: str, part: int) -> tuple[str, list[dict[str, Any]]]:
    extractors = [Models.read(folder / str(fold)).extractor() for fold in range(folds)]
    found: list[dict[str, Any]] = []
    for number, page in enumerate(load(root, dataset)):
        if number % _PARTS != part:
            continue
        examination = extractors[fold_of(page.host, folds, seed)].examine(Document.parse(page.html, page.address))
        refused = examination.refusal is not None
        body = examination.body.text if examination.body is not None and not refused else None
        figures = score(page, body, refused=refused)
        verdict = examination.verdict
        found.append({**figures, "confidence": verdict.confidence if verdict else 0.0, "language": find_language(page)})
    return dataset, found


def find_language(page: LabelledPage) -> str:
    """Return the language of the text that a page is known to have; "" where it is not told."""
    return detect_language("\n".join(page.gold.get("paragraphs") or [page.gold.get("body") or ""])) or ""
