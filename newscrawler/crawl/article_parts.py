"""Articles on several pages become one record, in order, once."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.article import Body
from newscrawler.crawl.failures import TRANSIENT_STATUS
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.link_policy import PRIORITY
from newscrawler.crawl.outcomes import MOST_TRIES
from newscrawler.crawl.refusals import ForbiddenByRobotsError, HostPausedError, RobotsUnreachableError, StoppingError
from newscrawler.crawl.request_meta import KIND
from newscrawler.crawl.responses import raw_page
from newscrawler.crawl.rights import RemovedError, ReservedError, said_of
from newscrawler.crawl.run import CrawlRun
from newscrawler.crawl.threads import in_reading_thread
from newscrawler.errors import PageError, PageReason
from newscrawler.extract import Draft, detect_body
from newscrawler.extraction.further_pages import first_page, further_pages, join_paragraphs
from newscrawler.page import Document
from newscrawler.store import FoundUrl
from newscrawler.store.vocabularies import FetchKind
from newscrawler.store.vocabularies.outcomes import FrontierKind, Reason, UrlState
from newscrawler.urls import canonicalize

#: No article has more pages.
MOST_PARTS = 40


class PartMissingError(Exception):
    """A further page could not be had for now."""


class ArticleParts:
    """Fetches the further pages of an article, under the same rules as any page, and adds their text to the first."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._reading = run.reading
        self._link_policy = run.link_policy
        self._rights = run.rights
        self._crawler = crawler

    def wanted(self, item: FetchedUrl) -> list[str]:
        """Return the further pages of a first page; refuse a further page, and send it to its first."""
        if not item.readable or item.draft is None or item.decision.refusal is not None or not item.decision.follows_links:
            return []
        first = self._in_scope(first_page(item.draft.page))
        if first is not None and first != item.claimed.url:
            item.refuse(PageError(PageReason.PART, first))
            item.found += (FoundUrl(url=first, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=item.claimed.depth),)
            return []
        return list(further_pages(item.draft.page))

    async def join(self, item: FetchedUrl, parts: list[str]) -> None:
        """Join what follows to a first page."""
        try:
            await self._join(item, parts)
        except PartMissingError as error:  # better a little later than by half
            item.state, item.reason, item.detail, item.transient = UrlState.FAILED, PageReason.PART_MISSING, str(error), True
            item.pause = getattr(error.__cause__, "pause", None)
            item.blameless = item.pause is not None or isinstance(error.__cause__, StoppingError)

    async def _join(self, item: FetchedUrl, parts: list[str]) -> None:
        assert item.draft is not None
        assert item.draft.body is not None
        bodies = [item.draft.body]
        seen = {item.claimed.url}
        while parts and len(seen) < MOST_PARTS:
            url = self._in_scope(parts.pop(0))
            if url is None or url in seen:
                continue
            seen.add(url)
            response = await self._fetch(url, item)
            read = await in_reading_thread(self._read, response, item) if response is not None else None
            if read is None:
                break
            body, more = read
            bodies.append(body)
            parts += [each for each in more if each not in parts]
            aside = Reason(PageReason.PART, item.claimed.url)
            item.found += (FoundUrl(url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=0, skipped=aside),)
        item.draft.body = replace(bodies[0], paragraphs=join_paragraphs([body.paragraphs for body in bodies]))

    def _in_scope(self, url: str | None) -> str | None:
        try:
            canonical = canonicalize(url) if url else None
        except ValueError:
            return None
        return canonical if canonical and self._link_policy.scope.allows(canonical) else None

    async def _fetch(self, url: str, item: FetchedUrl) -> Response | None:
        """Fetch a further page; None where it cannot be had at all, so that the pages before it stand alone.

        Raises:
            PartMissingError: it cannot be had for now.
        """
        assert self._crawler.engine is not None
        request = Request(url, callback=NO_CALLBACK, meta={"claimed": item.claimed, KIND: FetchKind.PART}, priority=100)
        last_try = item.claimed.tries + 1 >= MOST_TRIES
        try:
            response: Response = await self._crawler.engine.download_async(request)
        except (ForbiddenByRobotsError, RemovedError, ReservedError):
            return None
        except Exception as error:
            if last_try and not isinstance(error, (HostPausedError, RobotsUnreachableError, StoppingError)):
                return None
            raise PartMissingError(url) from error
        item.parts += 1
        item.size += len(response.body)
        if response.status in TRANSIENT_STATUS and not last_try:
            raise PartMissingError(url)
        if response.status != 200:
            return None
        return response

    def _read(self, response: Response, item: FetchedUrl) -> tuple[Body, Sequence[str]] | None:
        """Return the body of a further page and what follows it; None where it has none, or it is reserved."""
        content_type = response.headers.get("Content-Type")
        page = Document.parse(response.body, response.url, content_type=content_type.decode("latin-1") if content_type else None)
        decision = self._rights.decide(said_of(response, page, self._rights), item.fetched_at)
        if decision.refusal is not None:
            told = Reason(decision.refusal, decision.statement)
            url = response.request.url if response.request else response.url
            item.found += (FoundUrl(url=url, kind=FrontierKind.ARTICLE, priority=PRIORITY["article"], depth=0, skipped=told),)
            return None
        item.raw += (raw_page(response, item.fetched_at),)
        draft = Draft(page=page, fetched_at=item.fetched_at)
        with contextlib.suppress(PageError):
            detect_body(draft, self._reading)
        return (draft.body, further_pages(page)) if draft.body is not None else None
