"""Candidates of a comparison: methods by name, and the same methods with other parameters.

A candidate holds what a worker process needs to create the method: its name and the parameters that differ.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from newscrawler.errors import ConfigError
from newscrawler.evaluate import date_rules
from newscrawler.page_methods import PAGE_METHODS
from newscrawler.wrappers import SITE_METHODS

#: A sweep of more values counts as a typing error.
_MAX_VALUES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A method, and the parameters that replace its own."""

    method: str
    changes: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """Return the name for tables and charts: mss, or mss[tag_cost=2.0]."""
        changes = ", ".join(f"{name}={value}" for name, value in self.changes)
        return f"{self.method}[{changes}]" if changes else self.method

    @property
    def learns(self) -> bool:
        """Return whether it learns from other pages of the portal."""
        return self.method in SITE_METHODS

    def make(self) -> Any:
        """Create the method."""
        table: Mapping[str, Any] = SITE_METHODS if self.learns else {**PAGE_METHODS, date_rules.NAME: date_rules.DateRules()}
        return replace(table[self.method], **dict(self.changes)) if self.changes else table[self.method]


def all_names() -> list[str]:
    """Return the names of all methods that can be compared."""
    return [*PAGE_METHODS, date_rules.NAME, *SITE_METHODS]


def candidates(names: Iterable[str]) -> list[Candidate]:
    """Return the candidates of these names; "all" means every method.

    Raises:
        ConfigError: there is no such method.
    """
    chosen: list[str] = []
    for name in names:
        if name != "all" and name not in all_names():
            msg = f"there is no method {name!r}; choose from: all, {', '.join(all_names())}"
            raise ConfigError(msg)
        chosen += all_names() if name == "all" else [name]
    return [Candidate(method=name) for name in dict.fromkeys(chosen)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One parameter of one method at several values."""

    method: str
    parameter: str
    candidates: tuple[Candidate, ...]

    @property
    def values(self) -> list[Any]:
        """Return the values, in the order of the candidates."""
        return [candidate.changes[0][1] for candidate in self.candidates]


def parse_sweep(text: str) -> Sweep:
    """Parse METHOD.PARAMETER=START:STOP:STEP (the stop is included), or METHOD.PARAMETER=VALUE,VALUE,...

    Raises:
        ConfigError: there is no such method or parameter, or a value does not have its type.
    """
    target, _, written = text.partition("=")
    method, _, parameter = target.strip().partition(".")
    if not written or not parameter:
        msg = f"{text!r} is not a sweep; write it as mss.tag_cost=1:7:0.25, or with values as mss.tag_cost=2,3.25"
        raise ConfigError(msg)
    candidates([method])
    made = Candidate(method=method).make()
    kinds = parameters_of(made)
    if parameter not in kinds:
        known = ", ".join(kinds) or "none that can be parse_sweep"
        msg = f"{method} has no parameter {parameter!r} to sweep; it has: {known}"
        raise ConfigError(msg)
    values = dict.fromkeys(_convert(value, kinds[parameter], text) for value in _values(written, text))
    found = tuple(Candidate(method=method, changes=((parameter, value),)) for value in values)
    return Sweep(method=method, parameter=parameter, candidates=found)


def parameters_of(method: Any) -> dict[str, type]:
    """Return name and type of the parameters that are single numbers, words or switches."""
    hints = typing.get_type_hints(type(method))
    return {field.name: kind for field in fields(method) if (kind := _single(hints[field.name])) is not None}


def _single(hint: Any) -> type | None:
    if typing.get_origin(hint) is typing.Literal:
        return str
    if isinstance(hint, types.UnionType):
        kinds = [kind for kind in typing.get_args(hint) if kind is not types.NoneType]
        return _single(kinds[0]) if len(kinds) == 1 else None
    return hint if hint in {bool, int, float, str} else None


def _values(written: str, text: str) -> list[str]:
    if ":" not in written:
        return [value.strip() for value in written.split(",")]
    try:
        start, stop, *rest = (Decimal(value.strip()) for value in written.split(":"))
        (step,) = rest or (Decimal(1),)
        count = int((stop - start) / step) + 1
    except (InvalidOperation, ValueError, ZeroDivisionError, OverflowError) as error:
        msg = f"{text!r} is not a sweep: a range is START:STOP:STEP, all numbers, the step not 0"
        raise ConfigError(msg) from error
    if not 0 < count <= _MAX_VALUES:
        msg = f"{text!r} gives {max(count, 0)} values; let it be 1 to {_MAX_VALUES}"
        raise ConfigError(msg)
    return [str(start + number * step) for number in range(count)]


def _convert(value: str, kind: type, text: str) -> Any:
    try:
        if kind is bool:
            return {"true": True, "yes": True, "false": False, "no": False}[value.lower()]
        if kind is int and Decimal(value) == int(Decimal(value)):
            return int(Decimal(value))
        return kind(value)
    except (ValueError, KeyError, InvalidOperation) as error:
        msg = f"{value!r} in {text!r} is no {kind.__name__}, as the parameter wants"
        raise ConfigError(msg) from error
