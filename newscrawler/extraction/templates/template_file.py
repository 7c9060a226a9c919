"""Template files: what a person can review, edit and pass on, read with suspicion.

The types of the records bound everything before it is used; what is wrong is named with its key and value.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from newscrawler.errors import ConfigError

#: Characters of a file.
LARGEST_FILE = 4_000_000
_LONGEST_SHOWN = 80
T = TypeVar("T")


def parse(adapter: TypeAdapter[T], text: str, source: str) -> T:
    """Read a record from JSON.

    Raises:
        ConfigError: it is too large, no JSON, or something in it is not allowed.
    """
    if len(text) > LARGEST_FILE:
        raise ConfigError(f"{source} has {len(text)} characters; a template of a portal has at most {LARGEST_FILE}")
    try:
        return adapter.validate_json(text)
    except ValidationError as error:
        raise ConfigError(f"{source}: {_message(error)}") from error


def _message(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if first["type"] == "json_invalid" or not first["loc"]:
        return f"this is no template of a portal: {first['msg']}"
    path = ""
    for step in first["loc"]:
        path += f"[{step}]" if isinstance(step, int) or not step.isidentifier() else f".{step}" if path else step
    reason = str(first.get("ctx", {}).get("error", first["msg"]))
    if first["type"] == "missing":
        return f"{path} is missing"
    hint = ": learn it again" if first["loc"] == ("version",) else ""
    return f"{path} is {_shown(first['input'])}; {reason[:1].lower()}{reason[1:]}{hint}"


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value)}"
    return json.dumps(value, ensure_ascii=False, default=str)[:_LONGEST_SHOWN]


def write(adapter: TypeAdapter[T], record: T) -> str:
    """Write a record so that two versions can be compared line by line."""
    return adapter.dump_json(record, indent=1).decode() + "\n"


def schema(adapter: TypeAdapter[Any]) -> Mapping[str, Any]:
    """Return the JSON Schema (2020-12) that files are held against."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **adapter.json_schema()}
