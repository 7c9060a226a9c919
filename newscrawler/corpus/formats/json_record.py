"""An article as a JSON object: its id in the store, then Article.as_dict."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import orjson

from newscrawler.corpus.formats.revision_record import revision_records
from newscrawler.store.articles import StoredArticle


def as_record(stored: StoredArticle) -> dict[str, Any]:
    """Return the fields of one article; their names are stable."""
    record = {"id": stored.id, **stored.article.as_dict(), "similar_to": stored.similar_to, "corrections": stored.corrections}
    record |= {name: moment.isoformat() if moment else None for name, moment in _later(stored)}
    record |= {"http_status": stored.http_status}
    if stored.revisions is not None:
        record["revisions"] = list(revision_records(stored, stored.revisions))
    return record


def _later(stored: StoredArticle) -> tuple[tuple[str, datetime | None], ...]:
    return ("corrected_at", stored.corrected_at), ("gone_at", stored.gone_at)


def as_json(stored: StoredArticle) -> bytes:
    """Encode one article on one line, without the line break; a lone surrogate becomes its JSON escape."""
    record = as_record(stored)
    try:
        return orjson.dumps(record)
    except TypeError:  # orjson does not encode lone surrogates
        return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
