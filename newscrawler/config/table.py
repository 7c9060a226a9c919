"""Table of newscrawler.toml as a frozen model: its keys, its values as the file writes them, and messages about mistakes."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError
from pydantic.fields import FieldInfo

from newscrawler.config.values import fill_in_names
from newscrawler.errors import ConfigError

_MAX_SHOWN = 80

#: Marks keys that no form changes: they name programs, files or secrets, or addresses that are connected to without the crawl's
#: guards.
FILE_ONLY: dict[str, JsonValue] = {"file_only": True}
#: The same, and the value is never shown.
SECRET: dict[str, JsonValue] = {"file_only": True, "secret": True}


class Table(BaseModel):
    """A table of the file: unknown keys and values of other types are refused.

    The description of a key completes the sentence "it must be …". A key whose attribute has another name, such as one with a unit,
    is the `validation_alias` of its field.
    """

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, defer_build=True, validate_by_name=True, validate_by_alias=True
    )
    #: Attributes that are not keys of the file.
    internal: ClassVar[frozenset[str]] = frozenset()


_Table = TypeVar("_Table", bound=Table)


def get_fields(model: type[Table]) -> dict[str, FieldInfo]:
    """Return the fields of a model by their keys in the file."""
    return {str(field.validation_alias or name): field for name, field in model.model_fields.items() if name not in model.internal}


def as_table(table: Table) -> dict[str, Any]:
    """Return the keys as the file writes them, without those that are not set."""
    written = table.model_dump(mode="json", warnings=False)
    keys = {name: str(field.validation_alias or name) for name, field in type(table).model_fields.items()}
    return {
        keys[name]: value
        for name, value in written.items()
        if name not in table.internal and value is not None and value not in ([], {})
    }


def check_table(model: type[_Table], table: Any, place: str, mistakes: list[str], folder: Path | None = None) -> _Table | None:
    """Validate one table.

    Args:
        model: of the table.
        table: as TOML.
        place: such as "portal[2]", put before the key.
        mistakes: gets a message for each mistake.
        folder: of relative paths; None: they stay relative.
    """
    if not isinstance(table, Mapping):
        mistakes.append(f"{place} is {format_value(table)}; it must be a table, [{place}]")
        return None
    keys = get_fields(model)
    unknown = [_describe_unknown_key(place, name, list(keys)) for name in table if name not in keys]
    try:
        known = {name: value for name, value in table.items() if name in keys}
        checked = model.model_validate(known, by_alias=True, by_name=False, context={"folder": folder})
    except ValidationError as error:
        mistakes += [*_describe_errors(error, model, place), *unknown]
        return None
    mistakes += unknown
    return None if unknown else checked


def check_list(name: str, tables: Any, mistakes: list[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the tables of an array such as [[portal]] with their places, portal[1] being the first."""
    if not isinstance(tables, list):
        mistakes.append(f"{name} is {format_value(tables)}; it must be a list of tables, each under a separate line [[{name}]]")
        return
    for number, table in enumerate(tables, 1):
        if isinstance(table, Mapping):
            yield f"{name}[{number}]", table
        else:
            mistakes.append(f"{name}[{number}] is {format_value(table)}; it must be a table under a line [[{name}]]")


def _describe_errors(error: ValidationError, model: type[Table], place: str) -> Iterator[str]:
    """Yield a message for each mistake that pydantic found: the key, its value, the allowed values."""
    for details in error.errors(include_url=False):
        location = details["loc"]
        name = str(location[0])
        where = format_key(place, location)
        if details["type"] == "missing":
            yield f"{where} is missing; it must be {describe_key(model, name)}"
        else:
            remark = str(details["ctx"]["error"]) if details["type"] == "value_error" else ""
            subject = "it" if len(location) == 1 else name
            yield f"{where} is {format_value(details['input'])}{remark}; {subject} must be {describe_key(model, name)}"


#: Characters of the keys that a message lists.
_LONGEST_LIST = 200


