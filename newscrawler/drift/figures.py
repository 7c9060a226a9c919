"""How the pages of a night were read: a note a page, and from the notes the watched figures of the night."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from newscrawler.article import Article
from newscrawler.wrappers.portal.model import Explained

#: Stands before the name of a field whose place was set by hand.
OVERRIDE = "override "


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over pages."""

    pages: int
    mean: float
    #: Standard deviation between the pages.
    spread: float

    def as_dict(self) -> dict[str, float]:
        """For the database."""
        return {name: round(value, 5) for name, value in asdict(self).items()}


def noted(
    explained: Explained | None, article: Article | None, *, expected: bool, overrides: Iterable[str] = ()
) -> dict[str, Any] | None:
    """Note how a page was read; None: there is nothing to watch on it.

    Args:
        explained: how wrapper and page-level method got on; None: there is no wrapper.
        article: what was read; None: the page gave none.
        expected: its address is that of an article.
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
            **({"agreement": round(explained.agreement, 4)} if explained.checked else {}),
            "furniture": round(explained.furniture, 4),
            "confidence": round(explained.confidence, 4),
        }
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
    """Add up the notes of a night; a figure is of the pages that have it.

    Agreement and furniture are watched where the wrapper explains a page, agreement only where the page-level answer was found in
    full; lengths as logarithms, for they are spread over
    magnitudes.
    """
    sums: dict[str, _Sums] = {}
    for note in notes:
        for name, value in _watched(note).items():
            sums.setdefault(name, _Sums()).add(float(value))
    return {name: found.figure() for name, found in sorted(sums.items())}


def _watched(note: Mapping[str, Any]) -> dict[str, float]:
    found = {name: float(note[name]) for name in ("article", "lead", "date", "authors", "section") if name in note}
    if "words" in note:
        found["length"] = math.log2(note["words"] + 1)
    if "explained" in note and note["article"]:
        found["explained"] = float(note["explained"])
        if note["explained"]:
            found |= {name: note[name] for name in ("agreement", "furniture") if name in note}
        found |= {name: float(value) for name, value in note.items() if name.startswith(OVERRIDE)}
    return found


@dataclass(slots=True)
class _Sums:
    """What mean and spread follow from, one value after another (Welford 1962)."""

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
    """Figures from the database; what is none is left out."""
    found = {}
    for name, values in stored.items():
        if isinstance(values, Mapping) and {"pages", "mean", "spread"} <= values.keys():
            found[name] = Figure(int(values["pages"]), float(values["mean"]), float(values["spread"]))
    return found
