"""Methods with parameters of one's own, written as NAME[PARAMETER=VALUE, …], for example vips[layout=chromium].

A parameter is a field of the method's dataclass that is a number, a switch, a word, or one of a few words. Numbers are never below
0; a field that says more of them has the type Annotated[int, Bounds(least=1)].
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from newscrawler.errors import ConfigError

T = TypeVar("T")
_SWITCHES = {"true": True, "yes": True, "false": False, "no": False}
_NOTHING = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The numbers that a parameter takes, both ends included."""

    least: float = 0
    most: float = math.inf

    def hold(self, value: Any) -> bool:
        """Return whether a value is within them; what is no number is."""
        return not isinstance(value, int | float) or self.least <= value <= self.most

    def __str__(self) -> str:
        return f"of {self.least:g} or more" if self.most == math.inf else f"from {self.least:g} to {self.most:g}"


def name_of_written(written: str) -> str:
    """Return the name of a method that may be written with parameters."""
    return written.partition("[")[0].strip()


def split_names(text: str) -> list[str]:
    """Split methods at commas, but not at those between brackets."""
    found, start, depth = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "," and depth <= 0:
            found.append(text[start:place])
            start = place + 1
    return [name for part in (*found, text[start:]) if (name := part.strip())]


def changes_of(written: str, method: Any) -> dict[str, Any]:
    """Return the values that a written method gives to parameters, in the types of the parameters.

    Args:
        written: NAME, or NAME[PARAMETER=VALUE, …].
        method: the method of this name.

    Raises:
        ConfigError: the brackets are wrong, there is no such parameter, or a value does not have its type.
    """
    name, bracket, inside = written.strip().partition("[")
    if not bracket:
        return {}
    pairs = [pair.partition("=") for pair in inside.removesuffix("]").split(",")]
    if not inside.endswith("]") or any(not (parameter.strip() and value.strip()) for parameter, _, value in pairs):
        raise ConfigError(f"{written} is not a method. Write parameters as {name}[NAME=VALUE, NAME=VALUE].")
    given = [(parameter.strip(), value.strip()) for parameter, _, value in pairs]
    if len(dict(given)) < len(given):
        raise ConfigError(f"{written} gives a parameter twice.")
    return {parameter: read_value(method, name, parameter, value) for parameter, value in given}


def with_parameters(written: str, method: Any) -> Any:
    """Return a method with the parameters that are written behind its name.

    Raises:
        ConfigError: as for `changes_of`, or what the parameters need is not installed.
    """
    changes = changes_of(written, method)
    return checked(replace(method, **changes)) if changes else method


def checked(method: T) -> T:
    """Return a method, after its own check (`check`), if it has one, that it can run here with its parameters.

    Raises:
        ConfigError: it cannot.
    """
    check = getattr(method, "check", None)
    if check is not None:
        check()
    return method


def find_written(written: str, table: Mapping[str, Any], kind: str) -> Any:
    """Return the method of a table that is written by its name, with or without parameters.

    Raises:
        ConfigError: there is no such method or parameter, or a value does not have its type.
    """
    name = name_of_written(written)
    if name not in table:
        raise ConfigError(f"there is no {kind} {name!r}; choose one of: {', '.join(table)}")
    return with_parameters(written, table[name])


def parameters_of(method: Any) -> dict[str, Any]:
    """Return name and type of the parameters: bool, int, float, str, a Literal of words, or one of these or None."""
    if not is_dataclass(method):
        return {}
    hints = typing.get_type_hints(type(method))
    return {field.name: hints[field.name] for field in fields(method) if _kinds(hints[field.name])}


def read_value(method: Any, name: str, parameter: str, value: str) -> Any:
    """Return the value of a parameter in its type.

    Raises:
        ConfigError: the method has no such parameter, or it does not take the value.
    """
    known = parameters_of(method)
    if parameter not in known:
        raise ConfigError(f"{name} has no parameter {parameter}; it has: {', '.join(known) or 'none'}")
    bounds = bounds_of(method, parameter)
    for kind in _kinds(known[parameter]):
        for found in _read(value, kind):
            if bounds.hold(found):
                return found
    allowed = " or ".join(_in_words(kind, bounds) for kind in _kinds(known[parameter]))
    raise ConfigError(f"{name}: {parameter} is {allowed}, not {value}")


def bounds_of(method: Any, parameter: str) -> Bounds:
    """Return the bounds of a parameter that is a number."""
    hint = typing.get_type_hints(type(method), include_extras=True)[parameter]
    return next((each for each in getattr(hint, "__metadata__", ()) if isinstance(each, Bounds)), Bounds())


def _kinds(hint: Any) -> tuple[Any, ...]:
    """Return the types that a parameter takes; none: it is written in code alone."""
    if isinstance(hint, types.UnionType):
        each = [_kinds(kind) for kind in typing.get_args(hint)]
        return tuple(kind for kinds in each for kind in kinds) if all(each) else ()
    if hint in {bool, int, float, str, types.NoneType} or typing.get_origin(hint) is typing.Literal:
        return (hint,)
    return ()


def _read(value: str, kind: Any) -> Iterator[Any]:
    """Yield a value in a type; nothing if it has another type."""
    if kind is bool:
        yield from _known(_SWITCHES, value.lower())
    elif kind is types.NoneType:
        yield from _known({_NOTHING: None}, value.lower())
    elif kind is str:
        yield value
    elif typing.get_origin(kind) is typing.Literal:
        yield from _known({str(each): each for each in typing.get_args(kind)}, value)
    else:
        yield from _number(value, kind)


def _known(table: Mapping[str, Any], value: str) -> Iterable[Any]:
    return (table[value],) if value in table else ()


def _number(value: str, kind: type[int | float]) -> Iterator[int | float]:
    try:
        number = float(value)
    except ValueError:
        return
    if math.isfinite(number) and (kind is float or number == int(number)):
        yield kind(number)


def _in_words(kind: Any, bounds: Bounds) -> str:
    names = {
        bool: "true or false",
        int: f"a whole number {bounds}",
        float: f"a number {bounds}",
        str: "a word",
        types.NoneType: _NOTHING,
    }
    if typing.get_origin(kind) is typing.Literal:
        return " or ".join(map(str, typing.get_args(kind)))
    return names[kind]
