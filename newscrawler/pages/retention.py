"""How long pages are kept: files that are too old go first, then the oldest of what is too much.

Files are dropped whole, so a day's pages go together. A file that holds a page which people have reviewed stays (the review moves
its page into a file of its own), and so does one that is being written. What the database does not know of (a file whose process
was killed before anything was committed) goes with its age.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from newscrawler.pages.writer import OPEN
from newscrawler.store.pages import Pages, WarcFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """What may stay, for one portal."""

    days: int
    megabytes: int

    def outlived(self, files: Sequence[WarcFile], sizes: dict[int, int], *, now: datetime) -> list[WarcFile]:
        """Choose the files that are to go, oldest first.

        Args:
            files: of one portal, oldest first.
            sizes: in bytes, by the files' ids.
            now: the time from which age counts.
        """
        may_go = [file for file in files if not file.reviewed]
        oldest = now - timedelta(days=self.days)
        gone = [file for file in may_go if file.began_at < oldest]
        left = [file for file in may_go if file.began_at >= oldest]
        total = sum(sizes.get(file.id, 0) for file in left)
        while len(left) > 1 and total > self.megabytes * 2**20:  # the newest file stays, whatever its size
            total -= sizes.get(left[0].id, 0)
            gone.append(left.pop(0))
        return gone


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedUp:
    """What was dropped."""

    files: int
    pages: int
    bytes: int


def clean_up(pages: Pages, folder: Path, portal: str, retention: Retention, *, now: datetime) -> CleanedUp:
    """Drop a portal's pages that have outlived their time, from the database first, so that nothing points into nowhere.

    Raises:
        StoreError: the database fails.
    """
    known = pages.files(portal)
    sizes = {file.id: _size(folder / file.path) for file in known}
    gone = retention.outlived([file for file in known if not _is_open(folder / file.path)], sizes, now=now)
    forgotten = pages.forget([file.id for file in gone])
    strangers = _unknown(folder, portal, {file.path for file in known}, now - timedelta(days=retention.days))
    freed = sum(sizes[file.id] for file in gone) + sum(_size(path) for path in strangers)
    for path in [*(folder / file.path for file in gone), *strangers]:
        with suppress(OSError):
            path.unlink()
    return CleanedUp(files=len(gone) + len(strangers), pages=forgotten, bytes=freed)


def _unknown(folder: Path, portal: str, known: set[str], oldest: datetime) -> list[Path]:
    found = []
    for path in (folder / portal).glob("*.warc.gz"):
        with suppress(OSError):
            if str(path.relative_to(folder)) not in known and path.stat().st_mtime < oldest.timestamp():
                found.append(path)
    return found


def _is_open(path: Path) -> bool:
    return path.with_name(path.name + OPEN).exists()


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
