"""Aggregation of page scores: each method over all pages, over each dataset and each portal, and differences between methods.

Body F1 is that of mean precision and mean recall, as in the article extraction benchmark; the mean of the pages' own F1 is given,
too, and is the measure for differences between methods.

The pages of one portal are not independent, so portals are resampled with all their pages if there are enough of them, otherwise
pages. Random numbers come from a seed: the same data give the same intervals.

Sources: B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13 (percentile intervals); E. Noreen:
Computer-Intensive Methods for Testing Hypotheses, 1989 (sign flips of paired differences); S. Holm: A Simple Sequentially Rejective
Multiple Test Procedure, 1979.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.run import Evaluation, PageResult
from newscrawler.research.evaluation.scores import harmonic

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRow:
    """One method over some pages; None: no gold to compare with."""

    method: str
    group: str
    pages: int
    #: Pages on which a site method could not be measured: their portal has too few.
    not_measured: int
    f1: float | None
    f1_interval: Interval | None
    precision: float | None
    recall: float | None
    page_f1: float | None
    page_f1_interval: Interval | None
    rouge_precision: float | None
    rouge_recall: float | None
    rouge_f1: float | None
    #: Share of pages that are entirely right.
    accuracy: float | None
    accuracy_interval: Interval | None
    verdicts: dict[str, int]
    title: float | None
    date: float | None
    authors: float | None
    pieces_found: float | None
    pieces_kept_out: float | None
    faults: int
    #: Pages on which no article was found.
    nothing: int
    cpu_ms_mean: float | None
    cpu_ms_median: float | None
    cpu_ms_worst: float | None
    learning_ms_mean: float | None
    memory_mb_mean: float | None
    memory_mb_worst: float | None
    cached: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodDifference:
    """The mean page F1 of one method minus that of another, over the pages that both were measured on."""

    method: str
    versus: str
    pages: int
    difference: float
    interval: Interval | None
    #: The p-value of the difference, and the same after Holm's correction for the number of methods.
    p_value: float
    corrected: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All tables."""

    rows: tuple[SummaryRow, ...]
    #: By dataset, if there are several.
    datasets: tuple[SummaryRow, ...]
    portals: tuple[SummaryRow, ...]
    differences: tuple[MethodDifference, ...]
    #: The method that the others are compared with.
    versus: str | None
    #: Whether portals were resampled for the intervals, not single pages.
    of_portals: bool


def summarise(evaluation: Evaluation, *, versus: str | None = None, seed: int = 0) -> Summary:
    """Compute all tables.

    Args:
        evaluation: the results.
        versus: the method to compare the others with; None: the default, or the best.
        seed: of the resampling.
    """
    found = _by_method(evaluation)
    pages = evaluation.pages
    resamples = resample([page.portal for page in pages], seed=seed)
    rows = tuple(_row(name, ALL, results, len(pages), resamples) for name, results in found.items())
    datasets = dict.fromkeys(page.dataset for page in pages)
    portals = sorted({page.portal for page in pages})
    versus = versus if versus in found else "default" if "default" in found else _best(rows)
    by_dataset: tuple[SummaryRow, ...] = ()
    if len(datasets) > 1:
        by_dataset = _grouped(evaluation, found, datasets, lambda number: pages[number].dataset, resamples)
    return Summary(
        rows=rows, datasets=by_dataset, portals=_grouped(evaluation, found, portals, lambda number: pages[number].portal, None),
        differences=_differences(found, versus, resamples) if versus else (), versus=versus, of_portals=resamples.of_portals,
    )  # fmt: skip


def _by_method(evaluation: Evaluation) -> dict[str, dict[int, PageResult]]:
    found: dict[str, dict[int, PageResult]] = {candidate.name: {} for candidate in evaluation.candidates}
    for result in evaluation.results:
        found[result.candidate.name][result.page] = result
    return found


def _best(rows: Sequence[SummaryRow]) -> str | None:
    measured = [row for row in rows if row.page_f1 is not None]
    return max(measured, key=lambda row: row.page_f1 or 0.0).method if measured else None


