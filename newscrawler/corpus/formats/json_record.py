"""An article as a JSON object: its id in the store, then Article.as_dict."""

from __future__ import annotations

import json
from typing import Any

import orjson

from newscrawler.store.records import StoredArticle


def as_record(stored: StoredArticle) -> dict[str, Any]:
    """Return the fields of one article; their names are stable."""
    return {"id": stored.id, **stored.article.as_dict(), "similar_to": stored.similar_to}


def as_json(stored: StoredArticle) -> bytes:
    """Encode one article on one line, without the line break; a lone surrogate becomes its JSON escape."""
    record = as_record(stored)
    try:
        return orjson.dumps(record)
    except TypeError:  # a lone surrogate, which it does not encode
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
