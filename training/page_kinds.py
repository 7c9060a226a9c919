"""Trains the models of pages: what a page is, and how much of its body is right.

The words of a page give log-odds, to which a forest over its features adds. Both see each page twice, with its address and as if
nobody knew it, so that a page of which nobody knows where it came from is judged like any other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from newscrawler.extraction.body import page_kind
from newscrawler.extraction.body.forest import Forest, sigmoid
from newscrawler.extraction.body.page_kind import PageKind
from newscrawler.extraction.body.page_words import Words, compute_divisors
from training.forests import THRESHOLD, fit, fold_of
from training.pages import KINDS
from training.samples import Sample

TREES_OF_PAGES, _TREES_OF_KINDS = 80, 25
#: Folds within the training pages, from which words, forest and thresholds learn of pages that the models before have not seen.
INNER_FOLDS = 5
#: Share of the articles that each threshold may refuse, by what led to a page.
REFUSED = {"FEED": 0.0005, "LINK": 0.0011, "UNKNOWN": 0.0011, "START": 0.05}
#: Weights of pages, in the forest and in the words: of those that we made, the second set in the markup of the software of forums
#: and shops; and of pages of public data sets that are no articles, of which there are few.
_WEIGHTS_OF_OURS, _WEIGHT_OF_OTHERS = {"own": (0.5, 0.3), "software": (1.0, 0.6)}, (2.0, 5.0)
_OPTIONS = {"min_data_in_leaf": 30, "lambda_l2": 5.0, "learning_rate": 0.06}
#: The forest of the quality predicts the logarithm of 1 - F1, so that small errors count as well; points of its calibration.
_LEAST_ERROR, _POINTS = 0.003, 20
_QUALITY = {"objective": "regression", "learning_rate": 0.06, "min_data_in_leaf": 30}
#: A word counts from a number of hosts on; weights below it go, since they change no answer.
_FEWEST_HOSTS, _LEAST_WEIGHT = 5, 0.1
_ROUNDS, _RATE, _SHRINKAGE = 100, 0.5, 0.05

Floats = NDArray[np.float64]
Chosen = NDArray[np.bool_]


class PageSamples:
    """The pages that teach, with the log-odds of each by words of pages of other hosts."""

    def __init__(self, samples: Sequence[Sample], likely: Sequence[Floats], seed: int) -> None:
        kept = [i for i, sample in enumerate(samples) if not sample.disturbed]
        words = [samples[i].page_words for i in kept]
        self.pages, self.likely, self.seed = [samples[i] for i in kept] * 2, [likely[i] for i in kept] * 2, seed
        self.article = np.array([page.other_kind is None for page in self.pages])
        self.own = np.array([page.dataset in _WEIGHTS_OF_OURS for page in self.pages])
        self.weight, self.weight_of_words = (
            np.array([
                _WEIGHTS_OF_OURS.get(page.dataset, (1.0, 1.0) if page.other_kind is None else _WEIGHT_OF_OTHERS)[model] / 2
                for page in self.pages
            ]) for model in range(2)
        )  # fmt: skip
        self.fold = np.array([fold_of(page.host, INNER_FOLDS, seed + 2000) for page in self.pages])
        self.words = _Words(self.pages, [*words, *(each._replace(address=set()) for each in words)])
        scores = np.zeros(len(self.pages))
        for part in range(INNER_FOLDS):
            weights, base = self._fit_words(self.fold != part)
            scores[self.fold == part] = self.words.score(weights, base)[self.fold == part]
        rows = [
            [score, *page_kind.compute_likely_features(page.features, probability), *page.of_page]
            for score, page, probability in zip(scores, self.pages, self.likely, strict=True)
        ]
        self.rows = np.array(rows, dtype=np.float32)

    def _fit_words(self, chosen: Chosen) -> tuple[Floats, float]:
        return self.words.fit(self.article, np.where(chosen, self.weight_of_words, 0.0))

    def fit_words(self) -> dict[str, Any]:
        """Train the weights of words on all pages."""
        return self.words.as_data(*self._fit_words(np.ones(len(self.pages), dtype=bool)))

    def fit_article(self, chosen: Chosen) -> dict[str, Any]:
        """Train on some pages what tells an article, in addition to the words."""
        rows, start = self.rows[chosen], page_kind.start_of(self.rows)[chosen].astype(np.float64)
        weight, names = self.weight[chosen], page_kind.NAMES
        return fit(rows, self.article[chosen], weight, names, trees=TREES_OF_PAGES, seed=self.seed, start=start, **_OPTIONS)

    def find_unseen_log_odds(self) -> Floats:
        """Return of each page what models that saw no page of its host say of it."""
        found = np.zeros(len(self.pages))
        for part in range(INNER_FOLDS):
            unseen = self.fold == part
            rows = self.rows[unseen]
            found[unseen] = page_kind.start_of(rows) + Forest.of(self.fit_article(~unseen)).log_odds(rows)
        return found


class _Words:
    """The words of pages, as rows of a sparse table."""

    def __init__(self, pages: Sequence[Sample], words: Sequence[Words]) -> None:
        hosts: dict[tuple[str, str], set[str]] = defaultdict(set)
        for page, said in zip(pages, words, strict=True):
            for term, _ in _list_terms(said):
                hosts[term].add(page.host)
        self.known = sorted(term for term, found in hosts.items() if len(found) >= _FEWEST_HOSTS)
        place = {term: number for number, term in enumerate(self.known)}
        rows = [sorted((place[term], share) for term, share in _list_terms(said) if term in place) for said in words]
        columns, shares = zip(*chain.from_iterable(rows), strict=True)
        ends = np.cumsum([0, *map(len, rows)])
        self.table = csr_matrix((shares, columns, ends), shape=(len(words), len(self.known)))

    def score(self, weights: Floats, base: float) -> Floats:
        """Return the log-odds of each page."""
        found: Floats = self.table @ weights + base
        return found

    def fit(self, label: Chosen, weight: Floats) -> tuple[Floats, float]:
        """Fit the weights of words by logistic regression (AdaGrad over all pages at once)."""
        weights, squares, base, square = np.zeros(len(self.known)), np.full(len(self.known), 1e-3), 0.0, 1e-3
        weight, turned = weight / weight[weight > 0].mean(), self.table.T.tocsr()
        for _ in range(_ROUNDS):
            error = (sigmoid(self.score(weights, base)) - label) * weight
            step = turned @ error + _SHRINKAGE * weights
            squares += step * step
            weights -= _RATE * step / np.sqrt(squares)
            square += float(error.sum()) ** 2
            base -= _RATE * float(error.sum()) / np.sqrt(square)
        return np.where(np.abs(weights) >= _LEAST_WEIGHT, weights, 0.0), float(base)

    def as_data(self, weights: Floats, base: float) -> dict[str, Any]:
        """Return the weights as the program reads them."""
        found: dict[str, dict[str, float]] = {part: {} for part in Words._fields}
        for (part, word), weight in zip(self.known, weights.tolist(), strict=True):
            if weight:
                found[part][word] = round(weight, 2)
        return {"base": round(base, 4), "weights": found}


def _list_terms(words: Words) -> Iterator[tuple[tuple[str, str], float]]:
    """Yield part and text of each word, and the share of its weight that counts."""
    for part, of_part, divisor in zip(Words._fields, words, compute_divisors(words), strict=True):
        yield from (((part, word), 1 / divisor) for word in of_part)


def train_pages(samples: Sequence[Sample], likely: Sequence[Floats], seed: int) -> dict[str, Any]:
    """Train the models of pages.

    `likely`: the probabilities of the blocks of each sample, by models that saw no page of its host.
    """
    found = PageSamples(samples, likely, seed)
    rows, article, own, weight = found.rows, found.article, found.own, found.weight
    everything = np.ones(len(rows), dtype=bool)
    kinds = {}
    for name in sorted(set(KINDS.values())):
        label = np.array([KINDS.get(page.other_kind or "") == name for page in found.pages])[~article]
        kinds[name] = fit(
            rows[~article], label, weight[~article], page_kind.NAMES, trees=_TREES_OF_KINDS, seed=seed, min_data_in_leaf=10
        )
    assert set(kinds) <= {kind.name for kind in PageKind}
    public = sigmoid(found.find_unseen_log_odds())[article & ~own]
    thresholds = {name: round(float(np.quantile(public, share)), 4) for name, share in REFUSED.items()}
    return {
        "words": found.fit_words(), "article": found.fit_article(everything), "kinds": kinds, **_train_quality(found),
        "thresholds": thresholds,
    }  # fmt: skip


def _train_quality(found: PageSamples) -> Mapping[str, Any]:
    """Train the expected F1 of the body of an article."""
    known = np.array([page.gold_size > 0 for page in found.pages])
    quality = np.array([f1_of_blocks(page, likely) for page, likely in zip(found.pages, found.likely, strict=True)])
    error = np.log(np.maximum(1 - quality, _LEAST_ERROR))

    def fit_quality(chosen: Chosen) -> dict[str, Any]:
        rows, weight = found.rows[chosen], found.weight[chosen]
        return fit(rows, error[chosen], weight, page_kind.NAMES, trees=TREES_OF_PAGES, seed=found.seed, **_QUALITY)

    expected = np.zeros(len(found.pages))
    for part in range(INNER_FOLDS):
        unseen = found.fold == part
        expected[unseen] = Forest.of(fit_quality(known & ~unseen)).log_odds(found.rows[unseen])
    measured = known & ~found.own
    return {"quality": fit_quality(known), "curve": _calibrate(expected[measured], quality[measured])}


def _calibrate(expected: Floats, quality: Floats) -> list[list[float]]:
    """Return points of a rising line from what the forest says to the F1 that pages of unseen hosts had in the mean."""
    order = np.argsort(expected)[::-1]
    parts = np.array_split(order, _POINTS)
    means = np.maximum.accumulate([float(quality[part].mean()) for part in parts])
    points = [[float(expected[part].mean()), float(mean)] for part, mean in zip(parts, means, strict=True)]
    return [[round(value, 4) for value in point] for point in reversed(points)]


def f1_of_blocks(sample: Sample, likely: Floats) -> float:
    """Return the F1 of the blocks that are likely enough, by characters."""
    taken = likely >= THRESHOLD
    hit = float((sample.size * sample.share)[taken].sum())
    found, gold = float(sample.size[taken].sum()), max(sample.gold_size, 1.0)
    return min(1.0, 2 * hit / max(found + gold, 1.0))
