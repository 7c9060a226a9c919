"""The keys of [[portal]] as a form shows them: a name, a kind of value, the default, an explanation."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic_core import PydanticUndefined

from newscrawler.config.names import described
from newscrawler.config.schema import PortalTable
from newscrawler.errors import ConfigError


class KeyKind(StrEnum):
    """What a key holds."""

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
        """Return the value that a form gives; None: the default is to hold.

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


def portal_keys() -> list[Key]:
    """Return the keys of [[portal]], those that identify it first."""
    names = ["name", "start_urls", "hosts", "paused"]
    names += [name for name in PortalTable.model_fields if name not in names]
    return [_key(name) for name in names]


def _key(name: str) -> Key:
    field = PortalTable.model_fields[name]
    kind = _KINDS[_plain(field.annotation)]
    key = Key(name=name, kind=kind, default="", explanation=described(PortalTable, name))
    default = None if field.default is PydanticUndefined else field.default
    return Key(name=name, kind=kind, default=key.text_of(default), explanation=key.explanation)


def _plain(annotation: Any) -> type:
    """Return the type that an annotation comes down to, None left aside."""
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in {Union, types.UnionType}:
        return _plain(next(part for part in get_args(annotation) if part is not type(None)))
    plain: type = get_origin(annotation) or annotation
    return plain
