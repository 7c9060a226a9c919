"""The recipe, one small class a step, in the order of settings.ITEM_PIPELINES."""

from __future__ import annotations

from newscrawler.crawl.pipelines.joining import PartsJoining
from newscrawler.crawl.pipelines.reading import BlockDetection, DateReading, MetadataReading, Validation
from newscrawler.crawl.pipelines.reserving import Reserving
from newscrawler.crawl.pipelines.storage import Storage

__all__ = ["BlockDetection", "DateReading", "MetadataReading", "PartsJoining", "Reserving", "Storage", "Validation"]
