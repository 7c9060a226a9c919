"""Charts as SVG elements: columns, lines, points, and rows of bars, marks or cells. Each has a text alternative.

Colours are attributes, so that a file needs nothing else; the style sheet of a page changes them by class.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

_WIDTH = 860.0
BLUE, ORANGE, GREEN = "#1f4e8c", "#c4622d", "#2f7d5b"
_COLOURS = (BLUE, ORANGE, GREEN, "#7a4b94")
#: Of lines, so that print without colours tells them apart.
_DASHES = ("none", "7 3", "2 3", "9 3 2 3", "4 4", "1 2")
_FINE, _FLAGGED, _EMPTY, _GREY = "#4878a8", "#c0392b", "#d8dde3", "#8a949e"
#: Mean width of a character at the font size of 12, a little generous; height of a line.
_CHARACTER, _LINE = 7.0, 14
#: Most points of lines that are drawn as dots on a page.
_MOST_DOTS = 400
_HEAT = ("#7a1f1f", "#9b372a", "#bc5034", "#d4764a", "#e39a62", "#f0bd7b", "#f4d29f", "#f6e1ba", "#f8f0d6", "#cfe7d9")

#: A name at a place of an axis.
_Tick = tuple[float, str]


class Svg(str):
    """SVG source that templates insert as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the source, as `markupsafe` asks for it."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line of a chart."""

    name: str
    #: None: not measured.
    values: Sequence[float | None]
    #: Low and high end of an interval at each place.
    band: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartMark:
    """A value in a row."""

    start: float
    colour: str
    #: "bar" or "line", which reach to `end`, or a character such as "●".
    symbol: str = "bar"
    end: float = 0.0
    tip: str = ""
    #: Written on a bar that is wide enough.
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRow:
    """A row of a chart: its name at the left, its marks, and its main value at the right."""

    name: str
    marks: Sequence[ChartMark]
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPoint:
    """A named point."""

    x: float
    y: float
    name: str
    tip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartAxis:
    """The name of an axis, and the names of places from one of its ends to the other."""

    name: str
    low: float
    high: float
    ticks: Sequence[_Tick]


def draw_columns(
    values: Sequence[float | None], *, label: str, tips: Sequence[str], flagged: Sequence[bool], usual: float | None,
    highest: float, step: int, height: int,
) -> Svg:  # fmt: skip
    """Return one column a value with its tooltip: those of None and 0 small and grey, `flagged` ones red.

    `usual` is a dashed line. Values above `highest` are cut off; 0: the largest value has the full height.
    """
    highest = highest or max((value for value in values if value is not None), default=0) or 1
    width, low = max(1, len(values)) * step, height - 2
    parts = []
    for number, (value, tip) in enumerate(zip(values, tips, strict=True)):
        tall = min(1.0, (value or 0) / highest) * low
        colour, shown = _FLAGGED if flagged[number] else _FINE if tall else _EMPTY, max(2.0, tall)
        x = (number + 0.1) * step
        parts.append(_with_tip(_element("rect", x=x, y=height - shown, width=step * 0.8, height=shown, fill=colour), tip))
    if usual is not None and usual <= highest:
        y = height - usual / highest * low
        parts.append(_element("line", x1=0, x2=width, y1=y, y2=y, stroke=_GREY, stroke_dasharray="3 2"))
    return _draw(parts, width, height, label=label, kind="chart-columns")


def draw_lines(
    names: Sequence[str],
    series: Sequence[Series],
    *,
    label: str,
    places: Sequence[float] | None = None,
    low: float = 0.0,
    heading: str = "",
    below: str = "",
    notes: Sequence[str] = (),
) -> Svg:
    """Return one line a series over the same names; lines differ by colour and by dashes; notes stand below.

    The names are at `places` of the lower axis, whose own name is `below`, or at even distances. A chart with a `heading` is a
    whole file, and has a white ground.
    """
    at = places or range(len(names))
    top = max((value for each in series for value in each.values if value is not None), default=0.0)
    ticks = list(_list_ticks(low, max(top, low + 1e-9) if top > 0 else 1.0))
    every = math.ceil(sum(map(_measure, names)) * 1.3 / _WIDTH) or 1
    lower = ChartAxis(
        name=below, low=min(at, default=0.0), high=max(at, default=0.0), ticks=list(zip(at, names, strict=True))[::every]
    )
    height = 300.0
    parts, scale_x, scale_y = _draw_axes(lower, ChartAxis(name="", low=low, high=max(top, ticks[-1][0]), ticks=ticks), height)
    if heading:
        ground = _element("rect", width=_WIDTH, height=height + 40 + len(notes) * 16, fill="#ffffff")
        parts = [ground, _text(56, 16, heading, font_weight=600), *parts]
    parts += [_text(56, height + 46 + number * 16, note, class_="faint") for number, note in enumerate(notes)]
    legend = []
    for number, each in enumerate(series):
        colour, kind = _COLOURS[number % len(_COLOURS)], f"s{number}"
        dashes = _DASHES[number % len(_DASHES)]
        line = partial(_element, stroke=colour, stroke_width=2, stroke_dasharray=dashes, fill="none", class_=f"line {kind}")
        legend.append((each.name, line("path", d="M0 12H22")))
        if len(each.band) > 1:
            ends = [f"{scale_x(x):.1f},{scale_y(max(low, high)):.1f}" for x, (_, high) in zip(at, each.band, strict=True)]
            ends += reversed([f"{scale_x(x):.1f},{scale_y(max(low, end)):.1f}" for x, (end, _) in zip(at, each.band, strict=True)])
            parts.append(_element("polygon", points=" ".join(ends), fill=colour, fill_opacity="0.12"))
        found = [(x, name, value) for x, name, value in zip(at, names, each.values, strict=True) if value is not None]
        parts.append(line("polyline", points=" ".join(f"{scale_x(x):.1f},{scale_y(value):.1f}" for x, _, value in found)))
        for x, name, value in found if heading or len(names) * len(series) <= _MOST_DOTS else ():
            dot = _element("circle", cx=scale_x(x), cy=scale_y(value), r=3, fill=colour, class_=kind)
            parts.append(_with_tip(dot, f"{name}: {round(value, 3):g} ({each.name})"))
    parts.append(_draw_legend(_measure(heading) + 88, legend))
    return _draw(parts, _WIDTH, height + 40 + len(notes) * 16, label=label)


