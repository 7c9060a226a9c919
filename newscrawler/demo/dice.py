"""Pseudo-random choices that are the same on every machine and every Python."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A stream of choices determined by its seed; `random` guarantees that only for its floats."""

    def __init__(self, *seed: object) -> None:
        self._state = sha256("|".join(str(part) for part in seed).encode()).digest()

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit − 1."""
        self._state = sha256(self._state).digest()
        return int.from_bytes(self._state[:8], "big") % limit

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of several."""
        return choices[self.below(len(choices))]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """Return all of them in random order."""
        rest = list(choices)
        return [rest.pop(self.below(len(rest))) for _ in range(len(rest))]
