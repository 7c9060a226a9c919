"""The charts of the report, drawn from a summary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import attrgetter

from newscrawler.corpus import (
    BLUE,
    GREEN,
    ORANGE,
    ChartAxis,
    ChartMark,
    ChartPoint,
    ChartRow,
    Series,
    Svg,
    choose_heat,
    draw_lines,
    draw_points,
    draw_rows,
)
from newscrawler.research.evaluation.candidates import Sweep
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.run import Evaluation
from newscrawler.research.evaluation.summary import Summary, SummaryRow

#: From right to the worst error; they differ in lightness, too, for print without colour.
_VERDICTS = {
    AnswerVerdict.RIGHT: "#2f7d5b",
    AnswerVerdict.OTHER: "#b9d8c2",
    AnswerVerdict.FOREIGN: "#f0cf8e",
    AnswerVerdict.PART_MISSING: "#dd9a54",
    AnswerVerdict.NO_LEAD: "#b9502f",
    AnswerVerdict.NOT_AN_ARTICLE: "#8c5a86",
    AnswerVerdict.NOTHING: "#5b2a2a",
    AnswerVerdict.FAULT: "#222222",
}


def _rank(rows: Sequence[SummaryRow], figure: str) -> list[SummaryRow]:
    """Return the methods that have a figure, the best first."""
    return sorted((row for row in rows if getattr(row, figure) is not None), key=attrgetter(figure), reverse=True)


def _round_down(values: Sequence[float], margin: float = 0.05) -> float:
    return max(0.0, math.floor((min(values, default=0.0) - margin) * 10) / 10)


def draw_overview(rows: Sequence[SummaryRow]) -> Svg:
    """Draw F1 with its interval, precision and recall, the best method first."""
    drawn, shown = [], []
    for row in _rank(rows, "f1"):
        f1, recall, interval = row.f1 or 0.0, row.recall or 0.0, row.f1_interval or (1.0, 1.0)
        shown += [f1, recall, interval[0]]
        tip = f"{row.method}: F1 {f1:.3f}, precision {row.precision or 0:.3f}, recall {recall:.3f}, {row.pages} pages"
        marks = [ChartMark(start=interval[0], end=interval[1], symbol="line", colour=BLUE, tip=tip)] if row.f1_interval else []
        marks += [ChartMark(start=row.precision, symbol="▲", colour=ORANGE, tip=tip)] if row.precision is not None else []
        marks.append(ChartMark(start=recall, symbol="■", colour=GREEN, tip=tip))
        marks.append(ChartMark(start=f1, symbol="●", colour=BLUE, tip=tip))
        drawn.append(ChartRow(name=row.method, marks=marks, value=f"{f1:.3f}"))
    return draw_rows(
        drawn,
        label="F1, precision and recall of every method",
        low=_round_down(shown, 0.02),
        legend=(("F1, with 95 % interval", BLUE, "●"), ("precision", ORANGE, "▲"), ("recall", GREEN, "■")),
    )


def draw_error_kinds(rows: Sequence[SummaryRow]) -> Svg:
    """Draw the share of right pages and of each kind of error."""
    found = _rank(rows, "accuracy")
    used = [verdict for verdict in _VERDICTS if any(row.verdicts.get(verdict) for row in found)]
    drawn = []
    for row in found:
        total, before, marks = sum(row.verdicts.values()), 0, []
        for verdict in used:
            if count := row.verdicts.get(verdict, 0):
                tip = f"{row.method}: {verdict} on {count} of {total} pages"
                start, end = before / total, (before + count) / total
                marks.append(ChartMark(start=start, end=end, colour=_VERDICTS[verdict], tip=tip, text=str(count)))
                before += count
        drawn.append(ChartRow(name=row.method, marks=marks, value=f"{row.accuracy:.0%}"))
    legend = [(str(verdict), _VERDICTS[verdict], "■") for verdict in used]
    return draw_rows(drawn, label="Pages that are right, and kinds of error", percent=True, legend=legend)


def _count_nines(value: float) -> float:
    """Return a share on a logarithmic scale of its error, which separates good methods."""
    return -math.log10(1.01 - value)


def _make_error_axis(name: str, low: float) -> ChartAxis:
    shares = (0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1)
    ticks = [(_count_nines(value), f"{value:g}") for value in shares if value >= low]
    return ChartAxis(name=name, low=_count_nines(low), high=2.0, ticks=ticks)


def _make_point(x: float, y: float, row: SummaryRow) -> ChartPoint:
    tip = f"{row.method}: F1 {row.f1 or 0:.3f}, precision {row.precision or 0:.3f}, recall {row.recall or 0:.3f}"
    return ChartPoint(x=x, y=y, name=row.method, tip=f"{tip}, {row.cpu_ms_mean or 0:.1f} ms")


def draw_precision_and_recall(rows: Sequence[SummaryRow]) -> Svg:
    """Draw every method as a point, with lines of equal F1."""
    found = [row for row in _rank(rows, "f1") if row.precision is not None and row.recall is not None]
    low = _round_down([min(row.precision or 0, row.recall or 0) for row in found])
    curves = []
    for f1 in (0.4, 0.6, 0.7, 0.8, 0.9, 0.95):
        pairs = [(r / 200, f1 * r / 200 / (r / 100 - f1)) for r in range(1, 201) if r / 100 > f1]
        inside = [pair for pair in pairs if low <= pair[0] and low <= pair[1] <= 1]
        if len(inside) > 1:
            curves.append([ChartPoint(x=_count_nines(x), y=_count_nines(y), name=f"F1 {f1}", tip="") for x, y in inside])
    points = [_make_point(_count_nines(row.recall or 0), _count_nines(row.precision or 0), row) for row in found]
    lower, left = _make_error_axis("recall (errors on a logarithmic scale)", low), _make_error_axis("precision", low)
    return draw_points(points, lower, left, label="Precision against recall", curves=curves)


def draw_time_and_f1(rows: Sequence[SummaryRow]) -> Svg:
    """Draw F1 over CPU time per page, on a logarithmic scale."""
    found = [row for row in _rank(rows, "f1") if row.cpu_ms_mean]
    times = [math.log10(row.cpu_ms_mean or 1) for row in found]
    low, high = math.floor(min(times, default=0) * 4) / 4, math.ceil(max(times, default=1) * 4 + 0.2) / 4
    steps = [factor * 10**power for power in range(-3, 6) for factor in (1, 2, 5)]
    ticks = [(math.log10(step), f"{step:g}") for step in steps if low <= math.log10(step) <= high]
    name = "CPU time of a page without parsing, in milliseconds (both scales logarithmic)"
    points = [_make_point(moment, _count_nines(row.f1 or 0), row) for moment, row in zip(times, found, strict=True)]
    left = _make_error_axis("F1", _round_down([row.f1 or 0 for row in found]))
    return draw_points(points, ChartAxis(name=name, low=low, high=high, ticks=ticks), left, label="CPU time against F1")


def draw_sweep(found: Sweep, rows: Sequence[SummaryRow]) -> Svg:
    """Draw F1, precision, recall and accuracy over the values of a parameter; values that are no numbers at even distances."""
    by_name = {row.method: row for row in rows}
    measured = [by_name[candidate.name] for candidate in found.candidates]
    is_numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in found.values)
    band = [row.f1_interval for row in measured if row.f1_interval]
    of = {"precision": "precision", "recall": "recall", "right": "accuracy"}
    series = [Series(name="F1", values=[row.f1 for row in measured], band=band if len(band) == len(measured) else ())]
    series += [Series(name=name, values=[getattr(row, attribute) for row in measured]) for name, attribute in of.items()]
    return draw_lines(
        [f"{value:g}" if is_numeric else str(value) for value in found.values],
        series,
        label=f"{found.method} at several values of {found.parameter}",
        places=found.values if is_numeric else None,
        low=_round_down([value for each in series for value in each.values if value is not None], 0.02),
        below=f"{found.method}: {found.parameter}",
    )


def draw_portals(summary: Summary, rows: Sequence[SummaryRow], *, least_pages: int = 3, most_portals: int = 60) -> Svg:
    """Draw the share of right pages by portal and method; portals with few pages share one row."""
    methods = [row.method for row in _rank(rows, "accuracy")]
    cells: dict[tuple[str, str], list[int]] = {}
    sizes: dict[str, int] = {}
    few: set[str] = set()
    for row in summary.portals:
        size = row.pages + row.not_measured
        group = row.group if size >= least_pages else ""
        if not group:
            few.add(row.group)
        right_and_all = cells.setdefault((group, row.method), [0, 0])
        right_and_all[0] += row.verdicts.get(AnswerVerdict.RIGHT, 0)
        right_and_all[1] += sum(row.verdicts.values())
        if row.method == summary.rows[0].method:
            sizes[group] = sizes.get(group, 0) + size
    reference = summary.versus or (methods[0] if methods else "")

    def rank(group: str) -> tuple[bool, float]:
        right, total = cells.get((group, reference), [0, 0])
        return not group, right / total if total else 2.0

    drawn = []
    for group in sorted(sizes, key=rank)[:most_portals]:
        name = f"{group} ({sizes[group]})" if group else f"{len(few)} smaller portals ({sizes[group]})"
        marks = []
        for place, method in enumerate(methods):
            right, total = cells.get((group, method), [0, 0])
            tip = f"{method} on {name}: {right} of {total} right" if total else f"{method}: not measured on {name}"
            colour, shown = (choose_heat(right / total), f"{100 * right / total:.0f}") if total else ("none", "")
            marks.append(ChartMark(start=place, end=place + 0.96, colour=colour, tip=tip, text=shown))
        drawn.append(ChartRow(name=name, marks=marks))
    heads = [(place + 0.5, method) for place, method in enumerate(methods)]
    return draw_rows(drawn, label="Accuracy by portal", high=max(len(methods), 14), heads=heads)


def draw_disagreement(evaluation: Evaluation, rows: Sequence[SummaryRow], *, most_pages: int = 215) -> Svg:
    """Draw the F1 of every method (rows) on every page (columns), from the easiest to the hardest page."""
    values: dict[int, dict[str, float]] = {}
    for result in evaluation.results:
        if result.score.f1 is not None:
            values.setdefault(result.page, {})[result.candidate.name] = result.score.f1
    chosen = sorted(values, key=lambda page: min(values[page].values()) - max(values[page].values()))[:most_pages]
    chosen.sort(key=lambda page: -sum(values[page].values()) / len(values[page]))
    drawn = []
    for row in _rank(rows, "f1"):
        found = [(place, page, values[page][row.method]) for place, page in enumerate(chosen) if row.method in values[page]]
        marks = [
            ChartMark(
                start=place,
                end=place + 1,
                colour=choose_heat(value),
                tip=f"{row.method}, {evaluation.pages[page].id[:70]}: F1 {value:.2f}",
            )
            for place, page, value in found
        ]
        drawn.append(ChartRow(name=row.method, marks=marks))
    legend = [(f"F1 {step / 4:g}", choose_heat(step / 4), "■") for step in range(5)]
    heads = [(0.0, "easy for all"), (len(chosen) * 0.93, "hard for all")]
    label = "Page F1 of every method on every page"
    return draw_rows(drawn, label=label, high=len(chosen), heads=heads, legend=legend, row_height=16)
