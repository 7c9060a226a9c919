"""Reads an article whose page shows no text in the other ways that the page offers: the site's own API, AMP.

Each way costs one request, under the same rules as any other. What a way brought is counted for the portal, and one that brings
nothing is given up.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.crawl.derived_pages import derived
from newscrawler.crawl.failures import TRANSIENT_STATUS
from newscrawler.crawl.item import MOST_TRIES, FetchedUrl, Retry
from newscrawler.crawl.refusals import (
    AddressRefusedError,
    ForbiddenByRobotsError,
    HostPausedError,
    RobotsUnreachableError,
    StoppingError,
)
from newscrawler.crawl.request_meta import CLAIMED, KIND
from newscrawler.crawl.responses import raw_page
from newscrawler.crawl.rights import RemovedError, ReservedError, said_of
from newscrawler.crawl.run import CrawlRun
from newscrawler.crawl.threads import in_reading_thread
from newscrawler.discovery.reading_ways import Alternate, ReadingWay, alternates_of
from newscrawler.errors import NewscrawlerError, PageReason
from newscrawler.extraction.api_answer import page_with_answer
from newscrawler.extraction.state import shows_text
from newscrawler.store.vocabularies import FetchKind
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlState

#: Requests to the portal for one article, its page included.
MOST_REQUESTS = 3
#: What a page without its text is taken for.
_TEXTLESS = frozenset({
    PageReason.EMPTY, PageReason.NO_BODY, PageReason.NO_HEADLINE, PageReason.NO_BODY_ATTRIBUTE, PageReason.NO_TITLE_ATTRIBUTE,
    PageReason.LISTING, PageReason.ERROR_PAGE,
})  # fmt: skip
_ARTICLES = frozenset({FrontierKind.ARTICLE, FrontierKind.OTHER})
_ACCEPTS = {ReadingWay.API: "application/json", ReadingWay.AMP: "text/html"}
#: Reads a page as far as it goes.
Read = Callable[[FetchedUrl], Awaitable[FetchedUrl]]


class AlternateMissingError(Exception):
    """Another form of an article could not be had for now."""


class ReadingWays:
    """Tries the ways to an article in their order, and counts what they bring."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._link_policy = run.link_policy
        self._profile = run.link_policy.profile
        self._rights = run.rights
        self._crawler = crawler

    async def read(self, item: FetchedUrl, read: Read) -> FetchedUrl:
        """Return what a page is read as; where it shows no text, in another way, if one brings an article."""
        first = await read(item)
        if first.article is not None:
            self._profile.saw_way(await in_reading_thread(_way_of, item), article=True)
        elif await in_reading_thread(_lacks_text, item, first):
            try:
                return await self._other(item, first, read)
            except AlternateMissingError as error:
                return _for_now(first, error)
        return first

    async def _other(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        for alternate in await in_reading_thread(self._alternates, item):
            if not self._profile.admits_way(alternate.way):
                continue
            item, made = await self._made(item, alternate)
            found = await read(made) if made is not None else None
            self._profile.saw_way(alternate.way, article=found is not None and found.article is not None)
            if found is not None and found.article is not None:
                return found
        return replace(first, parts=item.parts, size=item.size)

    def _alternates(self, item: FetchedUrl) -> list[Alternate]:
        """Return the other forms that a page names, as many as may be asked for, the way that did best first."""
        assert item.draft is not None
        found = [alternate for alternate in alternates_of(item.draft.page) if self._is_ours(alternate.url)]
        order = list(ReadingWay)
        found.sort(key=lambda alternate: (-self._profile.way_rate(alternate.way), order.index(alternate.way)))
        return found[: MOST_REQUESTS - 1]

    def _is_ours(self, url: str) -> bool:
        scope = self._link_policy.scope
        return scope.host_allowed(url) and not any(pattern.search(url) for pattern in scope.exclude)

    async def _made(self, item: FetchedUrl, alternate: Alternate) -> tuple[FetchedUrl, FetchedUrl | None]:
        """Return the page's record with what was asked for, and the record of the page that another form gives; None: none."""
        response = await self._fetch(item, alternate)
        if response is None:
            return item, None
        asked = replace(item, parts=item.parts + 1, size=item.size + len(response.body))
        if response.status in TRANSIENT_STATUS and not _is_last_try(item):
            raise AlternateMissingError(alternate.url)
        if response.status != 200 or not response.body:
            return asked, None
        return asked, await in_reading_thread(self._derived, item, alternate, response)

    def _derived(self, item: FetchedUrl, alternate: Alternate, response: Response) -> FetchedUrl | None:
        if self._rights.decide(said_of(response, None, self._rights), item.fetched_at).refusal is not None:
            return None
        assert item.answer is not None
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        body: bytes | None = response.body
        if alternate.way is ReadingWay.API:
            body = page_with_answer(item.answer.body, item.answer.url, response.body)
            kind = (item.answer.headers.get("Content-Type") or b"").decode("latin-1")
        if body is None:
            return None
        sources = (raw_page(response, item.fetched_at),)
        made = derived(item, body, kind or "text/html", sources, self._link_policy, self._rights)
        # links of the page itself: those of an AMP page lead to AMP pages
        return replace(made, found=item.found, unfollowed=item.unfollowed)

    async def _fetch(self, item: FetchedUrl, alternate: Alternate) -> Response | None:
        """Ask for another form; None: it is not to be had.

        Raises:
            AlternateMissingError: it is not to be had for now.
        """
        assert self._crawler.engine is not None
        request = Request(
            alternate.url, callback=NO_CALLBACK, headers={"Accept": _ACCEPTS[alternate.way]}, priority=100,
            meta={CLAIMED: item.claimed, KIND: FetchKind.ALTERNATE},
        )  # fmt: skip
        try:
            return await self._crawler.engine.download_async(request)
        except (ForbiddenByRobotsError, RemovedError, ReservedError, AddressRefusedError):
            return None
        except NewscrawlerError:
            raise
        except Exception as error:
            if _is_last_try(item) and not isinstance(error, (HostPausedError, RobotsUnreachableError, StoppingError)):
                return None
            raise AlternateMissingError(alternate.url) from error


def _is_last_try(item: FetchedUrl) -> bool:
    return item.claimed.tries + 1 >= MOST_TRIES


def _for_now(first: FetchedUrl, error: AlternateMissingError) -> FetchedUrl:
    """Return a page as failed, to be tried again."""
    pause = getattr(error.__cause__, "pause", None)
    retry = Retry(blameless=pause is not None or isinstance(error.__cause__, StoppingError))
    return replace(first, state=UrlState.FAILED, retry=retry, pause=pause).refused(PageReason.PART_MISSING, str(error))


def _way_of(item: FetchedUrl) -> ReadingWay:
    """Return by which way the article of a page was read without another request."""
    draft = item.draft
    if draft is None or draft.body is None or draft.body.elements or shows_text(draft.page):
        return ReadingWay.HTML
    return ReadingWay.STATE


def _lacks_text(item: FetchedUrl, first: FetchedUrl) -> bool:
    """Tell whether a page that gave no article may have one that only scripts show."""
    if item.draft is None or item.answer is None or first.state is not UrlState.DONE or item.decision.refusal is not None:
        return False
    return item.claimed.kind in _ARTICLES and first.word in _TEXTLESS and not shows_text(item.draft.page)
