"""How far figures may be trusted: bootstrap intervals, and paired differences with their significance.

Pages of one portal stand and fall together, so what is drawn are portals with all their pages, where there are enough of them;
otherwise pages. Chance comes from a seed: the same data give the same intervals.

Sources: B. Efron, R. Tibshirani: An Introduction to the Bootstrap, 1993, chapter 13 (percentile intervals); E. Noreen:
Computer-Intensive Methods for Testing Hypotheses, 1989 (sign flips of paired differences); S. Holm: A Simple Sequentially Rejective
Multiple Test Procedure, 1979.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

_ROUNDS = 1000
_FLIPS = 4000
_FEWEST_PORTALS = 10

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Draws:
    """The same draws for all methods, so that their differences are paired."""

    #: Which portal or page each page belongs to.
    unit_of: tuple[int, ...]
    rounds: tuple[tuple[int, ...], ...]
    flips: tuple[tuple[int, ...], ...]
    of_portals: bool

    def interval(
        self, columns: Sequence[Sequence[float | None]], statistic: Callable[[list[float]], float | None]
    ) -> Interval | None:
        """The middle 95 % of a statistic.

        Args:
            columns: values by page; None: the page does not count.
            statistic: from the sums of the columns over the drawn pages.
        """
        units = [self._units(column) for column in columns]
        found = []
        for drawn in self.rounds:
            value = statistic([sum(map(unit.__getitem__, drawn)) for unit in units])
            if value is not None:
                found.append(value)
        return _middle(found) if found else None

    def chance_of(self, differences: Sequence[float | None]) -> float:
        """How often a mean difference as great as this would come about if neither method were better (two-sided)."""
        units = self._units(differences)
        total = sum(units)
        far = sum(abs(total - 2 * sum(map(units.__getitem__, flipped))) >= abs(total) - 1e-12 for flipped in self.flips)
        return (far + 1) / (len(self.flips) + 1)

    def _units(self, column: Sequence[float | None]) -> list[float]:
        sums = [0.0] * (max(self.unit_of, default=-1) + 1)
        for unit, value in zip(self.unit_of, column, strict=True):
            if value is not None:
                sums[unit] += value
        return sums


def draws(portals: Sequence[str], *, seed: int = 0) -> Draws:
    """Draw portals (or pages) with replacement, and halves of them without.

    Args:
        portals: of every page.
        seed: where chance begins.
    """
    names = list(dict.fromkeys(portals))
    of_portals = _FEWEST_PORTALS <= len(names) < len(portals)
    numbers = {name: number for number, name in enumerate(names)}
    unit_of = tuple(numbers[name] for name in portals) if of_portals else tuple(range(len(portals)))
    count = len(names) if of_portals else len(portals)
    dice = random.Random(seed)  # noqa: S311 - statistics, no secrets
    rounds = tuple(tuple(dice.choices(range(count), k=count)) for _ in range(_ROUNDS)) if count else ()
    flips = tuple(tuple(unit for unit in range(count) if dice.random() < 0.5) for _ in range(_FLIPS))
    return Draws(unit_of, rounds, flips, of_portals)


def holm(chances: Sequence[float]) -> list[float]:
    """Correct for having asked several questions at once."""
    order = sorted(range(len(chances)), key=chances.__getitem__)
    corrected, highest = [0.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, chances[place] * (len(chances) - rank)))
        corrected[place] = highest
    return corrected


def _middle(values: list[float]) -> Interval:
    values.sort()
    return values[int(0.025 * (len(values) - 1))], values[-1 - int(0.025 * (len(values) - 1))]
