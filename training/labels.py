"""The gold texts of data sets, as the labels that the block model learns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any


def gold_lines(dataset: str, gold: dict[str, Any]) -> list[str]:
    """Return the paragraphs of a gold text; optional ones, in brackets, count."""
    if dataset == "fe":
        return [re.sub(r"^\[|\]$", "", paragraph) for paragraph in gold["paragraphs"]]
    return [line for line in (gold.get("body") or "").split("\n") if line.strip()]


def chunk_labels(texts: Sequence[str], gold: dict[str, Any]) -> list[tuple[int, float]]:
    """Label and weight of each block from chunks that must, and must not, be in the text."""
    flat = [(" ".join(chunk.split()), label) for label, name in ((0, "without"), (1, "with")) for chunk in gold[name]]
    found = []
    for text in texts:
        hits = [label for chunk, label in flat if chunk in text]
        found.append((hits[-1], 1.0) if hits else (0, 0.0))
    return found
