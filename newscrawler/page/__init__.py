"""Bytes → text → Document, parsed once; its views are shared by all methods."""

from __future__ import annotations

from newscrawler.page.document import Document
from newscrawler.page.encoding import Page, decode, read_content

__all__ = ["Document", "Page", "decode", "read_content"]
