"""Cross-validates the ranking of dates by host, the whole decision of the program, and writes its model and its figures."""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from newscrawler.extraction.body.extractor import load_default_extractor
from newscrawler.extraction.dates import DateContext, find_dates
from newscrawler.extraction.dates.decision import DayRanker
from newscrawler.extraction.metadata import choose_language
from newscrawler.page import Document
from training.card import DATES, write_page
from training.date_models import FOLDS, Rows, calibrate, fit_model, rows_of_samples
from training.date_pages import dated_pages
from training.date_samples import DateSample, collect_dates, same_day
from training.forests import fold_of
from training.pages import LabelledPage, load

#: Data sets whose days are scored; pages without a date, which are all our own, count as a set.
SCORED = ("htmldate", "fundus", "wcxb", "turing", "own", "dated")


def train_dates(root: Path, out: Path, *, validate: bool) -> None:
    """Write the model of dates, or cross-validate it and write what it reaches."""
    samples = collect_dates(root)
    rows = rows_of_samples(samples)
    print(f"{len(samples)} samples, {sum(len(each.rows) for each in rows)} days", file=sys.stderr)
    if validate:
        figures = cross_validate(root, samples, rows)
        print(json.dumps(figures))
        DATES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
        write_page()
        return
    model = fit_model(rows, seed=0) | {"curve": calibrate(samples, rows)}
    (out / "dates.json").write_bytes(orjson.dumps(model) + b"\n")


def cross_validate(root: Path, samples: Sequence[DateSample], rows: Sequence[Rows], seed: int = 0) -> dict[str, Any]:
    """Return of each data set how often the day is right, and none, by models that saw no page of the host."""
    rankers = []
    for fold in range(FOLDS):
        kept = [each for sample, each in zip(samples, rows, strict=True) if fold_of(sample.host, FOLDS, seed) != fold]
        rankers.append(DayRanker.of(fit_model(kept, seed) | {"curve": [[0.0, 0.0], [1.0, 1.0]]}))
    verdicts: dict[str, list[str]] = defaultdict(list)
    for dataset in SCORED:
        for page in dated_pages() if dataset == "dated" else load(root, dataset):
            gold = page.gold.get("date")
            if page.other_kind is None and (dataset == "dated" or (isinstance(gold, str) and len(gold) >= len("2026-01-01"))):
                name = dataset if gold else "without a date"
                verdicts[name].append(verdict(page, rankers[fold_of(page.host, FOLDS, seed)]))
    return {name: _shares(found) for name, found in verdicts.items()}


def verdict(page: LabelledPage, ranker: DayRanker) -> str:
    """Return "right", "wrong" or "none" of a page that is read as the crawl reads it."""
    document = Document.parse(page.html, page.address)
    examination = load_default_extractor().examine(document)
    body = examination.body if examination.refusal is None else None
    language = choose_language(None, document.declared_language, body.text if body else "")[0]
    found = find_dates(
        document, DateContext(fetched_at=page.fetched_at, language=language), ranker=ranker,
        headline_element=body.headline_element if body else None, body_elements=body.elements if body else (),
        likely=examination.probabilities.tolist(),
    ).published  # fmt: skip
    if found is None:
        return "none"
    gold = page.gold.get("date")
    return "right" if gold and (found.value.date().isoformat() == gold[:10] or _same(found.value, gold)) else "wrong"


def _same(found: datetime, gold: str) -> bool:
    wanted = datetime.fromisoformat(gold)
    return wanted.tzinfo is not None and same_day(found, wanted)


def _shares(verdicts: Sequence[str]) -> Mapping[str, float]:
    """Return the shares of verdicts, and half the width of the interval that holds the share of right ones with 95 %."""
    right = float(np.mean([each == "right" for each in verdicts]))
    none = float(np.mean([each == "none" for each in verdicts]))
    margin = 1.96 * (right * (1 - right) / len(verdicts)) ** 0.5
    return {"pages": len(verdicts), "right": round(right, 4), "none": round(none, 4), "margin": round(margin, 4)}
