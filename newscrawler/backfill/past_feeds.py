"""Feeds and search results of the past: WordPress filters both by month, Blogger's feed by two dates; no page links to them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from newscrawler.backfill.calendars import ARCHIVE
from newscrawler.backfill.days import DayRange
from newscrawler.backfill.post_lists import POSTS
from newscrawler.discovery import PRIORITY, Lead, LeadKind, Source, SourceResponse, read_feed
from newscrawler.discovery.urls import canonicalize_or_none

#: `why` of these feeds.
PAST_FEEDS = "past feeds"
#: How the query of a search begins that lists all posts of a month.
_SEARCH = "s=&m="


class PastFeedSource(Source):
    """Feeds of past months where no API lists the posts, and search results where no feed does."""

    priority = PRIORITY["sitemap"] + 1

    def __init__(self, days: DayRange) -> None:
        self._days = days
        self._has_posts = self._has_feeds = False
        #: The first entries of feeds; one that comes again is of a server that knows no further pages.
        self._firsts: set[str] = set()

    def read(self, answer: SourceResponse) -> Iterator[Lead]:
        """Yield the feeds and searches that the system of a start page offers; of a feed, its entries and its next page."""
        if answer.why == POSTS:
            self._has_posts = self._has_posts or any(each.kind == "article" for each in answer.found)
        elif answer.why == PAST_FEEDS:
            yield from self._read_feed(answer)
        elif answer.kind == "start":
            system, root = _find_system(answer), answer.url.partition("?")[0]
            if system == "blogger":
                first, end = self._days.since, self._days.until + timedelta(days=1)
                wanted = {"published-min": f"{first}T00:00:00", "published-max": f"{end}T00:00:00", "max-results": 100}
                yield from _make_lead(f"{root.rstrip('/')}/feeds/posts/default?{urlencode(wanted)}", LeadKind.FEED, PAST_FEEDS)
            for month in self._days.list_months() if system == "wordpress" else ():
                yield from _make_lead(f"{root}?m={month:%Y%m}&feed=rss2", LeadKind.FEED, PAST_FEEDS)
                yield from _make_lead(f"{root}?{_SEARCH}{month:%Y%m}", LeadKind.SECTION, ARCHIVE)

    def get_reason_to_skip(self, url: str) -> str:
        """Return why a feed or a search is superfluous."""
        query = urlsplit(url).query
        is_search, is_feed = _SEARCH in query, "feed=rss2" in query or "published-min=" in query
        if self._has_posts and (is_search or is_feed):
            return "the portal's API lists the posts"
        return "the portal's feeds list the posts" if self._has_feeds and is_search else ""

    def _read_feed(self, answer: SourceResponse) -> Iterator[Lead]:
        feed = read_feed(answer.body, answer.url, content_type=answer.content_type, time_zone=answer.portal.time_zone)
        if not feed.entries or feed.entries[0].url in self._firsts:
            return
        self._has_feeds = True
        self._firsts.add(feed.entries[0].url)
        yield from feed.entries
        parts = urlsplit(answer.url)
        query = dict(parse_qsl(parts.query))
        query["paged"] = str(int(query.get("paged", "1")) + 1)
        further = urlunsplit(parts._replace(query=urlencode(query))) if "published-min" not in query else ""
        yield from _make_lead(feed.further or further, LeadKind.FEED, PAST_FEEDS)


def _make_lead(url: str, kind: LeadKind, why: str) -> Iterator[Lead]:
    canonical = canonicalize_or_none(url)
    if canonical is not None:
        yield Lead(canonical, kind, why=why, depth=1)


def _find_system(answer: SourceResponse) -> str:
    """Return the publishing system of a page that has feeds of the past: "wordpress", "blogger"; "": it has none."""
    if (page := answer.page) is None:
        return ""
    generator = (page.get_first_meta("generator") or "").lower()
    named = next((name for name in ("wordpress", "blogger") if generator.startswith(name)), "")
    addresses = (each.get("href") or each.get("src") or "" for kind in ("link", "script") for each in page.declarations[kind])
    return named or ("wordpress" if any("/wp-content/" in each or "/wp-includes/" in each for each in addresses) else "")
