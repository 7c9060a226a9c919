"""The keys of a table of newscrawler.toml as a form shows them: a name, a kind of value, the default, an explanation."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic_core import PydanticUndefined

from newscrawler.config.names import described
from newscrawler.config.schema import PortalTable, Table
from newscrawler.errors import ConfigError


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
    """One key."""

    name: str
    kind: KeyKind
    #: As a form writes it; empty: none.
    default: str
    #: Completes "it must be".
    explanation: str
    #: It names a program, a file, a secret or an address that is connected to: only who may write the file sets it.
    is_file_only: bool = False
    #: Its value is never shown.
    is_secret: bool = False

    def text_of(self, value: Any) -> str:
        """Return a value as a form writes it."""
        if value is None:
            return ""
        if self.kind is KeyKind.LIST:
            return "\n".join(value)
        if self.kind is KeyKind.TABLE:
            return "\n".join(f"{name}: {text}" for name, text in value.items())
        return str(value).lower() if self.kind is KeyKind.FLAG else str(value)

    def value_of(self, text: str) -> Any:
        """Return the value from a form; None: use the default.

        Raises:
            ConfigError: it is of another kind.
        """
        text = text.strip()
        if not text:
            return None
        try:
            return _READERS[self.kind](text)
        except (KeyError, ValueError):
            raise ConfigError(f"{self.name} is {text[:80]!r}; it must be {self.explanation}") from None


def _table(text: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in text.split("\n") if line.strip())
    return {name.strip(): value.strip() for name, value in pairs}


_READERS: Mapping[KeyKind, Callable[[str], Any]] = {
    KeyKind.TEXT: str,
    KeyKind.WHOLE_NUMBER: int,
    KeyKind.NUMBER: float,
    KeyKind.FLAG: lambda text: {"true": True, "false": False}[text],
    KeyKind.TABLE: _table,
    KeyKind.LIST: lambda text: [line.strip() for line in text.split("\n") if line.strip()],
}
_KINDS = {
    bool: KeyKind.FLAG,
    int: KeyKind.WHOLE_NUMBER,
    float: KeyKind.NUMBER,
    str: KeyKind.TEXT,
    list: KeyKind.LIST,
    dict: KeyKind.TABLE,
}


def keys_of(model: type[Table], *, first: Sequence[str] = ()) -> list[Key]:
    """Return the keys of a table, those of `first` before the others."""
    names = [*first, *(name for name in model.model_fields if name not in first)]
    return [_key(model, name) for name in names]


def portal_keys() -> list[Key]:
    """Return the keys of [[portal]], those that identify it first."""
    return keys_of(PortalTable, first=("name", "start_urls", "hosts", "paused"))


def _key(model: type[Table], name: str) -> Key:
    field = model.model_fields[name]
    marks = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    key = Key(
        name=name,
        kind=_KINDS[_plain(field.annotation)],
        default="",
        explanation=described(model, name),
        is_file_only="file_only" in marks,
        is_secret="secret" in marks,
    )
    return replace(key, default=key.text_of(None if field.default is PydanticUndefined else field.default))


def _plain(annotation: Any) -> type:
    """Return the plain type of an annotation, without None."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        return _plain(next(part for part in get_args(annotation) if part is not type(None)))
    plain: type = get_origin(annotation) or annotation
    return plain
