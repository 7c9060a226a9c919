"""Trains the models of the fields beside the body, and writes what they reach on hosts that they never saw.

python -m training --data ../shared/bench/data --only fields              train, and write the models
python -m training --data ../shared/bench/data --only fields --validate   cross-validate, and write the figures of the card
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import orjson

from training.authors import author_samples, train_authors, validate_authors
from training.card import FIELDS, write_page
from training.sections import section_samples, train_sections, validate_sections


def train_fields(root: Path, out: Path) -> None:
    """Train the models of all fields, and write them into a folder."""
    (out / "authors.json").write_bytes(orjson.dumps(train_authors(author_samples(root))) + b"\n")
    (out / "sections.json").write_bytes(orjson.dumps(train_sections(section_samples(root))) + b"\n")


def validate_fields(root: Path, seeds: int) -> dict[str, dict[str, float]]:
    """Cross-validate the models of all fields, and write the figures: shares of pages that are right, means over the seeds."""
    authors, sections = author_samples(root), section_samples(root)
    rounds = {
        "authors": [validate_authors(authors, seed) for seed in range(seeds)],
        "section": [validate_sections(sections, seed) for seed in range(seeds)],
    }
    figures = {
        field: {name: round(statistics.fmean(each[name] for each in found), 4) for name in found[0]}
        for field, found in rounds.items()
    }
    FIELDS.write_text(json.dumps({"seeds": seeds, "figures": figures}, indent=1) + "\n", encoding="utf-8")
    write_page()
    return figures
