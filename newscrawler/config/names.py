"""Allowed names; lists of other packages are loaded when needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from pydantic import AfterValidator, BeforeValidator

from newscrawler.errors import ConfigError
from newscrawler.plugins import PluginGroup, load_methods, name_of_written, with_parameters


def _list_methods() -> Iterable[str]:
    return (*load_methods(), *(name for name in load_methods(PluginGroup.SITE_METHODS) if name != "portal_template"))


def _list_classifiers() -> Iterable[str]:
    from newscrawler.discovery.urls import CLASSIFIERS

    return CLASSIFIERS


def _list_detectors() -> Iterable[str]:
    return load_methods(PluginGroup.DETECTORS)


#: Lists, as they are in the descriptions of keys.
_LISTS: dict[str, Callable[[], Iterable[str]]] = {
    "{methods}": _list_methods,
    "{classifiers}": _list_classifiers,
    "{detectors}": _list_detectors,
}


def fill_in_names(description: str) -> str:
    """Return the description of a key with its lists of names."""
    for place, list_names in _LISTS.items():
        if place in description:
            description = description.replace(place, ", ".join(list_names()))
    return description


def one_of(names: Collection[str]) -> AfterValidator:
    """Allow only these names."""
    return AfterValidator(lambda value: _check(value, names))


def word_of(words: type[StrEnum]) -> BeforeValidator:
    """Allow only the words of an enumeration."""

    def check(value: Any) -> StrEnum:
        return words(_check(str(value), tuple(words)))

    return BeforeValidator(check)


def listed(place: str) -> AfterValidator:
    """Allow only the names of a list; the default is one of each."""
    return AfterValidator(lambda value: value if value == "default" else _check(value, tuple(_LISTS[place]())))


def check_method(written: str) -> str:
    """Return the name of a method, with or without parameters.

    Raises:
        ValueError: there is no such method or parameter, or a value does not have its type.
    """
    if written == "default":
        return written
    name = name_of_written(written)
    if _check(name, tuple(_list_methods())) == written:
        return written
    sites = load_methods(PluginGroup.SITE_METHODS)
    try:
        with_parameters(written, sites[name] if name in sites else load_methods()[name])
    except ConfigError as error:
        raise ValueError(f" ({error})") from error
    return written


def _check(value: str, names: Collection[str]) -> str:
    if value not in names:
        nearest = get_close_matches(value, names, n=1)
        raise ValueError(f" (did you mean {nearest[0]}?)" if nearest else "")
    return value
