"""The charts of the report: SVG drawings of the summary, without external resources."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from newscrawler.research.evaluation.candidates import Sweep
from newscrawler.research.evaluation.judgement import AnswerVerdict
from newscrawler.research.evaluation.summary import SummaryRow

WIDTH = 860.0
ROW = 21.0
#: From right to the worst error; they differ in lightness, too, for print without colour.
COLOURS = {
    AnswerVerdict.RIGHT: "#2f7d5b",
    AnswerVerdict.OTHER: "#b9d8c2",
    AnswerVerdict.FOREIGN: "#f0cf8e",
    AnswerVerdict.PART_MISSING: "#dd9a54",
    AnswerVerdict.NO_LEAD: "#b9502f",
    AnswerVerdict.NOT_AN_ARTICLE: "#8c5a86",
    AnswerVerdict.NOTHING: "#5b2a2a",
    AnswerVerdict.FAULT: "#222222",
}
_F1, _PRECISION, _RECALL, _RIGHT = "#1f4e8c", "#c4622d", "#2f7d5b", "#7a4b94"


def ranked(rows: Sequence[SummaryRow]) -> list[SummaryRow]:
    """Return the methods that have an F1, the best first."""
    return sorted((row for row in rows if row.f1 is not None), key=lambda row: -(row.f1 or 0.0))


def label_width(names: Sequence[str]) -> float:
    """Return the width of the labels at the left of a chart."""
    return min(300.0, max((width_of(name) for name in names), default=0.0) + 18)


@dataclass(frozen=True, slots=True)
class _Scale:
    """A linear scale from values to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)


@dataclass(frozen=True, slots=True)
class _ErrorScale:
    """A logarithmic scale of the error (1 − share), which separates good methods."""

    low: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return _Scale(_nines(self.low), _nines(1.0), self.start, self.end)(_nines(max(value, self.low)))

    def ticks(self) -> list[tuple[float, str]]:
        return [(value, f"{value:g}") for value in (0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1) if value >= self.low]


def _nines(value: float) -> float:
    return -math.log10(1.01 - value)


def overview(rows: Sequence[SummaryRow]) -> str:
    """Draw F1 with its interval, precision and recall, the best method first."""
    found = ranked(rows)
    left = label_width([row.method for row in found])
    lowest = min((min(row.f1 or 0.0, row.recall or 0.0, (row.f1_interval or (1.0,))[0]) for row in found), default=0.0)
    scale = _Scale(max(0.0, math.floor(lowest * 10 - 0.2) / 10), 1.0, left + 6, WIDTH - 66)
    height = len(found) * ROW + 56
    parts = [_grid(scale, 26, height - 26)]
    for number, row in enumerate(found):
        y = 40 + number * ROW
        parts.append(text(left - 10, y + 4, row.method, anchor="end"))
        marks = ""
        if row.f1_interval:
            low, high = row.f1_interval
            marks += element("line", x1=scale(low), y1=y, x2=scale(high), y2=y, stroke=_F1, stroke_width=5, stroke_opacity="0.28")
        if row.precision is not None:
            x = scale(row.precision)
            marks += element("path", d=f"M{x:.1f},{y - 5:.1f} l4.5,8 h-9 z", fill=_PRECISION)
        marks += element("rect", x=scale(row.recall or 0.0) - 3.6, y=y - 3.6, width=7.2, height=7.2, fill=_RECALL)
        marks += element("circle", cx=scale(row.f1 or 0.0), cy=y, r=5.2, fill=_F1, stroke="#ffffff")
        tip = f"{row.method}: F1 {row.f1:.3f}, precision {row.precision or 0:.3f}, recall {row.recall or 0:.3f}, {row.pages} pages"
        parts.append(titled(marks, tip))
        parts.append(text(WIDTH - 6, y + 4, f"{row.f1:.3f}", anchor="end", class_="value"))
    legend = (("F1, with 95 % interval", _F1, "circle"), ("precision", _PRECISION, "triangle"), ("recall", _RECALL, "square"))
    parts.append(_legend(left, 12, legend))
    return drawing(WIDTH, height, parts, "F1, precision and recall of every method")


