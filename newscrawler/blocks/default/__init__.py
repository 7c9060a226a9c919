"""The default detector: evidence from structure, text and semantics, weighed in one place."""

from __future__ import annotations

from newscrawler.blocks.default.detector import DefaultDetector

__all__ = ["DefaultDetector"]
