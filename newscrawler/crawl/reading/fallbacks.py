"""Reads a page that shows no text in other ways: the site's own API, an AMP page, and, where `render` says so, a browser.

Each request obeys the same rules as any other. The articles of each way are counted for the portal, and one without any is given
up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from http import HTTPStatus
from operator import attrgetter

from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response

from newscrawler.article import FROM_FEED, is_cut
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.process.threads import run_in_reading_thread
from newscrawler.crawl.reading.listings import admit_links, list_links
from newscrawler.crawl.reading.rendering import MOST_REQUESTS, PageVisit, Rendering, RenderingFailedError
from newscrawler.crawl.reading.responses import find_reservations, get_header, make_raw_page, read_response
from newscrawler.crawl.reading.subrequests import fail_for_now, send_subrequest
from newscrawler.crawl.run.crawl_run import CrawlRun
from newscrawler.crawl.run.items import FetchedUrl, is_last_try
from newscrawler.discovery import Alternate, Fallback, Lead, fill_api_pattern, find_alternates, make_api_pattern, make_page_of_entry
from newscrawler.errors import PageReason
from newscrawler.extraction.body import build_page_with_answer, shows_text
from newscrawler.page import begins_alike
from newscrawler.politeness.rights import PageRights
from newscrawler.store.archive import RawPage, RecordKind
from newscrawler.store.vocabularies import FetchKind, FrontierKind, UrlOutcome, UrlState

#: Reasons against pages whose text is missing.
_TEXTLESS = frozenset({
    PageReason.EMPTY, PageReason.NO_BODY, PageReason.NO_HEADLINE, PageReason.NO_BODY_ATTRIBUTE, PageReason.NO_TITLE_ATTRIBUTE,
    PageReason.LISTING, PageReason.ERROR_PAGE,
})  # fmt: skip
_ARTICLES = frozenset({FrontierKind.ARTICLE, FrontierKind.OTHER})
_LISTINGS = frozenset({FrontierKind.START, FrontierKind.SECTION})
#: A listing with more links to articles shows them without scripts.
_FEW_LINKS = 3
_HTML = "text/html; charset=utf-8"
#: Statuses of articles that the publisher has removed; and how much longer the text of a feed is than that of a teaser.
_REMOVED, _LONGER = frozenset({HTTPStatus.GONE, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS}), 1.2
#: Tries of a page in one run while not all of its scripts are in memory.
_MOST_TRIES = 6
_ACCEPTS = {Fallback.API: "application/json", Fallback.AMP: "text/html"}
#: Reads a page as far as it goes.
Read = Callable[[FetchedUrl], Awaitable[FetchedUrl]]


class Fallbacks:
    """Tries the ways to an article in their order, and counts their articles."""

    def __init__(self, run: CrawlRun, crawler: Crawler) -> None:
        self._link_policy = run.link_policy
        self._profile = run.link_policy.profile
        self._rights = run.rights
        self._crawler = crawler
        self._rendering = Rendering(run, crawler)
        #: One page at a time is read in other ways, as the next one profits from its outcome.
        self._turn = asyncio.Lock()
        self._always = run.portal.render == "always"
        self._consents = bool(run.portal.consent)

    def needs_browser(self, item: FetchedUrl) -> bool:
        """Return whether a page is read only as the browser builds it."""
        return self._always and item.draft is not None and item.decision.refusal is None

    async def read(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        """Return the record of a page; where it shows no text, or only its beginning, in another way, if one brings an article.

        `first`: its record as it is; `read`: reads another form of it.

        Raises:
            SubrequestError: another way fails for now.
        """
        first = await self._read_page(item, first, read)
        leads_home = any(each.url in self._link_policy.outline.start_urls for each in first.found[:1] if first.article is None)
        lacks = _lacks_article(first) or (first.outcome is UrlOutcome.REDIRECT and leads_home)
        entry = self._link_policy.get_entry(item.lease.url) if item.answer is not None and lacks else None
        if entry is None:
            return first
        found = await read(await run_in_reading_thread(self._derive_from_entry, item, entry))
        return _join_entry(first, found)

    async def _read_page(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        """Return the record of a page, by requests where it needs some."""
        if self.needs_browser(item):
            return await self._read_built(item, item, read)
        if first.article is not None:
            self._profile.note_fallback(await _find_way(item), article=True)
        elif await run_in_reading_thread(_lacks_text, item, first):
            async with self._turn:
                return await self._try_alternates(item, first, read)
        elif self._rendering.is_on and (
            _is_empty_listing(item, first) or (self._consents and first.word is PageReason.CONSENT and item.answer is not None)
        ):
            return await self._read_built(item, first, read)
        return first

    async def _try_alternates(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        for alternate in await run_in_reading_thread(self._list_alternates, item):
            if not self._profile.allows_fallback(alternate.way):
                continue
            item, made = await self._fetch_alternate(item, alternate)
            found = await read(made) if made is not None else None
            self._profile.note_fallback(alternate.way, article=found is not None and found.article is not None)
            if found is not None and found.article is not None:
                return found
        first = replace(first, parts=item.parts, size=item.size)
        if self._rendering.is_on and self._profile.allows_fallback(Fallback.BROWSER):
            return await self._read_built(item, first, read)
        return first

    async def _read_built(self, item: FetchedUrl, first: FetchedUrl, read: Read) -> FetchedUrl:
        """Return the record of a page as the browser builds it; as before, without a browser."""
        is_listing = item.lease.kind in _LISTINGS
        try:
            built = await self._rendering.build(item, is_listing=is_listing)
        except RenderingFailedError as error:
            first = first if first is not item else await read(item)
            if error.for_now and item.lease.tries + 1 < _MOST_TRIES:
                return fail_for_now(first, error.cause, str(error), most_tries=_MOST_TRIES)
            return first if first.article is not None else first.refuse(PageReason.NOT_BUILT, str(error))
        if built is None:
            return first if first is not item else await read(item)
        found = await read(await run_in_reading_thread(self._derive_from_browser, item, built))
        if not is_listing:
            self._profile.note_fallback(Fallback.BROWSER, article=found.article is not None)
            await self._learn_api(item, built, found, read)
        return found

    async def _learn_api(self, item: FetchedUrl, built: PageVisit, found: FetchedUrl, read: Read) -> None:
        """Learn where the site's API has the article, if one of the page's answers contains the same article as the built page."""
        if self._always or found.article is None or self._profile.api_pattern is not None:
            return
        for source in built.sources:
            pattern = make_api_pattern(item.lease.url, source.url) if source.url not in built.posted else None
            made = await run_in_reading_thread(self._insert_answer, item, source) if pattern is not None else None
            same = (await read(made)).article if made is not None else None
            if pattern is not None and same is not None and (same.title, same.body) == (found.article.title, found.article.body):
                self._profile.note_api(pattern)

    def _insert_answer(self, item: FetchedUrl, source: RawPage) -> FetchedUrl | None:
        """Return the record of a page with the answer of its site's API; None: it contains no article."""
        assert item.answer is not None
        body = build_page_with_answer(item.answer.body, item.answer.url, source.body)
        kind = get_header(item.answer, "Content-Type") or "text/html"
        return derive_page(item, body, kind, (source,), self._link_policy, self._rights) if body is not None else None

    def _derive_from_browser(self, item: FetchedUrl, built: PageVisit) -> FetchedUrl:
        body = built.html.encode("utf-8", "replace")
        made = derive_page(item, body, _HTML, tuple(built.sources), self._link_policy, self._rights)
        known = {found.url for found in made.found}
        return replace(
            made,
            found=made.found + tuple(found for found in item.found if found.url not in known),
            parts=item.parts + built.requests,
            size=item.size + built.bytes,
        )

    def _derive_from_entry(self, item: FetchedUrl, entry: Lead) -> FetchedUrl:
        assert item.answer is not None
        item = replace(item, answer=HtmlResponse(item.answer.url, request=item.answer.request))
        body = make_page_of_entry(entry).encode("utf-8", "replace")
        return derive_page(item, body, _HTML, (), self._link_policy, self._rights)

    def _list_alternates(self, item: FetchedUrl) -> list[Alternate]:
        """Return the other forms that a page names, as many as may be requested, the way that did best first."""
        assert item.draft is not None
        may_fill, pattern = self._link_policy.scope.may_fill, self._profile.api_pattern
        named = list(find_alternates(item.draft.page))
        if pattern is not None and (address := fill_api_pattern(pattern, item.lease.url)) is not None:
            named.insert(0, Alternate(Fallback.API, address))
        found = [alternate for alternate in named if may_fill(alternate.url, item.lease.url)]
        order = list(Fallback)
        found.sort(key=lambda alternate: (-self._profile.get_fallback_rate(alternate.way), order.index(alternate.way)))
        return found[: MOST_REQUESTS - 1]

    async def _fetch_alternate(self, item: FetchedUrl, alternate: Alternate) -> tuple[FetchedUrl, FetchedUrl | None]:
        """Return the page's record with its requests, and the record of the page made of another form; None: none."""
        accept = _ACCEPTS[alternate.way]
        updated, response = await send_subrequest(self._crawler, item, alternate.url, FetchKind.ALTERNATE, accept=accept)
        if response is None or not response.body:
            return updated, None
        return updated, await run_in_reading_thread(self._derive_from_alternate, item, alternate, response)

    def _derive_from_alternate(self, item: FetchedUrl, alternate: Alternate, response: Response) -> FetchedUrl | None:
        if self._rights.decide(find_reservations(response, None, self._rights), item.fetched_at).refusal is not None:
            return None
        source = make_raw_page(response, item.fetched_at)
        if alternate.way is Fallback.API:
            made = self._insert_answer(item, source)
        else:
            kind = get_header(response, "Content-Type") or "text/html"
            made = derive_page(item, response.body, kind, (source,), self._link_policy, self._rights)
        # links of the page itself: those of an AMP page lead to AMP pages
        return replace(made, found=item.found, unfollowed=item.unfollowed) if made is not None else None


