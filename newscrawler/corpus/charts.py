"""A series of figures as bars for a terminal, and as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_EIGHTHS = " ▏▎▍▌▋▊▉"
_WIDTH, _HEIGHT, _MARGIN = 800, 260, 44


def bars(points: Sequence[tuple[str, float]], *, width: int = 50) -> list[str]:
    """Return one line per point: its name, its bar and its value."""
    highest = max((value for _, value in points), default=0.0) or 1.0
    longest = max((len(name) for name, _ in points), default=0)
    lines = []
    for name, value in points:
        eighths = round(8 * width * value / highest)
        bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
        lines.append(f"{name:<{longest}}  {bar} {value:.1f}")
    return lines


def svg(points: Sequence[tuple[str, float]], *, title: str, unit: str) -> str:
    """Return a line chart that starts at zero."""
    highest = max((value for _, value in points), default=0.0) or 1.0
    step = (_WIDTH - 2 * _MARGIN) / max(1, len(points) - 1)
    places = [
        (_MARGIN + number * step, _HEIGHT - _MARGIN - value / highest * (_HEIGHT - 2 * _MARGIN))
        for number, (_, value) in enumerate(points)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"><title>{escape(name)}: {value:.1f}</title></circle>'
        for (x, y), (name, value) in zip(places, points, strict=True)
    )
    every = max(1, len(points) // 8)
    names = "".join(
        f'<text x="{x:.1f}" y="{_HEIGHT - _MARGIN + 18}" text-anchor="middle">{escape(name)}</text>'
        for (x, _), (name, _) in list(zip(places, points, strict=True))[::every]
    )
    base = _HEIGHT - _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="12">'
        f'<title>{escape(title)}</title><rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="{_MARGIN}" y="20" font-size="14">{escape(title)}</text>'
        f'<text x="{_MARGIN}" y="{_MARGIN - 8}" fill="#555">{highest:.1f} {escape(unit)}</text>'
        f'<path d="M{_MARGIN} {base}H{_WIDTH - _MARGIN}M{_MARGIN} {_MARGIN}H{_WIDTH - _MARGIN}" stroke="#ccc"/>'
        f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="2"/><g fill="#1f5fa8">{dots}</g>{names}</svg>\n'
    )
