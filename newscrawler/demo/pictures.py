"""Small landscapes as SVG; the name of a picture determines what it shows."""

from __future__ import annotations

from newscrawler.demo.dice import Dice

_SKIES = (("#f6d8ae", "#e07a5f"), ("#cfe8ef", "#7fb2c9"), ("#e8e4f3", "#8f86b5"), ("#fdf1d3", "#e9b872"), ("#dbe9d8", "#88a987"))
_LANDS = (
    ("#5b7553", "#41563b", "#2d3d29"),
    ("#6b705c", "#4f5345", "#37392f"),
    ("#4a6572", "#344955", "#232f34"),
    ("#8a6f5a", "#6a5343", "#4a392e"),
)
_WALLS = ("#f4efe6", "#e6d5c3", "#d9c2b0", "#c9d3d6")


def _ridge(dice: Dice, height: int, swing: int) -> str:
    points = " ".join(f"{x},{height + dice.below(swing)}" for x in range(0, 801, 100))
    return f"0,450 {points} 800,450"


def _house(dice: Dice, x: int) -> str:
    wide, high, foot = 40 + dice.below(30), 34 + dice.below(34), 392 + dice.below(26)
    top = foot - high
    roof = f'<polygon fill="#9c4a3c" points="{x - 6},{top} {x + wide // 2},{top - 26} {x + wide + 6},{top}"/>'
    window = f'<rect x="{x + wide // 2 - 6}" y="{top + 10}" width="12" height="14" fill="#f2c14e"/>'
    return f'<rect x="{x}" y="{top}" width="{wide}" height="{high}" fill="{dice.pick(_WALLS)}"/>{roof}{window}'


def landscape(name: str) -> str:
    """Return an SVG document of 800 × 450: sky, sun, three ridges and a village."""
    dice = Dice("picture", name)
    light, deep = dice.pick(_SKIES)
    lands = dice.pick(_LANDS)
    sun = f'<circle cx="{90 + dice.below(620)}" cy="{80 + dice.below(90)}" r="{28 + dice.below(22)}" fill="#fff7e0" opacity=".9"/>'
    ridges = "".join(
        f'<polygon fill="{colour}" points="{_ridge(dice, height, swing)}"/>'
        for colour, height, swing in zip(lands, (190, 262, 340), (90, 60, 40), strict=True)
    )
    start = dice.below(260)
    houses = "".join(_house(dice, start + 40 + 92 * i) for i in range(3 + dice.below(3)))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 450" width="800" height="450">'
        f'<defs><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{deep}"/>'
        f'<stop offset="1" stop-color="{light}"/></linearGradient></defs>'
        f'<rect width="800" height="450" fill="url(#s)"/>{sun}{ridges}{houses}</svg>'
    )
