"""Measure the classifiers of links: python tools/evaluate_links.py [--errors] [LINKS.jsonl].

Prints precision, recall and F1 per class over the sure links: of every classifier as shipped, and of the default classifier
where each site is judged by a model that was trained without it (that is the number that tells of other sites).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from link_corpus import DEVELOPMENT, Labelled, folds, read, scores
from train_links import train

from newscrawler.discovery.urls import CLASSIFIERS
from newscrawler.discovery.urls.classifiers import judge_evidence
from newscrawler.discovery.urls.features import collect_evidence

FOLDS = 10
SEEDS = (0, 1)


def cross_validated(rows: list[Labelled], seed: int, *, bare: bool = False) -> list[tuple[Labelled, str]]:
    """Judge every link, or its address alone, with a model trained on other sites."""
    answers = []
    number = folds(rows, FOLDS, seed)
    for fold in range(FOLDS):
        weights = train([row for row, place in zip(rows, number, strict=True) if place != fold])
        for row, place in zip(rows, number, strict=True):
            if place == fold:
                link = row.link._replace(anchor="", where="") if bare else row.link
                answers.append((row, str(judge_evidence(collect_evidence(link), weights).label)))
    return answers


def show(name: str, pairs: list[tuple[str, str]]) -> None:
    for label, (precision, recall, f1) in scores(pairs).items():
        print(f"{name:28} {label:8} precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}")


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--errors"]
    rows = read(Path(arguments[0]) if arguments else DEVELOPMENT)
    sure = [row for row in rows if not row.unsure]
    for name, classifier in CLASSIFIERS.items():
        begin = time.perf_counter()
        pairs = [(row.label, str(classifier(row.link).label)) for row in sure]
        spent = (time.perf_counter() - begin) / len(sure)
        show(f"{name} (as shipped)", pairs)
        print(f"{name:28} {spent * 1e6:.0f} µs a link")
    for seed in SEEDS:
        answers = [(row, label) for row, label in cross_validated(rows, seed) if not row.unsure]
        show(f"default (by site, seed {seed})", [(row.label, label) for row, label in answers])
        bare = [(row, label) for row, label in cross_validated(rows, seed, bare=True) if not row.unsure]
        show(f"address only (seed {seed})", [(row.label, label) for row, label in bare])
    if "--errors" in sys.argv:
        for row, label in sorted(answers, key=lambda item: (item[0].label, item[1], item[0].site)):
            if row.label != label:
                print(f"{row.label} → {label}\t{row.why}\t{row.link.where}\t{row.link.href[:110]}\t{row.link.anchor[:50]}")


if __name__ == "__main__":
    main()
