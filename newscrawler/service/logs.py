"""Structured logs on standard error, as text or JSON lines, with portal and run; the system rotates them.

Our loggers pass the event as the message and its values as `extra={"facts": {...}}`.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

FORMATS: Final = ("text", "json")


class _Formatter(logging.Formatter):
    """Adds the facts common to all lines of a process."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self.as_json = as_json
        self.context: dict[str, Any] = {}

    def format(self, record: logging.LogRecord) -> str:
        """Return one line."""
        facts = {**self.context, **getattr(record, "facts", {})}
        message = " ".join(record.getMessage().split())
        if record.exc_info and record.exc_info[1] is not None:
            facts["error"] = f"{type(record.exc_info[1]).__name__}: {record.exc_info[1]}"
        at = datetime.fromtimestamp(record.created, UTC)
        if self.as_json:
            line = {"at": at.isoformat(timespec="milliseconds"), "level": record.levelname.lower(), "message": message, **facts}
            return json.dumps(line, ensure_ascii=False, default=str)
        details = "".join(f" {name}={_quoted(value)}" for name, value in facts.items())
        return f"{at:%Y-%m-%dT%H:%M:%SZ} {record.levelname.lower():<7} {message}{details}"


def _quoted(value: object) -> str:
    text = str(value)
    return json.dumps(text, ensure_ascii=False) if not text or any(letter in text for letter in ' "=\n') else text


def write_logs(name: str) -> dict[str, Any]:
    """Start logging to standard error; return the facts common to all lines, which the caller may extend.

    Args:
        name: text or json.
    """
    formatter = _Formatter(as_json=name == "json")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name.startswith("newscrawler"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    for noisy in ("scrapy", "twisted", "alembic"):
        logging.getLogger(noisy).setLevel(logging.ERROR)
    return formatter.context