def _grouped(
    evaluation: Evaluation,
    found: dict[str, dict[int, PageResult]],
    groups: Iterable[str],
    group_of: Callable[[int], str],
    resamples: Resamples | None,
) -> tuple[SummaryRow, ...]:
    members: dict[str, list[int]] = {}
    for number in range(len(evaluation.pages)):
        members.setdefault(group_of(number), []).append(number)
    rows = []
    for name, results in found.items():
        for group in groups:
            chosen = {number: results[number] for number in members[group] if number in results}
            rows.append(_row(name, group, chosen, len(members[group]), resamples))
    return tuple(rows)


def _row(name: str, group: str, results: dict[int, PageResult], pages: int, resamples: Resamples | None) -> SummaryRow:
    of = list(results.values())
    scores = [result.score for result in of]
    precision, recall = _mean(score.precision for score in scores), _mean(score.recall for score in scores)
    verdicts = Counter(score.verdict for score in scores if score.verdict is not None)
    times = [result.answer.cpu_seconds * 1000 for result in of]
    memories = [result.answer.memory_bytes / 2**20 for result in of if result.answer.memory_bytes is not None]
    intervals = _intervals(results, resamples) if resamples and results else (None, None, None)
    return SummaryRow(
        method=name, group=group, pages=len(of), not_measured=pages - len(of),
        f1=harmonic(precision or 0.0, recall) if recall is not None else None, f1_interval=intervals[0], precision=precision,
        recall=recall, page_f1=_mean(score.f1 for score in scores), page_f1_interval=intervals[1],
        rouge_precision=_mean(score.rouge_precision for score in scores),
        rouge_recall=_mean(score.rouge_recall for score in scores), rouge_f1=_mean(score.rouge_f1 for score in scores),
        accuracy=verdicts[AnswerVerdict.RIGHT] / verdicts.total() if verdicts else None, accuracy_interval=intervals[2],
        verdicts={str(verdict): verdicts[verdict] for verdict in AnswerVerdict if verdicts[verdict]},
        title=_mean(score.title for score in scores), date=_mean(score.date for score in scores),
        authors=_mean(score.authors for score in scores), pieces_found=_mean(score.pieces_found for score in scores),
        pieces_kept_out=_mean(score.pieces_kept_out for score in scores),
        faults=sum(result.answer.fault is not None for result in of),
        nothing=sum(result.answer.text is None and result.answer.fault is None for result in of), cpu_ms_mean=_mean(times),
        cpu_ms_median=statistics.median(times) if times else None, cpu_ms_worst=max(times, default=None),
        learning_ms_mean=_mean(seconds * 1000 for result in of if (seconds := result.answer.learning_seconds) is not None),
        memory_mb_mean=_mean(memories), memory_mb_worst=max(memories, default=None), cached=sum(result.cached for result in of),
    )  # fmt: skip


def _mean(values: Iterable[float | None]) -> float | None:
    found = [float(value) for value in values if value is not None]
    return statistics.fmean(found) if found else None


def _intervals(results: dict[int, PageResult], resamples: Resamples) -> tuple[Interval | None, Interval | None, Interval | None]:
    scores = [results[number].score if number in results else None for number in range(len(resamples.unit_of))]

    def ones(column: Sequence[float | None]) -> list[float | None]:
        return [None if value is None else 1.0 for value in column]

    precision = [score.precision if score else None for score in scores]
    recall = [score.recall if score else None for score in scores]
    f1 = [score.f1 if score else None for score in scores]
    right = [float(score.verdict is AnswerVerdict.RIGHT) if score and score.verdict else None for score in scores]
    return (
        resamples.interval([precision, ones(precision), recall, ones(recall)], _corpus_f1),
        resamples.interval([f1, ones(f1)], _ratio),
        resamples.interval([right, ones(right)], _ratio),
    )


def _corpus_f1(sums: list[float]) -> float | None:
    precision, found, recall, all_pages = sums
    return harmonic(precision / found if found else 0.0, recall / all_pages) if all_pages else None


