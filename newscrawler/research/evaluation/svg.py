"""SVG primitives of the charts: elements, axes, colours, and labels that do not overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

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
class Box:
    """A rectangle on the drawing."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        """Return whether two rectangles overlap."""
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


@dataclass(slots=True)
class Labels:
    """Places labels next to points without overlaps; farther away with a leader line if necessary."""

    frame: Box
    taken: list[Box] = field(default_factory=list)

    def keep_free(self, x: float, y: float, radius: float) -> None:
        """Reserve the area of a point."""
        self.taken.append(Box(left=x - radius, top=y - radius, right=x + radius, bottom=y + radius))

    def place(self, x: float, y: float, words: str, class_: str = "") -> str:
        """Return the label of a point; empty if there is no free place."""
        width = width_of(words)
        for distance in (8, 18, 30, 44, 60, 80, 104):
            for side, rise in ((1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1), (0, -1), (0, 1)):
                left = x + side * distance - (width if side < 0 else width / 2 if side == 0 else 0)
                middle = y + rise * distance * (1.0 if side == 0 else 0.8)
                box = Box(left=left, top=middle - LINE / 2, right=left + width, bottom=middle + LINE / 2)
                if self._free(box):
                    self.taken.append(box)
                    line = ""
                    if distance > 8:
                        end = left if side > 0 else left + width if side < 0 else left + width / 2
                        line = element("line", x1=x, y1=y, x2=end, y2=middle, class_="leader")
                    return line + text(left, middle + 4, words, class_=class_)
        return ""

    def _free(self, box: Box) -> bool:
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
