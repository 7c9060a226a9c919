"""Cache of results: one file per page, named by the page's hash, with one entry per method, parameters and version.

Damaged files and those of another version are ignored. Two evaluations may run at the same time: a file is replaced as a whole,
and an entry that is lost is measured again.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any


class Cache:
    """A folder of results; None: nothing is cached."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(self, page_hash: str) -> dict[str, Any]:
        """Return all entries of a page."""
        path = self._path(page_hash)
        if path is None:
            return {}
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def add(self, page_hash: str, entries: Mapping[str, Any]) -> None:
        """Add entries to a page; errors of writing are ignored."""
        path = self._path(page_hash)
        if path is None or not entries:
            return
        text = json.dumps(self.read(page_hash) | dict(entries), ensure_ascii=False)
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(text.encode("utf-8", "surrogatepass"))
            part.replace(path)

    def _path(self, page_hash: str) -> Path | None:
        return self.folder / page_hash[:2] / f"{page_hash}.json" if self.folder else None


def default_folder() -> Path:
    """Return the user's cache folder by the XDG base directory specification."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "newscrawler" / "evaluate"
