"""Pages that people have reviewed are moved into a file of their own, which no retention drops: methods are held against them."""

from __future__ import annotations

from pathlib import Path

from newscrawler.store.archive.folder import PagesFolder
from newscrawler.store.archive.object_folder import ObjectFolder
from newscrawler.store.archive.page_records import StoredPage
from newscrawler.store.archive.pages import Pages
from newscrawler.store.archive.reader import copy_record, read_page


def keep_for_good(pages: Pages, folder: PagesFolder, page: StoredPage) -> None:
    """Move a page into its portal's file of reviewed pages.

    Raises:
        PageError: the page is gone or damaged.
        OSError: the file cannot be written.
    """
    if isinstance(folder, ObjectFolder):  # its file holds no other page, and retention drops no file with a reviewed page
        read_page(folder, page.kept)
        return
    target = reviewed_file(page.portal)
    if page.kept.warc == str(target):
        return
    offset, length = copy_record(folder, page.kept, target)
    pages.move(page.id, warc=str(target), offset=offset, length=length)


def reviewed_file(portal: str) -> Path:
    """Within the folder of pages."""
    return Path(portal) / f"{portal}-reviewed.warc.gz"