def error_kinds(rows: Sequence[SummaryRow]) -> str:
    """Draw the share of right pages and of each kind of error."""
    found = sorted((row for row in rows if row.accuracy is not None), key=lambda row: -(row.accuracy or 0.0))
    left = label_width([row.method for row in found])
    scale = _Scale(0.0, 1.0, left, WIDTH - 66)
    used = [verdict for verdict in COLOURS if any(row.verdicts.get(verdict) for row in found)]
    height = len(found) * ROW + 56
    parts = [_grid(scale, 26, height - 26, percent=True)]
    for number, row in enumerate(found):
        y = 30 + number * ROW
        parts.append(text(left - 10, y + 13, row.method, anchor="end"))
        total, before = sum(row.verdicts.values()), 0
        for verdict in used:
            count = row.verdicts.get(verdict, 0)
            if not count:
                continue
            x, width = scale(before / total), scale((before + count) / total) - scale(before / total)
            bar = element("rect", x=x, y=y, width=width, height=ROW - 5, fill=COLOURS[verdict])
            dark = verdict in {
                AnswerVerdict.RIGHT,
                AnswerVerdict.NO_LEAD,
                AnswerVerdict.NOTHING,
                AnswerVerdict.FAULT,
                AnswerVerdict.NOT_AN_ARTICLE,
            }
            if width > 24:
                bar += text(x + width / 2, y + 12, str(count), anchor="middle", class_="on-dark" if dark else "on-light")
            parts.append(titled(bar, f"{row.method}: {verdict} on {count} of {total} pages"))
            before += count
        parts.append(text(WIDTH - 6, y + 13, f"{(row.accuracy or 0) * 100:.0f} %", anchor="end", class_="value"))
    parts.append(_legend(left, 12, [(str(verdict), COLOURS[verdict], "square") for verdict in used]))
    return drawing(WIDTH, height, parts, "Pages that are right, and kinds of error")


def precision_and_recall(rows: Sequence[SummaryRow]) -> str:
    """Draw every method as a point, with lines of equal F1."""
    found = [row for row in ranked(rows) if row.precision is not None and row.recall is not None]
    low = max(0.0, math.floor(min((min(row.precision or 0, row.recall or 0) for row in found), default=0.0) * 10 - 0.5) / 10)
    frame = LabelBox(left=56, top=14, right=WIDTH - 14, bottom=560)
    x_scale, y_scale = _ErrorScale(low, frame.left, frame.right - 42), _ErrorScale(low, frame.bottom, frame.top + 20)
    parts = [_axes(x_scale, y_scale, frame, "recall (errors on a logarithmic scale)", "precision", x_scale.ticks())]
    labels = LabelPlacer(frame)
    for f1 in (0.4, 0.6, 0.7, 0.8, 0.9, 0.95):
        curve = [(r / 200, f1 * r / 200 / (2 * r / 200 - f1)) for r in range(1, 201) if 2 * r / 200 > f1]
        inside = [(recall, precision) for recall, precision in curve if low <= recall and low <= precision <= 1]
        if len(inside) > 1:
            path = "M" + " L".join(f"{x_scale(recall):.1f},{y_scale(precision):.1f}" for recall, precision in inside)
            parts.append(element("path", d=path, class_="contour"))
            parts.append(text(x_scale(inside[-1][0]) + 4, y_scale(inside[-1][1]) + 4, f"F1 {f1}", class_="faint"))
    points = [(x_scale(row.recall or 0), y_scale(row.precision or 0), row) for row in found]
    return drawing(WIDTH, 600, [*parts, *_points(points, labels)], "Precision against recall")


