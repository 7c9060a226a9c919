"""The only package that knows WARC: raw responses kept as they came, by portal and day, and read again.

A file belongs to one portal, one day and one process, so that processes never write into each other's; which record of which
file holds a page is in the database. Records are ISO 28500 (WARC/1.1), each a gzip member of its own, so that one is read without
its file (in an object store, each has an object of its own); what HTTP compressed is kept uncompressed, its header renamed to
X-Crawler-Content-Encoding, as Common Crawl does.
"""

from __future__ import annotations

from newscrawler.store.archive.erase import erase
from newscrawler.store.archive.folder import PagesFolder, pages_folder
from newscrawler.store.archive.object_folder import ObjectFolder
from newscrawler.store.archive.raw import RawPage, RecordKind
from newscrawler.store.archive.reader import copy_record, read_page
from newscrawler.store.archive.retention import Retention, clean_up, scrub
from newscrawler.store.archive.writer import ObjectWriter, PageWriter, mend, writer_for

__all__ = [
    "ObjectFolder", "ObjectWriter", "PageWriter", "PagesFolder", "RawPage", "RecordKind", "Retention", "clean_up",
    "copy_record", "erase", "mend", "pages_folder", "read_page", "scrub", "writer_for",
]  # fmt: skip
