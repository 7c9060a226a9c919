"""Figures of a crawl run that show layout drift: a note per page, and the statistics of the notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from newscrawler.article import Article
from newscrawler.extraction.templates import TemplateFit

#: Prefix of the name of a field whose place was set by hand.
OVERRIDE = "override "


@dataclass(frozen=True, slots=True)
class Figure:
    """Mean and spread of a value over pages."""

    pages: int
    mean: float
    #: Standard deviation between the pages.
    spread: float

    def as_dict(self) -> dict[str, float]:
        """Return the record for the database."""
        return {name: round(value, 5) for name, value in asdict(self).items()}


def noted(
    explained: TemplateFit | None, article: Article | None, *, expected: bool, overrides: Iterable[str] = ()
) -> dict[str, Any] | None:
    """Return the note of a page; None: the page shows nothing about drift.

    Args:
        explained: how template and page-level method agree; None: there is no template.
        article: the extracted article; None: the page holds none.
        expected: whether the URL is that of an article.
        overrides: fields whose place was set by hand.
    """
    if article is None and not expected:
        return None
    note: dict[str, Any] = {"article": article is not None}
    if explained is not None:
        note |= {
            "used": explained.used,
            "template": explained.template,
            "explained": explained.explained,
            "known": round(explained.known, 4),
            "confidence": round(explained.confidence, 4),
        }
        if not explained.is_fast:
            note |= {"agreement": round(explained.agreement, 4), "boilerplate": round(explained.boilerplate, 4)}
        note |= {OVERRIDE + name: name not in explained.broken for name in overrides}
    if article is not None:
        note |= {
            "words": article.word_count,
            "lead": bool(article.lead),
            "date": article.published_at is not None,
            "authors": bool(article.authors),
            "section": bool(article.section),
        }
    return note


def figures_of(notes: Iterable[Mapping[str, Any]]) -> dict[str, Figure]:
    """Compute the figures of a run from its notes; each is over the pages that have the value.

    Agreement and boilerplate count only pages that the template explains; lengths are logarithms, since they spread over
    magnitudes.
    """
    statistics: dict[str, _Statistics] = {}
    for note in notes:
        for name, value in _watched(note).items():
            statistics.setdefault(name, _Statistics()).add(float(value))
    return {name: found.figure() for name, found in sorted(statistics.items())}


def _watched(note: Mapping[str, Any]) -> dict[str, float]:
    found = {name: float(note[name]) for name in ("article", "lead", "date", "authors", "section") if name in note}
    if "words" in note:
        found["length"] = math.log2(note["words"] + 1)
    if "explained" in note and note["article"]:
        found["explained"] = float(note["explained"])
        if note["explained"]:
            found |= {name: note[name] for name in ("agreement", "boilerplate") if name in note}
        found |= {name: float(value) for name, value in note.items() if name.startswith(OVERRIDE)}
    return found


@dataclass(slots=True)
class _Statistics:
    """Running mean and variance (Welford 1962)."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, value: float) -> None:
        before = self.total / self.number if self.number else value
        self.number += 1
        self.total += value
        self.squares += (value - before) * (value - self.total / self.number)

    def figure(self) -> Figure:
        return Figure(self.number, self.total / self.number, math.sqrt(max(0.0, self.squares) / self.number))


def read_figures(stored: Mapping[str, Any]) -> dict[str, Figure]:
    """Read figures from the database; other values are ignored."""
    found = {}
    for name, values in stored.items():
        if isinstance(values, Mapping) and {"pages", "mean", "spread"} <= values.keys():
            found[name] = Figure(int(values["pages"]), float(values["mean"]), float(values["spread"]))
    return found
