"""Requests besides those of the frontier, and parts of answers that several modules read."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urljoin

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.crawl.run.items import KIND
from newscrawler.page import Document
from newscrawler.store.archive import RawPage
from newscrawler.store.vocabularies import FetchKind


async def ask(
    crawler: Crawler, url: str, kind: FetchKind, *, headers: dict[str, str] | None = None, meta: dict[str, Any] | None = None,
    priority: int = 100, query: str | None = None,
) -> Response:  # fmt: skip
    """Make a request besides those of the frontier, under the same rules, and return its answer; `query`: JSON, sent by POST."""
    assert crawler.engine is not None
    meta = {**(meta or {}), KIND: kind}
    request = Request(url, callback=NO_CALLBACK, headers=headers, meta=meta, priority=priority)
    if query is not None:
        request = request.replace(method="POST", body=query, headers={**(headers or {}), "Content-Type": "application/json"})
    return await crawler.engine.download_async(request)


def header(response: Response, name: str) -> str | None:
    """Return the value of a header; None: it is missing or empty."""
    value = response.headers.get(name)
    return value.decode("latin-1").strip() if value else None


def media_type(response: Response) -> str:
    """Return the media type of a body, without its parameters; "" where the headers name none."""
    return (header(response, "Content-Type") or "").partition(";")[0].strip().lower()


def redirect_target(response: Response) -> str | None:
    """Return the URL that an answer redirects to; None: it is no redirect."""
    location = header(response, "Location") if 300 <= response.status < 400 else None
    if not location:
        return None
    try:
        return urljoin(response.url, location)
    except ValueError:  # no URL, which whoever follows it finds out
        return location


def raw_page(response: Response, fetched_at: datetime) -> RawPage:
    """Return the response as it is kept."""
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, values in response.headers.items() for value in values
    )
    return RawPage(url=response.url, fetched_at=fetched_at, body=response.body, status=response.status, headers=headers)


def parsed(response: Response) -> Document:
    """Return the page of a response, decoded as its headers say."""
    return Document.parse(response.body, response.url, content_type=header(response, "Content-Type"))
