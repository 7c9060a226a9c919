"""Figures of the extractor on pages of our own: python tests/own_pages.py [--write].

Prints what each layout reached beside its floors in tests/own-pages-floors.json, and ends with 1 where something lies below.
--write raises the floors to what was reached; to lower them, remove the layout from the file first and say why in the commit.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean

from newscrawler.corpus.reviews import Gold, split_words
from newscrawler.extraction import read_record
from newscrawler.research.evaluation.data import TestPage, read_data
from newscrawler.research.evaluation.judgement import shared
from newscrawler.research.evaluation.scores import harmonic, same_day

PAGES = Path(__file__).parent / "gold_pages"
FLOORS = Path(__file__).parent / "own-pages-floors.json"
#: By which a figure may lie below its floor: rounding, and one word of a body.
TOLERANCE = 0.002

#: Means over a layout's pages: F1 of four-word shingles; paragraphs that are whole in the body; captions, advertisements and
#: comments that are not in it; pages of other kinds that are refused.
FIGURES = ("articles found", "body F1", "paragraphs", "foreign kept out", "title", "date", "author", "others refused")

Figures = dict[str, float]


def layouts() -> list[str]:
    """Return the names of the layouts."""
    return sorted(path.name.removesuffix(".jsonl.gz") for path in PAGES.glob("*.jsonl.gz"))


def pages_of(layout: str) -> list[TestPage]:
    """Read the pages of a layout; every line of the file must hold one."""
    pages = list(read_data(str(PAGES / f"{layout}.jsonl.gz")))
    return [page for page in pages if isinstance(page, TestPage) or _unreadable(page)]


def _unreadable(problem: object) -> bool:
    msg = f"{problem}: the file is damaged; restore it from git"
    raise ValueError(msg)


def measure(layout: str) -> Figures:
    """Read each page of a layout and return the mean of every figure."""
    reached: dict[str, list[float]] = {}
    for page in pages_of(layout):
        for name, value in _figures(page):
            reached.setdefault(name, []).append(value)
    return {name: round(fmean(values), 4) for name, values in reached.items()}


def _figures(page: TestPage) -> Iterator[tuple[str, float]]:
    record, gold = read_record(page.html, page.given_url, fetched_at=page.when), page.gold
    if not gold.article:
        yield "others refused", float(not record["article"])
        return
    body = " ".join((record["body"] or "").split())
    yield "articles found", float(record["article"])
    yield "body F1", max(_f1(text, body) for text in gold.texts)
    yield "paragraphs", _share(gold.wanted_pieces, body)
    yield "foreign kept out", 1 - _share(gold.unwanted_pieces, body) if gold.unwanted_pieces else 1.0
    yield from _fields(gold, record)


def _fields(gold: Gold, record: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    yield "title", float(str(record["title"]).split() == str(gold.title).split())
    if gold.date:
        yield "date", float(same_day(gold.date, str(record["date"] or "")))
    if gold.authors:
        yield "author", float(record["authors"] == list(gold.authors))


def _f1(gold: str, found: str) -> float:
    both, wanted, got = shared(split_words(gold), split_words(found))
    return harmonic(both / got if got else 0.0, both / wanted)


def _share(pieces: tuple[str, ...], text: str) -> float:
    return fmean(" ".join(piece.split()) in text for piece in pieces)


def fallen(layout: str, reached: Figures, floors: Mapping[str, Figures]) -> list[str]:
    """Say in words which figures of a layout lie below their floors."""
    return [
        f"{layout}: {name} fell from {floor:.4f} to {reached.get(name, 0.0):.4f}"
        for name, floor in floors.get(layout, {"a floor": 1.0}).items()
        if reached.get(name, 0.0) < floor - TOLERANCE
    ]


def read_floors() -> dict[str, Figures]:
    """Read the committed floors."""
    floors: dict[str, Figures] = json.loads(FLOORS.read_text("utf-8")) if FLOORS.is_file() else {}
    return floors


def main() -> int:
    """Print the figures beside the floors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="raise the floors to what is reached")
    options = parser.parse_args()
    floors, complaints = read_floors(), []
    sys.stdout.write(f"{'reached/floor':<13}{''.join(f'{name:>17}' for name in FIGURES)}\n")
    for layout in layouts():
        reached, before = measure(layout), floors.get(layout, {})
        complaints += fallen(layout, reached, floors) if before or not options.write else []
        cells = (f"{reached.get(name, 0.0):.3f}/{before.get(name, 0.0):.3f}" for name in FIGURES)
        sys.stdout.write(f"{layout:<13}{''.join(f'{cell:>17}' for cell in cells)}\n")
        floors[layout] = {name: max(value, before.get(name, 0.0)) for name, value in reached.items()}
    if options.write:
        FLOORS.write_text(json.dumps(floors, indent=1) + "\n", "utf-8")
    sys.stdout.writelines(f"{complaint}\n" for complaint in complaints)
    return 1 if complaints else 0


if __name__ == "__main__":
    raise SystemExit(main())
