"""Common Crawl: its index servers, for addresses only; its pages are parts of large files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode

from newscrawler.backfill.archives import WebArchive
from newscrawler.backfill.cdx import IndexPage, read_index
from newscrawler.backfill.days import DayRange

_WEEK = re.compile(r"CC-MAIN-(\d{4})-(\d\d)")


class CommonCrawl(WebArchive):
    """/collinfo.json lists an index for each crawl; the last one of each year is read, for a crawl has pages of many years."""

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the list of crawls, with the host and the range, which its server ignores."""
        yield f"{self.url}/collinfo.json?{urlencode({'url': f'{host}/*', 'from': f'{days.since:%Y%m%d}'})}"

    def read_index(self, body: bytes, url: str) -> tuple[IndexPage, tuple[str, ...]]:
        """Return a page of an index; of the list of crawls, the addresses of the indexes."""
        address, _, query = url.partition("?")
        if not address.endswith("/collinfo.json"):
            return read_index(body), ()
        since = int(dict(parse_qsl(query)).get("from", "0")[:4])
        indexes = (f"{each}?{query}&output=json&filter=%3Dstatus:200" for each in self._choose_years(body, since))
        return IndexPage(captures=()), tuple(indexes)

    def _choose_years(self, body: bytes, since: int) -> Iterator[str]:
        """Yield the last index of each year from one on."""
        try:
            crawls = json.loads(body)
        except (ValueError, RecursionError):
            return
        last: dict[int, str] = {}
        for crawl in crawls if isinstance(crawls, list) else ():
            address = str(crawl.get("cdx-api", "")) if isinstance(crawl, dict) else ""
            week = _WEEK.search(address)
            if week is not None and address.startswith(f"{self.url}/"):
                last[int(week[1])] = max(last.get(int(week[1]), ""), address)
        yield from (address for year, address in sorted(last.items()) if year >= since)
