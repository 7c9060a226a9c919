"""The Wayback Machine of the Internet Archive, and archives with its software (OpenWayback)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from newscrawler.backfill.archives import PAGE_SIZE, WebArchive
from newscrawler.backfill.cdx import NARROW, IndexPage, read_index
from newscrawler.backfill.days import DayRange


class Wayback(WebArchive):
    """Its index is at /cdx/search/cdx, its copies at /web/TIMEid_/URL: without toolbar and rewriting."""

    def list_indexes(self, host: str, days: DayRange) -> Iterator[str]:
        """Yield the address of the index of a host."""
        wanted = {
            "url": f"{host}/*", "from": f"{days.since:%Y%m%d}", "output": "json", "fl": ",".join(NARROW),
            "filter": "statuscode:200", "collapse": "urlkey", "limit": str(PAGE_SIZE), "showResumeKey": "true",
        }  # fmt: skip
        yield f"{self.url}/cdx/search/cdx?{urlencode(wanted)}"

    def read_index(self, body: bytes, url: str) -> tuple[IndexPage, tuple[str, ...]]:
        """Return a page of the index, and the address of the next one."""
        page, parts = read_index(body), urlsplit(url)
        if not page.resume_key:
            return page, ()
        query = urlencode({**dict(parse_qsl(parts.query)), "resumeKey": page.resume_key})
        return page, (urlunsplit(parts._replace(query=query)),)

    def make_copy_url(self, url: str, day: date) -> str:
        """Return the address of the copy nearest to a day."""
        return f"{self.url}/web/{day:%Y%m%d}id_/{url}"
