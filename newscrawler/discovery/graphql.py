"""Queries that a page sends to its site's GraphQL API by POST; only what reads is let through (GraphQL specification, 2.1–2.3)."""

from __future__ import annotations

import json
import re
from typing import Any

#: Longer queries are not sent.
_MOST_BYTES = 64 * 1024
_TOKEN = re.compile(r'"""(?:\\"""|[^"]|"(?!""))*"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[A-Za-z_]\w*|\.\.\.|[^\s,\ufeff]', re.ASCII)
_OPENING, _CLOSING = frozenset("{(["), frozenset("})]")
#: Definitions that change nothing and open no stream.
_READING = frozenset({"{", "query", "fragment"})


def reading_query(body: bytes) -> str | None:
    """Return a request of GraphQL as it may be sent; None: it is none, or may change something at the server.

    What is returned is written anew and holds the query, its variables and the operation's name alone: a server that reads JSON in
    another way, or takes a stored operation by its hash, cannot find anything else in it.
    """
    if len(body) > _MOST_BYTES:
        return None
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(asked, dict) or not isinstance(asked.get("query"), str) or not _only_reads(asked["query"]):
        return None
    kept: dict[str, Any] = {"query": asked["query"]}
    if isinstance(asked.get("operationName"), str):
        kept["operationName"] = asked["operationName"]
    if isinstance(asked.get("variables"), dict):
        kept["variables"] = asked["variables"]
    return json.dumps(kept)


def _only_reads(document: str) -> bool:
    """Return whether every definition of a document is a query or a fragment."""
    depth, is_begin, definitions = 0, True, 0
    for token in _TOKEN.findall(document):
        if token.startswith("#"):
            continue
        if is_begin:
            if token not in _READING:
                return False
            definitions, is_begin = definitions + 1, False
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
            if depth < 0:
                return False
            is_begin = depth == 0 and token.startswith("}")
    return depth == 0 and is_begin and definitions > 0
