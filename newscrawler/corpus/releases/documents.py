"""The list of a release's documents: what stands for each text, and what its publisher reserved."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from newscrawler.corpus.sources import sentence
from newscrawler.errors import ConfigError
from newscrawler.rights import Intent, decide
from newscrawler.store.records import StoredArticle
from newscrawler.store.rights_records import KeptReservation

DOCUMENTS, TOMBSTONES, DUPLICATES = "documents.jsonl", "tombstones.jsonl", "duplicates.jsonl"


def digest_of(text: str) -> str:
    """SHA-256 of a text in UTF-8, as hexadecimal digits."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def document(
    stored: StoredArticle, said: Sequence[KeptReservation], at: datetime, *, disregarded: Collection[str], intent: Intent
) -> dict[str, Any]:
    """Return the line of one article.

    Args:
        stored: the article.
        said: everything that was ever said on its pages.
        at: the moment of the release.
        disregarded: what does not count for its portal of what is reserved.
        intent: what the texts were collected for.
    """
    article = stored.article
    fetched = article.fetched_at or at
    holding = [each for each in said if _holds(each, at)]
    decision = decide([each.reservation for each in holding], disregarded, at, intent)
    return {
        "id": stored.id,
        "url": article.url,
        "canonical_url": article.canonical_url,
        "portal": article.portal,
        "date": article.date.isoformat() if article.date else None,
        "language": article.language,
        "words": article.word_count,
        "fetched_at": fetched.isoformat(),
        "method": article.method,
        "title_sha256": digest_of(article.title),
        "text_sha256": digest_of(article.body),
        "paragraphs": _offsets(stored),
        "rights_at_fetch": [sentence(each) for each in said if _holds(each, fetched)],
        "rights_at_release": [sentence(each) for each in holding],
        "reserved_for": [str(purpose) for purpose, _ in decision.reserved],
    }


def _holds(kept: KeptReservation, at: datetime) -> bool:
    """Say whether it was said then; what a fetch heard is taken down a moment behind it."""
    return kept.first_said_at.date() <= at.date() and (kept.ended_at is None or kept.ended_at > at)


def _offsets(stored: StoredArticle) -> list[list[Any]]:
    """[kind, first character, characters] of each paragraph in the text."""
    found, place = [], 0
    for paragraph in stored.article.paragraphs:
        found.append([str(paragraph.kind), place, len(paragraph.text)])
        place += len(paragraph.text) + 1
    return found


def line_of(record: dict[str, Any]) -> bytes:
    """One line of JSON, the same for the same record."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of a release.

    Raises:
        ConfigError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                yield json.loads(line)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}; name the folder of a release") from error
    except ValueError as error:
        raise ConfigError(f"{path} is damaged ({error}); take the release from where it was published") from error
