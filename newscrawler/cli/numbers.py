"""Number types for the command line, with messages that name the allowed range."""

from __future__ import annotations

from typing import Any

import click

#: The largest id that both databases store.
MOST = 2**31 - 1


class Whole(click.IntRange):
    """A whole number between limits."""

    def __init__(self, min: int | None = None, max: int | None = None) -> None:  # noqa: A002  click's own names
        super().__init__(min, max)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with a message that names the limits."""
        try:
            number = int(value)
        except ValueError:
            return self.fail(f"{value} is not a whole number.{self._allowed()}", param, ctx)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            return self.fail(f"{value} is out of range.{self._allowed(number)}", param, ctx)
        return number

    def _allowed(self, number: int = 0) -> str:
        if self.min is None:
            return "" if self.max is None else f" Use {self.max} or less."
        upper = self.max if self.max is not None and (number > self.max or self.max < MOST) else None
        return f" Use {self.min} or more." if upper is None else f" Use {self.min} to {upper}."


class Decimal(click.ParamType[float]):
    """A number that may have decimals."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with a message that corrects a decimal comma."""
        try:
            return float(value)
        except ValueError:
            pointed = str(value).replace(",", ".")
            hint = f" Write decimals with a point: {pointed}." if _is_number(pointed) else " Use digits, for example 2.5."
            return self.fail(f"{value} is not a number.{hint}", param, ctx)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
