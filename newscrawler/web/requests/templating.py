"""Templates. Everything is escaped, missing values are errors, and only http(s) addresses become links."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined

FOLDER = Path(__file__).parent.parent / "templates"


@cache
def make_environment() -> Environment:
    """Return the environment of all templates; each is compiled once."""
    created = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    created.filters |= {
        "link": format_link, "moment": format_time, "number": format_number, "only": pick_values, "query": format_query,
        "share": format_share,
    }  # fmt: skip
    return created


def format_link(url: str | None) -> str:
    """Return the URL if it is safe in a link, else an empty string: `javascript:` and the like run code."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return ""
    return url or "" if parts.scheme.lower() in {"http", "https"} and parts.netloc else ""


def format_time(value: datetime | None, missing: str = "–") -> str:
    """Return a time in its own time zone, to the minute."""
    return f"{value:%Y-%m-%d %H:%M}" if value else missing


def format_number(value: float | None, missing: str = "–") -> str:
    """Return a number with spaces between thousands."""
    return missing if value is None else f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def format_share(value: float | None, missing: str = "–") -> str:
    """Return a share in per cent."""
    return missing if value is None else f"{value:.0%}"


def format_query(values: dict[str, Any], **changes: Any) -> str:
    """Return values and changes as the query of a URL, without those that are empty."""
    merged = values | changes
    return urlencode({key: value for key, value in merged.items() if value not in (None, "", [])}, doseq=True)


def pick_values(values: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the values of these names."""
    return {name: values[name] for name in names}
