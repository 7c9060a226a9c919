"""Measure every block-detection method on the development pages of ../shared/bench and print a table.

Site methods are learned from the other pages of the same site.

Body F1 by four-word shingles: that of the mean precision and the mean recall, as methods.md quotes it.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from newscrawler.article import Body
from newscrawler.extraction.templates import LearningMethod
from newscrawler.page import Document
from newscrawler.plugins import load_methods
from newscrawler.research.site_methods import SITE_METHODS

BENCH = Path(__file__).resolve().parents[2] / "shared" / "bench"
DATASETS = ("aeb", "fe")


@dataclass(frozen=True, slots=True)
class Score:
    """What a method reaches on one dataset."""

    f1: float
    precision: float
    recall: float
    #: Pages without an article, by the method.
    empty: int
    mean_ms: float
    worst_ms: float


def metrics() -> ModuleType:
    """Load the benchmark's own measures."""
    spec = importlib.util.spec_from_file_location("bench_metrics", BENCH / "metrics.py")
    if spec is None or spec.loader is None:
        raise FileNotFoundError(BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def rows(dataset: str) -> Iterator[dict[str, Any]]:
    """Read the development half of a dataset."""
    with gzip.open(BENCH / "data" / f"{dataset}.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def gold_texts(gold: dict[str, Any], measures: ModuleType) -> list[str]:
    """Every text that counts as right: paragraphs in brackets are optional."""
    if "body" in gold:
        return [gold["body"]]
    return ["\n".join(variant) for variant in measures.gold_variants(gold["paragraphs"])]


def measure(dataset: str, methods: dict[str, Callable[[Document], Body | None]]) -> dict[str, Score]:
    """Run methods over a dataset; pages are parsed once for all of them."""
    measures = metrics()
    pages: dict[str, list[dict[str, Any]]] = {name: [] for name in methods}
    times: dict[str, list[float]] = {name: [] for name in methods}
    for row in rows(dataset):
        page = Document.parse(row["html"], row["url"])
        wanted = gold_texts(row["gold"], measures)
        for name, method in methods.items():
            started = time.process_time()
            body = method(page)
            times[name].append((time.process_time() - started) * 1000)
            text = body.text if body else ""
            pages[name].append(max((measures.shingle_page(gold, text) for gold in wanted), key=lambda score: score["f1"]))
    return {name: _score(measures, pages[name], times[name]) for name in methods}


def measure_sites(dataset: str, methods: Mapping[str, LearningMethod]) -> dict[str, Score]:
    """Read each page with what was learned from the other pages of its site; sites with too few pages are left out."""
    measures = metrics()
    sites: dict[str, list[tuple[Document, list[str]]]] = {}
    for row in rows(dataset):
        page = Document.parse(row["html"], row["url"])
        sites.setdefault(urlsplit(row["url"]).hostname or "", []).append((page, gold_texts(row["gold"], measures)))
    pages: dict[str, list[dict[str, Any]]] = {name: [] for name in methods}
    times: dict[str, list[float]] = {name: [] for name in methods}
    for (name, method), site in product(methods.items(), sites.values()):
        for page, wanted in site:
            others = [other for other, _ in site if other is not page]
            if len(others) < max(method.least_pages, 2):
                continue
            template = method.learn(others)
            started = time.process_time()
            body = template(page)
            times[name].append((time.process_time() - started) * 1000)
            text = body.text if body else ""
            pages[name].append(max((measures.shingle_page(gold, text) for gold in wanted), key=lambda score: score["f1"]))
    return {name: _score(measures, pages[name], times[name]) for name in methods if pages[name]}


def _score(measures: ModuleType, pages: Sequence[dict[str, Any]], times: Sequence[float]) -> Score:
    total = measures.shingle_total(pages)
    empty = sum(page["p"] is None for page in pages)
    return Score(total["f1"], total["p"], total["r"], empty, sum(times) / len(times), max(times))


def print_table(title: str, scores: Mapping[str, Score]) -> None:
    """Print a line for each method."""
    if not scores:
        return
    print(f"{title:<28}{'F1':>7}{'P':>7}{'R':>7}{'empty':>7}{'ms':>8}{'worst':>8}")
    for name, score in scores.items():
        values = f"{score.f1:7.3f}{score.precision:7.3f}{score.recall:7.3f}{score.empty:7}"
        print(f"{name:<28}{values}{score.mean_ms:8.1f}{score.worst_ms:8.0f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    known = [*load_methods(), *SITE_METHODS]
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=f"default: all of {', '.join(known)}")
    parser.add_argument("--datasets", nargs="+", choices=DATASETS, default=DATASETS)
    arguments = parser.parse_args()
    if not BENCH.exists():
        print(f"{BENCH} is not there: nothing to measure on", file=sys.stderr)
        return 0
    chosen = arguments.methods or known
    if unknown := set(chosen) - set(known):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known are {', '.join(known)}")
    for dataset in arguments.datasets:
        print_table(dataset, measure(dataset, {name: load_methods()[name] for name in chosen if name in load_methods()}))
        sites = measure_sites(dataset, {name: SITE_METHODS[name] for name in chosen if name in SITE_METHODS})
        print_table(f"{dataset}, learned from the others", sites)
    return 0


if __name__ == "__main__":
    sys.exit(main())
