"""Reading of responses for their URLs: the sources of discovery read each of them, and the policy decides on their leads."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from scrapy.http import Response

from newscrawler.article import Reserved
from newscrawler.crawl.policy.link_policy import LinkPolicy
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery import (
    FoundLink,
    HeadLinks,
    LeadKind,
    Resolver,
    SourceResponse,
    collect_head_links,
    collect_hidden_links,
    collect_links,
    convert_json_to_html,
    find_front_page_problem,
    find_list_kind,
)
from newscrawler.errors import PageReason
from newscrawler.extraction import ExtractionState
from newscrawler.extraction.body import Origin, load_page_classifier
from newscrawler.extraction.dates import DateContext, DateHint, find_link_dates
from newscrawler.extraction.metadata.section import find_listing_section
from newscrawler.page import Document
from newscrawler.store.frontier import LISTED, SECTION_HINT, FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome

#: Parts of a listing whose links belong to its section.
_LISTED = frozenset({"main", "article", "header", ""})
#: A link of the header to the next page.
_NEXT = re.compile(r"<([^>]*)>\s*;[^<]*\brel\s*=\s*(?:\"[^\"]*)?\bnext\b", re.IGNORECASE)


def read_list(
    item: FetchedUrl, response: Response, link_policy: LinkPolicy, content_type: str | None, kind: LeadKind | None
) -> FetchedUrl:
    """Return the record with the entries of a feed or sitemap; `kind` None: a page came in its place, whose links are read."""
    content: dict[str, Any] = {"body": response.body, "content_type": content_type}
    if kind is None:
        page = Document.parse(response.body, response.url, content_type=content_type)
        shown = "".join(map(str, page.body.itertext())).strip().encode("utf-8", "replace")
        if (within := find_list_kind(shown, None)) is not None:  # it shows its text
            return read_list(item, response.replace(body=shown), link_policy, "text/xml; charset=utf-8", within)
        content |= {"kind": "section", "page": page, "links": collect_links(page), "head": collect_head_links(page)}
        answer = _make_answer(item, response.url, link_policy, problem="HTML page", **content)
    else:
        content["kind"] = kind
        if str(item.lease.kind) != str(kind):
            content |= {"why": None, "depth": 0}
        answer = _make_answer(item, response.url, link_policy, **content)
    found, problem = link_policy.find(answer, item.lease), answer.problem
    notes = [*item.notes, *answer.notes]
    if problem and found and kind is LeadKind.SITEMAP:
        notes.append(f"{item.lease.url} is not read as a whole ({problem}): {len(found)} addresses are taken of it")
    if not item.decision.follows_links:
        item, found, problem = replace(item, unfollowed=len(found)), (), str(Reserved.NOFOLLOW)
    outcome = UrlOutcome.LISTING if found else UrlOutcome.NOTHING
    reason = Reason(PageReason.NO_ENTRIES, problem) if not found else None
    return replace(item, found=found, outcome=outcome, reason=reason, notes=tuple(notes))


def read_json(item: FetchedUrl, response: Response, link_policy: LinkPolicy, *, is_json: bool = True) -> FetchedUrl:
    """Read the links of a listing in JSON, or in a script: the response to "Load more", or the system's list of posts."""
    html = convert_json_to_html(response.body, response.url)
    if not item.decision.follows_links or (html is None and is_json):
        return item.refuse(PageReason.NOT_HTML, "application/json")
    page = Document.parse(html or f"<script>{response.text}</script>", response.url)
    links = collect_links(page)
    links += collect_hidden_links(page, links) if html is None else ()
    link_policy.portal_pages.note_links(links)
    answer = _make_answer(
        item, response.url, link_policy, page=page, links=links, head=_read_head(page, response), body=response.body
    )
    return replace(item, found=link_policy.find(answer, item.lease), outcome=UrlOutcome.LISTING)


