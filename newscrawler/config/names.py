"""Lists of allowed names; those of other packages are loaded when needed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches

from pydantic import AfterValidator, BaseModel

from newscrawler.errors import ConfigError
from newscrawler.plugins import PluginGroup, load_methods, name_of_written, with_parameters


def _methods() -> Iterable[str]:
    return (*load_methods(), *(name for name in load_methods(PluginGroup.SITE_METHODS) if name != "portal_template"))


def _classifiers() -> Iterable[str]:
    from newscrawler.discovery.urls import CLASSIFIERS

    return CLASSIFIERS


def _detectors() -> Iterable[str]:
    from newscrawler.research.detection import DETECTORS

    return DETECTORS


#: Lists, as they are in the descriptions of keys.
_LISTS: dict[str, Callable[[], Iterable[str]]] = {"{methods}": _methods, "{classifiers}": _classifiers, "{detectors}": _detectors}


def described(model: type[BaseModel], name: str) -> str:
    """Return what a value must be, in words; lists of names are filled in."""
    text = model.model_fields[name].description or ""
    for place, names in _LISTS.items():
        if place in text:
            text = text.replace(place, ", ".join(names()))
    return text


def one_of(names: Collection[str]) -> AfterValidator:
    """Allow these names alone."""
    return AfterValidator(lambda value: _checked(value, names))


def listed(place: str) -> AfterValidator:
    """Allow the names of a list alone; the default is one of each."""
    return AfterValidator(lambda value: value if value == "default" else _checked(value, tuple(_LISTS[place]())))


def checked_method(written: str) -> str:
    """Return the name of a method, with or without parameters.

    Raises:
        ValueError: there is no such method or parameter, or a value does not have its type.
    """
    if written == "default":
        return written
    name = name_of_written(written)
    if _checked(name, tuple(_methods())) == written:
        return written
    sites = load_methods(PluginGroup.SITE_METHODS)
    try:
        with_parameters(written, sites[name] if name in sites else load_methods()[name])
    except ConfigError as error:
        raise ValueError(f" ({error})") from error
    return written


def _checked(value: str, names: Collection[str]) -> str:
    if value not in names:
        nearest = get_close_matches(value, names, n=1)
        raise ValueError(f" (did you mean {nearest[0]}?)" if nearest else "")
    return value
