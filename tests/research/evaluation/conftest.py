from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

WORDS = [
    "river",
    "bridge",
    "council",
    "morning",
    "engineer",
    "winter",
    "report",
    "station",
    "harbour",
    "market",
    "teacher",
    "village",
    "summer",
    "railway",
    "forest",
    "doctor",
    "garden",
    "window",
    "letter",
    "farmer",
    "island",
    "journey",
    "theatre",
    "mountain",
    "bakery",
    "library",
    "museum",
    "orchard",
    "festival",
    "weather",
]


def sentence(start: int, length: int = 14) -> str:
    """Words in an order that is different for every start."""
    chosen = [WORDS[(start * 7 + place * (start % 5 + 3)) % len(WORDS)] for place in range(length)]
    return f"The {start} {' '.join(chosen)}."


def paragraphs(start: int, count: int = 5) -> list[str]:
    return [" ".join(sentence(start * 40 + number * 3 + part) for part in range(3)) for number in range(count)]


def html_of(title: str, body: Sequence[str], *, menu: str = "Home News Sport Culture Contact") -> str:
    text = "".join(f"<p>{paragraph}</p>" for paragraph in body)
    return (
        f"<html><head><title>{title}</title></head><body><nav><ul><li><a href='/'>{menu}</a></li></ul></nav>"
        f"<div class='story'><h1>{title}</h1>{text}</div><div class='foot'>All rights reserved by the publisher</div></body></html>"
    )


def row(number: int, *, portal: str = "one.example", section: str = "news", **gold: Any) -> dict[str, Any]:
    title, body = f"Headline number {number} about the bridge", paragraphs(number)
    return {
        "id": f"page-{number}",
        "url": f"https://{portal}/{section}/2026/story-{number}.html",
        "html": html_of(title, body),
        "gold": {"body": "\n".join(body), "title": title, **gold},
    }


@pytest.fixture
def write_rows(tmp_path: Path) -> Callable[..., Path]:
    def write(rows: Sequence[Any], name: str = "data.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in rows), "utf-8")
        return path

    return write


@pytest.fixture
def make_row() -> Callable[..., dict[str, Any]]:
    return row
