"""The outcome of a URL by the server's answer, or by the lack of one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from scrapy.http import Response

from newscrawler.config.portal import DEFAULT_PAGE_MEGABYTES
from newscrawler.crawl.components.rights import said_of
from newscrawler.crawl.hosts.failures import (
    TRANSIENT_STATUS,
    TRIES_AT_FIRST,
    TRIES_OF_BUSY,
    TRIES_OF_ERRORS,
    HostPause,
    ReservedError,
    StoppingError,
    failure_of,
)
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.reading.answers import header, media_type, parsed, raw_page, redirect_target
from newscrawler.crawl.reading.feeds_and_sitemaps import read_list
from newscrawler.crawl.reading.page_links import read_json, read_links
from newscrawler.crawl.run.items import FETCHED_AT, PAUSE, FetchedUrl, Retry
from newscrawler.discovery.urls import canonicalize
from newscrawler.errors import PageReason
from newscrawler.extraction.body.interstitial import barrier_of
from newscrawler.page import Document
from newscrawler.page.sniff import binary_kind
from newscrawler.politeness.backoff import PAYMENT_REQUIRED, price_of, read_retry_after
from newscrawler.politeness.rights import PageRights
from newscrawler.store import LeasedUrl
from newscrawler.store.articles.rights_records import Said
from newscrawler.store.vocabularies.outcomes import FrontierKind, Reason, UrlOutcome, UrlState

MOST_HOPS = 10
#: Kinds that are read as lists of URLs.
_LISTS = frozenset({FrontierKind.FEED, FrontierKind.SITEMAP})
_HTML = ("text/html", "application/xhtml+xml")
#: Statuses with which challenges come.
_ASKING = frozenset({401, 403, 405, 429, 503})


def read_response(claimed: LeasedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Return the record of an answer: links and reservations of a page, not yet its text."""
    item = FetchedUrl(
        claimed=claimed,
        fetched_at=response.meta.get(FETCHED_AT) or datetime.now(UTC),
        http_status=response.status,
        size=len(response.body),
        etag=header(response, "ETag"),
        last_modified=header(response, "Last-Modified"),
        pause=response.meta.get(PAUSE),
        answer=response,
    )
    if claimed.kind == FrontierKind.PROBE and response.status not in TRANSIENT_STATUS:
        _learn_missing_page(item, response, link_policy)
        return item
    if response.status == 304:
        return _unchanged(item, response, rights)
    if (target := redirect_target(response)) is not None:
        return _redirected(item, response, target, link_policy)
    if not 200 <= response.status < 300:
        return _refused(item, response, link_policy)
    return _read(item, response, link_policy, rights)


def _unchanged(item: FetchedUrl, response: Response, rights: PageRights) -> FetchedUrl:
    item = _with_reservations(replace(item, outcome=UrlOutcome.UNCHANGED), response, None, rights)
    decision = item.decision
    return item.refused(decision.refusal, decision.statement) if decision.refusal is not None else item


