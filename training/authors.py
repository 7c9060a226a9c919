"""Trains and cross-validates the forest that says which names on a page are the authors'."""

from __future__ import annotations

import re
import statistics
import unicodedata
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from newscrawler.errors import PageError
from newscrawler.extraction import ExtractionOptions, ExtractionState, detect_body
from newscrawler.extraction.body.forest import Forest, Rows
from newscrawler.extraction.metadata.authors import FEATURES, decide, read_in_turn
from newscrawler.extraction.metadata.candidates import NameCandidates
from newscrawler.page import Document
from training.bylines import byline_pages
from training.forests import fit, fold_of
from training.pages import LabelledPage, load

SETS = ("fundus", "wcxb", "turing", "own", "bylines")
#: Weight of a data set, of generated sites in our own pages, and of a page whose gold names nobody.
_WEIGHTS = {"fundus": 1.5, "wcxb": 1.0, "turing": 1.0, "own": 0.6, "bylines": 1.0}
#: Data sets whose gold names all authors of a page in one text.
_JOINED = frozenset({"wcxb", "turing"})
_OF_GENERATED, _OF_NOBODY = 0.25, 0.4
#: Weight of what is known after each turn, of all without the head, and of the lines alone.
_TURNS, _WITHOUT_HEAD, _LINES_ALONE = (1.0, 1.0, 0.5), 0.5, 0.4
#: Every so many byline pages are read as those whose text is not known.
_WITHOUT_BODY = 3
_RISING = frozenset({
    "evidence", "json-ld", "json-ld person", "marked", "called", "label", "author page", "share of line", "byline mark",
})  # fmt: skip
_FALLING = frozenset({
    "doubts", "less evidence", "below kind", "other link", "rubric", "foreign mark", "spoken of", "in menu", "sentence",
    "common words", "part of other", *(name for name in FEATURES if name.startswith("others ")),
})  # fmt: skip
_SIGNS = [1 if name in _RISING else -1 if name in _FALLING else 0 for name in FEATURES]
_SETTINGS = {
    "min_data_in_leaf": 12, "lambda_l2": 3.0, "learning_rate": 0.06, "feature_fraction": 0.15, "monotone_constraints": _SIGNS,
}  # fmt: skip
#: Trees of a forest, and forests whose mean is taken: single ones differ by chance.
_TREES, _FORESTS = 110, 2
_COLUMN = {name: number for number, name in enumerate(FEATURES)}
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorSample:
    """One page with the names on it."""

    dataset: str
    host: str
    #: Letters of the authors; one string that holds them all where the data set gives them so.
    gold: frozenset[str]
    #: The gold is one string.
    joined: bool
    weight: float
    #: The candidates and their features after each turn, and without what the head declares.
    turns: Sequence[tuple[NameCandidates, Rows]]
    without_head: tuple[NameCandidates, Rows]

    def is_author(self, name: str) -> bool:
        """Tell whether a name is an author's."""
        key = letters(name)
        return key in self.gold or (self.joined and bool(key) and any(key in one or one in key for one in self.gold))

    def score(self, names: Sequence[str]) -> float:
        """Return 1 for the right authors, as the benchmark of the data set counts them."""
        found = {key for name in names if (key := letters(name))}
        return float(any(map(self.is_author, names)) if self.joined else found == self.gold)


def letters(text: str) -> str:
    """Return the letters and digits of a text, folded."""
    return "".join(_WORD.findall(unicodedata.normalize("NFC", unescape(text)).casefold()))


def author_samples(root: Path) -> list[AuthorSample]:
    """Read the names of all articles whose authors are known."""
    found = []
    for dataset in SETS:
        pages: Iterator[LabelledPage] = byline_pages() if dataset == "bylines" else load(root, dataset)
        articles = (page for page in pages if page.other_kind is None)
        found += [
            _sample(page, hidden=dataset == "bylines" and number % _WITHOUT_BODY == 0) for number, page in enumerate(articles)
        ]
    return found


