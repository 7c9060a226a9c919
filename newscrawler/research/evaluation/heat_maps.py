"""Heat maps: methods by portals, and methods by pages."""

from __future__ import annotations

from collections.abc import Sequence

from newscrawler.research.evaluation.charts import (
    ROW,
    WIDTH,
    drawing,
    element,
    heat,
    ink_on,
    label_width,
    ranked,
    text,
    titled,
    width_of,
)
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.run import Evaluation
from newscrawler.research.evaluation.summary import Summary, SummaryRow


def portals(summary: Summary, rows: Sequence[SummaryRow], *, least_pages: int = 3, most_portals: int = 60) -> str:
    """Draw the share of right pages by portal and method; portals with few pages share one row."""
    methods = [row.method for row in sorted(rows, key=lambda row: -(row.accuracy or 0.0)) if row.accuracy is not None]
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

    groups = sorted(sizes, key=rank)[:most_portals]
    names = {group: f"{group} ({sizes[group]})" if group else f"{len(few)} smaller portals ({sizes[group]})" for group in groups}
    left = label_width(list(names.values()))
    head = max((width_of(method) for method in methods), default=0) * 0.75 + 24
    cell = min(44.0, (WIDTH - left - 50) / max(1, len(methods)))
    parts = [_slanted(left + (number + 0.5) * cell, head - 6, method) for number, method in enumerate(methods)]
    for number, group in enumerate(groups):
        y = head + number * ROW
        parts.append(text(left - 8, y + 14, names[group], anchor="end"))
        for place, method in enumerate(methods):
            right, total = cells.get((group, method), [0, 0])
            tip = f"{method} on {names[group]}: {right} of {total} right" if total else f"{method}: not measured on {names[group]}"
            parts.append(titled(_cell(left + place * cell, y, cell, right / total if total else None), tip))
    return drawing(WIDTH, head + len(groups) * ROW + 6, parts, "Accuracy by portal")


def _cell(x: float, y: float, width: float, value: float | None) -> str:
    if value is None:
        return element("rect", x=x, y=y, width=width - 1.5, height=ROW - 1.5, fill="none", stroke="#cccccc")
    box = element("rect", x=x, y=y, width=width - 1.5, height=ROW - 1.5, fill=heat(value))
    label = text(x + width / 2 - 0.75, y + 14, f"{value * 100:.0f}", anchor="middle", class_="small")
    return box + label.replace("<text", f'<text fill="{ink_on(value)}"', 1)


def _slanted(x: float, y: float, words: str) -> str:
    return element("g", text(0, 0, words), transform=f"translate({x:.1f} {y:.1f}) rotate(-48)")


def disagreement(evaluation: Evaluation, rows: Sequence[SummaryRow], *, most_pages: int = 215) -> str:
    """Draw the F1 of every method (rows) on every page (columns)."""
    methods = [row.method for row in ranked(rows)]
    values: dict[int, dict[str, float]] = {}
    for result in evaluation.results:
        if result.score.f1 is not None:
            values.setdefault(result.page, {})[result.candidate.name] = result.score.f1
    spread = {number: max(of.values()) - min(of.values()) for number, of in values.items()}
    chosen = sorted(spread, key=lambda number: -spread[number])[:most_pages]
    chosen.sort(key=lambda number: -sum(values[number].values()) / len(values[number]))
    left = label_width(methods)
    width = (WIDTH - left - 4) / max(1, len(chosen))
    row_height = 15.0
    parts = [text(left, 12, "easy for all", class_="faint"), text(WIDTH - 4, 12, "hard for all", anchor="end", class_="faint")]
    for number, method in enumerate(methods):
        y = 20 + number * row_height
        parts.append(text(left - 8, y + 11, method, anchor="end"))
        for place, page in enumerate(chosen):
            value = values[page].get(method)
            if value is None:
                continue
            box = element("rect", x=left + place * width, y=y, width=f"{width:.2f}", height=row_height - 1, fill=heat(value))
            parts.append(titled(box, f"{method}, {evaluation.pages[page].id[:70]}: F1 {value:.2f}"))
    height = 20 + len(methods) * row_height
    scale = [element("rect", x=left + step * 9, y=height + 8, width=9, height=9, fill=heat(step / 20)) for step in range(21)]
    named = [text(left, height + 30, "F1 0"), text(left + 189, height + 30, "1", anchor="end")]
    return drawing(WIDTH, height + 36, [*parts, *scale, *named], "Page F1 of every method on every page")
