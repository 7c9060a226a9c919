"""Headline, description, authors, section, language and the rest of the record."""

from __future__ import annotations

from newscrawler.extraction.metadata.record import Metadata, find_metadata

__all__ = ["Metadata", "find_metadata"]
