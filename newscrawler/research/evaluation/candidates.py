"""Candidates of a comparison: methods by name, and the same methods with other parameters.

A candidate holds what a worker process needs to create the method: its name and the parameters that differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from newscrawler.errors import ConfigError
from newscrawler.plugins import checked, load_methods, name_of_written, read_changes, read_value
from newscrawler.research.evaluation import date_rules
from newscrawler.research.site_methods import SITE_METHODS

PAGE_METHODS = load_methods()
#: A sweep of more values counts as a typing error.
_MAX_VALUES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodCandidate:
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
        method = _method(self.method)
        return replace(method, **dict(self.changes)) if self.changes else method


def _method(name: str) -> Any:
    if name == date_rules.NAME:
        return date_rules.DateRules()
    table: Mapping[str, Any] = SITE_METHODS if name in SITE_METHODS else PAGE_METHODS
    return table[name]


def all_names() -> list[str]:
    """Return the names of all methods that can be compared."""
    return [*PAGE_METHODS, date_rules.NAME, *SITE_METHODS]


def candidates(names: Iterable[str]) -> list[MethodCandidate]:
    """Return the candidates of these names, which may have parameters, as in mss[tag_cost=2]; "all" means every method.

    Raises:
        ConfigError: a method or parameter is unknown, or a value does not have its type.
    """
    chosen: list[MethodCandidate] = []
    for written in names:
        name = name_of_written(written)
        if written == "all":
            chosen += [MethodCandidate(method=each) for each in all_names()]
        elif name in all_names():
            chosen.append(MethodCandidate(method=name, changes=tuple(read_changes(written, _method(name)).items())))
        else:
            msg = f"there is no method {name!r}; choose from: all, {', '.join(all_names())}"
            raise ConfigError(msg)
    for candidate in chosen:
        if candidate.changes:
            checked(candidate.make())
    return list(dict.fromkeys(chosen))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """One parameter of one method at several values."""

    method: str
    parameter: str
    candidates: tuple[MethodCandidate, ...]

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
    if method == "all":
        raise ConfigError(f"{text!r} names no method; a sweep is of one method")
    (plain,) = candidates([method])
    made = plain.make()
    values = dict.fromkeys(read_value(made, method, parameter, value) for value in _values(written, text))
    found = tuple(MethodCandidate(method=method, changes=((parameter, value),)) for value in values)
    for candidate in found:
        checked(candidate.make())
    return Sweep(method=method, parameter=parameter, candidates=found)


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
