"""Where pages are kept: a local folder, or one of an object store."""

from __future__ import annotations

from pathlib import Path

from newscrawler.store.archive.object_folder import SCHEME, ObjectFolder

PagesFolder = Path | ObjectFolder


def pages_folder(place: str | Path) -> PagesFolder:
    """Return the folder that a configuration names: a path, or s3://BUCKET/PREFIX."""
    return ObjectFolder(place.rstrip("/")) if isinstance(place, str) and place.startswith(SCHEME) else Path(place)
