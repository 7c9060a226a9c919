"""The report: one HTML file with tables, charts and the worst pages, without external resources, fit for print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from newscrawler import __version__
from newscrawler.corpus.reviews import split_words
from newscrawler.errors import counted
from newscrawler.research.evaluation import charts, tables
from newscrawler.research.evaluation.candidates import Sweep
from newscrawler.research.evaluation.data import DataProblem, TestPage
from newscrawler.research.evaluation.judgement import AnswerVerdict, covered, word_spans
from newscrawler.research.evaluation.run import Evaluation, PageResult
from newscrawler.research.evaluation.summary import Summary, SummaryRow

_WORST_PAGES = 12
_DISPUTED_PAGES = 15
_MOST_PROBLEMS = 50
#: Rows of a wide table.
_MOST_PORTALS = 120
_WEIGHT = {verdict: number for number, verdict in enumerate(AnswerVerdict)}

_TEMPLATES = Environment(
    loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)
_TEMPLATES.globals["counted"] = counted


def report(evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem] = (), sweeps: Sequence[Sweep] = ()) -> str:
    """Write the report."""
    written: Any = _TEMPLATES.get_template("report.html").module
    return str(
        written.document(
            evaluation,
            summary,
            sections=list(_sections(written, evaluation, summary, problems, sweeps)),
            datasets=Counter(page.dataset for page in evaluation.pages),
            portals=len({page.portal for page in evaluation.pages}),
            best=max((row for row in summary.rows if row.f1 is not None), key=lambda row: row.f1 or 0.0, default=None),
            version=__version__,
        )
    )


def _sections(
    written: Any, evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem], sweeps: Sequence[Sweep]
) -> Iterator[tuple[str, str, str]]:
    """Yield id, heading and content of each section; `written` has the macros of the template."""
    rows, versus = summary.rows, summary.versus
    shown = _without_sweeps(rows, sweeps)
    if any(row.f1 is not None for row in rows):
        for number, sweep in enumerate(sweeps):
            yield f"sweep-{number}", f"{sweep.method} at several values of {sweep.parameter}", charts.draw_sweep(sweep, rows)
        yield "overview", "How close the methods come", written.overview(charts.draw_overview(shown))
    yield "table", "All figures", written.figures(*tables.method_table(summary), summary)
    if any(row.accuracy is not None for row in rows):
        yield "errors", "Entirely right, and what is wrong with the rest", written.errors(charts.draw_error_kinds(shown))
    if any(row.precision is not None for row in rows):
        yield "precision", "Precision against recall", charts.draw_precision_and_recall(shown)
        yield "time", "What accuracy costs", charts.draw_time_and_f1(shown)
    if summary.differences:
        found = tables.difference_rows(summary.differences)
        yield "differences", f"Better or worse than {versus}", written.differences(tables.DIFFERENCE_HEADING, found, summary)
    if summary.datasets:
        yield "datasets", "Dataset by dataset", written.table(*tables.dataset_rows(summary.datasets))
    if any(row.accuracy is not None for row in rows):
        found = tables.portal_rows(summary.portals, versus)
        several = [row for row in found if int(row[1]) > 1] if len(found) <= _MOST_PORTALS else []
        chart, alone = charts.draw_portals(summary, shown), len(found) - len(several)
        yield "portals", "Accuracy by portal", written.portals(chart, tables.PORTAL_HEADING, several, alone, versus)
    if len(shown) > 1 and any(row.f1 is not None for row in rows):
        chart = charts.draw_disagreement(evaluation, shown)
        yield "disagreement", "Where methods disagree", written.disagreement(chart, list(_disputed(evaluation)))
    if any(row.accuracy is not None for row in rows):
        yield "worst", f"The pages on which {versus} does worst", written.worst(*_worst(evaluation, summary))
    if problems or any(row.faults or row.not_measured for row in rows):
        yield "problems", "What was skipped", written.problems(list(_problems(evaluation, summary, problems)))
    yield "method", "How this was measured", written.explanation(summary)


def _without_sweeps(rows: Sequence[SummaryRow], sweeps: Sequence[Sweep]) -> list[SummaryRow]:
    """Return all rows except those of sweeps, which have charts of their own; of each sweep only its best."""
    names = {candidate.name for sweep in sweeps for candidate in sweep.candidates}
    kept = [row for row in rows if row.method not in names]
    for sweep in sweeps:
        of = [row for row in rows if row.method in {candidate.name for candidate in sweep.candidates}]
        kept += sorted(of, key=lambda row: -(row.f1 or 0.0))[:1]
    return kept


def _disputed(evaluation: Evaluation) -> Iterator[tuple[TestPage, list[str], list[str], int]]:
    """Yield pages with the methods that read them well, those that read them badly, and the number of all."""
    values: dict[int, list[tuple[float, str]]] = {}
    for result in evaluation.results:
        if result.score.f1 is not None:
            values.setdefault(result.page, []).append((result.score.f1, result.candidate.name))

    def share_right(page: int) -> float:
        return sum(value > 0.9 for value, _ in values[page]) / len(values[page])

    for page in sorted(values, key=lambda page: abs(share_right(page) - 0.5))[:_DISPUTED_PAGES]:
        of = sorted(values[page], reverse=True)
        good, bad = [name for value, name in of if value > 0.9], [name for value, name in of if value < 0.5]
        yield evaluation.pages[page], good, bad, len(of)


def _worst(evaluation: Evaluation, summary: Summary) -> tuple[list[tuple[TestPage, PageResult, str, tuple[str, str]]], int]:
    """Return the worst pages with expectation and answer side by side, and the number of all that are wrong."""
    of = [result for result in evaluation.results if result.candidate.name == summary.versus]
    wrong = sorted((result for result in of if result.score.verdict not in {None, AnswerVerdict.RIGHT}), key=_badness)
    shown = []
    for result in wrong[:_WORST_PAGES]:
        page = evaluation.pages[result.page]
        wanted = page.gold.texts[result.score.variant] if page.gold.texts else ""
        shown.append((page, result, wanted, side_by_side(wanted, result.answer.text or "")))
    return shown, len(wrong)


def _badness(result: PageResult) -> tuple[float, int]:
    score = result.score
    return -1.0 if score.f1 is None else score.f1, _WEIGHT[score.verdict or AnswerVerdict.OTHER]


def _problems(evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem]) -> Iterator[str]:
    for row in summary.rows:
        if row.not_measured:
            pages = counted(row.not_measured, "page")
            yield f"{row.method}: not measured on {pages}, whose portals have too few pages to learn from"
    for result in [result for result in evaluation.results if result.answer.fault][:_MOST_PROBLEMS]:
        yield f"{result.candidate.name} on {evaluation.pages[result.page].id}: {result.answer.fault}"
    yield from (f"{problem.where}: {problem.what}" for problem in problems[:_MOST_PROBLEMS])
    if len(problems) > _MOST_PROBLEMS:
        yield f"and {len(problems) - _MOST_PROBLEMS} more of the data"


#: Equal text of more words than the first is shortened to this many words at either end.
_LONG, _ENDS = 30, 9
#: Maximal number of paragraphs, and of words in one.
_MAX_PARAGRAPHS, _MAX_WORDS = 40, 140
#: Up to this many equal paragraphs in a row are shown.
_MAX_EQUAL = 3


def side_by_side(gold: str, found: str) -> tuple[str, str]:
    """Return the HTML of the gold with missing words marked, and of the answer with foreign words marked."""
    wanted, got = split_words(gold), split_words(found)
    return _column(gold, covered(wanted, got), "missing"), _column(found, covered(got, wanted), "foreign")


def _column(whole: str, marks: Sequence[bool], kind: str) -> str:
    lines = [line.strip() for line in whole.split("\n") if line.strip()]
    sizes = [len(split_words(line)) for line in lines]
    starts = [0, *accumulate(sizes)]
    parts = [marks[start : start + size] for start, size in zip(starts, sizes, strict=False)]
    if not lines:
        return '<p class="nothing">nothing found</p>'
    made: list[str] = []
    run: list[str] = []
    for line, part in zip(lines, parts, strict=True):
        if all(part):
            run.append(_shared(line))
            continue
        made += _short(run)
        run = []
        made.append(f"<p>{''.join(_pieces(line, part, kind))}</p>")
        if len(made) >= _MAX_PARAGRAPHS:
            break
    made += _short(run)
    left = len(lines) - next((number for number, total in enumerate(starts) if total >= len(marks)), len(lines))
    if len(made) >= _MAX_PARAGRAPHS and left >= 0:
        made.append('<p class="elided">… and more, left out here</p>')
    return "".join(made)


def _short(run: list[str]) -> list[str]:
    if len(run) <= _MAX_EQUAL:
        return run
    return [run[0], f'<p class="elided">… {len(run) - 2} paragraphs that both have …</p>', run[-1]]


def _shared(line: str) -> str:
    spans = word_spans(line)
    if len(spans) <= _LONG:
        return f"<p>{escape(line)}</p>"
    head, tail = line[: spans[_ENDS - 1][1]], line[spans[-_ENDS][0] :]
    return f'<p>{escape(head)} <span class="elided">… {len(spans) - 2 * _ENDS} words …</span> {escape(tail)}</p>'


def _pieces(line: str, marks: Sequence[bool], kind: str) -> Iterator[str]:
    spans = word_spans(line)
    place = 0
    while place < len(spans):
        end = place
        while end < len(spans) and marks[end] == marks[place]:
            end += 1
        start_at = spans[place][0] if place else 0
        end_at = spans[end][0] if end < len(spans) else len(line)
        piece = line[start_at:end_at]
        if end - place > (_LONG if marks[place] else _MAX_WORDS):
            ends = _ENDS if marks[place] else _MAX_WORDS // 2
            head, tail = line[start_at : spans[place + ends - 1][1]], line[spans[end - ends][0] : end_at]
            inner = f'{escape(head)} <span class="elided">… {end - place - 2 * ends} words …</span> {escape(tail)}'
        else:
            inner = escape(piece)
        yield inner if marks[place] else f'<mark class="{kind}">{inner.rstrip()}</mark>{" " if inner.endswith(" ") else ""}'
        place = end
    if not spans:
        yield escape(line)
