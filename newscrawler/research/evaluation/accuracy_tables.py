"""Table 1, figures 1 and 2 and the comparison of two extractors of K. Ulman, K. Rzecki.

A page is judged by a person (`newscrawler review`) or by gold (`newscrawler.research.evaluation.judgement`). By gold, "nothing
found" counts as a missing part, and an article found on a page without one as another error, as the authors counted them.

Precision, recall and F1 of Maximum Subsequence Segmentation, at the document's value of a tag and at others: the document (see
`newscrawler.research.methods.mss`) shows the results of the paper in a picture that is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from newscrawler.corpus.reviews import ErrorClass, PortalResult, compute_mean_accuracy
from newscrawler.research.evaluation.document_table import PrintedTable, bar, percent
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.run import Evaluation
from newscrawler.research.evaluation.summary import summarise
from newscrawler.research.evaluation.tables import share

#: In the order of the document.
_COLUMNS = (ErrorClass.OTHER, ErrorClass.NO_LEAD, ErrorClass.PART_MISSING, ErrorClass.FOREIGN)
_HEADING = ("portal", "collected", "judged", "right", "other", "no lead", "part", "ads", "accuracy")
_CLASSES: Mapping[AnswerVerdict, ErrorClass] = {
    AnswerVerdict.NO_LEAD: ErrorClass.NO_LEAD, AnswerVerdict.PART_MISSING: ErrorClass.PART_MISSING,
    AnswerVerdict.NOTHING: ErrorClass.PART_MISSING, AnswerVerdict.FAULT: ErrorClass.PART_MISSING,
    AnswerVerdict.FOREIGN: ErrorClass.FOREIGN, AnswerVerdict.OTHER: ErrorClass.OTHER,
    AnswerVerdict.NOT_AN_ARTICLE: ErrorClass.OTHER,
}  # fmt: skip


def results_by_gold(evaluation: Evaluation, method: str) -> list[PortalResult]:
    """Return a row for each portal, with a method judged by the gold of its pages."""
    verdicts: dict[str, list[AnswerVerdict]] = {}
    for result in evaluation.results:
        if result.candidate.name == method and result.score.verdict is not None:
            verdicts.setdefault(evaluation.pages[result.page].portal, []).append(result.score.verdict)
    collected = Counter(page.portal for page in evaluation.pages)
    return [
        PortalResult(
            portal=portal,
            collected=collected[portal],
            judged=len(found),
            right=found.count(AnswerVerdict.RIGHT),
            errors=Counter(_CLASSES[verdict] for verdict in found if verdict is not AnswerVerdict.RIGHT),
        )
        for portal, found in sorted(verdicts.items())
    ]


def accuracy_tables(results: Sequence[PortalResult], judged_by: str) -> Iterable[PrintedTable]:
    """Yield table 1, figure 1 and figure 2."""
    rows = [_row(result) for result in results]
    rows += [_row(_total(results)), *_mean_rows(results)]
    yield PrintedTable(title=f"000 table 1: accuracy by portal, {judged_by}", heading=_HEADING, rows=rows)
    bars = [(result.portal, percent(result.accuracy), bar(result.accuracy)) for result in results]
    yield PrintedTable(title="000 figure 1: accuracy by portal", heading=("portal", "accuracy", ""), rows=bars)
    errors = sum((Counter(result.errors) for result in results), Counter[ErrorClass]())
    shares = [(kind, errors[kind], errors[kind] / max(1, errors.total())) for kind in ErrorClass]
    yield PrintedTable(
        title="000 figure 2: kinds of errors, the worst of each page",
        heading=("error", "pages", "share", ""),
        rows=[(str(kind), number, percent(share), bar(share)) for kind, number, share in shares],
    )


def pair_table(evaluation: Evaluation, method: str, others: Iterable[str]) -> PrintedTable:
    """Return how a method compares with others page by page: both right, neither, only one."""
    verdicts: dict[str, dict[int, bool]] = {}
    for result in evaluation.results:
        if result.score.verdict is not None:
            verdicts.setdefault(result.candidate.name, {})[result.page] = result.score.verdict is AnswerVerdict.RIGHT
    rows: list[tuple[str | int, ...]] = []
    for other in others:
        mine, theirs = verdicts.get(method, {}), verdicts.get(other, {})
        pairs = Counter((mine[page], theirs[page]) for page in mine.keys() & theirs.keys())
        count = max(1, pairs.total())
        same = pairs[True, True] + pairs[False, False]
        numbers = (pairs[True, True], pairs[False, False], same, pairs[False, True], pairs[True, False])
        rows.append((other, pairs.total(), *(percent(number / count) for number in numbers)))
    return PrintedTable(
        title=f"000 section 4.2: {method} beside other methods",
        heading=("other", "pages", "both right", "neither", "same", "only other", f"only {method}"),
        rows=rows,
    )


def _row(result: PortalResult) -> tuple[str | int, ...]:
    errors = (result.errors.get(kind, 0) for kind in _COLUMNS)
    return (result.portal, result.collected, result.judged, result.right, *errors, percent(result.accuracy))


def _total(results: Sequence[PortalResult]) -> PortalResult:
    return PortalResult(
        portal="total",
        collected=sum(result.collected for result in results),
        judged=sum(result.judged for result in results),
        right=sum(result.right for result in results),
        errors=sum((Counter(result.errors) for result in results), Counter[ErrorClass]()),
    )


def _mean_rows(results: Sequence[PortalResult]) -> Iterable[tuple[str | int, ...]]:
    mean, deviation = compute_mean_accuracy(results) or (None, None)
    empty = ("",) * (len(_HEADING) - 2)
    yield ("mean", *empty, percent(mean))
    yield ("deviation", *empty, percent(deviation))


#: Methods that are compared where none are named: the document's value, 3.25, among others.
MSS_METHODS = ("mss[tag_cost=1]", "mss[tag_cost=2]", "mss[tag_cost=3.25]", "mss[tag_cost=5]", "mss[tag_cost=7]")


def mss_table(evaluation: Evaluation) -> PrintedTable:
    """Return pages, precision, recall and F1 of each method, by four-word shingles."""
    rows = [(row.method, row.pages, share(row.precision), share(row.recall), share(row.f1)) for row in summarise(evaluation).rows]
    return PrintedTable(
        title="001: Maximum Subsequence Segmentation", heading=("method", "pages", "precision", "recall", "F1"), rows=rows
    )
