"""Reads a page that shows no text in other ways: the site's own API, an AMP page, and, where `render` says so, a browser.

Each request obeys the same rules as any other. What a way brought is counted for the portal, and one that brings nothing is given
up.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.http.request import NO_CALLBACK

from newscrawler.crawl.derived_pages import derived
from newscrawler.crawl.failures import (
    TRANSIENT_STATUS,
    AddressRefusedError,
    ForbiddenByRobotsError,
    HostPausedError,
    RobotsUnreachableError,
    StoppingError,
)
from newscrawler.crawl.items import CLAIMED, KIND, MOST_TRIES, FetchedUrl, Retry
from newscrawler.crawl.rendering import MOST_REQUESTS, RenderedPage, Rendering, RenderingFailedError
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

#: What a page without its text is taken for.
_TEXTLESS = frozenset({
    PageReason.EMPTY, PageReason.NO_BODY, PageReason.NO_HEADLINE, PageReason.NO_BODY_ATTRIBUTE, PageReason.NO_TITLE_ATTRIBUTE,
    PageReason.LISTING, PageReason.ERROR_PAGE,
})  # fmt: skip
_ARTICLES = frozenset({FrontierKind.ARTICLE, FrontierKind.OTHER})
_LISTINGS = frozenset({FrontierKind.START, FrontierKind.SECTION})
#: A listing with more links to articles shows them without scripts.
_FEW_LINKS = 3
_HTML = "text/html; charset=utf-8"
#: A page whose scripts are not all there yet is asked for so often in one run at most.
_MOST_TRIES = 6
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
        self._rendering = Rendering(run, crawler)
        self._always = run.portal.render == "always"
        self._consents = bool(run.portal.consent)

    async def read(self, item: FetchedUrl, read: Read) -> FetchedUrl:
        """Return what a page is read as; where it shows no text, in another way, if one brings an article."""
        if self._always and item.draft is not None and item.decision.refusal is None:
            return await self._built(item, item, read)
        first = await read(item)
        if first.article is not None:
            self._profile.saw_way(await in_reading_thread(_way_of, item), article=True)
        elif await in_reading_thread(_lacks_text, item, first):
            try:
                return await self._other(item, first, read)
            except AlternateMissingError as error:
                return _for_now(first, error.__cause__, str(error))
        elif self._rendering.is_on and (_is_empty_listing(item, first) or self._is_consent_page(item, first)):
            return await self._built(item, first, read)
        return first

    def _is_consent_page(self, item: FetchedUrl, first: FetchedUrl) -> bool:
        """Tell whether a page asks for a consent that the operator allows to be given."""
        return self._consents and first.word is PageReason.CONSENT and item.answer is not None

    async def _other(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        for alternate in await in_reading_thread(self._alternates, item):
            if not self._profile.admits_way(alternate.way):
                continue
            item, made = await self._made(item, alternate)
            found = await read(made) if made is not None else None
            self._profile.saw_way(alternate.way, article=found is not None and found.article is not None)
            if found is not None and found.article is not None:
                return found
        first = replace(first, parts=item.parts, size=item.size)
        if self._rendering.is_on and self._profile.admits_way(ReadingWay.BROWSER):
            return await self._built(item, first, read)
        return first

    async def _built(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        """Return what a page is read as when the browser has built it; as before, where there is no browser."""
        is_listing = item.claimed.kind in _LISTINGS
        try:
            built = await self._rendering.build(item, is_listing=is_listing)
        except RenderingFailedError as error:
            first = first if first is not item else await read(item)
            if error.for_now and item.claimed.tries + 1 < _MOST_TRIES:
                return _for_now(first, error.cause, str(error), most_tries=_MOST_TRIES)
            return first if first.article is not None else first.refused(PageReason.NOT_BUILT, str(error))
        if built is None:
            return first if first is not item else await read(item)
        found = await read(await in_reading_thread(self._of_browser, item, built))
        if not is_listing:
            self._profile.saw_way(ReadingWay.BROWSER, article=found.article is not None)
        return found

    def _of_browser(self, item: FetchedUrl, built: RenderedPage) -> FetchedUrl:
        body = built.rendered.html.encode("utf-8", "replace")
        made = derived(item, body, _HTML, built.sources, self._link_policy, self._rights)
        known = {found.url for found in made.found}
        return replace(
            made,
            found=made.found + tuple(found for found in item.found if found.url not in known),
            parts=item.parts + built.requests,
            size=item.size + built.bytes,
        )

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


def _for_now(first: FetchedUrl, cause: BaseException | None, why: str, *, most_tries: int = MOST_TRIES) -> FetchedUrl:
    """Return a page as failed, to be tried again."""
    pause = getattr(cause, "pause", None)
    retry = Retry(most_tries=most_tries, blameless=pause is not None or isinstance(cause, StoppingError))
    return replace(first, state=UrlState.FAILED, retry=retry, pause=pause).refused(PageReason.PART_MISSING, why)


def _is_empty_listing(item: FetchedUrl, first: FetchedUrl) -> bool:
    """Tell whether a listing may have links that only scripts show."""
    if item.claimed.kind not in _LISTINGS or item.draft is None or first.state is not UrlState.DONE or item.decision.refusal:
        return False
    articles = sum(found.kind is FrontierKind.ARTICLE for found in item.found)
    return articles <= _FEW_LINKS and next(item.draft.page.root.iter("script"), None) is not None


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
