"""Feeds and sitemaps: the articles and further sitemaps that they name, and their priorities.

A large portal names a million articles in its sitemaps, of which a crawl fetches some thousands. New ones have the priority of
articles; the archive comes after the sections, the latest years first, then the least promising sitemaps of an index. So nothing
is left out for good, and the frontier does not grow faster than it is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from scrapy.http import Response

from newscrawler.article import Reserved
from newscrawler.crawl.policy.link_policy import PRIORITY, LinkPolicy
from newscrawler.crawl.run.items import FetchedUrl
from newscrawler.discovery import Sitemap, SitemapEntry, read_sitemap, sort_by_promise, sort_newest_first
from newscrawler.errors import PageReason
from newscrawler.store.frontier import FoundUrl, LeasedUrl
from newscrawler.store.vocabularies import FrontierKind, Reason, UrlOutcome

#: Limits of a sitemap: the size that its protocol allows, and the time to download it.
SITEMAP_MEGABYTES = 50.0
SITEMAP_SECONDS = 120.0
#: Sitemaps of an index that are read before the articles, the most promising first, and after the archive.
MOST_SITEMAPS = 50
MOST_OF_AN_INDEX = 2_000
#: Sitemaps whose last change in the index counts; some indexes give the current time for all.
MOST_WOKEN = 10
#: Indexes within indexes; the protocol allows none.
MOST_NESTED = 2
#: Later entries are new, as are a few entries without a time.
FRESH = timedelta(days=14)
MOST_FRESH, MOST_UNDATED = 2_000, 1_000
#: (age, added to the priority).
_AGES = ((timedelta(days=90), 0), (timedelta(days=365), 1), (timedelta(days=3 * 365), 2), (timedelta.max, 3))
_UNDATED = 2


def read_list(item: FetchedUrl, response: Response, link_policy: LinkPolicy, content_type: str) -> FetchedUrl:
    """Return the record with the entries of a feed or sitemap; an HTML page in its place has none."""
    lease, zone, notes = item.lease, ZoneInfo(link_policy.date_context.time_zone), list(item.notes)
    found: tuple[FoundUrl, ...]
    if lease.kind == FrontierKind.FEED:
        found, problem = link_policy.read_entries(lease, response.body, response.url, content_type or None, zone)
    else:
        now = item.fetched_at
        sitemap = read_sitemap(response.body, response.url, content_type=content_type or None, time_zone=zone, now=now)
        pages = rank_entries(sort_newest_first(sitemap.pages), seen_before=bool(lease.visits), now=now)
        found = (*_find_sitemaps(lease, sitemap, link_policy, notes), *link_policy.entries(pages, claimed=lease))
        problem = sitemap.problem
        if problem and found:
            notes.append(f"{lease.url} is not read as a whole ({problem}): {len(found)} addresses are taken of it")
    if not item.decision.follows_links:
        item, found, problem = replace(item, unfollowed=len(found)), (), str(Reserved.NOFOLLOW)
    outcome = UrlOutcome.LISTING if found else UrlOutcome.NOTHING
    reason = Reason(PageReason.NO_ENTRIES, problem) if not found else None
    return replace(item, found=found, outcome=outcome, reason=reason, notes=tuple(notes))


def rank_entries(entries: Sequence[SitemapEntry], *, seen_before: bool, now: datetime) -> Iterator[tuple[SitemapEntry, int]]:
    """Yield each entry with its priority.

    Args:
        entries: the newest first, those without a time last.
        seen_before: the sitemap was read before, so an entry without a time that is new in it is a new article.
        now: aware.
    """
    undated = sum(entry.is_undated for entry in entries)
    for number, entry in enumerate(entries):
        age = now - entry.newest_at
        fresh = (seen_before or undated <= MOST_UNDATED) if entry.is_undated else (age <= FRESH and number < MOST_FRESH)
        later = _UNDATED if entry.is_undated else next(years for longest, years in _AGES if age <= longest)
        yield entry, PRIORITY["article"] if fresh else PRIORITY["archive"] + later


def _find_sitemaps(lease: LeasedUrl, sitemap: Sitemap, link_policy: LinkPolicy, notes: list[str]) -> tuple[FoundUrl, ...]:
    """Return the sitemaps of an index, the most promising with a higher priority."""
    if sitemap.sitemaps and lease.depth >= MOST_NESTED:
        notes.append(f"{lease.url} is not followed: sitemaps that name sitemaps that name sitemaps lead nowhere")
        return ()
    ordered = sort_by_promise(sitemap.sitemaps)
    if len(ordered) > MOST_OF_AN_INDEX:
        taken = f"the {MOST_OF_AN_INDEX} most promising of {len(ordered)} are taken"
        notes.append(f"{lease.url} names more sitemaps than any portal needs: {taken}")
    return tuple(_place_sitemaps(ordered[:MOST_OF_AN_INDEX], lease.depth + 1, link_policy))


def _place_sitemaps(ordered: Iterable[SitemapEntry], depth: int, link_policy: LinkPolicy) -> Iterator[FoundUrl]:
    for number, entry in enumerate(ordered):
        changed_at = entry.modified_at if number < MOST_WOKEN else None
        yield from link_policy.sitemaps((entry.url,), depth=depth, late=number >= MOST_SITEMAPS, changed_at=changed_at)
