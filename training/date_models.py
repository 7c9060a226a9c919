"""Trains the forest that ranks the days of a page, and the calibration of their probabilities."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from newscrawler.article import DatePrecision
from newscrawler.extraction.body.forest import LEAVES, Forest, sigmoid
from newscrawler.extraction.dates.candidate import DateCandidate, DateRole, Family
from newscrawler.extraction.dates.day_candidates import NAMES, DayCandidates, group_by_day, list_readings
from training.date_samples import DateSample, Stage, same_day
from training.forests import fit, fold_of

TREES, FOLDS, _POINTS = 140, 5, 12
#: Probabilities: from which on a date is more often right than wrong on hosts that were not in training; and from which on a
#: declared day is right so often that nothing else need be read.
LEAST, ENOUGH = 0.13, 0.9
_RISING = frozenset({
    "json-ld article", "meta article", "says published", "declared", "declared share", "shown", "time named", "feed",
    "news sitemap", "address path",
})  # fmt: skip
_FALLING = frozenset({
    "in comments", "in related", "in other text", "exchanged", "prose", "in hidden", "in aside", "changed", "year guessed",
})  # fmt: skip
_SIGNS = [1 if name in _RISING else -1 if name in _FALLING else 0 for name in NAMES]
_SETTINGS = {"num_leaves": LEAVES, "min_data_in_leaf": 40, "learning_rate": 0.12, "lambda_l2": 5.0, "feature_fraction": 0.4}
_LD = frozenset(family for family in Family if family.startswith("json-ld"))
_HEAD = _LD | {family for family in Family if family.startswith("meta")} | {Family.SCRIPT}
_MACHINE = _HEAD | {family for family in Family if family.startswith("address")}
_MARKUP = _MACHINE | {Family.MICRODATA, Family.TIME, Family.TIME_NAMED}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part of what a page says, as other pages would say no more."""

    #: What is taken away.
    without: frozenset[Family] = frozenset()
    #: Its own day is taken away: what is left is a page without a date.
    is_undated: bool = False
    #: Hints of a crawl are made up.
    has_hints: bool = False
    #: Classes and tags say nothing of where the dates are shown.
    is_unnamed: bool = False
    weight: float

    def is_part_of(self, sample: DateSample, stage: Stage) -> bool:
        """Tell whether this part of a page teaches something at a stage."""
        if sample.is_declared and not (self.without >= _HEAD or self.is_undated):
            return False  # what a page declares labels only what is left without it
        if sample.gold is None and (self.is_undated or self.has_hints):
            return False
        if self.is_undated and stage is Stage.DECLARED and not self.has_hints:
            return False  # what is declared is hardly ever another day alone
        return stage is not Stage.SCRIPTS or self.weight >= _LEAST_OF_SCRIPTS


