"""The outcome of a URL by the server's answer, or by the lack of one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from urllib.parse import unquote, urljoin, urlsplit

from scrapy.http import Headers, Response

from newscrawler.article import Reservation
from newscrawler.backfill import COPIES, clean_copy, split_copy_url
from newscrawler.config import DEFAULT_PAGE_MEGABYTES
from newscrawler.crawl.hosts.failures import TRIES_AT_FIRST, HostPause, ReservedError, StoppingError, find_failure
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.reading.listings import open_page, read_index_page, read_json, read_list
from newscrawler.crawl.run.items import FETCHED_AT, LICENSES, PAUSE, STATEMENTS, FetchedUrl, Retry
from newscrawler.discovery import USUAL_INDEX, USUAL_SITEMAP, LeadKind, find_list_kind, find_refresh, parse_time
from newscrawler.discovery.urls import canonicalize, find_category, fold
from newscrawler.errors import PageError, PageReason
from newscrawler.extraction.body import find_barrier, find_challenger, find_system
from newscrawler.languages import pattern
from newscrawler.limits import REDIRECTS
from newscrawler.page import Document, normalize_reference, read_media_type
from newscrawler.politeness import find_status_rule, get_host, read_price, read_retry_after
from newscrawler.politeness.rights import FIELDS, OriginPolicies, PageRights
from newscrawler.store.archive import RawPage, RecordKind
from newscrawler.store.articles import RecordedReservations
from newscrawler.store.frontier import LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome, UrlState

#: Kinds that are read as lists of URLs.
_LISTS = frozenset({FrontierKind.FEED, FrontierKind.SITEMAP})
_LISTINGS = frozenset({FrontierKind.START, FrontierKind.SECTION})
_RANGE = re.compile(r"(\d+)-(\d+)/(\d+)")
_JSON = re.compile(rb"\{.*\}|\[.*\]", re.DOTALL)
_BEYOND_ASCII = re.compile(r"[\x80-\xff]")
_HTML = ("text/html", "application/xhtml+xml")
#: Bytes of a challenge at most, and words of a host and a path among which one says that it is a login.
_LARGEST_CHALLENGE, _FIRST_WORDS = 512 * 1024, 8


def read_response(lease: LeasedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Return the record of an answer: an outcome, the entries of a list, or a page with its reservations, to be classified."""
    item = FetchedUrl(
        lease=lease,
        fetched_at=response.meta.get(FETCHED_AT) or datetime.now(UTC),
        http_status=response.status,
        size=len(response.body),
        etag=get_header(response, "ETag"),
        last_modified=get_header(response, "Last-Modified"),
        pause=response.meta.get(PAUSE),
        answer=response,
    )
    if (barrier := find_challenge(response)) is not None and lease.kind != FrontierKind.PROBE:
        return item.refuse(barrier.reason, barrier.detail)
    if lease.kind == FrontierKind.PROBE and not is_transient(response):
        _learn_missing_page(item, response, link_policy)
        return item
    if response.status == 304 and (lease.etag or lease.last_modified):
        return _read_unchanged(item, response, rights)
    if response.status == 304:  # the request had no condition
        return _record_failure(item, Reason(PageReason.HTTP_STATUS, "304"), Retry(), item.pause, requested=True)
    if (target := find_redirect_target(response)) is not None:
        return _read_redirect(item, response, target, link_policy)
    if not 200 <= response.status < 300 or _is_partial(response):
        return _read_error(item, response, link_policy)
    return _read(item, response, link_policy, rights)


def _is_partial(response: Response) -> bool:
    """Return whether an answer is a part of a page, which nobody requested."""
    said = _RANGE.search(get_header(response, "Content-Range") or "")
    first, last, size = map(int, said.groups()) if said is not None else (0, 0, 0)
    return response.status == HTTPStatus.PARTIAL_CONTENT and (first > 0 or last + 1 < size)