def time_and_f1(rows: Sequence[SummaryRow]) -> str:
    """Draw F1 over CPU time per page, on a logarithmic scale."""
    found = [row for row in ranked(rows) if row.cpu_ms_mean]
    times = [math.log10(row.cpu_ms_mean or 1) for row in found]
    low, high = math.floor(min(times, default=0) * 4) / 4, math.ceil(max(times, default=1) * 4 + 0.2) / 4
    bottom = max(0.0, math.floor(min((row.f1 or 0 for row in found), default=0) * 10 - 0.5) / 10)
    frame = LabelBox(left=56, top=14, right=WIDTH - 14, bottom=480)
    x_scale, y_scale = _Scale(low, high, frame.left + 12, frame.right - 20), _ErrorScale(bottom, frame.bottom, frame.top + 8)
    steps = [factor * 10**power for power in range(-3, 6) for factor in (1, 2, 5)]
    named = [(math.log10(step), f"{step:g}") for step in steps if low <= math.log10(step) <= high]
    parts = [
        _axes(x_scale, y_scale, frame, "CPU time of a page without parsing, in milliseconds (both scales logarithmic)", "F1", named)
    ]
    points = [(x_scale(moment), y_scale(row.f1 or 0), row) for moment, row in zip(times, found, strict=True)]
    return drawing(WIDTH, 520, [*parts, *_points(points, LabelPlacer(frame))], "CPU time against F1")


