"""Block detection: one file a method, and the table of all of them."""

from __future__ import annotations

from collections.abc import Mapping

from newscrawler.blocks.default import DefaultDetector
from newscrawler.blocks.protocol import Body, PageMethod, SiteMethod

#: Every method by the name that the command line and the configuration know it by.
METHODS: Mapping[str, PageMethod] = {
    "default": DefaultDetector(),
}

__all__ = ["METHODS", "Body", "PageMethod", "SiteMethod"]