def read_copy(lease: LeasedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Return the record of a web archive's copy, as if it had the address of the page, captured when the archive says.

    What the publisher reserves counts as of now.
    """
    found = split_copy_url(response.url)
    if found is None or response.status != HTTPStatus.OK:
        return read_response(lease, response, link_policy, rights)
    original, captured_at = found
    if (said := parse_time(get_header(response, "Memento-Datetime"))) is not None:
        captured_at = said
    archive_url = re.sub(r"/\d{4,14}(?:[a-z]{2}_)?/https?:.*", "", response.url)
    cleaned = response.replace(url=original, body=clean_copy(response.body, archive_url))
    item = read_response(lease, cleaned, link_policy, rights)
    if item.draft is not None:
        item.draft.fetched_at = captured_at or item.fetched_at
    return replace(item, found=())


def read_whole(lease: LeasedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Return the record of an article by the page with all its pages, as if that had the address of the first one."""
    item = read_response(lease, response.replace(url=lease.url), link_policy, rights)
    if item.draft is None or not item.is_readable:
        return retry_first(item, link_policy)
    made = tuple(replace(page, record=RecordKind.RESOURCE) for page in item.raw)
    return replace(item, raw=made, sources=(make_raw_page(response, item.fetched_at),))


def retry_first(item: FetchedUrl, link_policy: LinkPolicy) -> FetchedUrl:
    """Return the record of an article whose page with all pages fails: its first page is requested next."""
    link_policy.profile.twins.note_whole(item.lease.url, None)
    return replace(item, state=UrlState.FAILED, retry=Retry(), draft=None, found=(), raw=()).refuse(PageReason.PART_MISSING)


def _read_unchanged(item: FetchedUrl, response: Response, rights: PageRights) -> FetchedUrl:
    item = _add_reservations(replace(item, outcome=UrlOutcome.UNCHANGED), response, None, rights)
    decision = item.decision
    return item.refuse(decision.refusal, decision.statement) if decision.refusal is not None else item


def _read_error(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> FetchedUrl:
    """Return the record of an error status; a permanent one is the URL's outcome."""
    status, rule = response.status, find_status_rule(response.status)
    if item.lease.kind in _LISTS and status in {404, 410}:  # no probe is needed: the portal says it
        link_policy.profile.note_missing_page(None, item.fetched_at)
        lease = item.lease
        is_named = lease.kind == FrontierKind.SITEMAP and not lease.depth and urlsplit(lease.url).path != USUAL_SITEMAP
        item = replace(item, found=link_policy.admit_sitemaps([USUAL_INDEX], lease.url)) if is_named else item
    reason = Reason(PageReason.HTTP_STATUS, str(status))
    if rule.sells_pages:
        reason = Reason(PageReason.PAYMENT, read_price(get_header(response, "crawler-price")))
    if not rule.is_transient:
        return replace(item, reason=reason)
    retry = Retry(most_tries=rule.most_tries, after_seconds=read_retry_after(get_header(response, "Retry-After"), item.fetched_at))
    return _record_failure(item, reason, retry, item.pause, requested=True)


def find_challenge(response: Response) -> PageError | None:
    """Return the challenge that an answer's headers declare, or that its error page is; None: it is not one."""
    if (system := find_challenger(partial(get_header, response))) is not None:
        return PageError(PageReason.CAPTCHA, system)
    is_error_page = response.status >= 400 and response.status not in {404, 410} and len(response.body) <= _LARGEST_CHALLENGE
    if not is_error_page or not response.body.strip() or get_media_type(response) not in {"", *_HTML}:
        return None
    barrier = find_barrier(Document.parse(response.body, response.url), get_header(response, "Server") or "")
    return barrier if barrier is not None and barrier.reason is PageReason.CAPTCHA else None


def is_transient(response: Response) -> bool:
    """Return whether the answer may be different a little later: its status says so, and it is not a challenge."""
    return find_status_rule(response.status).is_transient and find_challenge(response) is None


def find_barrier_by_address(url: str, before: str, *, is_own: bool) -> PageError | None:
    """Return the barrier that the target of a redirect is, by its address; None: it is not known as one.

    A page about consent that belongs to the portal may lead back.
    """
    parts = urlsplit(url)
    if (system := find_system(url)) is not None:
        return PageError(PageReason.CAPTCHA, system or parts.netloc)
    if is_own:
        return None
    host, path = (re.sub(r"[^\w]+|_", " ", fold(unquote(part))) for part in (parts.netloc, parts.path))
    leads_back = get_host(before) in unquote(unquote(f"{parts.query}#{parts.fragment}"))
    if pattern("consent", fold=fold).search(f"{host} {path}" if leads_back else host):
        return PageError(PageReason.CONSENT, parts.netloc)
    is_login = any(find_category(word) == "login" for word in f"{host} {path}".split()[:_FIRST_WORDS])
    return PageError(PageReason.WALL, parts.netloc) if is_login else None


def _learn_missing_page(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> None:
    """Remember the page that the portal shows for missing addresses with status 200."""
    page = parse_page(response) if response.status == 200 and get_media_type(response) in {"", *_HTML} else None
    link_policy.profile.note_missing_page(page, item.fetched_at)


def read_failure(
    lease: LeasedUrl, error: BaseException, *, pause: HostPause | None = None, began: bool = False,
    page_megabytes: float = DEFAULT_PAGE_MEGABYTES,
) -> FetchedUrl:  # fmt: skip
    """Return the record of a URL that brought no answer, with the pause of its host, where one followed.

    `began`: the headers of the answer were received; `page_megabytes`: limit of a page's size.
    """
    item = FetchedUrl(lease=lease, fetched_at=datetime.now(UTC))
    if isinstance(error, StoppingError):
        return replace(item, state=UrlState.FAILED, retry=Retry(transient=False, blameless=True))
    if isinstance(error, ReservedError):
        item = replace(item, said=RecordedReservations(reservations=(error.reservation,), complete=False))
    failure = find_failure(error, began=began, page_megabytes=page_megabytes)
    retry = Retry(transient=failure.transient, most_tries=failure.most_tries)
    item = _record_failure(item, failure.reason, retry, failure.pause or pause, requested=failure.pause is None)
    return replace(item, state=failure.state)


def _record_failure(item: FetchedUrl, reason: Reason, retry: Retry, pause: HostPause | None, *, requested: bool) -> FetchedUrl:
    """Return a failure; one of the host, or without a request, does not count as a try of the URL."""
    if pause is not None and pause.final and retry.transient:
        retry = replace(retry, transient=False)
    elif pause is not None and retry.transient:
        again = pause.fresh and pause.failures > 1 and not pause.never_answered
        most = TRIES_AT_FIRST if pause.never_answered else retry.most_tries
        retry = replace(retry, blameless=not requested or pause.suspended or again, most_tries=most)
    return replace(item, state=UrlState.FAILED, reason=reason, retry=retry, pause=pause)


def record_fault(lease: LeasedUrl, error: BaseException | None) -> FetchedUrl:
    """Return the record of a URL at which our own code failed."""
    return FetchedUrl(lease=lease, fetched_at=datetime.now(UTC)).refuse(PageReason.FAULT, f"{type(error).__name__}: {error}")


def _read_redirect(item: FetchedUrl, response: Response, location: str, link_policy: LinkPolicy) -> FetchedUrl:
    """Return the record of a redirect; its target is a separate URL, with its own host, robots.txt and state."""
    lease, item = item.lease, replace(item, outcome=UrlOutcome.REDIRECT)
    try:
        target = canonicalize(location)
    except ValueError:
        return item.refuse(PageReason.REDIRECT_OFF_SCOPE, "no http address")
    keeps_cookies, gives_cookie = link_policy.portal.keeps_cookies, "Set-Cookie" in response.headers
    if target == lease.url and keeps_cookies and gives_cookie:
        return _record_failure(item, Reason(PageReason.REDIRECT_LOOP, target), Retry(), item.pause, requested=True)
    # back to a start page, which a choice of the reader opens
    opens_start = gives_cookie and lease.kind != FrontierKind.ARTICLE and target in link_policy.scope.start_urls
    if opens_start and not keeps_cookies:
        return item.refuse(PageReason.REDIRECT_LOOP, target)
    has_returned = lease.hops > 1 and lease.outcome == UrlOutcome.REDIRECT and not opens_start  # its chain has led back to it
    if target == lease.url or lease.hops >= REDIRECTS or has_returned:
        return item.refuse(PageReason.REDIRECT_LOOP, target)
    found = link_policy.admit_redirect(target, lease)
    if (barrier := find_barrier_by_address(target, lease.url, is_own=found is not None)) is not None:
        return item.refuse(barrier.reason, barrier.detail)
    found = replace(found, anew=True) if found is not None and opens_start else found
    return replace(item, found=(found,)) if found is not None else item.refuse(PageReason.REDIRECT_OFF_SCOPE, target)


def _add_reservations(item: FetchedUrl, response: Response, page: Document | None, rights: PageRights) -> FetchedUrl:
    """Return the record with the publisher's reservations; without the page, those it had before still count."""
    reservations = find_reservations(response, page, rights)
    decision, said = rights.decide(reservations, item.fetched_at), None
    if reservations or page is not None:
        said = RecordedReservations(reservations=reservations, complete=page is not None, keeps_copies=decision.keeps_copies)
    return replace(item, decision=decision, said=said)


def _read(item: FetchedUrl, response: Response, link_policy: LinkPolicy, rights: PageRights) -> FetchedUrl:
    """Return the record of a body: a list, a page, or nothing readable."""
    lease, kind = item.lease, get_media_type(response)
    if lease.why == COPIES:
        return read_index_page(item, response, link_policy)
    content_type, expected = get_header(response, "Content-Type"), LeadKind(lease.kind) if lease.kind in _LISTS else None
    list_kind = find_list_kind(response.body, content_type, expected)
    is_json = kind == "application/json" or _JSON.fullmatch(response.body.strip()) is not None
    if list_kind or expected:  # some sitemaps name sitemaps as pages, and some feeds have become pages
        item = _add_reservations(item, response, None, rights)
        read = read_list(item, response, link_policy, content_type, list_kind)
        loaded = read if read.found or not is_json else read_json(item, response, link_policy)  # a program loads it
        return loaded if loaded.found else read
    if lease.kind in _LISTINGS and (is_json or kind.endswith("/javascript")):
        read = read_json(_add_reservations(item, response, None, rights), response, link_policy, is_json=is_json)
        if read.found or lease.kind == FrontierKind.SECTION:
            return read
    if kind and kind not in _HTML:
        return item.refuse(PageReason.NOT_HTML, kind)
    refresh = read_reference(response, "Refresh")
    if not response.body.strip() and refresh is None:
        return item.refuse(PageReason.EMPTY)
    if (page := parse_page(response)).other_format:
        return item.refuse(PageReason.NOT_HTML, page.other_format)
    item = replace(item, raw=(make_raw_page(response, item.fetched_at),))
    if (barrier := find_barrier(page)) is not None:
        return item.refuse(barrier.reason, barrier.detail)
    if (target := find_refresh(page, refresh)) is not None:
        return _read_redirect(item, response, target, link_policy)
    if lease.kind != FrontierKind.START and link_policy.profile.is_missing(page):
        return item.refuse(PageReason.SOFT_404)
    return open_page(_add_reservations(item, response, page, rights), page)


def get_header(response: Response, name: str) -> str | None:
    """Return the value of a header; None: it is missing or empty."""
    value = response.headers.get(name)
    return value.decode("latin-1").strip() if value else None


def get_media_type(response: Response) -> str:
    """Return the media type of a body, without its parameters; "" where the headers name none."""
    return find_media_type(response.headers)


def find_media_type(headers: Headers) -> str:
    """Return the media type that headers name, those of several fields as of one; "": there is none."""
    return read_media_type(b",".join(headers.getlist("Content-Type")).decode("latin-1"))


def read_reference(response: Response, name: str) -> str | None:
    """Return a header that contains a URL, with octets beyond ASCII percent-encoded as they came."""
    value = get_header(response, name)
    return _BEYOND_ASCII.sub(lambda octet: f"%{ord(octet.group()):02X}", value) if value else None


def find_redirect_target(response: Response) -> str | None:
    """Return the URL that an answer redirects to; None: it is not a redirect."""
    location = read_reference(response, "Location") if 300 <= response.status < 400 else None
    if not location:
        return None
    try:
        return urljoin(response.url, normalize_reference(location))
    except ValueError:  # not a URL, which the request for it reports
        return location


def make_raw_page(response: Response, fetched_at: datetime) -> RawPage:
    """Return the response as it is kept."""
    headers = tuple(
        (name.decode("latin-1"), value.decode("latin-1")) for name, values in response.headers.items() for value in values
    )
    return RawPage(url=response.url, fetched_at=fetched_at, body=response.body, status=response.status, headers=headers)


def parse_page(response: Response) -> Document:
    """Return the page of a response, decoded as its headers say."""
    return Document.parse(response.body, response.url, content_type=get_header(response, "Content-Type"))


def find_reservations(response: Response, page: Document | None, rights: PageRights) -> tuple[Reservation, ...]:
    """Return all reservations of an answer, those of its origin included."""
    return rights.list_reservations(
        response.url, origin=response.meta.get(STATEMENTS) or OriginPolicies(), headers=_get_fields(response),
        meta=page.meta if page is not None else {}, licenses=response.meta.get(LICENSES, ()),
    )  # fmt: skip


def _get_fields(response: Response) -> Mapping[str, Sequence[str]]:
    found = {name: response.headers.getlist(name) for name in FIELDS}
    return {name: [value.decode("latin-1") for value in values] for name, values in found.items() if values}
