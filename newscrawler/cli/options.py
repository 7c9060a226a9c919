"""Options that several commands share, and the values made from them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import wraps
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast
from zoneinfo import ZoneInfo

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from newscrawler.cli.group import find_nearest
from newscrawler.errors import ConfigError, NoDatabaseError, counted

if TYPE_CHECKING:
    from newscrawler.config import Configuration
    from newscrawler.store import Store
    from newscrawler.store.articles import Selection, StoredArticle

#: The largest id that both databases store.
MOST = 2**31 - 1


class Whole(click.IntRange):
    """A whole number between limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with a message that names the limits."""
        try:
            number = int(value)
        except ValueError:
            return self.fail(f"{value} is not a whole number.{self._describe_range()}", param, ctx)
        if (self.min is not None and number < self.min) or (self.max is not None and number > self.max):
            return self.fail(f"{value} is out of range.{self._describe_range(number)}", param, ctx)
        return number

    def _describe_range(self, number: int = 0) -> str:
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
            is_number = re.fullmatch(r"[+-]?\d*\.?\d+", pointed)
            hint = f" Write decimals with a point: {pointed}." if is_number else " Use digits, for example 2.5."
            return self.fail(f"{value} is not a number.{hint}", param, ctx)


R = TypeVar("R")


class Name(click.ParamType[str]):
    """A name from a table that is imported only when needed."""

    def __init__(self, name: str, names: Callable[[], Iterable[str]]) -> None:
        self.name = name
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or fail if it is not in the table."""
        known = tuple(self._names())
        if value not in known:
            similar = find_nearest(str(value), known)
            hint = f"Did you mean {similar}? " if similar else ""
            self.fail(f"There is no {value}. {hint}Choose one of: {', '.join(known)}.", param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002  click calls it so
        """Return the names of the table as completions."""
        return [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]


class Method(Name):
    """The name of a method, with parameters if they are written behind it: vips[layout=chromium]."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return what was written, or fail if there is no such method or parameter."""
        if param is not None and value == param.default:
            return str(value)  # without loading all methods
        from newscrawler.plugins import PluginGroup, load_methods, name_of_written, with_parameters

        name, sites = name_of_written(str(value)), load_methods(PluginGroup.SITE_METHODS)
        if name in sites and name not in self._names():
            self.fail(
                f"{name} reads pages by a template that it learns from several pages of a site. `newscrawler template learn "
                f"--method {name} --pages FILE --output TEMPLATE` writes it; give it with --template TEMPLATE.", param, ctx,
            )  # fmt: skip
        name = super().convert(name, param, ctx)
        if name == value:
            return name
        try:
            with_parameters(str(value), sites[name] if name in sites else load_methods()[name])
        except ConfigError as error:
            self.fail(f"{error}.", param, ctx)
        return str(value)


class PortalName(click.ParamType[str]):
    """The name of a portal, completed from the configuration."""

    name = "portal"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG002  click calls it so
        """Return the portals of the configuration, or none where it is invalid: a completion must not print errors."""
        from newscrawler.config import load_configuration

        try:
            portals = load_configuration(ctx.params.get("config")).portals
        except ConfigError:
            return []
        return [CompletionItem(portal.name, help=portal.start_urls[0]) for portal in portals if portal.name.startswith(incomplete)]


class Day(click.ParamType[date]):
    """A day of the calendar, as ISO 8601 writes it."""

    name = "day"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read YYYY-MM-DD."""
        if isinstance(value, date):
            return value
        try:
            return date.fromisoformat(value)
        except ValueError:
            return self.fail(f"{value} is not a date. Use YYYY-MM-DD, for example 2026-02-01.", param, ctx)


class PeriodDay(Day):
    """A day, or the first or last one of a month or year."""

    def __init__(self, *, last: bool = False) -> None:
        self._last = last

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        """Read YYYY-MM-DD, YYYY-MM or YYYY."""
        parts = str(value).split("-")
        if re.fullmatch(r"\d{4}(-\d{2})?", str(value)):
            year, month = int(parts[0]), int(parts[1]) if len(parts) > 1 else 12 if self._last else 1
            if year and 1 <= month <= 12:
                return date(year, month, monthrange(year, month)[1] if self._last else 1)
        return super().convert(value, param, ctx)


def _load(place: str) -> Callable[[], Iterable[str]]:
    """Return a function that imports a table, as "module:attribute", or what a function there returns."""

    def names() -> Iterable[str]:
        module, attribute = place.split(":")
        found = getattr(import_module(f"newscrawler.{module}"), attribute)
        return cast("Iterable[str]", found if isinstance(found, type | Mapping) else found())

    return names


def _list_detectors() -> Iterable[str]:
    from newscrawler.plugins import PluginGroup, load_methods

    return load_methods(PluginGroup.DETECTORS)


METHOD = Method("name", _load("plugins:load_methods"))
ARTICLE_FORMAT = Name("format", _load("formats:RENDERERS"))
CLASSIFIER = Name("name", _load("discovery.urls:CLASSIFIERS"))
DETECTOR = Name("name", _list_detectors)
FORMAT = Name("format", _load("corpus.formats:FORMATS"))
PURPOSE = Name("use", _load("politeness.rights:Purpose"))

config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    envvar="NEWSCRAWLER_CONFIG",
    metavar="FILE",
    is_eager=True,
    help="Configuration file; by default newscrawler.toml in the current folder, if it exists.",
)
database_option = click.option(
    "--database",
    envvar="NEWSCRAWLER_DATABASE",
    metavar="URL|FILE",
    help="Database to use instead of the configured one (by default newscrawler.sqlite in the current folder).",
)
log_option = click.option(
    "--log",
    type=Name("format", lambda: ("text", "json")),
    metavar="text|json",
    help="Write a log to standard error, one line per event, with portal and run.",
)
purpose_option = click.option(
    "--purpose",
    type=PURPOSE,
    metavar="USE",
    help="Leave out articles reserved for this use: text-analysis, search, ai-train, ai-input or archive.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for scripts.")


class _SavedSelection(NamedTuple):
    """The name of a saved search, which needs the database, and further conditions."""

    saved: str
    further: Selection

    def look_up(self, configuration: Configuration) -> Selection:
        """Return the selection.

        Raises:
            ConfigError: the search does not exist.
        """
        from newscrawler.corpus import combine, find_saved, read_saved

        with open_known(configuration, self.further) as store:
            return combine(read_saved(find_saved(store, self.saved)), self.further)


def add_configuration_options(command: Callable[..., R]) -> Callable[..., R]:
    """Add --database and --config; the command gets the configuration that they, or those of its group, select.

    A command's own option --contact takes the place of the configured one.
    """

    @wraps(command)
    def with_configuration(
        *arguments: Any, database: str | None, config: Path | None, contact: str | None = None, **values: Any
    ) -> R:
        context = click.get_current_context()
        if context.invoked_subcommand is not None:  # the group does nothing, and the command reads its own
            return command(*arguments, configuration=None, **values)
        given = context.parent.params if context.parent is not None else {}
        configuration = read_configuration(config or given.get("config"), database or given.get("database"), contact)
        for name, value in values.items():
            if isinstance(value, _SavedSelection):
                values[name] = value.look_up(configuration)
        return command(*arguments, configuration=configuration, **values)

    return database_option(config_option(with_configuration))


def add_selection_options(command: Callable[..., R]) -> Callable[..., R]:
    """Add the options that select articles; the command gets them as one `selection`."""

    @click.option("--portal", type=PortalName(), metavar="NAME", help="Only articles of this portal.")
    @click.option("--section", metavar="NAME", help="Only articles of this section, as the portal writes the name.")
    @click.option("--author", metavar="NAME", help="Only articles of this author, as the portal writes the name.")
    @click.option("--language", metavar="CODE", help="Only articles in this language, such as cs.")
    @click.option("--genre", metavar="WORD", help="Only of this genre: news, opinion, interview, live, gallery, sponsored.")
    @click.option("--collection", metavar="NAME", help="Only articles that are filed in this collection.")
    @click.option("--keyword", metavar="WORDS", help="Only articles that declare this keyword, or are filed under it.")
    @click.option("--entity", metavar="NAME", help="Only articles that mention it: a person, organisation, place.")
    @click.option("--topic", metavar="NAME", help="Only articles of this topic (`newscrawler entities`).")
    @click.option("--words", metavar="QUERY", help="Only articles that this query finds, as `newscrawler search` takes it.")
    @click.option("--saved", metavar="NAME", help="Only articles of this saved search (`newscrawler saved`).")
    @click.option("--since", type=Day(), metavar="DAY", help="Published on this day (YYYY-MM-DD) or later.")
    @click.option("--until", type=Day(), metavar="DAY", help="Published on this day (YYYY-MM-DD) or before.")
    @wraps(command)
    def with_selection(*arguments: Any, **values: Any) -> R:
        from newscrawler.store.articles import FILTERS, Selection

        saved, selection = values.pop("saved"), Selection(**{name: values.pop(name) for name in FILTERS})
        return command(*arguments, selection=_SavedSelection(saved, selection) if saved else selection, **values)

    return with_selection


class SelectionText(click.ParamType["Selection | _SavedSelection"]):
    """A selection written as one argument: portal=example,since=2026-01-01."""

    name = "selection"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Selection | _SavedSelection:
        """Return the selection from pairs of name and value, separated by commas."""
        from newscrawler.corpus import read_conditions

        if not isinstance(value, str):
            return cast("Selection", value)
        try:
            saved, selection = read_conditions(value)
        except ConfigError as error:
            self.fail(str(error), param, ctx)
        return _SavedSelection(saved, selection) if saved else selection


def read_configuration(config: Path | None, database: str | None = None, contact: str | None = None) -> Configuration:
    """Load the configuration, with options of the command line in place of the file's values.

    Raises:
        ConfigError: the file or the contact is wrong.
    """
    from newscrawler.config import check_contact, load_configuration

    configuration = load_configuration(config)
    if database:
        url = database if "://" in database else f"sqlite:///{database}"
        configuration = configuration.model_copy(update={"database_url": url})
    if contact:
        configuration = configuration.model_copy(update={"contact": check_contact(contact)})
    return configuration


@contextmanager
def name_options(ctx: click.Context) -> Iterator[None]:
    """Let errors about keys of the configuration name the options that gave their values."""
    try:
        yield
    except ConfigError as error:
        message = str(error)
        for option in ctx.command.params:
            if option.name and ctx.get_parameter_source(option.name) is ParameterSource.COMMANDLINE:
                message = re.sub(
                    rf"(?m)^(?:(?:portal|collection) \S+\.)?{option.name}(\[\d+\])? is ", f"{option.opts[0]} is ", message
                )
        raise ConfigError(message) from error


def require_known_selection(store: Store, selection: Selection) -> Selection:
    """Return the selection if its portal and collection exist: a mistyped name should not look like an empty result."""
    if selection.portal and not store.runs.latest(selection.portal, limit=1):
        known = dict.fromkeys(run.portal for run in store.runs.latest(limit=1000))
        raise ConfigError(f"the database has no portal {selection.portal}; it has: {', '.join(sorted(known)) or 'none'}")
    if selection.collection and selection.collection not in {line.name for line in store.collections.list()}:
        names = ", ".join(line.name for line in store.collections.list()) or "none"
        raise ConfigError(f"The database has no collection {selection.collection}. It has: {names}.")
    return selection


@contextmanager
def open_known(configuration: Configuration, selection: Selection) -> Iterator[Store]:
    """Open the database, which exists, if it has the portal and the collection of a selection.

    Raises:
        ConfigError: it lacks one of them.
    """
    from newscrawler.store import open_store

    with open_store(configuration.database_url, create=False) as store:
        require_known_selection(store, selection)
        yield store


@contextmanager
def open_store_or_empty(configuration: Configuration, *, note: str) -> Iterator[Store]:
    """Open the database, or an empty one where portals are configured and none was crawled yet; `note`: printed then."""
    from newscrawler.store import open_store

    try:
        opened = open_store(configuration.database_url, create=False)
    except NoDatabaseError:
        if not configuration.portals:
            raise
        click.echo(note, err=True)
        with TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/empty.sqlite") as empty:
            yield empty
        return
    with opened:
        yield opened


def restrict_selection(
    store: Store, selection: Selection, configuration: Configuration, *, purpose: str | None = None
) -> Selection:
    """Return a selection whose portal and collection exist, without articles that are withdrawn or reserved from a purpose."""
    from newscrawler.politeness.rights import Purpose

    reserved = configuration.reserved_for(Purpose(purpose) if purpose else None)
    chosen = store.articles.restrict(require_known_selection(store, selection), reserved)
    if chosen is not selection and (number := store.articles.count(selection) - store.articles.count(chosen)):
        why = f"reserved from {purpose} by their publishers" if purpose else "withdrawn by their publishers (`newscrawler rights`)"
        click.echo(f"Left out: {counted(number, 'article')} {why}.", err=True)
    return chosen


def find_article(store: Store, number: int) -> StoredArticle:
    """Return the article of a number.

    Raises:
        ConfigError: there is none.
    """
    stored = store.articles.get(number)
    if stored is None:
        raise ConfigError(f"there is no article {number}; `newscrawler articles` lists those that are there")
    return stored


def is_withdrawn(store: Store, number: int, configuration: Configuration) -> bool:
    """Return whether the publisher of a stored article reserves it from every purpose of the corpus."""
    from newscrawler.store.articles import Selection

    return not store.articles.count(Selection(ids=(number,), **configuration.reserved_for()))


def find_permitted_article(store: Store, number: int, configuration: Configuration) -> StoredArticle:
    """Return the article of a number.

    Raises:
        ConfigError: there is none, or its publisher withdrew it.
    """
    stored = find_article(store, number)
    if is_withdrawn(store, number, configuration):
        raise ConfigError(f"the publisher withdrew article {number}; `newscrawler show {number}` says how")
    return stored


def require_time_zone(name: str) -> str:
    """Return the name of a time zone, or fail if it does not exist."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise click.BadParameter(f"{name} is not an IANA time zone, such as Europe/Prague", param_hint="--time-zone") from error
    return name
