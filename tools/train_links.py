"""Train the default classifier of links: python tools/train_links.py [LINKS.jsonl].

Multinomial logistic regression with a quadratic penalty, by Nesterov's accelerated gradient: convex, without chance, so that the
same links give the same numbers. Links that are unsure count half. Writes newscrawler/discovery/urls/default_weights.json.
"""

from __future__ import annotations

import json
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from link_corpus import DEVELOPMENT, Labelled, read
from link_systems import systems

from newscrawler.discovery.urls.classifiers import LABELS, WEIGHTS_FILE, Weights
from newscrawler.discovery.urls.features import collect_evidence

#: Chosen by cross-validation over sites among .3, .1, .05, .02 (inverse of the penalty's strength).
STRENGTH = 0.07
#: A feature must be seen on so many links.
RAREST = 2
STEPS = 120
UNSURE_WEIGHT = 0.5
#: Made-up links count less than real ones.
SYSTEM_WEIGHT = 0.4
#: Each link counts once more with nothing but its address, as sitemaps give it.
BARE_WEIGHT = 0.3

#: Of each link the numbers of its features and their values.
Rows = list[list[tuple[int, float]]]


def train(labelled: Sequence[Labelled]) -> Weights:
    """Fit the weights of features to labelled links and the made-up ones of link_systems.py, with and without their texts."""
    known = [*labelled, *systems()]
    bare = [replace(row, link=row.link._replace(anchor="", where="")) for row in known]
    rows = [*known, *bare]
    evidence = [collect_evidence(row.link).features for row in rows]
    counts = Counter(name for features in evidence for name in features)
    names = sorted(name for name, count in counts.items() if count >= RAREST)
    number = {name: place for place, name in enumerate(names)}
    data = [[(number[name], value) for name, value in features.items() if name in number] for features in evidence]
    targets = [[float(row.label == label) for label in LABELS] for row in rows]
    importance = [_importance(row) for row in known] + [BARE_WEIGHT * _importance(row) for row in bare]
    fitted = _descend(data, targets, importance, len(names))
    return {name: (fitted[0][i], fitted[1][i], fitted[2][i]) for name, i in number.items()}


def _importance(row: Labelled) -> float:
    return UNSURE_WEIGHT if row.unsure else SYSTEM_WEIGHT if not row.site else 1.0


def _descend(data: Rows, targets: list[list[float]], importance: list[float], size: int) -> list[list[float]]:
    penalty = 1 / (STRENGTH * len(data))
    step = 1 / (0.5 * max(sum(v * v for _, v in row) for row in data) + penalty)
    weights = [[0.0] * size for _ in LABELS]
    ahead = [row[:] for row in weights]
    momentum = 1.0
    for _ in range(STEPS):
        slope = _slope(data, targets, importance, ahead)
        following = (1 + math.sqrt(1 + 4 * momentum * momentum)) / 2
        pull = (momentum - 1) / following
        for k in range(len(LABELS)):
            here, there, down = weights[k], ahead[k], slope[k]
            moved = [t - step * (d + penalty * t) for t, d in zip(there, down, strict=True)]
            ahead[k] = [m + pull * (m - h) for m, h in zip(moved, here, strict=True)]
            weights[k] = moved
        momentum = following
    return weights


def _slope(data: Rows, targets: list[list[float]], importance: list[float], weights: list[list[float]]) -> list[list[float]]:
    slope = [[0.0] * len(weights[0]) for _ in weights]
    for row, target, weight in zip(data, targets, importance, strict=True):
        sums = [sum(w[i] * v for i, v in row) for w in weights]
        top = max(sums)
        powers = [math.exp(s - top) for s in sums]
        total = sum(powers)
        for k, power in enumerate(powers):
            error = weight * (power / total - target[k]) / len(data)
            down = slope[k]
            for i, v in row:
                down[i] += error * v
    return slope


def write(weights: Weights, path: Path, note: str) -> None:
    """Write weights, one feature a line, rounded; what is near zero is left out."""
    lines = [
        f"  {json.dumps(name)}: {json.dumps([round(w, 3) for w in row])}"
        for name, row in sorted(weights.items())
        if max(map(abs, row)) >= 0.004
    ]
    text = f'{{"note": {json.dumps(note)},\n "weights": {{\n' + ",\n".join(lines) + "\n}}\n"
    path.write_text(text, encoding="utf-8")


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else DEVELOPMENT
    rows = read(source)
    weights = train(rows)
    target = Path(__file__).resolve().parents[1] / "newscrawler" / "discovery" / "urls" / WEIGHTS_FILE
    sites = len({row.site for row in rows})
    write(weights, target, f"made by tools/train_links.py from {source.name}, {len(rows)} links of {sites} sites")
    print(f"{len(weights)} features from {len(rows)} links → {target.name}")


if __name__ == "__main__":
    main()
