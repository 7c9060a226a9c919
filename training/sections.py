"""Trains and cross-validates the forest that says which of the names on a page is that of its section.

No public data set knows the sections of its pages. What labels them is agreement: the section that JSON-LD or a meta element states
of the article, where its address, its breadcrumb or the other of the two names the same. What is learned is to find it where some
of these sources are taken away. Generated pages know theirs.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from newscrawler.extraction.body.forest import Forest, Rows
from newscrawler.extraction.metadata.candidates import NameCandidate, NameCandidates, fold_letters
from newscrawler.extraction.metadata.section import FEATURES, SOURCES, build_rows, decide, read_in_turn
from newscrawler.page import Document
from training.forests import fit, fold_of
from training.pages import LabelledPage, load

SETS = ("fundus", "aeb", "fe", "trafilatura", "htmldate", "wcxb", "l3s", "own")
#: What is taken away from a page.
VIEWS: dict[str, frozenset[str]] = {
    "whole": frozenset(),
    "undeclared": frozenset({"json-ld", "meta"}),
    "shown": frozenset({"json-ld", "meta", "list"}),
    "without address": frozenset({"json-ld", "meta", "address", "leading"}),
    "without breadcrumb": frozenset({"json-ld", "meta", "list", "trail"}),
    **{f"{source} alone": frozenset(SOURCES) - {source} for source in ("json-ld", "meta", "list", "address")},
}
_WEIGHTS = {"undeclared": 1.0, "shown": 1.0, "without breadcrumb": 0.7}
_WEIGHT_OF_OTHERS = 0.4
_OF_OWN, _TREES = 0.2, 110
_CONFIRMING = frozenset(SOURCES) - {"category", "active", "class", "above", "below"}
#: What confirms the section of a page that is trained on and not measured.
_CONFIRMING_MORE = _CONFIRMING | {"active", "class"}
_SETTINGS = {"min_data_in_leaf": 15, "lambda_l2": 4.0, "learning_rate": 0.08, "feature_fraction": 0.3, "monotone_constraints": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSample:
    """One page whose section is known."""

    dataset: str
    host: str
    #: Letters of the section.
    gold: str
    is_measured: bool
    #: By what was taken away: the candidates and their features after each turn.
    views: dict[str, list[tuple[NameCandidates, Rows]]]


def section_samples(root: Path) -> list[SectionSample]:
    """Read the names on all articles whose section is known."""
    pages = (page for dataset in SETS for page in load(root, dataset) if page.other_kind is None)
    return [sample for page in pages if (sample := _sample(page)) is not None]


def _sample(page: LabelledPage) -> SectionSample | None:
    document = Document.parse(page.html, page.url)
    turns = [deepcopy(found) for found, _ in read_in_turn(document)]
    shown = page.gold.get("labels", {}).get("kicker", ())
    measured = fold_letters(shown[0]) if shown else _agreed(turns[-1], _CONFIRMING)
    is_one = sum("json-ld" in one.values for one in turns[-1].values()) < 2  # a class says the same of all that are stated
    gold = measured or (_agreed(turns[-1], _CONFIRMING_MORE) if is_one else None)
    if gold is None or (page.dataset == "own" and not shown):
        return None
    views = {name: list(_view(document, turns, hidden)) for name, hidden in VIEWS.items()}
    return SectionSample(dataset=page.dataset, host=page.host, gold=gold, is_measured=measured is not None, views=views)


def _agreed(found: NameCandidates, confirming: frozenset[str]) -> str | None:
    """Return the section that is stated of the article and confirmed by another of some sources; None where none is, or two are."""
    stated = [
        key
        for key, one in found.items()
        if (one.values.get("json-ld") == 1.0 or one.values.get("meta")) and len(confirming & one.values.keys()) > 1
    ]
    return stated[0] if len(stated) == 1 else None


def _view(page: Document, turns: Sequence[NameCandidates], hidden: frozenset[str]) -> Iterator[tuple[NameCandidates, Rows]]:
    """Yield the candidates of each turn as if some sources were not there."""
    for looked, found in enumerate(turns):
        left = NameCandidates()
        for key, one in found.items():
            values = {name: value for name, value in one.values.items() if not name.startswith(tuple(hidden))}
            if SOURCES.keys() & values.keys():
                left[key] = NameCandidate(key, one.name, values)
        yield left, build_rows(page, left, looked=looked)


def train_sections(samples: Sequence[SectionSample], seed: int = 0) -> dict[str, Any]:
    """Fit the forest; returns the plain lists of its file."""
    rows: list[Sequence[float]] = []
    labels: list[bool] = []
    weights: list[float] = []
    for sample in samples:
        for name, turns in sample.views.items():
            for found, features in turns:
                rows.extend(features)
                labels += [key == sample.gold for key in found]
                weights += [_WEIGHTS.get(name, _WEIGHT_OF_OTHERS) * (_OF_OWN if sample.dataset == "own" else 1.0)] * len(features)
    table = np.array(rows, dtype=np.float32)
    return fit(table, np.array(labels), np.array(weights), FEATURES, trees=_TREES, seed=seed, **_SETTINGS)


def validate_sections(samples: Sequence[SectionSample], seed: int, folds: int = 5) -> dict[str, float]:
    """Return by view the share of pages of public data sets whose section is right, each page read by a forest of other hosts.

    Where what was taken away alone names the section, none is right.
    """
    scores: dict[str, list[float]] = {}
    for fold in range(folds):
        forest = Forest.of(train_sections([each for each in samples if fold_of(each.host, folds, seed) != fold], seed))
        for sample in samples:
            if sample.is_measured and fold_of(sample.host, folds, seed) == fold:
                for view, turns in sample.views.items():
                    chosen = next(iter(decide(turns, forest).chosen), None)
                    wanted = sample.gold if sample.gold in turns[-1][0] else None
                    kind = "own" if sample.dataset == "own" else view
                    scores.setdefault(kind, []).append(float((chosen.key if chosen else None) == wanted))
    return {view: statistics.fmean(values) for view, values in scores.items()}