def _ratio(sums: list[float]) -> float | None:
    return sums[0] / sums[1] if sums[1] else None


def _differences(found: dict[str, dict[int, PageResult]], versus: str, resamples: Resamples) -> tuple[MethodDifference, ...]:
    base = found[versus]
    made = []
    for name, results in found.items():
        if name == versus:
            continue
        column: list[float | None] = [None] * len(resamples.unit_of)
        for number, result in results.items():
            one, other = result.score.f1, base[number].score.f1 if number in base else None
            column[number] = one - other if one is not None and other is not None else None
        kept = [value for value in column if value is not None]
        if not kept:
            continue
        ones = [None if value is None else 1.0 for value in column]
        interval = resamples.interval([column, ones], _ratio)
        made.append((name, len(kept), statistics.fmean(kept), interval, resamples.p_value(column)))
    corrected = holm([p_value for *_, p_value in made])
    return tuple(
        MethodDifference(
            method=name, versus=versus, pages=pages, difference=mean, interval=interval, p_value=p_value, corrected=even
        )
        for (name, pages, mean, interval, p_value), even in zip(made, corrected, strict=True)
    )


_BOOTSTRAP_SAMPLES = 1000
_SIGN_FLIPS = 4000
_MIN_PORTALS = 10

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Resamples:
    """Bootstrap samples and sign flips, the same for all methods, so that their differences are paired."""

    #: Number of the unit (portal or page) of each page.
    unit_of: tuple[int, ...]
    samples: tuple[tuple[int, ...], ...]
    flips: tuple[tuple[int, ...], ...]
    of_portals: bool

    def interval(
        self, columns: Sequence[Sequence[float | None]], statistic: Callable[[list[float]], float | None]
    ) -> Interval | None:
        """Return the percentile interval (95 %) of a statistic.

        Args:
            columns: values by page; None: the page does not count.
            statistic: computed from the sums of the columns over the sampled pages.
        """
        units = [self._units(column) for column in columns]
        found = []
        for sample in self.samples:
            value = statistic([sum(map(unit.__getitem__, sample)) for unit in units])
            if value is not None:
                found.append(value)
        return _middle(found) if found else None

    def p_value(self, differences: Sequence[float | None]) -> float:
        """Return the two-sided p-value of a mean difference under the hypothesis that neither method is better."""
        units = self._units(differences)
        total = sum(units)
        as_great = sum(abs(total - 2 * sum(map(units.__getitem__, flipped))) >= abs(total) - 1e-12 for flipped in self.flips)
        return (as_great + 1) / (len(self.flips) + 1)

    def _units(self, column: Sequence[float | None]) -> list[float]:
        sums = [0.0] * (max(self.unit_of, default=-1) + 1)
        for unit, value in zip(self.unit_of, column, strict=True):
            if value is not None:
                sums[unit] += value
        return sums


def resample(portals: Sequence[str], *, seed: int = 0) -> Resamples:
    """Sample portals (or pages) with replacement, and sign flips of about half of them.

    Args:
        portals: of every page.
        seed: of the random numbers.
    """
    names = list(dict.fromkeys(portals))
    of_portals = _MIN_PORTALS <= len(names) < len(portals)
    numbers = {name: number for number, name in enumerate(names)}
    unit_of = tuple(numbers[name] for name in portals) if of_portals else tuple(range(len(portals)))
    count = len(names) if of_portals else len(portals)
    generator = random.Random(seed)  # noqa: S311 - statistics, no secrets
    samples = tuple(tuple(generator.choices(range(count), k=count)) for _ in range(_BOOTSTRAP_SAMPLES)) if count else ()
    flips = tuple(tuple(unit for unit in range(count) if generator.random() < 0.5) for _ in range(_SIGN_FLIPS))
    return Resamples(unit_of, samples, flips, of_portals)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple comparisons."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = highest
    return corrected


def _middle(values: list[float]) -> Interval:
    values.sort()
    return values[int(0.025 * (len(values) - 1))], values[-1 - int(0.025 * (len(values) - 1))]
