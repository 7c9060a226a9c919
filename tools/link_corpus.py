"""Links with labels, as they stand in ../shared/bench/links-*.jsonl, and how well a classifier does on them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from newscrawler.discovery.urls import PageLink

#: Beside the repository; see LINKS.md there for the rules of the labels.
DEVELOPMENT = Path(__file__).resolve().parents[2] / "shared" / "bench" / "links-dev.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A link and what a person said it is."""

    link: PageLink
    label: str
    why: str
    site: str
    #: Two labels could be defended.
    unsure: bool


def read(path: Path) -> list[Labelled]:
    """Read a file of labelled links."""
    with path.open(encoding="utf-8") as lines:
        return [_row(json.loads(line)) for line in lines if line.strip()]


def _row(row: dict[str, str]) -> Labelled:
    link = PageLink(href=row["href"], page_url=row["page_url"], anchor=row.get("anchor") or "", where=row.get("where") or "")
    return Labelled(link=link, label=row["label"], why=row.get("why") or "", site=row["site"], unsure=bool(row.get("unsure")))


def folds(rows: Sequence[Labelled], count: int, seed: int) -> list[int]:
    """Give each row its fold; all rows of a site are in the same."""
    sites = sorted({row.site for row in rows})
    # A fixed shuffle without chance: sites ordered by a number made of their name and the seed.
    order = sorted(sites, key=lambda site: sum(ord(c) * (seed + 31) ** (i % 7) for i, c in enumerate(site)) % 10_007)
    number = {site: place % count for place, site in enumerate(order)}
    return [number[row.site] for row in rows]


def scores(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[float, float, float]]:
    """Give precision, recall and F1 per class from pairs (label, predicted)."""
    right: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    predictions: Counter[str] = Counter()
    for label, predicted in pairs:
        labels[label] += 1
        predictions[predicted] += 1
        right[label] += label == predicted
    return {
        name: (right[name] / max(predictions[name], 1), right[name] / total, 2 * right[name] / (total + predictions[name]))
        for name, total in sorted(labels.items())
    }