def _refused(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> FetchedUrl:
    """Return the record of an error status; a permanent one is the URL's outcome."""
    status = response.status
    if item.claimed.kind in _LISTS and status in {404, 410}:  # no probe is needed: the portal says it
        link_policy.profile.saw_missing_page(None, item.fetched_at)
    reason = Reason(PageReason.CAPTCHA if _is_challenge(response) else PageReason.HTTP_STATUS, str(status))
    if status == PAYMENT_REQUIRED:
        reason = Reason(PageReason.PAYMENT, price_of(header(response, "crawler-price")))
    if status not in TRANSIENT_STATUS:
        return replace(item, reason=reason)
    retry = Retry(
        most_tries=TRIES_OF_BUSY if status in {429, 503} else TRIES_OF_ERRORS,
        after_seconds=read_retry_after(header(response, "Retry-After"), item.fetched_at),
    )
    return _failed(item, reason, retry, item.pause, asked=True)


def _is_challenge(response: Response) -> bool:
    """Return whether an error page is a captcha."""
    if response.status not in _ASKING or media_type(response) not in _HTML or not response.body.strip():
        return False
    return barrier_of(Document.parse(response.body, response.url)) is PageReason.CAPTCHA


def _learn_missing_page(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> None:
    """Remember the page that the portal shows for missing addresses with status 200."""
    page = parsed(response) if response.status == 200 and media_type(response) in {"", *_HTML} else None
    link_policy.profile.saw_missing_page(page, item.fetched_at)


def read_failure(
    claimed: LeasedUrl, error: BaseException, *, pause: HostPause | None = None, began: bool = False,
    page_megabytes: float = DEFAULT_PAGE_MEGABYTES,
) -> FetchedUrl:  # fmt: skip
    """Return the record of a URL that brought no answer.

    Args:
        claimed: what was to be fetched.
        error: why it failed.
        pause: of its host, where one followed.
        began: the headers of the answer were received.
        page_megabytes: limit of a page's size.
    """
    item = FetchedUrl(claimed=claimed, fetched_at=datetime.now(UTC))
    if isinstance(error, StoppingError):
        return replace(item, state=UrlState.FAILED, retry=Retry(transient=False, blameless=True))
    if isinstance(error, ReservedError):
        item = replace(item, said=Said(reservations=(error.reservation,), complete=False))
    failure = failure_of(error, began=began, page_megabytes=page_megabytes)
    retry = Retry(transient=failure.transient, most_tries=failure.most_tries)
    item = _failed(item, failure.reason, retry, failure.pause or pause, asked=failure.pause is None)
    return replace(item, state=failure.state)


def _failed(item: FetchedUrl, reason: Reason, retry: Retry, pause: HostPause | None, *, asked: bool) -> FetchedUrl:
    """Return a failure; one of the host, or without a request, does not count as a try of the URL."""
    if pause is not None and pause.final and retry.transient:
        retry = replace(retry, transient=False)
    elif pause is not None and retry.transient:
        again = pause.fresh and pause.failures > 1 and not pause.never_answered
        most = TRIES_AT_FIRST if pause.never_answered else retry.most_tries
        retry = replace(retry, blameless=not asked or pause.suspended or again, most_tries=most)
    return replace(item, state=UrlState.FAILED, reason=reason, retry=retry, pause=pause)


def internal_error(claimed: LeasedUrl, error: BaseException | None) -> FetchedUrl:
    """Return the record of a URL at which our own code failed."""
    return FetchedUrl(claimed=claimed, fetched_at=datetime.now(UTC)).refused(PageReason.FAULT, f"{type(error).__name__}: {error}")


def _redirected(item: FetchedUrl, response: Response, location: str, link_policy: LinkPolicy) -> FetchedUrl:
    """Return the record of a redirect; its target is a URL of its own, with its own host, robots.txt and state."""
    claimed, item = item.claimed, replace(item, outcome=UrlOutcome.REDIRECT)
    try:
        target = canonicalize(location)
    except ValueError:
        return item.refused(PageReason.REDIRECT_OFF_SCOPE, "no http address")
    if target == claimed.url and link_policy.cookies and "Set-Cookie" in response.headers:  # for clients that return the cookie
        return _failed(item, Reason(PageReason.REDIRECT_LOOP, target), Retry(), item.pause, asked=True)
    if target == claimed.url or claimed.hops >= MOST_HOPS:
        return item.refused(PageReason.REDIRECT_LOOP, target)
    found = link_policy.redirected(target, claimed)
    return replace(item, found=(found,)) if found is not None else item.refused(PageReason.REDIRECT_OFF_SCOPE, target)


def _with_reservations(item: FetchedUrl, response: Response, page: Document | None, rights: PageRights) -> FetchedUrl:
    """Return the record with the publisher's reservations; without the page, those it had before still count."""
    reservations = said_of(response, page, rights)
    decision, said = rights.decide(reservations, item.fetched_at), None
    if reservations or page is not None:
        said = Said(reservations=reservations, complete=page is not None, keeps_copies=decision.keeps_copies)
    return replace(item, decision=decision, said=said)


def _read(item: FetchedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Return the record of a body: a list, a page, or nothing readable."""
    claimed, kind = item.claimed, media_type(response)
    if claimed.kind in _LISTS:
        item = _with_reservations(item, response, None, rights)
        return read_list(item, response, link_policy, header(response, "Content-Type") or "")
    if kind == "application/json" and claimed.kind == FrontierKind.SECTION:
        return read_json(_with_reservations(item, response, None, rights), response, link_policy)
    if kind and kind not in _HTML:
        return item.refused(PageReason.NOT_HTML, kind)
    if not response.body.strip():
        return item.refused(PageReason.EMPTY)
    if binary := binary_kind(response.body):
        return item.refused(PageReason.NOT_HTML, binary)
    item, page = replace(item, raw=(raw_page(response, item.fetched_at),)), parsed(response)
    if (barrier := barrier_of(page)) is not None:
        return item.refused(barrier)
    if claimed.kind != FrontierKind.START and link_policy.profile.is_missing(page):
        return item.refused(PageReason.SOFT_404)
    return read_links(_with_reservations(item, response, page, rights), page, link_policy)