def read_index_page(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> FetchedUrl:
    """Read a page of the index of a web archive."""
    found = link_policy.find(_make_answer(item, response.url, link_policy, body=response.body), item.lease)
    return replace(item, found=found, outcome=UrlOutcome.LISTING)


def open_page(item: FetchedUrl, page: Document) -> FetchedUrl:
    """Return the record with its page, whose links and text are read next."""
    lease = item.lease
    hints = [DateHint(source=source, text=text) for source, text in lease.hints if source != SECTION_HINT]
    hints += [DateHint(source="last-modified", text=item.last_modified)] if item.last_modified else []
    draft = ExtractionState(page=page, fetched_at=item.fetched_at, hints=tuple(hints))
    return replace(item, draft=draft)


def list_links(page: Document, lease: LeasedUrl, link_policy: LinkPolicy, source: bytes = b"") -> tuple[FoundLink, ...]:
    """Return the links of a page with their texts and places; of a listing also those that only its scripts and source name."""
    if lease.kind == FrontierKind.ARTICLE:
        _ = page.names  # extraction needs them, and computing them first makes links a sixth faster
    links = collect_links(page)
    if lease.kind in {FrontierKind.START, FrontierKind.SECTION}:
        links += collect_hidden_links(page, links, source)
        link_policy.portal_pages.note_anchors(page, link_policy.scope)
    return links


def admit_links(item: FetchedUrl, page: Document, links: tuple[FoundLink, ...], link_policy: LinkPolicy) -> FetchedUrl:
    """Return the record with the URLs that go into the frontier, those that sources derive from the page included.

    The draft gets the log-odds of an article by the origin of the page.
    """
    if link_policy.leads_on(item.lease.url):
        link_policy.portal_pages.note_links(links)
    if item.draft is not None:
        item.draft.prior = _find_prior(item.lease, page, link_policy)
    is_start, unfollowed = item.lease.kind == FrontierKind.START, len(links)
    found: tuple[FoundUrl, ...] = ()
    problem = find_front_page_problem(page, links, link_policy.scope) if is_start else None
    if item.decision.follows_links:
        unfollowed = sum(not link_policy.may_follow(link) for link in links)
        found = _find_urls(page, links, item, link_policy)
    return replace(item, front_page_problem=problem, unfollowed=unfollowed, found=found)


def _find_urls(page: Document, links: tuple[FoundLink, ...], item: FetchedUrl, link_policy: LinkPolicy) -> tuple[FoundUrl, ...]:
    """Return the URLs to which a page leads, with dates and sections of a listing, and a probe if one is due."""
    lease, here = item.lease, page.url or ""
    if not link_policy.leads_on(lease.url):
        return ()
    followed = () if link_policy.is_external(here) else links
    head = _read_head(page, item.answer)
    found = link_policy.find(_make_answer(item, here, link_policy, page=page, links=followed, head=head), lease)
    if lease.kind != FrontierKind.ARTICLE:
        found = link_policy.restrict(_add_dates(found, item, page, links, link_policy))
    if lease.kind != FrontierKind.START:
        found += link_policy.probe(lease.url, item.fetched_at)
    return found


def _read_head(page: Document, response: Response | None) -> HeadLinks:
    """Read the links of a page's head, and the next page that a header names (RFC 8288)."""
    head = collect_head_links(page)
    header = b", ".join(response.headers.getlist("Link")).decode("latin-1") if response is not None and head.next is None else ""
    said = _NEXT.search(header)
    return replace(head, next=Resolver.of(page)(said[1])) if said else head


def _make_answer(item: FetchedUrl, url: str, link_policy: LinkPolicy, **content: Any) -> SourceResponse:
    """Return a response as the sources read it."""
    lease = item.lease
    known = {"kind": lease.kind, "why": lease.why, "depth": lease.depth}
    return SourceResponse(
        portal=link_policy.outline, requested_url=lease.url, url=url, fetched_at=item.fetched_at, seen_before=bool(lease.visits),
        keeps_texts=item.decision.refusal is None and item.decision.keeps_copies, **(known | content),
    )  # fmt: skip


def _add_dates(
    found: tuple[FoundUrl, ...], item: FetchedUrl, page: Document, links: tuple[FoundLink, ...], link_policy: LinkPolicy
) -> tuple[FoundUrl, ...]:
    """Add to each likely article the date that the listing shows next to its link, and the section."""
    wanted = {each.url for each in found if each.kind == FrontierKind.ARTICLE}
    if not wanted:
        return found
    portal, calendar = link_policy.portal, link_policy.profile.calendar
    context = DateContext(time_zone=portal.time_zone, language=portal.language, fetched_at=item.fetched_at, calendar=calendar)
    dates = find_link_dates(page, wanted, Resolver.of(page), context)
    section = find_listing_section(page) if item.lease.kind == FrontierKind.SECTION else None
    listed = {link.url for link in links if link.where in _LISTED} & wanted if section else frozenset()
    dated = []
    for each in found:
        hints: tuple[tuple[str, str], ...] = (("listing", dates[each.url]),) if each.url in dates else ()
        hints += ((SECTION_HINT, section),) if section and each.url in listed else ()
        each = replace(each, hints=hints) if hints else each  # noqa: PLW2901
        dated.append(link_policy.rank_by_date(each, dates[each.url], item.fetched_at) if each.url in dates else each)
    return tuple(dated)


def _find_prior(lease: LeasedUrl, page: Document, link_policy: LinkPolicy) -> float:
    """Return the log-odds of an article by the origin of a page: a start URL, a feed or sitemap that dated it, or a link."""
    is_dated = any(source in LISTED for source, _ in lease.hints)
    if is_dated or lease.kind == FrontierKind.START:
        return load_page_classifier().get_prior(Origin.FEED if is_dated else Origin.START)
    return link_policy.estimate_prior(lease, page.title)
