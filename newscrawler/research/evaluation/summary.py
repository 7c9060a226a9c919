"""Aggregation of page scores: each method over all pages, over each dataset and each portal, and differences between methods.

Body F1 is that of mean precision and mean recall, as in the article extraction benchmark; the mean of the pages' own F1 is given,
too, and is the measure for differences between methods.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from newscrawler.research.evaluation.judgement import Verdict
from newscrawler.research.evaluation.run import Evaluation, Result
from newscrawler.research.evaluation.scores import harmonic
from newscrawler.research.evaluation.significance import Interval, Resamples, holm, resample

ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
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
class Difference:
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

    rows: tuple[Row, ...]
    #: By dataset, if there are several.
    datasets: tuple[Row, ...]
    portals: tuple[Row, ...]
    differences: tuple[Difference, ...]
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
    by_dataset: tuple[Row, ...] = ()
    if len(datasets) > 1:
        by_dataset = _grouped(evaluation, found, datasets, lambda number: pages[number].dataset, resamples)
    return Summary(
        rows=rows,
        datasets=by_dataset,
        portals=_grouped(evaluation, found, portals, lambda number: pages[number].portal, None),
        differences=_differences(found, versus, resamples) if versus else (),
        versus=versus,
        of_portals=resamples.of_portals,
    )


def _by_method(evaluation: Evaluation) -> dict[str, dict[int, Result]]:
    found: dict[str, dict[int, Result]] = {candidate.name: {} for candidate in evaluation.candidates}
    for result in evaluation.results:
        found[result.candidate.name][result.page] = result
    return found


def _best(rows: Sequence[Row]) -> str | None:
    measured = [row for row in rows if row.page_f1 is not None]
    return max(measured, key=lambda row: row.page_f1 or 0.0).method if measured else None


def _grouped(
    evaluation: Evaluation,
    found: dict[str, dict[int, Result]],
    groups: Iterable[str],
    group_of: Callable[[int], str],
    resamples: Resamples | None,
) -> tuple[Row, ...]:
    members: dict[str, list[int]] = {}
    for number in range(len(evaluation.pages)):
        members.setdefault(group_of(number), []).append(number)
    rows = []
    for name, results in found.items():
        for group in groups:
            chosen = {number: results[number] for number in members[group] if number in results}
            rows.append(_row(name, group, chosen, len(members[group]), resamples))
    return tuple(rows)


def _row(name: str, group: str, results: dict[int, Result], pages: int, resamples: Resamples | None) -> Row:
    of = list(results.values())
    scores = [result.score for result in of]
    precision, recall = _mean(score.precision for score in scores), _mean(score.recall for score in scores)
    verdicts = Counter(score.verdict for score in scores if score.verdict is not None)
    times = [result.answer.cpu_seconds * 1000 for result in of]
    memories = [result.answer.memory_bytes / 2**20 for result in of if result.answer.memory_bytes is not None]
    intervals = _intervals(results, resamples) if resamples and results else (None, None, None)
    return Row(
        method=name,
        group=group,
        pages=len(of),
        not_measured=pages - len(of),
        f1=harmonic(precision or 0.0, recall) if recall is not None else None,
        f1_interval=intervals[0],
        precision=precision,
        recall=recall,
        page_f1=_mean(score.f1 for score in scores),
        page_f1_interval=intervals[1],
        rouge_precision=_mean(score.rouge_precision for score in scores),
        rouge_recall=_mean(score.rouge_recall for score in scores),
        rouge_f1=_mean(score.rouge_f1 for score in scores),
        accuracy=verdicts[Verdict.RIGHT] / verdicts.total() if verdicts else None,
        accuracy_interval=intervals[2],
        verdicts={str(verdict): verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
        title=_mean(score.title for score in scores),
        date=_mean(score.date for score in scores),
        authors=_mean(score.authors for score in scores),
        pieces_found=_mean(score.pieces_found for score in scores),
        pieces_kept_out=_mean(score.pieces_kept_out for score in scores),
        faults=sum(result.answer.fault is not None for result in of),
        nothing=sum(result.answer.text is None and result.answer.fault is None for result in of),
        cpu_ms_mean=_mean(times),
        cpu_ms_median=statistics.median(times) if times else None,
        cpu_ms_worst=max(times, default=None),
        learning_ms_mean=_mean(seconds * 1000 for result in of if (seconds := result.answer.learning_seconds) is not None),
        memory_mb_mean=_mean(memories),
        memory_mb_worst=max(memories, default=None),
        cached=sum(result.cached for result in of),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    found = [float(value) for value in values if value is not None]
    return statistics.fmean(found) if found else None


def _intervals(results: dict[int, Result], resamples: Resamples) -> tuple[Interval | None, Interval | None, Interval | None]:
    scores = [results[number].score if number in results else None for number in range(len(resamples.unit_of))]

    def ones(column: Sequence[float | None]) -> list[float | None]:
        return [None if value is None else 1.0 for value in column]

    precision = [score.precision if score else None for score in scores]
    recall = [score.recall if score else None for score in scores]
    f1 = [score.f1 if score else None for score in scores]
    right = [float(score.verdict is Verdict.RIGHT) if score and score.verdict else None for score in scores]
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


def _differences(found: dict[str, dict[int, Result]], versus: str, resamples: Resamples) -> tuple[Difference, ...]:
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
        Difference(method=name, versus=versus, pages=pages, difference=mean, interval=interval, p_value=p_value, corrected=even)
        for (name, pages, mean, interval, p_value), even in zip(made, corrected, strict=True)
    )