def draw_rows(
    rows: Sequence[ChartRow],
    *,
    label: str,
    low: float = 0.0,
    high: float = 1.0,
    percent: bool = False,
    heads: Sequence[_Tick] = (),
    legend: Sequence[tuple[str, str, str]] = (),
    row_height: float = 21.0,
) -> Svg:
    """Return rows below one another, with a grid, or with the names of columns above them; a legend has words, colours, symbols."""
    left = min(300.0, max((_measure(row.name) for row in rows), default=0.0) + 18)
    scale = _Scale(low, high, left + 6, _WIDTH - (66 if any(row.value for row in rows) else 8))
    top = 30 + (max(_measure(name) for _, name in heads) * 0.75 if heads else 0)
    bottom = top + len(rows) * row_height
    parts = [_draw_legend(left, [(words, _text(10, 16, symbol, fill=colour)) for words, colour, symbol in legend])]
    for value, name in () if heads else _list_ticks(low, high):
        x = scale(value)
        parts.append(_element("line", x1=x, y1=top - 4, x2=x, y2=bottom, stroke=_EMPTY, class_="grid"))
        parts.append(_text(x, bottom + 15, f"{value:.0%}" if percent else name, anchor="middle", class_="faint"))
    for value, name in heads:
        parts.append(_element("g", _text(0, 0, name), transform=f"translate({scale(value):.1f} {top - 6:.1f}) rotate(-48)"))
    for number, row in enumerate(rows):
        middle = top + (number + 0.5) * row_height
        parts.append(_text(left - 8, middle + 4, row.name, anchor="end"))
        parts += [_with_tip(_draw_mark(mark, scale, middle, row_height - 2), mark.tip) for mark in row.marks]
        parts.append(_text(_WIDTH - 6, middle + 4, row.value, anchor="end", class_="value"))
    return _draw(parts, _WIDTH, bottom + 22, label=label)


def draw_points(
    points: Sequence[ChartPoint], lower: ChartAxis, left: ChartAxis, *, label: str, curves: Sequence[Sequence[ChartPoint]] = ()
) -> Svg:
    """Return named points, with labels that do not overlap; a curve has the name of its last point."""
    height = 520.0
    parts, scale_x, scale_y = _draw_axes(lower, left, height)
    for curve in curves:
        line = " ".join(f"{scale_x(point.x):.1f},{scale_y(point.y):.1f}" for point in curve)
        parts.append(_element("polyline", points=line, fill="none", stroke=_GREY, stroke_dasharray="4 3"))
        parts.append(_text(scale_x(curve[-1].x) + 4, scale_y(curve[-1].y) + 4, curve[-1].name, class_="faint"))
    found = [(scale_x(point.x), scale_y(point.y), point) for point in points]
    taken = [(x - 6, y - 6, x + 6, y + 6) for x, y, _ in found]
    parts += [_place_name(x, y, point.name, taken, height) for x, y, point in found]
    parts += [_with_tip(_element("circle", cx=x, cy=y, r=5, fill=BLUE, stroke="#ffffff"), point.tip) for x, y, point in found]
    return _draw(parts, _WIDTH, height + 40, label=label)


def choose_heat(value: float) -> str:
    """Return a colour from dark red (0) over sand to pale green (1), which stays readable in print."""
    return _HEAT[min(len(_HEAT) - 1, int(value * len(_HEAT)))]


