"""Deterministic clusterings in one dimension, and the length of the longest common subsequence.

Each clustering returns the places of the values that lie in the lowest cluster.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

_LEAST_VARIANCE = 1e-6


def k_means(values: Sequence[float], clusters: int, most_rounds: int) -> set[int]:
    """Cluster by k-means, from centres spread evenly over the values' range."""
    centres = _spread(values, clusters)
    bounds: list[float] = []
    for _ in range(most_rounds):
        bounds = [(one + other) / 2 for one, other in pairwise(centres)]
        groups: list[list[float]] = [[] for _ in centres]
        for value in values:
            groups[sum(value > bound for bound in bounds)].append(value)
        moved = [sum(group) / len(group) if group else centre for group, centre in zip(groups, centres, strict=True)]
        if moved == centres:
            break
        centres = moved
    return {place for place, value in enumerate(values) if not bounds or value <= bounds[0]}


def farthest_first(values: Sequence[float], clusters: int) -> set[int]:
    """Cluster by Farthest First (Hochbaum, Shmoys): each new centre is the value farthest from those before."""
    centres = [min(values)]
    while len(centres) < clusters:
        centres.append(max(values, key=lambda value: min(abs(value - centre) for centre in centres)))
    return {place for place, value in enumerate(values) if min(centres, key=lambda centre: abs(value - centre)) == centres[0]}


def expectation_maximisation(values: Sequence[float], clusters: int, most_rounds: int) -> set[int]:
    """Cluster by a mixture of normal distributions (Dempster, Laird and Rubin); a value belongs to the most probable one."""
    counts: dict[float, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    centres = _spread(values, clusters)
    width = max((max(values) - min(values)) / max(clusters, 1), math.sqrt(_LEAST_VARIANCE))
    mixture = [(1 / clusters, centre, width**2) for centre in centres]
    for _ in range(most_rounds):
        mixture, before = _maximised(counts, mixture), mixture
        if all(abs(one[1] - other[1]) < _LEAST_VARIANCE for one, other in zip(mixture, before, strict=True)):
            break
    lowest = min(range(clusters), key=lambda number: mixture[number][1])
    low = {value for value in counts if max(range(clusters), key=_densities(value, mixture).__getitem__) == lowest}
    return {place for place, value in enumerate(values) if value in low}


Mixture = list[tuple[float, float, float]]


def _maximised(counts: dict[float, int], mixture: Mixture) -> Mixture:
    """Return weight, mean and variance of each component after one round."""
    sums = [[0.0, 0.0, 0.0] for _ in mixture]
    for value, count in counts.items():
        for total, share in zip(sums, _shares(_densities(value, mixture)), strict=True):
            total[0] += share * count
            total[1] += share * count * value
            total[2] += share * count * value * value
    everything = sum(total[0] for total in sums)
    found: Mixture = []
    for (weight, first, second), old in zip(sums, mixture, strict=True):
        mean = first / weight if weight > _LEAST_VARIANCE else old[1]
        variance = second / weight - mean * mean if weight > _LEAST_VARIANCE else old[2]
        found.append((weight / everything, mean, max(variance, _LEAST_VARIANCE)))
    return found


def _densities(value: float, mixture: Mixture) -> list[float]:
    """Return the logarithm of each component's density at a value."""
    return [
        math.log(max(weight, 1e-300)) - 0.5 * math.log(variance) - (value - mean) ** 2 / (2 * variance)
        for weight, mean, variance in mixture
    ]


def _shares(logarithms: Sequence[float]) -> list[float]:
    most = max(logarithms)
    densities = [math.exp(one - most) for one in logarithms]
    total = sum(densities)
    return [density / total for density in densities]


def _spread(values: Sequence[float], clusters: int) -> list[float]:
    low, high = min(values), max(values)
    return [low + (high - low) * place / max(clusters - 1, 1) for place in range(clusters)]


def longest_common_subsequence(one: Sequence[str], other: Sequence[str]) -> int:
    """Return the length of the longest common subsequence (Hirschberg), in linear space."""
    row = [0] * (len(other) + 1)
    for item in one:
        diagonal = 0
        for place, against in enumerate(other, 1):
            above = row[place]
            row[place] = diagonal + 1 if item == against else max(above, row[place - 1])
            diagonal = above
    return row[-1]
