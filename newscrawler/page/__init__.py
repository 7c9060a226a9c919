"""Bytes → text → Document, parsed once; its views are shared by all methods."""

from __future__ import annotations

from newscrawler.page.content import Page, content_of
from newscrawler.page.decode import decode
from newscrawler.page.document import Document

__all__ = ["Document", "Page", "content_of", "decode"]
