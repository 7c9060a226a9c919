"""Selections as people write them: conditions by name, and saved searches, which are named selections of all commands and pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlencode

from newscrawler.errors import ConfigError
from newscrawler.store import Store
from newscrawler.store.articles import DAYS, FILTERS, Selection
from newscrawler.store.search import SavedSearch, parse

#: Owner of the searches that commands save, and of those of a web application without accounts.
LOCAL = "local"
#: Name of the query in the address of a search, and of the number of the newest article of a fixed selection.
_QUERY, _NEWEST = "q", "until_id"
#: Most digits of the number of an article; databases have no longer ones.
_DIGITS = 15
#: Name of the condition that an article is one of a saved search.
_SAVED = "saved"


def read_day(text: str) -> date:
    """Return a day.

    Raises:
        ConfigError: it is not a date.
    """
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"{text[:40]} is not a date. Use YYYY-MM-DD, for example 2026-02-01.") from None


def read_filters(filters: Mapping[str, str], query: str = "") -> Selection:
    """Return the selection of filters, as forms and addresses have them; empty ones do not narrow it, unknown ones are ignored.

    `query`: narrows it, too.

    Raises:
        ConfigError: a day, a number or a query is wrong.
    """
    chosen: dict[str, Any] = {name: value for name in FILTERS if (value := filters.get(name))}
    chosen |= {name: read_day(chosen[name]) for name in DAYS & chosen.keys()}
    if newest := filters.get(_NEWEST):
        if not newest.isdecimal() or len(newest) > _DIGITS:
            raise ConfigError(f"{_NEWEST} is {newest[:40]}. It must be the number of an article.")
        chosen[_NEWEST] = int(newest)
    selection = Selection(**chosen).narrow(query)
    if selection.words is not None:
        parse(selection.words)
    return selection


def read_conditions(text: str) -> tuple[str, Selection]:
    """Return the name of a saved search, if there is one, and the further conditions of pairs as portal=example,since=2026-01-01.

    Raises:
        ConfigError: a pair or its value is wrong.
    """
    chosen: dict[str, str] = {}
    for pair in text.split(","):
        name, separator, said = (part.strip() for part in pair.partition("="))
        if name not in {*FILTERS, _SAVED} or not separator or not said:
            raise ConfigError(f"{pair} is not a condition; write NAME=VALUE, NAME one of: {', '.join((*FILTERS, _SAVED))}")
        chosen[name] = said
    return chosen.pop(_SAVED, ""), read_filters(chosen)


def read_saved(search: SavedSearch) -> Selection:
    """Return the selection of a saved search.

    Raises:
        ConfigError: it cannot be read any more.
    """
    said = dict(parse_qsl(search.query))
    try:
        return read_filters(said, said.get(_QUERY, ""))
    except ConfigError as error:
        raise ConfigError(f"remove the saved search {search.owner}/{search.name}, which cannot be read: {error}") from error


def write_filters(selection: Selection) -> str:
    """Return the conditions of a selection as the query of an address."""
    said = {name: value for name in (*FILTERS, _NEWEST) if (value := getattr(selection, name)) is not None}
    query = said.pop("words", None)
    return urlencode({_QUERY: query, **said} if query else said)


def find_saved(store: Store, name: str) -> SavedSearch:
    """Return the saved search of a name, or of OWNER/NAME; one that a command saved takes precedence.

    Raises:
        ConfigError: there is none, or several owners have one.
    """
    every = store.saved_searches.of(None)
    named = [each for each in every if name in {each.name, f"{each.owner}/{each.name}"}]
    found = next((each for each in named if each.owner == LOCAL), named[0] if len(named) == 1 else None)
    if found is None:
        listed = ", ".join(f"{each.owner}/{each.name}" for each in named or every) or "none"
        why = f"several people have saved a search {name}" if named else f"no saved search is named {name}"
        raise ConfigError(f"{why}; choose among: {listed}")
    return found


def combine(first: Selection, second: Selection) -> Selection:
    """Return the first selection with the conditions of the second, which replace those of its fields; words and days narrow it."""
    said = {each.name: value for each in fields(second) if (value := getattr(second, each.name)) != each.default}
    words = said.pop("words", None)
    since, until = filter(None, (first.since, second.since)), filter(None, (first.until, second.until))
    joined = replace(first, **said | {"since": max(since, default=None), "until": min(until, default=None)})
    return joined if words is None else joined.narrow(words)


def make_saved_reader(store: Store) -> Callable[[int], Sequence[str]]:
    """Return a function that returns the names of the selections saved by commands that have an article.

    Raises:
        ConfigError: one of them cannot be read any more.
    """
    searches = sorted(store.saved_searches.of(LOCAL), key=lambda each: each.name)
    known = [(each.name, frozenset(store.articles.numbers(read_saved(each)))) for each in searches]
    return lambda article_id: [name for name, numbers in known if article_id in numbers]
