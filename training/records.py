"""Files of labelled pages: gzipped JSON lines that are the same on every run."""

from __future__ import annotations

import gzip
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

_TAG = re.compile(r"<(/?[a-z][\w-]*)", re.IGNORECASE)
_STYLE = re.compile(r"(<style\b[^>]*>)(.{400,}?)(</style>)", re.IGNORECASE | re.DOTALL)


def write_records(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records, one a line, and return the file's size in bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0, filename="") as packed:
        for record in records:
            packed.write(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    path.write_bytes(buffer.getvalue())
    return len(buffer.getvalue())


def read_records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the records of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def without_styles(html: str) -> str:
    """Empty long style elements: they are most of a page's bytes and nothing of its text."""
    return _STYLE.sub(r"\1\3", html)


def structure(html: str) -> str:
    """A hash of which elements a page has and roughly how many of each (twice as many is another structure)."""
    counts = Counter(name.lower() for name in _TAG.findall(html))
    return sha256(repr(sorted((name, count.bit_length()) for name, count in counts.items())).encode()).hexdigest()[:16]