def _sample(page: LabelledPage, *, hidden: bool) -> AuthorSample:
    document = Document.parse(page.html, page.address)
    draft = ExtractionState(page=document, fetched_at=None)
    try:
        detect_body(draft, ExtractionOptions())
    except PageError:
        hidden = hidden or draft.body is None
    return make_sample(page, document, draft.body.elements if draft.body and not hidden else ())


def make_sample(page: LabelledPage, document: Document, body: Sequence[etree._Element]) -> AuthorSample:
    """Return the names on a page whose body is known."""
    said = page.gold.get("authors", page.gold.get("author")) or []
    joined = page.dataset in _JOINED
    names = said if isinstance(said, list) else [said] if joined else said.split(", ")
    weight = _OF_GENERATED if page.host.startswith("site-") else _WEIGHTS[page.dataset]
    return AuthorSample(
        dataset=page.dataset,
        host=page.host,
        gold=frozenset(map(letters, names)) - {""},
        joined=joined,
        weight=weight * (_OF_NOBODY if joined and not frozenset(filter(None, names)) else 1.0),
        turns=[(deepcopy(found), rows) for found, rows in read_in_turn(document, body)],
        without_head=next(read_in_turn(document, body, declared=False)),
    )


def train_authors(samples: Sequence[AuthorSample], seed: int = 0) -> dict[str, Any]:
    """Fit the forests; returns the plain lists of the file of their mean."""
    rows, labels, weights = [], [], []
    for sample in samples:
        views = [*zip(sample.turns, _TURNS, strict=True), (sample.without_head, _WITHOUT_HEAD)]
        for (found, features), weight in [*views, (_lines_alone(*sample.without_head), _LINES_ALONE)]:
            for one, row in zip(found.values(), features, strict=True):
                rows.append(row)
                labels.append(sample.is_author(one.name))
                weights.append(sample.weight * weight)
    table, wanted, worth = np.array(rows, dtype=np.float32), np.array(labels), np.array(weights)
    draws = range(_FORESTS * seed, _FORESTS * seed + _FORESTS)
    forests = [fit(table, wanted, worth, FEATURES, trees=_TREES, seed=draw, **_SETTINGS) for draw in draws]
    means = [[round(value / _FORESTS, 5) for value in tree] for forest in forests for tree in forest["value"]]
    merged = {name: [tree for forest in forests for tree in forest[name]] for name in ("column", "threshold", "left")}
    return forests[0] | merged | {"value": means}


def _lines_alone(found: NameCandidates, rows: Rows) -> tuple[NameCandidates, Rows]:
    """Return what the lines say, as if no element had a name."""
    left, changed = NameCandidates(), []
    for (key, one), row in zip(found.items(), rows, strict=True):
        if row[_COLUMN["lines"]]:
            left[key] = one
            changed.append(
                [0.0 if name.startswith(("marked", "called")) else value for name, value in zip(FEATURES, row, strict=True)]
            )
    for row in changed:
        row[_COLUMN["candidates"]] = float(len(changed))
        row[_COLUMN["others marked"]] = row[_COLUMN["others called"]] = 0.0
    return left, changed


def validate_authors(samples: Sequence[AuthorSample], seed: int, folds: int = 5) -> dict[str, float]:
    """Return the share of pages whose authors are right, by data set, each page read by a forest that saw no page of its host."""
    scores: dict[str, list[float]] = {}
    for fold in range(folds):
        forest = Forest.of(train_authors([sample for sample in samples if fold_of(sample.host, folds, seed) != fold], seed))
        for sample in samples:
            if fold_of(sample.host, folds, seed) == fold and sample.gold:
                scores.setdefault(sample.dataset, []).append(sample.score(decide(sample.turns, forest).names))
    return {dataset: statistics.fmean(values) for dataset, values in scores.items()}
