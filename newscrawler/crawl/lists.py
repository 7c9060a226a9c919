"""Feeds and sitemaps: which articles and further sitemaps they lead to, and what of them comes first.

A large portal names a million articles in its sitemaps, of which a night takes some thousands. What is new therefore has its turn
among the other articles, and the archive after the sections, the latest years first; of an index the sitemaps that promise least
wait behind that. So nothing is left out for good, and the frontier does not grow faster than it is worked off.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from scrapy.http import Response

from newscrawler.article import Reserved
from newscrawler.crawl.item import FetchedUrl
from newscrawler.crawl.link_policy import PRIORITY, LinkPolicy
from newscrawler.discovery.sitemaps import Sitemap, SitemapEntry, in_order, newest_first, read_sitemap
from newscrawler.errors import PageReason
from newscrawler.store import FoundUrl
from newscrawler.store.vocabularies.outcomes import FrontierKind, UrlOutcome

#: What a sitemap says of its size is what its protocol allows; pages are smaller. One takes its time to come.
SITEMAP_MEGABYTES = 50.0
SITEMAP_SECONDS = 120.0
#: Of an index so many sitemaps are read before the articles, the most promising, and so many more when the archive has been read.
MOST_SITEMAPS = 50
MOST_OF_AN_INDEX = 2_000
#: Of these what the index says of their last change counts; there are indexes that say "just now" of all.
MOST_WOKEN = 10
#: An index in an index in an index; by the protocol an index has none.
MOST_NESTED = 2
#: Entries that are later are no archive, nor are those without a time where there are few of them.
FRESH = timedelta(days=14)
MOST_FRESH, MOST_UNDATED = 2_000, 1_000
#: How old, and how much later than the latest of the archive.
_AGES = ((timedelta(days=90), 0), (timedelta(days=365), 1), (timedelta(days=3 * 365), 2), (timedelta.max, 3))
_UNDATED = 2


def read_list(item: FetchedUrl, response: Response, link_policy: LinkPolicy, content_type: str) -> None:
    """Take the articles from a feed or sitemap; a page of HTML in its place has none, and is no page of the portal either."""
    claimed, zone = item.claimed, ZoneInfo(link_policy.date_context.time_zone)
    if claimed.kind == FrontierKind.FEED:
        item.found, problem = link_policy.read_entries(claimed, response.body, response.url, content_type or None, zone)
    else:
        now = item.fetched_at
        sitemap = read_sitemap(response.body, response.url, content_type=content_type or None, time_zone=zone, now=now)
        pages = ranked(newest_first(sitemap.pages), seen_before=bool(claimed.visits), now=now)
        item.found = (*_sitemaps(item, sitemap, link_policy), *link_policy.entries(pages, claimed=claimed))
        problem = sitemap.problem
        if problem and item.found:
            item.notes += (f"{claimed.url} is not read as a whole ({problem}): {len(item.found)} addresses are taken of it",)
    if not item.decision.follows_links:
        item.unfollowed, item.found, problem = len(item.found), (), str(Reserved.NOFOLLOW)
    item.outcome = UrlOutcome.LISTING if item.found else UrlOutcome.NOTHING
    if not item.found:
        item.reason, item.detail = PageReason.NO_ENTRIES, problem


def ranked(entries: Sequence[SitemapEntry], *, seen_before: bool, now: datetime) -> Iterator[tuple[SitemapEntry, int]]:
    """Give each entry its place.

    Args:
        entries: the newest first, those without a time last.
        seen_before: the sitemap was, so what is new in it is a new article, whether or not that is said.
        now: aware.
    """
    undated = sum(entry.is_undated for entry in entries)
    for number, entry in enumerate(entries):
        age = now - entry.newest_at
        fresh = (seen_before or undated <= MOST_UNDATED) if entry.is_undated else (age <= FRESH and number < MOST_FRESH)
        later = _UNDATED if entry.is_undated else next(years for longest, years in _AGES if age <= longest)
        yield entry, PRIORITY["article"] if fresh else PRIORITY["archive"] + later


def _sitemaps(item: FetchedUrl, sitemap: Sitemap, link_policy: LinkPolicy) -> tuple[FoundUrl, ...]:
    """The sitemaps of an index; those that promise most are read at once."""
    if sitemap.sitemaps and item.claimed.depth >= MOST_NESTED:
        item.notes += (f"{item.claimed.url} is left: sitemaps that name sitemaps that name sitemaps lead nowhere",)
        return ()
    ordered = in_order(sitemap.sitemaps)
    if len(ordered) > MOST_OF_AN_INDEX:
        left = f"the {MOST_OF_AN_INDEX} most promising of {len(ordered)} are taken"
        item.notes += (f"{item.claimed.url} names more sitemaps than any portal needs: {left}",)
    return tuple(_placed(ordered[:MOST_OF_AN_INDEX], item.claimed.depth + 1, link_policy))


def _placed(ordered: Iterable[SitemapEntry], depth: int, link_policy: LinkPolicy) -> Iterator[FoundUrl]:
    for number, entry in enumerate(ordered):
        changed_at = entry.modified_at if number < MOST_WOKEN else None
        yield from link_policy.sitemaps((entry.url,), depth=depth, late=number >= MOST_SITEMAPS, changed_at=changed_at)
