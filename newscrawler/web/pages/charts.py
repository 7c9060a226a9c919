"""Small charts as SVG, coloured by our style sheet; each has its figures as text, for those who cannot see it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from markupsafe import Markup

_STEP, _HEIGHT = 4, 24


def sparkline(values: Sequence[float | None], *, label: str) -> Markup:
    """Return one bar a value, oldest first; None: no bar. One path, so that hundreds of them stay small."""
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


def interval_bar(value: float, low: float, high: float, *, label: str) -> Markup:
    """Return a share between 0 and 1 as a bar, with its interval as a line."""
    width = 200
    return Markup(
        '<svg class="interval" viewBox="0 0 {width} 16" width="{width}" height="16" role="img" aria-label="{label}">'
        '<rect class="ground" width="{width}" height="16"/><rect class="value" width="{value}" y="3" height="10"/>'
        '<path d="M{low} 8H{high}M{low} 4V12M{high} 4V12"/></svg>'
    ).format(width=width, label=label, value=round(value * width), low=round(low * width), high=round(high * width))


def histogram(values: Sequence[float], steps: Sequence[float], *, label: str) -> Markup:
    """Return how many values lie up to each step; the last column takes all that are larger."""
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
