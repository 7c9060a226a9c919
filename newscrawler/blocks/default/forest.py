"""The one place where the evidence is weighed: small decision trees, trained by tools/train_default.py, as plain numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from math import exp
from typing import Any

#: A leaf is a number; an inner node is [feature, threshold, where not above it, where above it].
Tree = Any


@dataclass(frozen=True)
class Forest:
    """Adds up what its trees say of a row of evidence."""

    features: tuple[str, ...]
    base: float
    trees: tuple[Tree, ...]

    def log_odds(self, row: Sequence[float]) -> float:
        """How likely the block is part of the body: above 0 more likely than not."""
        return self.base + self._sum(*row)

    @cached_property
    def _sum(self) -> Callable[..., float]:
        """The sum of all trees as a function of the features; walking lists takes three times as long."""
        names = ", ".join(f"f{number}" for number in range(len(self.features)))
        source = f"lambda {names}: {' + '.join(map(_as_source, self.trees)) or 0.0}"
        added: Callable[..., float] = eval(compile(source, "weights.json", "eval"), {"__builtins__": {}})  # noqa: S307  numbers only
        return added

    def reasons(self, row: Sequence[float]) -> dict[str, float]:
        """What each feature moved: the change of the trees' mean answers along the way, by feature name."""
        moved: dict[str, float] = {}
        for node in self.trees:
            while node.__class__ is list:
                below, above = node[2], node[3]
                taken, other = (below, above) if row[node[0]] <= node[1] else (above, below)
                name = self.features[node[0]]
                moved[name] = moved.get(name, 0.0) + (_mean(taken) - _mean(other)) / 2
                node = taken  # noqa: PLW2901
        return moved


def chance_of(log_odds: float) -> float:
    """Log-odds as a chance, 0 to 1."""
    return 1.0 / (1.0 + exp(-log_odds)) if log_odds > -30 else 0.0


def _as_source(node: Tree) -> str:
    """A tree as an expression; whatever is no number in its place raises."""
    if node.__class__ is not list:
        return f"({float(node)!r})"
    feature, threshold, below, above = node
    return f"({_as_source(below)} if f{int(feature)} <= {float(threshold)!r} else {_as_source(above)})"


def _mean(node: Tree) -> float:
    return node if node.__class__ is not list else (_mean(node[2]) + _mean(node[3])) / 2


@cache
def load_forest() -> Forest:
    """Read the weights that ship with the program."""
    data = json.loads(files(__package__).joinpath("weights.json").read_text(encoding="utf-8"))
    return Forest(tuple(data["features"]), data["base"], tuple(data["trees"]))
