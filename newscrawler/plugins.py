"""Plugins: entries that other installed packages add to our tables by entry points; and methods by their names.

A plugin is imported when it is used. A built-in entry takes precedence over a plugin of the same name.

A method can have parameters, written as NAME[PARAMETER=VALUE, …], for example vips[layout=chromium]. A parameter is a field of
the method's dataclass that is a number, a switch, a word, or one of a few words. Numbers are never below 0; a field with other
limits has the type Annotated[int, Bounds(least=1)].
"""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from newscrawler.errors import DISTRIBUTION, ConfigError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

T = TypeVar("T")
_SWITCHES = {"true": True, "yes": True, "false": False, "no": False}
_NOTHING = "none"


class PluginGroup(StrEnum):
    """The groups of entry points, and the object that an entry point of each must name."""

    #: A callable that takes a `newscrawler.page.Document` and returns a `newscrawler.article.Body` or None.
    METHODS = "newscrawler.methods"
    #: A `newscrawler.extraction.templates.LearningMethod`: learns a template from pages of a site.
    SITE_METHODS = "newscrawler.site_methods"
    #: A `newscrawler.crawl.collections.filing.NewsDetector`.
    DETECTORS = "newscrawler.detectors"
    #: A `newscrawler.corpus.formats.Format`.
    EXPORTERS = "newscrawler.exporters"
    #: A callable without arguments that returns a `newscrawler.service.notifications.Notifier`.
    NOTIFIERS = "newscrawler.notifiers"
    #: A callable that takes the text behind "NAME:" and returns a `newscrawler.corpus.annotation.Annotator`.
    TOKENIZERS = "newscrawler.tokenizers"
    #: A callable that takes the text behind "NAME:" and returns a `newscrawler.corpus.entities.Recogniser`.
    RECOGNISERS = "newscrawler.recognisers"
    #: A callable without arguments that returns a `newscrawler.discovery.Source`.
    SOURCES = "newscrawler.sources"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """One entry point of an installed package."""

    group: PluginGroup
    name: str
    #: The package and its version.
    package: str
    version: str
    #: module:attribute
    target: str

    def load(self) -> Any:
        """Import and return the object.

        Raises:
            ConfigError: that fails.
        """
        try:
            return resolve_name(self.target)
        except Exception as error:  # a third-party module may raise anything
            what = f"The plugin {self.name} of {self.package} {self.version} ({self.target})"
            raise ConfigError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error


@cache
def find_plugins(group: PluginGroup) -> Mapping[str, Plugin]:
    """Return the plugins of other packages in a group by name; of two with the same name, the first that Python finds."""
    return {name: plugin for name, plugin in _find_entries(group).items() if plugin.package != DISTRIBUTION}


def _list_entry_points(group: PluginGroup) -> EntryPoints:
    from importlib.metadata import entry_points  # takes as long to load as a page to read

    return entry_points(group=str(group))


def _find_entries(group: PluginGroup) -> Mapping[str, Plugin]:
    found: dict[str, Plugin] = {}
    for entry in _list_entry_points(group):
        package = entry.dist.name if entry.dist else "an unknown package"
        version = entry.dist.version if entry.dist else ""
        found.setdefault(entry.name, Plugin(group=group, name=entry.name, package=package, version=version, target=entry.value))
    return found


class ExtendedTable(Mapping[str, T], Generic[T]):
    """A table of built-in entries, extended by the plugins of a group."""

    def __init__(self, built_in: Mapping[str, T], group: PluginGroup) -> None:
        self.built_in = built_in
        self.group = group

    def __getitem__(self, name: str) -> T:
        """Return the entry of this name, importing a plugin."""
        if name in self.built_in:
            return self.built_in[name]
        return cast("T", find_plugins(self.group)[name].load())

    def __iter__(self) -> Iterator[str]:
        yield from self.built_in
        yield from (name for name in find_plugins(self.group) if name not in self.built_in)

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in find_plugins(self.group)


@cache
def load_methods(group: PluginGroup = PluginGroup.METHODS) -> Mapping[str, Any]:
    """Return the methods of a group by name: the built-in ones, then plugins, which are imported when they are used.

    A built-in entry point is a method, or a table of methods by name.
    """
    built_in: dict[str, Any] = {}
    for entry in _list_entry_points(group):
        if entry.dist is not None and entry.dist.name == DISTRIBUTION:
            loaded = entry.load()
            built_in |= loaded if isinstance(loaded, Mapping) else {entry.name: loaded}
    if not built_in:
        raise ConfigError(f"The installed newscrawler registers no {group}. Install it again: pip install --upgrade {DISTRIBUTION}")
    return ExtendedTable(built_in, group)


def find_method(written: str) -> Any:
    """Return the page method of a name, with or without parameters.

    Raises:
        ConfigError: there is no such method or parameter, or a value does not have its type.
    """
    return find_written(written, load_methods(), "block-detection method")


def find_site_method(written: str) -> Any:
    """Return the method of a name that learns from pages of a site, with or without parameters.

    Raises:
        ConfigError: there is no such method or parameter, or a value does not have its type.
    """
    return find_written(written, load_methods(PluginGroup.SITE_METHODS), "method that learns")


def get_site_method_name(method: Any) -> str:
    """Return the name of a site method; with changed parameters, that of the first of its class."""
    known = load_methods(PluginGroup.SITE_METHODS)
    named = next((name for name, each in known.items() if each == method), None)
    return named or next(name for name, each in known.items() if type(each) is type(method))


def is_site_method(written: str) -> bool:
    """Return whether a method, with or without parameters, learns from several pages of a site."""
    name = name_of_written(written)
    return name != "default" and name in load_methods(PluginGroup.SITE_METHODS)  # loading them takes a tenth of a second


def page_method_name(written: str) -> str:
    """Return the page method that reads pages of which no template was learned yet."""
    return "default" if is_site_method(written) else written


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


def read_changes(written: str, method: Any) -> dict[str, Any]:
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
        ConfigError: as for `read_changes`, or what the parameters need is not installed.
    """
    changes = read_changes(written, method)
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
    bounds = get_bounds(method, parameter)
    for kind in _kinds(known[parameter]):
        for found in _read(value, kind):
            if bounds.hold(found):
                return found
    allowed = " or ".join(_in_words(kind, bounds) for kind in _kinds(known[parameter]))
    raise ConfigError(f"{name}: {parameter} is {allowed}, not {value}")


def get_bounds(method: Any, parameter: str) -> Bounds:
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
        bool: "true or false", int: f"a whole number {bounds}", float: f"a number {bounds}", str: "a word",
        types.NoneType: _NOTHING,
    }  # fmt: skip
    if typing.get_origin(kind) is typing.Literal:
        return " or ".join(map(str, typing.get_args(kind)))
    return names[kind]
