"""JSON-LD of a page, read as leniently as the web writes it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lxml import etree

_WRAPPING = re.compile(r"^\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|//\s*\]\]>|\]\]>|/\*\s*\]\]>\s*\*/)\s*;?\s*$")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_MOST_OBJECTS = 2000
_LONGEST_SCRIPT = 2_000_000


def read_json_ld(root: etree._Element) -> Sequence[Mapping[str, Any]]:
    """Collect every object of the page's JSON-LD, outermost first; broken scripts are repaired or passed over."""
    found: list[Mapping[str, Any]] = []
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        text = script.text or ""
        if len(text) <= _LONGEST_SCRIPT:
            _collect(_loads(text), found)
    return found


def _loads(text: str) -> Any:
    text = _WRAPPING.sub("", text).strip().rstrip(";")
    for attempt in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _collect(value: Any, found: list[Mapping[str, Any]]) -> None:
    queue = [value]
    while queue and len(found) < _MOST_OBJECTS:
        item = queue.pop(0)
        if isinstance(item, dict):
            found.append(item)
            queue.extend(item.values())
        elif isinstance(item, list):
            queue.extend(item)
