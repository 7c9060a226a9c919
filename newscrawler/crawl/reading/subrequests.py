"""Further requests for a page: its other pages and forms, under the same rules as the page itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.crawl.hosts.failures import (
    AddressRefusedError,
    ForbiddenByRobotsError,
    HostPausedError,
    RemovedError,
    ReservedError,
    RobotsUnreachableError,
    StoppingError,
)
from newscrawler.crawl.reading.responses import is_transient
from newscrawler.crawl.run.items import KIND, LEASE, MOST_TRIES, FetchedUrl, Retry
from newscrawler.errors import NewscrawlerError, PageReason
from newscrawler.store.vocabularies import FetchKind, UrlState


async def send_request(
    crawler: Crawler, url: str, kind: FetchKind, *, headers: Mapping[str, str] | None = None, meta: dict[str, Any] | None = None,
    priority: int = 100, query: str | None = None,
) -> Response:  # fmt: skip
    """Make a request besides those of the frontier, under the same rules, and return its answer; `query`: JSON, sent by POST."""
    assert crawler.engine is not None
    meta = {**(meta or {}), KIND: kind}
    request = Request(url, callback=NO_CALLBACK, headers=headers, meta=meta, priority=priority)
    if query is not None:
        request = request.replace(method="POST", body=query, headers={**(headers or {}), "Content-Type": "application/json"})
    return await crawler.engine.download_async(request)


class SubrequestError(Exception):
    """A further request of a page failed for now.

    Attributes:
        item: the page's record as it was by then.
    """

    def __init__(self, url: str, item: FetchedUrl) -> None:
        super().__init__(url)
        self.item = item


async def send_subrequest(
    crawler: Crawler, item: FetchedUrl, url: str, kind: FetchKind, *, accept: str | None = None
) -> tuple[FetchedUrl, Response | None]:
    """Make a further request for a page; return the page's record, which counts it, and the answer.

    Returns:
        No response where the answer is refused, or not to be had with the page's last try.

    Raises:
        SubrequestError: it failed for now.
        NewscrawlerError: the database cannot be used.
    """
    headers = {"Accept": accept} if accept is not None else {}
    last_try = item.lease.tries + 1 >= MOST_TRIES
    try:
        response = await send_request(crawler, url, kind, headers=headers, meta={LEASE: item.lease})
    except (ForbiddenByRobotsError, RemovedError, ReservedError, AddressRefusedError):
        return item, None
    except NewscrawlerError:
        raise
    except Exception as error:
        if last_try and not isinstance(error, (HostPausedError, RobotsUnreachableError, StoppingError)):
            return item, None
        raise SubrequestError(url, item) from error
    item = replace(item, parts=item.parts + 1, size=item.size + len(response.body))
    if is_transient(response) and not last_try:
        raise SubrequestError(url, item)
    return item, response if response.status == 200 else None


def fail_for_now(item: FetchedUrl, cause: BaseException | None, why: str, *, most_tries: int = MOST_TRIES) -> FetchedUrl:
    """Return a page's record as failed, to be retried, because of a further request, whose pause of the host is not its fault."""
    pause = getattr(cause, "pause", None)
    retry = Retry(blameless=pause is not None or isinstance(cause, StoppingError), most_tries=most_tries)
    return replace(item, state=UrlState.FAILED, retry=retry, pause=pause).refuse(PageReason.PART_MISSING, why)