def _describe_unknown_key(place: str, name: str, known: Sequence[str]) -> str:
    nearest, listed = get_close_matches(name, known, n=1), ", ".join(known)
    if nearest:
        hint = f" (did you mean {nearest[0]}?)"
    else:
        hint = f"; allowed are: {listed}" if len(listed) <= _LONGEST_LIST else "; the documentation lists all keys"
    return f"{format_key(place, (name,))} is not a key that is known here{hint}"


def describe_key(model: type[Table], name: str) -> str:
    """Return the allowed values of a key in words."""
    return fill_in_names(get_fields(model)[name].description or "")


def format_key(place: str, location: tuple[int | str, ...]) -> str:
    """Format the path of a key; the first element of a list is [1]."""
    path = place
    for step in location:
        path += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def format_value(value: Any) -> str:
    """Format a value as in the file, cut after 80 characters."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, float):
        return repr(value)
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = str(value)
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


class KeyKind(StrEnum):
    """The kind of a key's value."""

    TEXT = "text"
    WHOLE_NUMBER = "whole number"
    NUMBER = "number"
    FLAG = "flag"
    #: Texts, one a line.
    LIST = "list"
    #: Names and texts, "name: text", one a line.
    TABLE = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key as a form shows it."""

    name: str
    kind: KeyKind
    #: As a form writes it; empty: none.
    default: str
    #: Completes "it must be".
    explanation: str
    is_file_only: bool
    #: Its value is never shown.
    is_secret: bool

    def parse(self, text: str) -> Any:
        """Return the value from a form; None: use the default.

        Raises:
            ConfigError: it is of another kind.
        """
        text = text.strip()
        if not text:
            return None
        try:
            return _PARSERS[self.kind](text)
        except (KeyError, ValueError):
            raise ConfigError(f"{self.name} is {text[:80]!r}; it must be {self.explanation}") from None


def write_value(value: Any) -> str:
    """Return a value of a key as a form writes it."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "\n".join(value)
    if isinstance(value, dict):
        return "\n".join(f"{name}: {text}" for name, text in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parse_table(text: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in text.split("\n") if line.strip())
    return {name.strip(): value.strip() for name, value in pairs}


_PARSERS: Mapping[KeyKind, Callable[[str], Any]] = {
    KeyKind.TEXT: str,
    KeyKind.WHOLE_NUMBER: int,
    KeyKind.NUMBER: float,
    KeyKind.FLAG: lambda text: {"true": True, "false": False}[text],
    KeyKind.TABLE: _parse_table,
    KeyKind.LIST: lambda text: [line.strip() for line in text.split("\n") if line.strip()],
}
_KINDS: Mapping[type, KeyKind] = {
    bool: KeyKind.FLAG, int: KeyKind.WHOLE_NUMBER, float: KeyKind.NUMBER, tuple: KeyKind.LIST, frozenset: KeyKind.LIST,
    dict: KeyKind.TABLE,
}  # fmt: skip


def get_keys(model: type[Table], *, first: Sequence[str] = ()) -> list[Key]:
    """Return the keys of a table, those of `first` before the others."""
    fields = get_fields(model)
    defaults = get_defaults(model)
    return [_describe_field(name, fields[name], defaults) for name in (*first, *(name for name in fields if name not in first))]


def get_defaults(model: type[Table]) -> dict[str, Any]:
    """Return the defaults as the file would write them, without those that are empty."""
    return as_table(model.model_construct())


def _describe_field(name: str, field: FieldInfo, defaults: Mapping[str, Any]) -> Key:
    marks = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    return Key(
        name=name, kind=_KINDS.get(_find_type(field.annotation), KeyKind.TEXT), default=write_value(defaults.get(name)),
        explanation=fill_in_names(field.description or ""), is_file_only="file_only" in marks, is_secret="secret" in marks,
    )  # fmt: skip


def _find_type(annotation: Any) -> type:
    """Return the plain type of an annotation, without None."""
    if get_origin(annotation) is Annotated:
        return _find_type(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        return _find_type(next(part for part in get_args(annotation) if part is not type(None)))
    plain: type = get_origin(annotation) or annotation
    return plain
