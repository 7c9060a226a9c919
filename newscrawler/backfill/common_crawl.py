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
#: A page of an index has up to 15,000 lines; one with fewer of good pages is the last.
_LEAST_ON_A_PAGE = 1_000


class CommonCrawl(WebArchive):
    """/collinfo.json lists an index for each crawl; the last one of each year is read, for a crawl has pages of many years."""

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the list of crawls, with the host and the range, which its server ignores."""
        yield f"{self.url}/collinfo.json?{urlencode({'url': f'{host}/*', 'from': f'{days.since:%Y%m%d}'})}"

    def read_index(self, body: bytes, url: str) -> tuple[IndexPage, tuple[str, ...]]:
        """Return a page of an index; of the list of crawls, the addresses of the indexes."""
        address, _, query = url.partition("?")
        values = dict(parse_qsl(query))
        if not address.endswith("/collinfo.json"):
            values["page"] = str(int(values.get("page", "0")) + 1)
            further = (f"{address}?{urlencode(values)}",) if body.count(b"\n") >= _LEAST_ON_A_PAGE else ()
            return read_index(body), further
        values |= {"output": "json", "filter": "=status:200", "fl": "url,timestamp,status,mime"}
        indexes = (f"{each}?{urlencode(values)}" for each in self._choose_years(body, int(values.get("from", "0")[:4])))
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
