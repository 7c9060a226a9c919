"""The tables of the source documents: their names, and the record of one table as it is printed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

#: Characters of the longest bar of a figure.
_WIDEST_BAR = 30


class DocumentTable(StrEnum):
    """A table by the number of its document and its own."""

    ACCURACY = "000.1"
    TWO_EXTRACTORS = "000.4.2"
    WRAPPERS = "002.4.2"
    CRAWL = "002.4.3"
    CRAWLS = "002.4.4"
    DETECTORS = "002.5"
    METHODS = "004.1"
    COLLECTED = "004.2"
    TEMPLATES = "004.3"


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """One table: every cell is text or a whole number."""

    title: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str | int]]

    def as_dict(self) -> Mapping[str, object]:
        """Return the table as JSON has it, a row as an object."""
        return {"table": self.title, "rows": [dict(zip(self.heading, row, strict=True)) for row in self.rows]}


def percent(value: float | None) -> str:
    """Format as per cent with one decimal, as the documents do; None: a dash."""
    return "–" if value is None else f"{value * 100:.1f} %"


def bar(share: float) -> str:
    """Return a bar of a chart, its length in proportion to a share of 0 to 1."""
    return "█" * round(share * _WIDEST_BAR)
