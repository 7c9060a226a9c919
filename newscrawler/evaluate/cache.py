"""What was measured before: a file a page, by the page's hash, and in it an entry a method, by its parameters and version.

A file that is broken or written by another version is as good as none. Two evaluations at the same time do no harm: a file is
replaced as a whole, and what one of them loses is measured again another time.
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
    """A folder of results; None: nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(self, page_hash: str) -> dict[str, Any]:
        """All entries of a page."""
        path = self._path(page_hash)
        if path is None:
            return {}
        try:
            found = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def add(self, page_hash: str, entries: Mapping[str, Any]) -> None:
        """Add entries to a page; a cache that cannot be written is done without."""
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
    """The user's cache folder, as the XDG base directory specification names it."""
    told = os.environ.get("XDG_CACHE_HOME")
    return (Path(told) if told else Path.home() / ".cache") / "newscrawler" / "evaluate"