def _is_empty_listing(item: FetchedUrl, first: FetchedUrl) -> bool:
    """Return whether a listing may have links that only scripts show."""
    if item.lease.kind not in _LISTINGS or item.draft is None or first.state is not UrlState.DONE or item.decision.refusal:
        return False
    articles = sum(found.kind is FrontierKind.ARTICLE for found in item.found)
    return articles <= _FEW_LINKS and next(item.draft.page.root.iter("script"), None) is not None


async def _find_way(item: FetchedUrl) -> Fallback:
    """Return by which way the article of a page was read without another request."""
    draft = item.draft
    if draft is None or draft.body is None or draft.body.elements:
        return Fallback.HTML
    return Fallback.HTML if await run_in_reading_thread(shows_text, draft.page) else Fallback.STATE


def _lacks_text(item: FetchedUrl, first: FetchedUrl) -> bool:
    """Return whether a page that gave no article may have one that only scripts show."""
    if item.draft is None or item.answer is None or first.state is not UrlState.DONE or item.decision.refusal is not None:
        return False
    return item.lease.kind in _ARTICLES and first.word in _TEXTLESS and not shows_text(item.draft.page)


def _lacks_article(first: FetchedUrl) -> bool:
    """Return whether a page was refused that may be an article, or shows only the beginning of one."""
    if first.article is not None:
        return first.article.free is False or is_cut(first.article.body)
    is_refused = first.says_nothing or first.word in _TEXTLESS | {PageReason.NOT_HTML} or first.http_status == HTTPStatus.NOT_FOUND
    is_ended = first.state is UrlState.DONE or is_last_try(first)
    is_wanted = first.lease.kind == FrontierKind.ARTICLE and not first.lease.is_stored and is_ended
    return is_wanted and is_refused and first.word is not PageReason.PAYMENT and first.http_status not in _REMOVED


