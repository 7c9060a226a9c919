"""Copies in WARC files: a downloader middleware that answers requests for them without a network."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import Headers, HtmlResponse

from newscrawler.extraction.batch import ArchivedPage

#: Key of a request's meta: the page in place of an answer.
ARCHIVED = "archived_page"


class ArchivedCopyMiddleware:
    """Answers requests that bring their page; it comes before all others, as nothing is requested."""

    def process_request(self, request: Request) -> HtmlResponse | None:
        """Return the page that a request has; None: it is sent."""
        page: ArchivedPage | None = request.meta.get(ARCHIVED)
        if page is None:
            return None
        headers = Headers()
        for name, value in page.headers:
            headers.appendlist(name, value)
        return HtmlResponse(request.url, status=200, headers=headers, body=page.body, request=request)