_PARTS = (
    _Part(weight=1.0),
    _Part(weight=0.2, has_hints=True),
    _Part(weight=0.2, without=_LD),
    _Part(weight=0.3, without=_HEAD),
    _Part(weight=0.3, without=_MACHINE),
    _Part(weight=0.15, without=_MACHINE, has_hints=True),
    _Part(weight=0.15, without=_MARKUP),
    _Part(weight=0.8, without=frozenset(Family) - {Family.TEXT, Family.COPYRIGHT}, is_unnamed=True),
    _Part(weight=0.4, is_undated=True),
    _Part(weight=0.3, without=_HEAD, is_undated=True),
    _Part(weight=0.1, without=_MACHINE, is_undated=True, has_hints=True),
    _Part(weight=0.4, without=frozenset(Family), is_undated=True, has_hints=True),
)
_LEAST_OF_SCRIPTS = 0.2
#: What a hint of the crawl is taken to be right: how often, by its source.
_HINTS = {Family.FEED: 0.97, Family.NEWS_SITEMAP: 0.97, Family.LISTING: 0.8, Family.LAST_MODIFIED: 0.5}
_STAGES = {Stage.DECLARED: 0.5, Stage.SHOWN: 1.0, Stage.SCRIPTS: 0.3}
_WEIGHTS = {"htmldate": 1.0, "fundus": 2.0, "wcxb": 0.8, "turing": 1.5, "own": 0.6, "dated": 2.0}
_WEIGHT_OF_DECLARED, _WEIGHT_OF_BARE = 0.3, 0.3
_OF_OUR_OWN, _MOST_LAG = frozenset({"own", "dated"}), 400
_NEXT_YEAR, _DAYS_OF_PAGE = 2027, 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of days with their labels."""

    rows: NDArray[np.float32]
    published: NDArray[np.bool_]
    weight: NDArray[np.float64]


def candidates_until(sample: DateSample, stage: Stage, today: datetime | None) -> list[DateCandidate]:
    """Return what the stages up to one read, without what lies ahead of the fetch or is in prose."""
    found = list_readings((c for part in sample.found[: stage + 1] for c in part), UTC)
    return [c for c in found if not c.in_prose and (today is None or c.value <= today + timedelta(days=1))]


def rows_of(sample: DateSample, rng: random.Random) -> Iterator[Rows]:
    """Yield the days of a page, of all that it says and of parts of it."""
    if sample.gold is None and sample.dataset != "dated":
        return
    base = _WEIGHT_OF_DECLARED if sample.is_declared else _WEIGHTS[sample.dataset]
    base *= _WEIGHT_OF_BARE if sample.source == "bare" and sample.dataset != "dated" else 1.0
    for stage, of_stage in _STAGES.items():
        for part in _PARTS:
            if part.is_part_of(sample, stage):
                today = _today(sample, rng)
                days = group_by_day(_candidates_of(sample, part, stage, today, rng), today.date() if today else None)
                if days.days:
                    yield _labelled(days, sample, base * of_stage * part.weight)


def _candidates_of(
    sample: DateSample, part: _Part, stage: Stage, today: datetime | None, rng: random.Random
) -> list[DateCandidate]:
    found = [c for c in candidates_until(sample, stage, today) if c.family not in part.without]
    if part.is_unnamed:
        found = [replace(c, position=c.position and c.position._replace(within=0)) for c in found]
    gold = sample.gold_time
    if gold is None:
        return found
    if part.is_undated:
        found = [c for c in found if c.role is not DateRole.MODIFIED and not _is_near(c, gold)]
    return [*found, *_hints(gold, found, rng)] if part.has_hints else found


def _labelled(days: DayCandidates, sample: DateSample, weight: float) -> Rows:
    """Label the days; many of one page count for no more than a few."""
    published = np.array([_is_day(group, sample.gold_time) for group in days.candidates])
    each = np.where(published, weight, weight * min(1.0, _DAYS_OF_PAGE / len(days.days)))
    return Rows(rows=days.rows, published=published, weight=each)


def _is_near(c: DateCandidate, gold: datetime) -> bool:
    return abs((c.value.date() - gold.date()).days) <= 1


def _hints(gold: datetime, found: Sequence[DateCandidate], rng: random.Random) -> list[DateCandidate]:
    """Make up what a crawl may have seen of a page: mostly the right day, else another of the page or one somewhat apart."""
    others = [c.value for c in found] + [gold.replace(tzinfo=UTC) + timedelta(days=rng.randrange(-300, 300))]
    hints = []
    for family in rng.sample(list(_HINTS), rng.choice((1, 2, 2, 3))):
        value = gold if rng.random() < _HINTS[family] else rng.choice(others)
        value = value if value.tzinfo else value.replace(tzinfo=UTC)
        is_exact = family is not Family.LAST_MODIFIED and rng.random() < 0.7
        hints.append(DateCandidate(
            value=value, precision=DatePrecision.MINUTE if is_exact else DatePrecision.DAY, family=family, source=family,
            offset_given=is_exact,
        ))  # fmt: skip
    return hints


def _is_day(group: Sequence[DateCandidate], gold: datetime | None) -> bool:
    return gold is not None and any(
        same_day(c.value, gold)
        for c in group
        if gold.tzinfo is None or c.offset_given or len(group) == 1 or c.precision == DatePrecision.DAY
    )


def _today(sample: DateSample, rng: random.Random) -> datetime | None:
    """Return the time of the fetch, or one that what the page says allows; for half of the pages none.

    If it were known of our own pages alone, its absence would tell them from others.
    """
    if sample.fetched_at is not None and sample.dataset not in _OF_OUR_OWN:
        return sample.fetched_at
    newest = max((c.value for part in sample.found for c in part if c.value.year < _NEXT_YEAR), default=None)
    if newest is None or rng.random() < (0.2 if sample.dataset == "dated" else 0.5):
        return None
    return sample.fetched_at or newest + timedelta(days=rng.choice((0, 1, 2, 5, rng.randrange(_MOST_LAG))))


def rows_of_samples(samples: Sequence[DateSample], seed: int = 0) -> list[Rows]:
    """Return the rows of each sample, which may be none."""
    return [_joined(list(rows_of(sample, random.Random(f"{seed} {sample.id}")))) for sample in samples]


def _joined(parts: Sequence[Rows]) -> Rows:
    empty = np.zeros((0, len(NAMES)), dtype=np.float32)
    parts = (Rows(rows=empty, published=empty[:, 0] > 0, weight=empty[:, 0].astype(np.float64)), *parts)
    return Rows(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in Rows.__slots__})


def fit_model(rows: Sequence[Rows], seed: int) -> dict[str, Any]:
    """Train the forest."""
    return {"published": _forest(_joined(rows), seed), "least": LEAST, "enough": ENOUGH}


def _forest(table: Rows, seed: int) -> dict[str, Any]:
    signs = {"monotone_constraints": _SIGNS}
    return fit(table.rows, table.published, table.weight, NAMES, trees=TREES, seed=seed, **signs, **_SETTINGS)


def calibrate(samples: Sequence[DateSample], rows: Sequence[Rows], seed: int = 0) -> list[list[float]]:
    """Return points of a rising line from the probability of the best day to how often it was right on hosts not in training."""
    known: list[tuple[float, bool]] = []
    for fold in range(FOLDS):
        table = _joined([each for sample, each in zip(samples, rows, strict=True) if fold_of(sample.host, FOLDS, seed) != fold])
        forest = Forest.of(_forest(table, seed))
        of_fold = (sample for sample in samples if fold_of(sample.host, FOLDS, seed) == fold)
        known += [best for sample in of_fold if (best := _best(sample, forest)) is not None]
    known.sort()
    parts = np.array_split(np.array(known, dtype=float), _POINTS)
    means = np.maximum.accumulate([part[:, 1].mean() for part in parts])
    points = [[float(part[:, 0].mean()), float(mean)] for part, mean in zip(parts, means, strict=True)]
    return [[round(value, 4) for value in point] for point in points]


def _best(sample: DateSample, forest: Forest) -> tuple[float, bool] | None:
    """Return the probability of the best day of a page of a public data set, and whether it is right."""
    gold = sample.gold_time
    if gold is None or sample.is_declared or sample.source != "whole" or sample.dataset in _OF_OUR_OWN:
        return None
    for stage, enough in ((Stage.DECLARED, ENOUGH), (Stage.SHOWN, LEAST), (Stage.SCRIPTS, 0.0)):
        found = candidates_until(sample, stage, sample.fetched_at)
        days = group_by_day(found, sample.fetched_at.date() if sample.fetched_at is not None else None)
        likely = sigmoid(forest.log_odds(days.rows)) if days.days else np.zeros(0)
        if len(likely) and likely.max() >= enough:
            return float(likely.max()), _is_day(days.candidates[int(likely.argmax())], gold)
    return None
