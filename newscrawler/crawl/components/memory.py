"""The memory of a crawl."""

from __future__ import annotations

import psutil
from scrapy.extensions import memusage


class MemoryUsage(memusage.MemoryUsage):
    """Ends a crawl by its memory of the moment; Scrapy reads the peak, which Linux hands down from the process that began it."""

    def get_virtual_size(self) -> int:
        """Return the resident memory in bytes."""
        return int(psutil.Process().memory_info().rss)
