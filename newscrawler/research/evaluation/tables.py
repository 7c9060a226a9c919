"""The summary as rows of text, for the terminal and the report, and with all results as JSON and CSV, whose names are stable."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from newscrawler import __version__
from newscrawler.research.evaluation.candidates import Sweep
from newscrawler.research.evaluation.data import DataProblem
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.run import Evaluation
from newscrawler.research.evaluation.summary import Interval, MethodDifference, Summary, SummaryRow

DIFFERENCE_HEADING = ("method", "pages", "difference of F1", "95 %", "p", "p (Holm)", "")
#: As the PortalCrawler paper's table 1 has it.
PORTAL_HEADING = ("portal", "pages", "right", "no lead", "part missing", "ads or captions", "other", "nothing found", "accuracy")
#: Verdicts with a separate column, and those that are `nothing found`.
_COLUMNS = (AnswerVerdict.RIGHT, AnswerVerdict.NO_LEAD, AnswerVerdict.PART_MISSING, AnswerVerdict.FOREIGN, AnswerVerdict.OTHER)
_WITHOUT_TEXT = (AnswerVerdict.NOTHING, AnswerVerdict.FAULT, AnswerVerdict.NOT_AN_ARTICLE)
_LEVEL = 0.05

Rows = list[tuple[str, ...]]


#: Heading of each column, and its cell of a method.
_METHOD_COLUMNS: Sequence[tuple[str, Callable[[SummaryRow], str]]] = (
    ("method", lambda row: row.method),
    ("pages", lambda row: str(row.pages)),
    ("F1", lambda row: share(row.f1)),
    ("95 %", lambda row: span(row.f1_interval)),
    ("precision", lambda row: share(row.precision)),
    ("recall", lambda row: share(row.recall)),
    ("ROUGE-LSum", lambda row: share(row.rouge_f1)),
    ("right", lambda row: percent(row.accuracy)),
    ("95 %", lambda row: span(row.accuracy_interval, as_percent=True)),
    ("title", lambda row: percent(row.title)),
    ("date", lambda row: percent(row.date)),
    ("authors", lambda row: percent(row.authors)),
    ("pieces found", lambda row: percent(row.pieces_found)),
    ("kept out", lambda row: percent(row.pieces_kept_out)),
    ("nothing", lambda row: str(row.nothing)),
    ("failed", lambda row: str(row.faults)),
    ("ms", lambda row: number(row.cpu_ms_mean)),
    ("worst", lambda row: number(row.cpu_ms_worst)),
    ("MB", lambda row: number(row.memory_mb_worst)),
)
METHOD_HEADING = tuple(name for name, _ in _METHOD_COLUMNS)


def method_rows(summary: Summary) -> Rows:
    """Return one row per method, in the order of the request."""
    return [tuple(write(row) for _, write in _METHOD_COLUMNS) for row in summary.rows]


def method_table(summary: Summary) -> tuple[list[str], Rows]:
    """Return heading and rows of the methods, without empty columns."""
    rows = method_rows(summary)
    kept = [place for place in range(len(METHOD_HEADING)) if place == 0 or any(row[place] not in {"–", "0"} for row in rows)]
    return [METHOD_HEADING[place] for place in kept], [tuple(row[place] for place in kept) for row in rows]


def difference_rows(differences: Sequence[MethodDifference]) -> Rows:
    """Return one row per method, with the significance of its difference from the reference."""
    return [
        (
            each.method,
            str(each.pages),
            f"{each.difference:+.3f}",
            span(each.interval, signed=True),
            f"{each.p_value:.4f}",
            f"{each.corrected:.4f}",
            ("better" if each.difference > 0 else "worse") if each.corrected < _LEVEL else "no difference",
        )
        for each in differences
    ]


def portal_rows(rows: Sequence[SummaryRow], method: str | None) -> Rows:
    """Return one row per portal for one method."""
    return [_make_portal_row(row) for row in rows if row.method == method]


def _make_portal_row(row: SummaryRow) -> tuple[str, ...]:
    numbers = [row.verdicts.get(verdict, 0) for verdict in _COLUMNS]
    nothing = sum(row.verdicts.get(verdict, 0) for verdict in _WITHOUT_TEXT)
    return (row.group, *map(str, (row.pages, *numbers, nothing)), percent(row.accuracy))


def dataset_rows(rows: Sequence[SummaryRow]) -> tuple[tuple[str, ...], Rows]:
    """Return heading and rows with the F1 of every method on every dataset."""
    datasets = list(dict.fromkeys(row.group for row in rows))
    methods = list(dict.fromkeys(row.method for row in rows))
    by_name = {(row.method, row.group): row for row in rows}
    heading = ("method", *(f"{name}: {what}" for name in datasets for what in ("F1", "ROUGE-LSum", "right", "pages")))
    return heading, [
        (
            method,
            *(
                text
                for name in datasets
                for row in (by_name[method, name],)
                for text in (share(row.f1), share(row.rouge_f1), percent(row.accuracy), str(row.pages))
            ),
        )
        for method in methods
    ]


def further(summary: Summary, *, most_portals: int) -> Iterator[tuple[str, Sequence[str], Rows]]:
    """Yield title, heading and rows of the tables below the first."""
    drawn = "portals" if summary.of_portals else "pages"
    if summary.datasets:
        heading, rows = dataset_rows(summary.datasets)
        yield "By dataset", heading, rows
    if summary.differences:
        title = f"Mean page F1 less that of {summary.versus} on the same pages (intervals over {drawn})"
        yield title, DIFFERENCE_HEADING, difference_rows(summary.differences)
    rows = portal_rows(summary.portals, summary.versus)
    if len(rows) > most_portals:
        yield f"{summary.versus} on {len(rows)} portals: see --html or --json", PORTAL_HEADING, []
    elif rows:
        yield f"{summary.versus}, portal by portal", PORTAL_HEADING, rows


def share(value: float | None) -> str:
    """Format with three decimals; None: a dash."""
    return "–" if value is None else f"{value:.3f}"


def percent(value: float | None) -> str:
    """Format as per cent; None: a dash."""
    return "–" if value is None else f"{value * 100:.0f} %"


def number(value: float | None) -> str:
    """Format with at most one decimal; None: a dash."""
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def span(interval: Interval | None, *, as_percent: bool = False, signed: bool = False) -> str:
    """Format an interval; None: a dash."""
    if interval is None:
        return "–"
    low, high = interval
    if as_percent:
        return f"{low * 100:.0f}–{high * 100:.0f}"
    return f"{low:+.3f} … {high:+.3f}" if signed else f"{low:.3f}–{high:.3f}".replace("0.", ".")


COLUMNS = (
    "dataset", "portal", "section", "id", "url", "method", "found", "verdict", "f1", "precision", "recall", "rouge_f1",
    "rouge_precision", "rouge_recall", "title", "date", "authors", "pieces_found", "pieces_kept_out", "cpu_ms", "learning_ms",
    "memory_mb", "fault", "cached",
)  # fmt: skip


def as_json(evaluation: Evaluation, summary: Summary, problems: Sequence[DataProblem], sweeps: Sequence[Sweep] = ()) -> str:
    """Return the whole evaluation as one JSON object."""
    return json.dumps(
        {
            "newscrawler": __version__,
            "pages": len(evaluation.pages),
            "problems": [asdict(problem) for problem in problems],
            "versus": summary.versus,
            "intervals_are_of": "portals" if summary.of_portals else "pages",
            "methods": [asdict(row) for row in summary.rows],
            "datasets": [asdict(row) for row in summary.datasets],
            "portals": [asdict(row) for row in summary.portals],
            "differences": [asdict(difference) for difference in summary.differences],
            "sweeps": [
                {"method": sweep.method, "parameter": sweep.parameter, "names": [candidate.name for candidate in sweep.candidates]}
                for sweep in sweeps
            ],
            "results": [_plain(line) for line in lines(evaluation)],
        },
        ensure_ascii=False,
    )


def as_csv(evaluation: Evaluation) -> str:
    """Return CSV with one line per page and method."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in line.items()} for line in lines(evaluation))
    return out.getvalue()


def lines(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    """Yield a flat record for each result."""
    for result in evaluation.results:
        page, answer, score = evaluation.pages[result.page], result.answer, result.score
        known = {
            "dataset": page.dataset, "portal": page.portal, "section": page.section, "id": page.id, "url": page.url,
            "method": result.candidate.name, "found": answer.text is not None, "cpu_ms": answer.cpu_seconds * 1000,
            "learning_ms": None if answer.learning_seconds is None else answer.learning_seconds * 1000,
            "memory_mb": None if answer.memory_bytes is None else answer.memory_bytes / 2**20, "fault": answer.fault,
            "cached": result.cached,
        }  # fmt: skip
        yield {name: known[name] if name in known else getattr(score, name) for name in COLUMNS}


def _plain(line: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in line.items()}


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    text = "" if value is None else str(value)
    # spreadsheets read these as formulas
    return f"'{text}" if text[:1] in {"=", "+", "-", "@"} else text