def _join_entry(first: FetchedUrl, found: FetchedUrl) -> FetchedUrl:
    """Return the record of a page with the text of its entry in a feed, if that is an article, and longer than its own."""
    article, own = found.article, first.article
    if article is None:
        return first
    if own is None:
        found = replace(found, http_status=first.http_status, parts=first.parts, size=first.size, found=first.found)
        return replace(found, article=replace(article, method=FROM_FEED))
    if article.word_count < _LONGER * own.word_count or not begins_alike(map(attrgetter("text"), own.paragraphs), article.body):
        return first
    article = replace(own, paragraphs=article.paragraphs, lead=article.lead, confidence=article.confidence, method=FROM_FEED)
    return replace(first, article=article, sketch=found.sketch)


#: Headers of the response that do not apply to another body.
_OF_THE_BODY = frozenset({b"content-type", b"content-encoding", b"content-length", b"transfer-encoding"})


def derive_page(
    item: FetchedUrl, body: bytes, content_type: str, sources: tuple[RawPage, ...], link_policy: LinkPolicy, rights: PageRights
) -> FetchedUrl:
    """Return the record of a page with another body; the headers of its response still apply, those of rights, too.

    `content_type`: of the body, which is HTML, with its charset; `sources`: the further answers of which it was made.
    """
    assert item.answer is not None
    response = _replace_body(item.answer, body, content_type)
    read = read_response(item.lease, response, link_policy, rights)
    if read.draft is not None:
        links = list_links(read.draft.page, item.lease, link_policy)
        read = admit_links(read, read.draft.page, links, link_policy)
    kind = (("Content-Type", content_type),)
    page = RawPage(url=response.url, fetched_at=item.fetched_at, headers=kind, body=body, record=RecordKind.RESOURCE)
    return replace(
        read,
        answer=response,
        raw=(page,),
        sources=(*item.raw, *item.sources, *sources),
        parts=item.parts + len(sources),
        size=item.size + sum(len(source.body) for source in sources),
        pause=item.pause,
    )


def _replace_body(answer: Response, body: bytes, content_type: str) -> Response:
    headers = {name: values for name, values in answer.headers.items() if name.lower() not in _OF_THE_BODY}
    headers[b"Content-Type"] = [content_type.encode("latin-1", "replace")]
    return HtmlResponse(answer.url, status=200, headers=headers, body=body, request=answer.request, encoding="utf-8")
