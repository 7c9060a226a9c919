"""Archives with the software pywb, such as those of national libraries; the address is that of a collection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from urllib.parse import urlencode

from newscrawler.backfill.archives import WebArchive
from newscrawler.backfill.days import DayRange


class Pywb(WebArchive):
    """Its index is at /cdx of the collection, its copies at /TIMEid_/URL."""

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the address of the index of a host."""
        wanted = {"url": f"{host}/*", "from": f"{days.since:%Y%m%d}", "output": "json", "filter": "=status:200"}
        wanted["fl"] = "url,timestamp,status,mime"
        yield f"{self.url}/cdx?{urlencode(wanted)}"

    def make_copy_url(self, url: str, day: date) -> str:
        """Return the address of the copy nearest to a day."""
        return f"{self.url}/{day:%Y%m%d}id_/{url}"