def sweep(found: Sweep, rows: Sequence[SummaryRow]) -> str:
    """Draw F1, precision, recall and accuracy over the values of a parameter; values that are no numbers at even distances."""
    by_name = {row.method: row for row in rows}
    measured = [(value, by_name[candidate.name]) for value, candidate in zip(found.values, found.candidates, strict=True)]
    numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value, _ in measured)
    places = [float(value) if numeric else float(number) for number, (value, _) in enumerate(measured)]
    shown = [value for _, row in measured for value in (row.f1, row.precision, row.recall, row.accuracy) if value is not None]
    low = max(0.0, math.floor(min(shown, default=0.0) * 20 - 0.5) / 20)
    frame = LabelBox(left=56, top=34, right=WIDTH - 14, bottom=340)
    x_scale = _Scale(min(places), max(places), frame.left + 16, frame.right - 16)
    y_scale = _Scale(low, 1.0, frame.bottom, frame.top)
    step = max(1, len(places) // 14)
    named = [(place, f"{value}") for place, (value, _) in list(zip(places, measured, strict=True))[::step]]
    if numeric and len(places) > 14:
        named = [(value, f"{value:g}") for value in ticks(min(places), max(places), 10)]
    parts = [_axes(x_scale, y_scale, frame, f"{found.method}: {found.parameter}", "", named)]
    band = [(place, row.f1_interval) for place, (_, row) in zip(places, measured, strict=True) if row.f1_interval]
    if len(band) > 1:
        edge = [f"{x_scale(place):.1f},{y_scale(max(low, interval[1])):.1f}" for place, interval in band]
        edge += [f"{x_scale(place):.1f},{y_scale(max(low, interval[0])):.1f}" for place, interval in reversed(band)]
        parts.append(element("polygon", points=" ".join(edge), fill=_F1, fill_opacity="0.12"))
    lines = (
        ("F1", _F1, "f1"),
        ("precision", _PRECISION, "precision"),
        ("recall", _RECALL, "recall"),
        ("right", _RIGHT, "accuracy"),
    )
    for name, colour, attribute in lines:
        values = [(place, getattr(row, attribute)) for place, (_, row) in zip(places, measured, strict=True)]
        points = [(place, value) for place, value in values if value is not None]
        path = " ".join(f"{x_scale(place):.1f},{y_scale(value):.1f}" for place, value in points)
        thick = 2.2 if name == "F1" else 1.4
        parts.append(element("polyline", points=path, fill="none", stroke=colour, stroke_width=thick))
        for place, value in points:
            dot = element("circle", cx=x_scale(place), cy=y_scale(value), r=3, fill=colour)
            parts.append(titled(dot, f"{found.parameter} {place:g}: {name} {value:.3f}"))
    shapes = [(name + (", with 95 % interval" if name == "F1" else ""), colour, "square") for name, colour, _ in lines]
    parts.append(_legend(frame.left, 12, shapes))
    return drawing(WIDTH, 382, parts, f"{found.method} at several values of {found.parameter}")


def _points(points: Sequence[tuple[float, float, SummaryRow]], labels: LabelPlacer) -> list[str]:
    parts = []
    for x, y, _ in points:
        labels.keep_free(x, y, 6)
    for x, y, row in points:
        tip = f"{row.method}: F1 {row.f1 or 0:.3f}, precision {row.precision or 0:.3f}, recall {row.recall or 0:.3f}"
        tip += f", {row.cpu_ms_mean or 0:.1f} ms"
        parts.append(labels.place(x, y, row.method))
        parts.append(titled(element("circle", cx=x, cy=y, r=5, fill=_F1, stroke="#ffffff"), tip))
    return sorted(parts, key=lambda part: "<circle" in part)


def _grid(scale: _Scale, top: float, bottom: float, *, percent: bool = False) -> str:
    parts = []
    for value in ticks(scale.low, scale.high):
        x = scale(value)
        parts.append(element("line", x1=x, y1=top, x2=x, y2=bottom, class_="grid"))
        name = f"{value * 100:.0f} %" if percent else f"{value:g}"
        parts.append(text(x, bottom + 15, name, anchor="middle", class_="faint"))
    return "".join(parts)


def _axes(
    x_scale: _Scale | _ErrorScale,
    y_scale: _Scale | _ErrorScale,
    frame: LabelBox,
    x_name: str,
    y_name: str,
    x_ticks: Sequence[tuple[float, str]],
) -> str:
    parts = []
    for value, name in x_ticks:
        x = x_scale(value)
        parts.append(element("line", x1=x, y1=frame.top, x2=x, y2=frame.bottom, class_="grid"))
        parts.append(text(x, frame.bottom + LINE + 2, name, anchor="middle", class_="faint"))
    y_ticks = (
        y_scale.ticks()
        if isinstance(y_scale, _ErrorScale)
        else [(value, f"{value:g}") for value in ticks(y_scale.low, y_scale.high)]
    )
    for value, name in y_ticks:
        y = y_scale(value)
        parts.append(element("line", x1=frame.left, y1=y, x2=frame.right, y2=y, class_="grid"))
        parts.append(text(frame.left - 8, y + 4, name, anchor="end", class_="faint"))
    parts.append(text((frame.left + frame.right) / 2, frame.bottom + 2 * LINE + 6, x_name, anchor="middle"))
    middle = (frame.top + frame.bottom) / 2
    parts.append(element("g", text(0, 0, y_name, anchor="middle"), transform=f"translate(14 {middle:.0f}) rotate(-90)"))
    return "".join(parts)


def _legend(x: float, y: float, entries: Sequence[tuple[str, str, str]]) -> str:
    parts = []
    for words, colour, shape in entries:
        if shape == "circle":
            parts.append(element("circle", cx=x + 5, cy=y, r=5, fill=colour))
        elif shape == "triangle":
            parts.append(element("path", d=f"M{x + 5:.1f},{y - 5:.1f} l4.5,8 h-9 z", fill=colour))
        else:
            parts.append(element("rect", x=x, y=y - 5, width=10, height=10, fill=colour))
        parts.append(text(x + 15, y + 4, words))
        x += width_of(words) + 36
    return "".join(parts)


#: Mean width of a character at the charts' font size of 12, a little generous.
CHARACTER = 7.0
LINE = 14


def element(tag: str, content: str = "", **attributes: object) -> str:
    """Return one element; underscores in attribute names become hyphens, trailing ones are removed."""
    written = "".join(f' {name.rstrip("_").replace("_", "-")}="{escape(_short(value))}"' for name, value in attributes.items())
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def _short(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)


def text(x: float, y: float, words: str, *, anchor: str = "start", class_: str = "") -> str:
    """Return text at a base line."""
    return element("text", escape(words), x=x, y=y, text_anchor=anchor, **({"class_": class_} if class_ else {}))


def titled(content: str, tip: str) -> str:
    """Return a group with a tooltip."""
    return element("g", f"{element('title', escape(tip))}{content}")


def drawing(width: float, height: float, parts: Sequence[str], label: str) -> str:
    """Return a whole chart."""
    return element(
        "svg",
        element("title", escape(label)) + "".join(parts),
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=f"{width:.0f}",
        role="img",
        aria_label=label,
        class_="chart",
    )


def width_of(words: str) -> float:
    """Estimate the width of a text."""
    return len(words) * CHARACTER


def heat(value: float) -> str:
    """Return a colour from dark red (0) over sand to pale green (1), which stays readable in print."""
    stops = ((0.0, (122, 31, 31)), (0.35, (201, 92, 60)), (0.7, (242, 196, 128)), (0.9, (248, 240, 214)), (1.0, (207, 231, 217)))
    value = min(1.0, max(0.0, value))
    for (low, one), (high, other) in pairwise(stops):
        if value <= high:
            part = (value - low) / (high - low)
            red, green, blue = (round(a + (b - a) * part) for a, b in zip(one, other, strict=True))
            return f"#{red:02x}{green:02x}{blue:02x}"
    return "#cfe7d9"


def ink_on(value: float) -> str:
    """Return a colour of text that is readable on that of `heat`."""
    return "#ffffff" if value < 0.45 else "#222222"


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBox:
    """A rectangle on the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: LabelBox) -> bool:
        """Return whether two rectangles overlap."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


@dataclass(slots=True)
class LabelPlacer:
    """Places labels next to points without overlaps; farther away with a leader line if necessary."""

    frame: LabelBox
    taken: list[LabelBox] = field(default_factory=list)

    def keep_free(self, x: float, y: float, radius: float) -> None:
        """Reserve the area of a point."""
        self.taken.append(LabelBox(left=x - radius, top=y - radius, right=x + radius, bottom=y + radius))

    def place(self, x: float, y: float, words: str, class_: str = "") -> str:
        """Return the label of a point; empty if there is no free place."""
        width = width_of(words)
        for distance in (8, 18, 30, 44, 60, 80, 104):
            for side, rise in ((1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1)):
                left = x + side * distance - (width if side < 0 else width / 2 if side == 0 else 0)
                middle = y + rise * distance * (1.0 if side == 0 else 0.8)
                box = LabelBox(left=left, top=middle - LINE / 2, right=left + width, bottom=middle + LINE / 2)
                if self._free(box):
                    self.taken.append(box)
                    line = ""
                    if distance > 8:
                        end = left if side > 0 else left + width if side < 0 else left + width / 2
                        line = element("line", x1=x, y1=y, x2=end, y2=middle, class_="leader")
                    return line + text(left, middle + 4, words, class_=class_)
        return ""

    def _free(self, box: LabelBox) -> bool:
        inside = box.left >= self.frame.left and box.right <= self.frame.right
        inside = inside and box.top >= self.frame.top and box.bottom <= self.frame.bottom
        return inside and not any(box.meets(other) for other in self.taken)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return round numbers from low to high."""
    raw = (high - low) / max(1, about) or 1.0
    power = 1.0
    while power > raw:
        power /= 10
    while power * 10 <= raw:
        power *= 10
    step = next((factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * 0.999), power)
    first = int(low / step) - 1
    return [round(number * step, 10) for number in range(first, first + 50) if low - 1e-9 <= number * step <= high + 1e-9]
