"""What a server's answer, or the lack of one, means for a URL."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urljoin

from scrapy.http import Response

from newscrawler.config.portal import DEFAULT_PAGE_MEGABYTES
from newscrawler.crawl.failures import TRANSIENT_STATUS, TRIES_AT_FIRST, TRIES_OF_BUSY, TRIES_OF_ERRORS, failure_of
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.link_policy import LISTED, LinkPolicy
from newscrawler.crawl.lists import read_list
from newscrawler.crawl.refusals import HostPause, StoppingError
from newscrawler.crawl.request_meta import FETCHED_AT, PAUSE
from newscrawler.crawl.rights import RemovedError, ReservedError, said_of
from newscrawler.dates import DateHint, dates_beside_links
from newscrawler.discovery.hidden_links import hidden_links_of, html_of_json
from newscrawler.discovery.links import Resolver, head_links_of, links_of
from newscrawler.discovery.obstacles import obstacle_of
from newscrawler.errors import PageReason
from newscrawler.extract import Draft
from newscrawler.extraction.page_kind import Origin
from newscrawler.extraction.wall import gate_of
from newscrawler.metadata.section import section_of_listing
from newscrawler.page import Document
from newscrawler.page.document import visible_text
from newscrawler.page.sniff import binary_kind
from newscrawler.pages import RawPage
from newscrawler.politeness.backoff import PAYMENT_REQUIRED, price_of, read_retry_after
from newscrawler.rights import PageRights
from newscrawler.store import ClaimedUrl, FoundUrl
from newscrawler.store.frontier_records import SECTION_HINT
from newscrawler.store.rights_records import Said
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome, UrlState
from newscrawler.urls import canonicalize

MOST_HOPS = 10
#: Where links of a listing stand that are of its section.
_LISTED = frozenset({"main", "article", "header", ""})
_HTML = ("text/html", "application/xhtml+xml")
#: Statuses with which challenges come.
_ASKING = frozenset({401, 403, 405, 429, 503})


def read_response(claimed: ClaimedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Work out what an answer means; reads the page's links and what is reserved for it, not its text."""
    item = FetchedUrl(
        claimed=claimed,
        fetched_at=response.meta.get(FETCHED_AT) or datetime.now(UTC),
        http_status=response.status,
        size=len(response.body),
        etag=_header(response, "ETag"),
        last_modified=_header(response, "Last-Modified"),
    )
    if claimed.kind == FrontierKind.PROBE and response.status not in TRANSIENT_STATUS:
        _learn_missing_page(item, response, link_policy)
    elif response.status == 304:
        item.outcome = UrlOutcome.UNCHANGED
        _note_reservations(item, response, None, rights)
        if item.decision.refusal is not None:
            item.reason, item.detail = item.decision.refusal, item.decision.told
    elif 300 <= response.status < 400 and _header(response, "Location"):
        _redirect(item, response, link_policy)
    elif not 200 <= response.status < 300:
        reason = PageReason.CAPTCHA if _is_challenge(response) else PageReason.HTTP_STATUS
        detail = str(response.status)
        if response.status == PAYMENT_REQUIRED:
            reason, detail = PageReason.PAYMENT, price_of(_header(response, "crawler-price"))
        _fail(item, reason, detail, transient=response.status in TRANSIENT_STATUS)
        item.most_tries = TRIES_OF_BUSY if response.status in {429, 503} else TRIES_OF_ERRORS
        _pause(item, response.meta.get(PAUSE), asked=True)
        item.retry_after_seconds = read_retry_after(_header(response, "Retry-After"), item.fetched_at)
        if claimed.kind in {FrontierKind.FEED, FrontierKind.SITEMAP} and response.status in {
            404,
            410,
        }:  # no probe is needed: the portal says it
            link_policy.profile.saw_missing_page(None, item.fetched_at)
        if not item.transient:
            item.state = UrlState.DONE
    else:
        _read(item, response, link_policy, rights)
    item.pause = item.pause or response.meta.get(PAUSE)
    return item


def _is_challenge(response: Response) -> bool:
    """Whether a refusal comes with a question whether we are human."""
    kind = (_header(response, "Content-Type") or "").partition(";")[0].strip().lower()
    if response.status not in _ASKING or kind not in _HTML or not response.body.strip():
        return False
    return gate_of(Document.parse(response.body, response.url)) is PageReason.CAPTCHA