@dataclass(frozen=True, slots=True)
class _Scale:
    """A linear scale from values to coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)


def _list_ticks(low: float, high: float, about: int = 5) -> Iterator[_Tick]:
    """Yield round numbers from low to high."""
    raw = (high - low) / about or 1.0
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * 0.999)
    for number in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1):
        yield number * step, f"{number * step:.6g}"


def _draw_axes(lower: ChartAxis, left: ChartAxis, bottom: float) -> tuple[list[str], _Scale, _Scale]:
    """Return the grid with its names, and the scales."""
    start, top, end = 56.0, 30.0, _WIDTH - 14
    scale_x, scale_y = _Scale(lower.low, lower.high, start + 8, end - 42), _Scale(left.low, left.high, bottom, top)
    parts = []
    for value, name in lower.ticks:
        x = scale_x(value)
        parts.append(_element("line", x1=x, y1=top, x2=x, y2=bottom, stroke=_EMPTY, class_="grid"))
        parts.append(_text(x, bottom + _LINE + 2, name, anchor="middle", class_="faint"))
    for value, name in left.ticks:
        y = scale_y(value)
        parts.append(_element("line", x1=start, y1=y, x2=end, y2=y, stroke=_EMPTY, class_="grid"))
        parts.append(_text(start - 8, y + 4, name, anchor="end", class_="faint"))
    parts.append(_text((start + end) / 2, bottom + 2 * _LINE + 6, lower.name, anchor="middle"))
    turned = f"translate(14 {(top + bottom) / 2:.0f}) rotate(-90)"
    parts.append(_element("g", _text(0, 0, left.name, anchor="middle"), transform=turned))
    return parts, scale_x, scale_y


def _draw_mark(mark: ChartMark, scale: _Scale, y: float, size: float) -> str:
    x, end = scale(mark.start), scale(mark.end)
    if mark.symbol == "line":
        return _element("line", x1=x, y1=y, x2=end, y2=y, stroke=mark.colour, stroke_width=5, stroke_opacity="0.28")
    if mark.symbol != "bar":
        return _text(x, y + 5, mark.symbol, anchor="middle", fill=mark.colour, font_size=14)
    edge = "#cccccc" if mark.colour == "none" else "none"
    bar = _element("rect", x=x, y=y - size / 2, width=f"{end - x:.2f}", height=size, fill=mark.colour, stroke=edge)
    if not mark.text or end - x < _measure(mark.text) + 2:
        return bar
    return bar + _text((x + end) / 2, y + 4, mark.text, anchor="middle", fill=_choose_ink(mark.colour))


def _draw_legend(x: float, entries: Sequence[tuple[str, str]]) -> str:
    """Return the words, each after its symbol."""
    parts = []
    for words, symbol in entries:
        parts.append(_element("g", symbol + _text(28, 16, words), transform=f"translate({x:.0f} 0)"))
        x += _measure(words) + 48
    return "".join(parts)


def _choose_ink(colour: str) -> str:
    """Return the colour of a text that is readable on another."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#ffffff" if 0.3 * red + 0.59 * green + 0.11 * blue < 140 else "#222222"


def _place_name(x: float, y: float, words: str, taken: list[tuple[float, float, float, float]], bottom: float) -> str:
    """Return the label of a point where nothing is, farther away with a line to it; empty if there is no such place."""
    width = _measure(words)
    for distance in (8, 18, 30, 44, 60, 80, 104):
        for side, rise in ((1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1)):
            left = x + side * distance - (width if side < 0 else width / 2 if side == 0 else 0)
            middle = y + rise * distance * (1.0 if side == 0 else 0.8)
            box = (left, middle - _LINE / 2, left + width, middle + _LINE / 2)
            if left < 56 or box[2] > _WIDTH - 14 or box[1] < 14 or box[3] > bottom:
                continue
            if any(box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken):
                continue
            taken.append(box)
            near = left if side > 0 else left + width if side < 0 else left + width / 2
            line = _element("line", x1=x, y1=y, x2=near, y2=middle, stroke=_GREY) if distance > 8 else ""
            return line + _text(left, middle + 4, words)
    return ""


def _element(tag: str, content: str = "", **attributes: object) -> str:
    """Return one element; underscores in names of attributes become hyphens, trailing ones are removed."""
    given = ((name.rstrip("_").replace("_", "-"), value) for name, value in attributes.items())
    written = "".join(f' {name}="{escape(f"{value:.5g}" if isinstance(value, float) else str(value))}"' for name, value in given)
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def _text(x: float, y: float, words: str, *, anchor: str = "start", **attributes: object) -> str:
    """Return text at a base line; nothing for no words."""
    return _element("text", escape(words), x=x, y=y, text_anchor=anchor, **attributes) if words else ""


def _measure(words: str) -> float:
    return len(words) * _CHARACTER


def _with_tip(content: str, tip: str) -> str:
    return _element("g", _element("title", escape(tip)) + content) if tip else content


def _draw(parts: Sequence[str], width: float, height: float, *, label: str, kind: str = "chart") -> Svg:
    """Return a whole chart."""
    said = {"role": "img", "aria_label": label} if label else {"aria_hidden": "true"}
    content = (_element("title", escape(label)) if label else "") + "".join(parts)
    size = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "width": f"{width:.0f}", "height": f"{height:.0f}"}
    font = {"font_family": "sans-serif", "font_size": 12}
    return Svg(_element("svg", content, xmlns="http://www.w3.org/2000/svg", class_=kind, **size, **said, **font))
