"""Draw docs/images/way-of-a-page.svg from way-of-a-page.txt: boxes on a grid, arrows between them, for light and dark pages.

python tools/draw_way.py            writes the file
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
WIDTH, HEIGHT = 330, 56
GAP_X, GAP_Y, MARGIN = 110, 34, 44
STYLE = """
  .card { fill: #ffffff; stroke: #d4d4d8; } .box { fill: #f4f4f5; stroke: #71717a; } .arrow { stroke: #52525b; fill: none; }
  .head { fill: #52525b; } text { font: 13px system-ui, sans-serif; fill: #3f3f46; } .name { font-weight: 600; fill: #18181b; }
  .label { font-size: 11px; fill: #52525b; }
  @media (prefers-color-scheme: dark) {
    .card { fill: #18181b; stroke: #3f3f46; } .box { fill: #27272a; stroke: #a1a1aa; } .arrow { stroke: #a1a1aa; }
    .head { fill: #a1a1aa; } text { fill: #d4d4d8; } .name { fill: #fafafa; } .label { fill: #a1a1aa; }
  }
"""


HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
    '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>'
)


def draw(source: str) -> str:
    """Return the drawing of a text of boxes and arrows as SVG."""
    boxes = {name: (int(column), int(row), title, about) for name, column, row, title, about in re.findall(
        r"^box (\w+) +(\d) (\d) (\S+) \| (.+)$", source, re.MULTILINE
    )}  # fmt: skip
    arrows = re.findall(r"^(\w+) (->|=>) (\w+): (.+)$", source, re.MULTILINE)
    width = 2 * MARGIN + WIDTH + max(box[0] for box in boxes.values()) * (WIDTH + GAP_X)
    height = 2 * MARGIN + HEIGHT + max(box[1] for box in boxes.values()) * (HEIGHT + GAP_Y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-labelledby="title">',
        '<title id="title">The way of a page from the schedule to the corpus</title>',
        f"<style>{STYLE}</style>",
        HEAD,
        f'<rect class="card" x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="10"/>',
    ]
    for start, kind, end, label in arrows:
        parts += draw_arrow(boxes[start][:2], boxes[end][:2], escape(label), is_around=kind == "=>")
    for column, row, title, about in boxes.values():
        x, y = place(column, row)
        parts.append(f'<rect class="box" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>')
        parts.append(f'<text class="name" x="{x + 14}" y="{y + 23}">{escape(title)}</text>')
        parts.append(f'<text x="{x + 14}" y="{y + 42}">{escape(about)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def place(column: int, row: int) -> tuple[int, int]:
    """Return the upper left corner of a box, in pixels."""
    return MARGIN + column * (WIDTH + GAP_X), MARGIN + row * (HEIGHT + GAP_Y)


def draw_arrow(start: tuple[int, int], end: tuple[int, int], label: str, *, is_around: bool) -> list[str]:
    """Return the elements of an arrow between neighbours, or around the left side of a column."""
    (x, y), (to_x, to_y) = place(*start), place(*end)
    if is_around:
        path = f"M{x} {y + HEIGHT // 2}H{MARGIN // 2}V{to_y + HEIGHT // 2}H{to_x}"
        text = f'<text class="label" transform="translate({MARGIN // 2 - 6} {(y + to_y) // 2 + 60}) rotate(-90)">{label}</text>'
    elif start[0] == end[0]:
        path = f"M{x + WIDTH // 2} {y + HEIGHT}V{to_y}"
        text = f'<text class="label" x="{x + WIDTH // 2 + 8}" y="{y + HEIGHT + GAP_Y // 2 + 4}">{label}</text>'
    else:
        left, right = (x + WIDTH, to_x) if to_x > x else (x, to_x + WIDTH)
        path = f"M{left} {y + HEIGHT // 2}H{right}"
        text = f'<text class="label" text-anchor="middle" x="{(left + right) // 2}" y="{y + HEIGHT // 2 - 7}">{label}</text>'
    return [f'<path class="arrow" marker-end="url(#head)" d="{path}"/>', text]


if __name__ == "__main__":
    (IMAGES / "way-of-a-page.svg").write_text(draw((IMAGES / "way-of-a-page.txt").read_text("utf-8")), "utf-8")
