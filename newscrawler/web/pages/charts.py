"""Small SVG charts, coloured by the style sheet; each has its figures as text for screen readers."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

_STEP, _HEIGHT = 4, 24
#: Size of a line chart and of its axes, in SVG units.
_WIDE, _HIGH, _LEFT, _RIGHT, _TOP, _BOTTOM = 900, 280, 60, 16, 14, 30
#: Most points that are drawn as dots, and most names below the axis.
_MOST_DOTS, _MOST_NAMES = 130, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line of a chart."""

    name: str
    values: Sequence[float]


def draw_sparkline(values: Sequence[float | None], *, label: str) -> Markup:
    """Return one bar per value, oldest first, none for None. It is a single path, so that hundreds of charts stay small."""
    highest = max((value for value in values if value is not None), default=0) or 1
    strokes = "".join(
        f"M{number * _STEP + 2} {_HEIGHT}V{_HEIGHT - max(1.0, value / highest * (_HEIGHT - 2)):.0f}"
        for number, value in enumerate(values)
        if value is not None
    )
    width = max(1, len(values)) * _STEP
    return Markup(
        '<svg class="sparkline" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{label}">'
        '<path d="{strokes}"/></svg>'
    ).format(width=width, height=_HEIGHT, label=label, strokes=strokes)


def draw_interval(value: float, low: float, high: float, *, label: str) -> Markup:
    """Return a share between 0 and 1 as a bar, with its interval as a line."""
    width = 200
    return Markup(
        '<svg class="interval" viewBox="0 0 {width} 16" width="{width}" height="16" role="img" aria-label="{label}">'
        '<rect class="ground" width="{width}" height="16"/><rect class="value" width="{value}" y="3" height="10"/>'
        '<path d="M{low} 8H{high}M{low} 4V12M{high} 4V12"/></svg>'
    ).format(width=width, label=label, value=round(value * width), low=round(low * width), high=round(high * width))


def draw_histogram(values: Sequence[float], steps: Sequence[float], *, label: str) -> Markup:
    """Return a histogram of values by steps; the last column counts all larger values."""
    counts = [0] * (len(steps) + 1)
    for value in values:
        counts[bisect_left(steps, value)] += 1
    highest = max(counts) or 1
    names = [*(f"≤{step:g}" for step in steps), f">{steps[-1]:g}"]
    columns = []
    for number, (name, count) in enumerate(zip(names, counts, strict=True)):
        height = round(count / highest * 48)
        bar = '<g><title>{said}</title><rect class="value" x="{x}" y="{y}" width="20" height="{height}"/>'
        text = '<text x="{middle}" y="62">{name}</text></g>'
        places = {"x": number * 24, "y": 50 - height, "height": height, "middle": number * 24 + 10}
        columns.append(Markup(bar + text).format(said=f"{name} s: {count}", name=name, **places))  # noqa: S704  both are literals
    return Markup('<svg class="histogram" viewBox="0 0 {width} 66" role="img" aria-label="{label}">{columns}</svg>').format(
        width=len(counts) * 24, label=label, columns=Markup("").join(columns)
    )


def draw_lines(names: Sequence[str], series: Sequence[Series], *, label: str) -> Markup:
    """Return one line per series over the same points, from zero; lines differ by colour and dashes."""
    top = _round_up(max((value for each in series for value in each.values), default=0.0))
    step = (_WIDE - _LEFT - _RIGHT) / max(1, len(names) - 1)
    ground = _HIGH - _BOTTOM
    parts = [_draw_scale(top, ground), _draw_names(names, step, ground)]
    for number, each in enumerate(series):
        places = [(_LEFT + place * step, ground - value / top * (ground - _TOP)) for place, value in enumerate(each.values)]
        line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(Markup('<path class="line s{number}" d="{line}"/>').format(number=number, line=line))
        if len(names) <= _MOST_DOTS:
            parts += [
                Markup('<circle class="s{number}" cx="{x}" cy="{y}" r="3"><title>{said}</title></circle>').format(
                    number=number, x=f"{x:.1f}", y=f"{y:.1f}", said=f"{name}: {value:g} ({each.name})"
                )
                for (x, y), name, value in zip(places, names, each.values, strict=True)
            ]
    return Markup('<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{parts}</svg>').format(
        width=_WIDE, height=_HIGH, label=label, parts=Markup("").join(parts)
    )


def draw_bar(share: float) -> Markup:
    """Return a share between 0 and 1 as a bar, hidden from screen readers since its number is next to it."""
    return Markup('<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">{value}</svg>').format(
        value=Markup('<rect width="{width}" height="10"/>').format(width=f"{100 * max(0.0, min(1.0, share)):.1f}")
    )


def _round_up(value: float) -> float:
    """Return the next larger number of the form 1, 2, 2.5, ... times a power of ten; 1 for zero."""
    if value <= 0:
        return 1.0
    power: float = 10.0 ** math.floor(math.log10(value))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= value * 0.999999)


def _draw_scale(top: float, ground: float) -> Markup:
    """Return the grid lines with their numbers."""
    lines = []
    for quarter in range(5):
        y = ground - quarter / 4 * (ground - _TOP)
        lines.append(
            Markup('<path class="grid" d="M{left} {y}H{right}"/><text class="end" x="{at}" y="{below}">{value}</text>').format(
                left=_LEFT, right=_WIDE - _RIGHT, y=f"{y:.1f}", at=_LEFT - 6, below=f"{y + 4:.1f}", value=f"{top * quarter / 4:g}"
            )
        )
    return Markup("").join(lines)


def _draw_names(names: Sequence[str], step: float, ground: float) -> Markup:
    """Return some of the names below the axis."""
    every = max(1, math.ceil(len(names) / _MOST_NAMES))
    return Markup("").join(
        Markup('<text class="middle" x="{x}" y="{y}">{name}</text>').format(
            x=f"{_LEFT + place * step:.1f}", y=ground + 18, name=name
        )
        for place, name in enumerate(names)
        if place % every == 0
    )
