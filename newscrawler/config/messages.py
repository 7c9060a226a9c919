"""Messages about the mistakes in a table, one sentence for each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ValidationError

from newscrawler.config.names import described

_MAX_SHOWN = 80


def messages(error: ValidationError, model: type[BaseModel], place: str) -> Iterator[str]:
    """Yield a message for each mistake that pydantic found: the key, its value, what is allowed.

    Args:
        error: of `model.model_validate`.
        model: with names and descriptions of the keys.
        place: the table, such as "portal[2]", put before the key.
    """
    for details in error.errors(include_url=False):
        location = details["loc"]
        name = str(location[0]) if location else ""
        where = key_path(place, location)
        if details["type"] == "extra_forbidden":
            yield unknown_key(place, name, model)
        elif details["type"] == "missing":
            yield f"{where} is missing; it must be {described(model, name)}"
        else:
            remark = str(details["ctx"]["error"]) if details["type"] == "value_error" else ""
            subject = "it" if len(location) == 1 else name
            yield f"{where} is {shown(details['input'])}{remark}; {subject} must be {described(model, name)}"


def unknown_key(place: str, name: str, model: type[BaseModel]) -> str:
    """Return the message about an unknown key: the nearest known one, and all that are allowed."""
    known = list(model.model_fields)
    nearest = get_close_matches(name, known, n=1)
    hint = f" (did you mean {nearest[0]}?)" if nearest else ""
    return f"{key_path(place, (name,))} is not a key that is known here{hint}; allowed are: {', '.join(known)}"


def key_path(place: str, location: tuple[int | str, ...]) -> str:
    """Format the path of a key; the first element of a list is [1]."""
    path = place
    for step in location:
        path += f"[{step + 1}]" if isinstance(step, int) else f".{step}" if path else step
    return path


def shown(value: Any) -> str:
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
