"""Bootstrap confidence intervals, and significance of paired differences.

The pages of one portal are not independent, so portals are resampled with all their pages if there are enough of them, otherwise
pages. Random numbers come from a seed: the same data give the same intervals.

Sources: B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13 (percentile intervals); E. Noreen:
Computer-Intensive Methods for Testing Hypotheses, 1989 (sign flips of paired differences); S. Holm: A Simple Sequentially Rejective
Multiple Test Procedure, 1979.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_BOOTSTRAP_SAMPLES = 1000
_SIGN_FLIPS = 4000
_MIN_PORTALS = 10

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Resamples:
    """Bootstrap samples and sign flips, the same for all methods, so that their differences are paired."""

    #: Number of the unit (portal or page) of each page.
    unit_of: tuple[int, ...]
    samples: tuple[tuple[int, ...], ...]
    flips: tuple[tuple[int, ...], ...]
    of_portals: bool

    def interval(
        self, columns: Sequence[Sequence[float | None]], statistic: Callable[[list[float]], float | None]
    ) -> Interval | None:
        """Return the percentile interval (95 %) of a statistic.

        Args:
            columns: values by page; None: the page does not count.
            statistic: computed from the sums of the columns over the sampled pages.
        """
        units = [self._units(column) for column in columns]
        found = []
        for sample in self.samples:
            value = statistic([sum(map(unit.__getitem__, sample)) for unit in units])
            if value is not None:
                found.append(value)
        return _middle(found) if found else None

    def p_value(self, differences: Sequence[float | None]) -> float:
        """Return the two-sided p-value of a mean difference under the hypothesis that neither method is better."""
        units = self._units(differences)
        total = sum(units)
        as_great = sum(abs(total - 2 * sum(map(units.__getitem__, flipped))) >= abs(total) - 1e-12 for flipped in self.flips)
        return (as_great + 1) / (len(self.flips) + 1)

    def _units(self, column: Sequence[float | None]) -> list[float]:
        sums = [0.0] * (max(self.unit_of, default=-1) + 1)
        for unit, value in zip(self.unit_of, column, strict=True):
            if value is not None:
                sums[unit] += value
        return sums


def resample(portals: Sequence[str], *, seed: int = 0) -> Resamples:
    """Sample portals (or pages) with replacement, and sign flips of about half of them.

    Args:
        portals: of every page.
        seed: of the random numbers.
    """
    names = list(dict.fromkeys(portals))
    of_portals = _MIN_PORTALS <= len(names) < len(portals)
    numbers = {name: number for number, name in enumerate(names)}
    unit_of = tuple(numbers[name] for name in portals) if of_portals else tuple(range(len(portals)))
    count = len(names) if of_portals else len(portals)
    generator = random.Random(seed)  # noqa: S311 - statistics, no secrets
    samples = tuple(tuple(generator.choices(range(count), k=count)) for _ in range(_BOOTSTRAP_SAMPLES)) if count else ()
    flips = tuple(tuple(unit for unit in range(count) if generator.random() < 0.5) for _ in range(_SIGN_FLIPS))
    return Resamples(unit_of, samples, flips, of_portals)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple comparisons."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = highest
    return corrected


def _middle(values: list[float]) -> Interval:
    values.sort()
    return values[int(0.025 * (len(values) - 1))], values[-1 - int(0.025 * (len(values) - 1))]
