"""The links of a page that go into the frontier, with the dates and sections of a listing."""

from __future__ import annotations

from dataclasses import replace

from scrapy.http import Response

from newscrawler.crawl.policy.link_policy import LISTED, LinkPolicy
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery.front_page_problems import obstacle_of
from newscrawler.discovery.hidden_links import hidden_links_of, html_of_json
from newscrawler.discovery.links import FoundLink, Resolver, head_links_of, links_of
from newscrawler.errors import PageReason
from newscrawler.extraction.body.page_kind import Origin
from newscrawler.extraction.dates import DateHint, dates_beside_links
from newscrawler.extraction.metadata.section import section_of_listing
from newscrawler.extraction.pipeline import ExtractionState
from newscrawler.page import Document
from newscrawler.page.document import visible_text
from newscrawler.store import FoundUrl, LeasedUrl
from newscrawler.store.frontier.frontier_records import SECTION_HINT
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome

#: Parts of a listing whose links belong to its section.
_LISTED = frozenset({"main", "article", "header", ""})


def read_links(item: FetchedUrl, page: Document, link_policy: LinkPolicy) -> FetchedUrl:
    """Read the links of a page, and leave its text to the pipelines."""
    claimed = item.claimed
    hints = [DateHint(source=source, text=text) for source, text in claimed.hints if source != SECTION_HINT]
    hints += [DateHint(source="last-modified", text=item.last_modified)] if item.last_modified else []
    draft = ExtractionState(page=page, fetched_at=item.fetched_at, hints=tuple(hints), origin=_origin_of(claimed))
    if claimed.kind == FrontierKind.ARTICLE:
        _ = page.names  # extraction needs them, and computing them first makes links a sixth faster
    if "?" in claimed.url or claimed.kind != FrontierKind.ARTICLE:
        link_policy.profile.saw_text(claimed.url, visible_text(page.body))
    links, obstacle = links_of(page), None
    if claimed.kind in {FrontierKind.START, FrontierKind.SECTION}:
        links += hidden_links_of(page, links)
        link_policy.saw_anchors(page)
    if claimed.kind == FrontierKind.START:
        obstacle = obstacle_of(page, links, link_policy.scope)
    unfollowed = len(links)
    found: tuple[FoundUrl, ...] = ()
    if item.decision.follows_links:
        unfollowed = sum(not link_policy.may_follow(link) for link in links)
        found = _found_on(page, links, item, link_policy)
    return replace(item, draft=draft, obstacle=obstacle, unfollowed=unfollowed, found=found)


def _found_on(page: Document, links: tuple[FoundLink, ...], item: FetchedUrl, link_policy: LinkPolicy) -> tuple[FoundUrl, ...]:
    """Return the page's links for the frontier, and what its kind of page leads to besides."""
    if not link_policy.follows_links:
        return ()
    claimed, head = item.claimed, head_links_of(page)
    if link_policy.is_external(claimed.url):
        return ()
    found = link_policy.links(page, links, head, claimed=claimed)
    if claimed.kind != FrontierKind.ARTICLE:
        found = _dated(found, item, page, links, link_policy)
        found += link_policy.archives(claimed.url, found, claimed=claimed)
    if claimed.kind != FrontierKind.START:
        found += link_policy.probe(claimed.url, item.fetched_at)
    found += link_policy.feeds(head, claimed=claimed)
    found += link_policy.section_feeds(page, head, found, claimed=claimed)
    return found + link_policy.posts(page, claimed=claimed)


def read_json(item: FetchedUrl, response: Response, link_policy: LinkPolicy) -> FetchedUrl:
    """Take the links of a listing that comes as JSON: the answer to "Load more", or the publishing system's list of posts."""
    html = html_of_json(response.body)
    if html is None or not item.decision.follows_links:
        return item.refused(PageReason.NOT_HTML, "application/json")
    page = Document.parse(html, response.url)
    found = link_policy.links(page, links_of(page), head_links_of(page), claimed=item.claimed)
    found += link_policy.further_posts(response.url, len(found), claimed=item.claimed)
    return replace(item, found=found, outcome=UrlOutcome.LISTING)


def _dated(
    found: tuple[FoundUrl, ...], item: FetchedUrl, page: Document, links: tuple[FoundLink, ...], link_policy: LinkPolicy
) -> tuple[FoundUrl, ...]:
    """Add to each likely article the date that the listing shows next to its link, and the section."""
    wanted = {each.url for each in found if each.kind == FrontierKind.ARTICLE}
    if not wanted:
        return found
    context = replace(link_policy.date_context, fetched_at=item.fetched_at, day_order=link_policy.profile.day_order)
    beside = dates_beside_links(page, wanted, Resolver(page.base_url), context)
    section = section_of_listing(page) if item.claimed.kind == FrontierKind.SECTION else None
    listed = {link.url for link in links if link.where in _LISTED} & wanted if section else frozenset()
    dated = []
    for each in found:
        hints: tuple[tuple[str, str], ...] = (("listing", beside[each.url]),) if each.url in beside else ()
        hints += ((SECTION_HINT, section),) if section and each.url in listed else ()
        dated.append(replace(each, hints=hints) if hints else each)
    return tuple(dated)


def _origin_of(claimed: LeasedUrl) -> Origin:
    """Return what led to a page: a feed or sitemap that dated it, a start URL, or a link."""
    if claimed.kind == FrontierKind.START:
        return Origin.START
    return Origin.FEED if any(source in LISTED for source, _ in claimed.hints) else Origin.LINK