def _learn_missing_page(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> None:
    """Take down what the portal shows where it has no page, if it shows something with 200."""
    content_type = _header(response, "Content-Type") or ""
    page = None
    if response.status == 200 and content_type.partition(";")[0].strip().lower() in {"", *_HTML}:
        page = Document.parse(response.body, response.url, content_type=content_type or None)
    link_policy.profile.saw_missing_page(page, item.fetched_at)


def read_failure(
    claimed: ClaimedUrl, error: BaseException, *, pause: HostPause | None = None, began: bool = False,
    page_megabytes: float = DEFAULT_PAGE_MEGABYTES,
) -> FetchedUrl:  # fmt: skip
    """Work out what the lack of an answer means.

    Args:
        claimed: what was to be fetched.
        error: why it was not.
        pause: of its host, where one followed.
        began: the headers of the answer had come.
        page_megabytes: the largest page that is taken.
    """
    item = FetchedUrl(claimed=claimed, fetched_at=datetime.now(UTC))
    if isinstance(error, StoppingError):
        item.state, item.blameless = UrlState.FAILED, True
        return item
    if isinstance(error, RemovedError):
        item.state, item.reason, item.detail = UrlState.SKIPPED, PageReason.REMOVED, str(error)
        return item
    if isinstance(error, ReservedError):
        item.state, item.reason, item.detail = UrlState.SKIPPED, error.reason, str(error)
        item.said = Said(reservations=(error.reservation,), complete=False)
        return item
    failure = failure_of(error, began=began, page_megabytes=page_megabytes)
    _fail(item, failure.reason, failure.detail, transient=failure.transient)
    item.state, item.most_tries = failure.state, failure.most_tries
    _pause(item, failure.pause or pause, asked=failure.pause is None)
    return item


def _pause(item: FetchedUrl, pause: HostPause | None, *, asked: bool) -> None:
    """Note that the host is paused; where it failed before, or nothing was asked of it, the URL is not to blame."""
    item.pause = pause
    if pause is None or not item.transient:
        return
    item.blameless = not asked or pause.suspended or (pause.fresh and pause.failures > 1 and not pause.never_answered)
    if pause.final:
        item.transient = item.blameless = False
    elif pause.never_answered:
        item.most_tries = TRIES_AT_FIRST


def internal_error(claimed: ClaimedUrl, error: BaseException | None) -> FetchedUrl:
    """Make the outcome of a URL whose page we failed at."""
    item = FetchedUrl(claimed=claimed, fetched_at=datetime.now(UTC), state=UrlState.DONE, reason=PageReason.FAULT)
    item.detail = f"{type(error).__name__}: {error}"
    return item


def _fail(item: FetchedUrl, reason: PageReason, detail: str = "", *, transient: bool = True) -> None:
    item.state, item.reason, item.detail, item.transient = UrlState.FAILED, reason, detail, transient


def _redirect(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> None:
    """A redirect is an outcome of its own: where it leads is a URL like any other, with its own host, robots and state."""
    claimed = item.claimed
    item.outcome = UrlOutcome.REDIRECT
    try:
        target = canonicalize(urljoin(response.url, _header(response, "Location") or ""))
    except ValueError:
        item.reason, item.detail = PageReason.REDIRECT_OFF_SCOPE, "no http address"
        return
    item.detail = target
    if target == claimed.url and link_policy.cookies and "Set-Cookie" in response.headers:  # it is shown to whoever sends that back
        _fail(item, PageReason.REDIRECT_LOOP)
        return
    if target == claimed.url or claimed.hops >= MOST_HOPS:
        item.reason = PageReason.REDIRECT_LOOP
        return
    found = link_policy.redirected(target, claimed)
    if found is None:
        item.reason = PageReason.REDIRECT_OFF_SCOPE
    else:
        item.found = (found,)


def _origin_of(claimed: ClaimedUrl) -> Origin:
    """Return what led to a page: a feed or sitemap that dated it, a start URL, or a link."""
    if claimed.kind == FrontierKind.START:
        return Origin.START
    return Origin.FEED if any(source in LISTED for source, _ in claimed.hints) else Origin.LINK


def _note_reservations(item: FetchedUrl, response: Response, page: Document | None, rights: PageRights) -> None:
    """Note what the publisher reserves; without the page there is the header alone, and what the page said before still holds."""
    reservations = said_of(response, page, rights)
    item.decision = rights.decide(reservations, item.fetched_at)
    if reservations or page is not None:
        keeps = item.decision.keeps_copies
        item.said = Said(reservations=reservations, complete=page is not None, keeps_copies=keeps)


def _read(item: FetchedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> None:
    content_type = _header(response, "Content-Type") or ""
    if item.claimed.kind in {FrontierKind.FEED, FrontierKind.SITEMAP}:
        _note_reservations(item, response, None, rights)
        read_list(item, response, link_policy, content_type)
        return
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/json" and item.claimed.kind == FrontierKind.SECTION:
        _read_json(item, response, link_policy, rights)
        return
    if kind and kind not in _HTML:
        item.reason, item.detail = PageReason.NOT_HTML, kind
        return
    if not response.body.strip():
        item.reason = PageReason.EMPTY
        return
    if binary := binary_kind(response.body):
        item.reason, item.detail = PageReason.NOT_HTML, binary
        return
    item.raw = (raw_page(response, item.fetched_at),)
    page = Document.parse(response.body, response.url, content_type=content_type or None)
    gate = gate_of(page)
    if gate is not None:
        item.reason = gate
        return
    if item.claimed.kind != FrontierKind.START and link_policy.profile.is_missing(page):
        item.reason = PageReason.SOFT_404
        return
    hints = [DateHint(source=source, text=text) for source, text in item.claimed.hints if source != SECTION_HINT]
    hints += [DateHint(source="last-modified", text=item.last_modified)] if item.last_modified else []
    item.draft = Draft(page=page, fetched_at=item.fetched_at, hints=tuple(hints), origin=_origin_of(item.claimed))
    if item.claimed.kind == FrontierKind.ARTICLE:
        _ = page.names  # every article is looked for by them, and once all elements are held, links take a sixth less time
    if "?" in item.claimed.url or item.claimed.kind != FrontierKind.ARTICLE:
        link_policy.profile.saw_text(item.claimed.url, visible_text(page.body))
    item.links, item.head = links_of(page), head_links_of(page)
    if item.claimed.kind in {FrontierKind.START, FrontierKind.SECTION}:
        item.links += hidden_links_of(page, item.links)
        link_policy.saw_anchors(page)
    if item.claimed.kind == FrontierKind.START:
        item.obstacle = obstacle_of(page, item.links, link_policy.scope)
    _note_reservations(item, response, page, rights)
    if not item.decision.follows_links:
        item.unfollowed = len(item.links)
        return
    item.unfollowed = sum(not link_policy.may_follow(link) for link in item.links)
    item.found = link_policy.links(page, item.links, item.head, claimed=item.claimed)
    if item.claimed.kind != FrontierKind.ARTICLE:
        item.found = _dated(item, page, link_policy)
        item.found += link_policy.archives(item.claimed.url, item.found, claimed=item.claimed)
    if item.claimed.kind != FrontierKind.START:
        item.found += link_policy.probe(item.claimed.url, item.fetched_at)
    item.found += link_policy.feeds(item.head, claimed=item.claimed)
    item.found += link_policy.section_feeds(page, item.head, item.found, claimed=item.claimed)
    item.found += link_policy.posts(page, claimed=item.claimed)


def _read_json(item: FetchedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> None:
    """Take the links of a listing that comes as JSON: the answer to "Load more", or the publishing system's list of posts."""
    _note_reservations(item, response, None, rights)
    html = html_of_json(response.body)
    if html is None or not item.decision.follows_links:
        item.reason, item.detail = PageReason.NOT_HTML, "application/json"
        return
    page = Document.parse(html, response.url)
    item.found = link_policy.links(page, links_of(page), head_links_of(page), claimed=item.claimed)
    item.found += link_policy.further_posts(response.url, len(item.found), claimed=item.claimed)
    item.outcome = UrlOutcome.LISTING


def _dated(item: FetchedUrl, page: Document, link_policy: LinkPolicy) -> tuple[FoundUrl, ...]:
    """Note for each likely article the date that a listing shows beside its link, and the section whose listing it is."""
    wanted = {found.url for found in item.found if found.kind == FrontierKind.ARTICLE}
    if not wanted:
        return item.found
    context = replace(link_policy.date_context, fetched_at=item.fetched_at, day_order=link_policy.profile.day_order)
    beside = dates_beside_links(page, wanted, Resolver(page.base_url), context)
    section = section_of_listing(page) if item.claimed.kind == FrontierKind.SECTION else None
    listed = {link.url for link in item.links if link.where in _LISTED} if section else frozenset()
    said = {found.url: (("listing", beside[found.url]),) if found.url in beside else () for found in item.found}
    if section:
        said = {url: (*hints, (SECTION_HINT, section)) if url in wanted and url in listed else hints for url, hints in said.items()}
    return tuple(replace(found, hints=said[found.url]) if said[found.url] else found for found in item.found)


def raw_page(response: Response, fetched_at: datetime) -> RawPage:
    """The response as it is kept."""
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, values in response.headers.items() for value in values
    )
    return RawPage(url=response.url, fetched_at=fetched_at, body=response.body, status=response.status, headers=headers)


def _header(response: Response, name: str) -> str | None:
    value = response.headers.get(name)
    return value.decode("latin-1").strip() if value else None
