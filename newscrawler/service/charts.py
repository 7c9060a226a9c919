"""Small bar charts of a portal's nights: as SVG for pages, as characters for plain text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_WIDTH, _HEIGHT, _GAP = 6, 28, 2
_LETTERS = "▁▂▃▄▅▆▇█"
FINE_COLOUR, FLAGGED_COLOUR, EMPTY_COLOUR, LINE_COLOUR = "#4878a8", "#c0392b", "#d8dde3", "#8a949e"


def bars(values: Sequence[float | None], flagged: Sequence[bool], tips: Sequence[str], *, usual: float | None, label: str) -> str:
    """Return an SVG with one bar per night, oldest first, problems in red, and a line at the usual value.

    Args:
        values: None: there was no night.
        flagged: of each night.
        tips: the tooltip of each bar.
        usual: None: no line.
        label: the text alternative.
    """
    highest = _ceiling([value for value in values if value is not None], usual)
    width = len(values) * (_WIDTH + _GAP)
    parts = [f"<title>{escape(label)}</title>"]
    for number, (value, bad, tip) in enumerate(zip(values, flagged, tips, strict=True)):
        left = number * (_WIDTH + _GAP)
        height = 0.0 if value is None else min(_HEIGHT, _HEIGHT * value / highest)
        colour = FLAGGED_COLOUR if bad else FINE_COLOUR if height else EMPTY_COLOUR
        shown = max(height, 2.0)
        bar = f'<rect x="{left}" y="{_HEIGHT - shown:.1f}" width="{_WIDTH}" height="{shown:.1f}" fill="{colour}"/>'
        parts.append(f"<g><title>{escape(tip)}</title>{bar}</g>")
    if usual is not None and usual <= highest:
        level = f"{_HEIGHT - _HEIGHT * usual / highest:.1f}"
        parts.append(f'<line x1="0" x2="{width}" y1="{level}" y2="{level}" stroke="{LINE_COLOUR}" stroke-dasharray="3 2"/>')
    return (
        f'<svg viewBox="0 0 {width} {_HEIGHT}" width="{width}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(label)}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
    )


def letters(values: Sequence[float | None]) -> str:
    """Return one character per night, oldest first; a dot for no night."""
    highest = _ceiling([value for value in values if value is not None], None)
    return "".join(
        "." if value is None else _LETTERS[min(len(_LETTERS) - 1, int(value / highest * len(_LETTERS)))] for value in values
    )


def _ceiling(values: Sequence[float], usual: float | None) -> float:
    """Return the value of the highest bar; limited, so that a first night with years of articles does not flatten the others."""
    if not values:
        return 1.0
    ordered = sorted(values)
    typical = ordered[max(0, int(len(ordered) * 0.9) - 1)]
    return max(1.0, typical * 1.25, (usual or 0.0) * 1.5)
