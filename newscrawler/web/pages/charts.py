"""Small charts as SVG, coloured by our style sheet; each has its figures as text, for those who cannot see it."""

from __future__ import annotations

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
